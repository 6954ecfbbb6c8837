#!/usr/bin/env python3
"""matrix_oracles.py - what others say of the matrix cores, for tests/sim/matrix.c.

    python3 tests/sim/matrix_oracles.py CALCULATOR MMA_SIM >tests/data/mfma.tsv

CALCULATOR is a checkout of ROCm/amd_matrix_instruction_calculator (made with
2ef91896), which says where elements are; MMA_SIM one of microsoft/MMA-Sim (made
with c7851383), which says what sums are. The latter needs Python's torch with
8-bit floats; a module of that name with the few operations that MMA-Sim uses made
the file, in plain Python. A row is a hash (64-bit FNV-1a of little-endian words):

    layout ARCH NAME HASH      lane and bit of every element and legal modifier
    value  ARCH NAME KIND HASH all elements of D, inputs by number() below; every
                               NaN counts as one
"""
# SPDX-License-Identifier: MIT
import math
import re
import struct
import sys

sys.path[:0] = sys.argv[1:3]
import matrix_calculator as calculator  # noqa: E402
import torch  # noqa: E402
from mmasim.simulator import amd, arithmetic  # noqa: E402

ARCHS = {"gfx908": ("cdna1", "CDNA1"), "gfx90a": ("cdna2", "CDNA2"),
         "gfx942": ("cdna3", "CDNA3")}
MASK = (1 << 64) - 1


class Hash:
    def __init__(self):
        self.value = 0xCBF29CE484222325

    def add(self, word, size=4):
        for byte in word.to_bytes(size, "little"):
            self.value = (self.value ^ byte) * 0x100000001B3 & MASK


def rng_nth(seed, n):  # splitmix64: base/rng.h
    x = (seed + (n + 1) * 0x9E3779B97F4A7C15) & MASK
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & MASK
    x = (x ^ x >> 27) * 0x94D049BB133111EB & MASK
    return x ^ x >> 31


# --- layout ------------------------------------------------------------------

def place(hash_, register, lanes, bits):
    m = re.match(r"v\[?(\d+)(?::(\d+))?\]?(?:\.\[(\d+):(\d+)\])?$", register)
    first = min(int(m[1]), int(m[2] or m[1]))
    hash_.add(lanes[0])
    hash_.add(first * 32 + (int(m[4] or 0) if bits < 32 else 0))


def layout(cdna, name, f):
    c = calculator.InstCalcGfx9(name, f, 64)
    bits = calculator.get_data_size(f["in_type"])
    modified = f["cbsz_abid"] and not f["sparse"]
    h = Hash()

    def element(*what):
        _, register, lanes = c._get_reg_lanes(*what)
        place(h, register, lanes, bits if what[0] != "d" else 32)

    for b in range(f["blocks"]):
        for cbsz in range(5 if modified else 1):
            for abid in range(1 << cbsz if 1 << cbsz <= f["blocks"] else 0):
                for i in range(f["m"]):
                    for k in range(f["k"]):
                        element("a", i, 0, k, b, cbsz, abid, 0, 0)
        for blgp in range(8 if f["blgp"] and bits < 64 else 1):
            for j in range(f["n"]):
                for k in range(f["k"]):
                    element("b", 0, j, k, b, 0, 0, blgp, 0)
        for i in range(f["m"]):
            for j in range(f["n"]):
                element("d", i, j, 0, b, 0, 0, 0, 0)
    return h.value


# --- values ------------------------------------------------------------------

# Bits of exponent and fraction, bias, is the largest exponent Inf and NaN.
FORMATS = {"f64": (11, 52, 1023, True), "f32": (8, 23, 127, True),
           "xf32": (8, 23, 127, True), "f16": (5, 10, 15, True),
           "bf16": (8, 7, 127, True), "fp8": (4, 3, 8, False),
           "bf8": (5, 2, 16, False)}


def number(seed, n, kind, exponents, fractions, bias):
    """Bits of element n: of kind 0 about 1, 1 any, 2 any but the largest
    exponent, 3 small and about 1."""
    r = rng_nth(seed, n)
    top = (1 << exponents) - 1
    exponent = r >> 52 & top
    if kind == 0:
        exponent = bias - 4 + (r >> 52) % 8
    elif kind == 2 and exponent == top:
        exponent = bias
    elif kind == 3:
        exponent = (0, 1, bias, bias + 1)[r >> 52 & 3]
    return (r >> 63) << (exponents + fractions) | exponent << fractions | \
        r & ((1 << fractions) - 1)


def value(bits, exponents, fractions, bias, ieee):
    sign = -1.0 if bits >> (exponents + fractions) else 1.0
    exponent = bits >> fractions & ((1 << exponents) - 1)
    fraction = bits & ((1 << fractions) - 1)
    if ieee and exponent == (1 << exponents) - 1:
        return math.nan if fraction else sign * math.inf
    if not ieee and sign < 0 and not exponent and not fraction:
        return math.nan
    if exponent:
        fraction |= 1 << fractions
    return sign * math.ldexp(fraction, max(exponent, 1) - bias - fractions)


def matrix(seed, first, rows, columns, kind, form, dtype):
    def element(i, j):
        n = first + i * columns + j
        return value(number(seed, n, kind, *form[:3]), *form)
    return torch.tensor([[element(i, j) for j in range(columns)]
                         for i in range(rows)], dtype=dtype)


PART = 1 << 16  # numbers of a block's A, B and C


def values(model, forms, blocks, kind):
    h = Hash()
    double = forms[2] == "f64"
    for b in range(blocks):
        first = 3 * b * PART
        d = model(
            matrix(kind, first, model.m, model.k, kind, FORMATS[forms[0]], model.a_type),
            matrix(kind, first + PART, model.k, model.n, kind, FORMATS[forms[1]], model.b_type),
            matrix(kind, first + 2 * PART, model.m, model.n, kind, FORMATS[forms[2]], model.c_type))
        for i in range(model.m):
            for j in range(model.n):
                x = d[i, j].item()
                if double:
                    bits = struct.unpack("<Q", struct.pack("<d", x))[0]
                    h.add(0x7FF8 << 48 if x != x else bits, 8)
                else:
                    bits = struct.unpack("<I", struct.pack("<f", x))[0]
                    h.add(0x7FC00000 if x != x else bits)
    return h.value


def forms_of(f):
    names = {"fp64": "f64", "fp32": "f32", "fp16": "f16"}
    types = (f["in_type"], f["in_type_src1"], f["out_type"])
    return [names.get(x, x.removeprefix("amd_")) for x in types]


def main():
    pairwise = arithmetic.pairwise_dot
    # It asserts what it is given of 16 bits to be f32.
    amd.pairwise_dot = lambda a, b, flush: pairwise(a.float(), b.float(), flush)
    for arch, (cdna, model_arch) in ARCHS.items():
        for name, f in calculator.dict_insts[cdna].items():
            if f["sparse"]:
                continue
            print("layout", arch, name, f"{layout(cdna, name, f):016x}", sep="\t")
            if f["integer"]:
                continue
            model = amd.mfma(model_arch, name[len("v_mfma_"):])
            for kind in range(4):
                h = values(model, forms_of(f), f["blocks"], kind)
                print("value", arch, name, kind, f"{h:016x}", sep="\t", flush=True)


main()
