#!/usr/bin/env python3
# cublas.py - tuned gemm against cuBLAS, on the NVIDIA device that is here.
# SPDX-License-Identifier: MIT
#
#   tests/cuda/cublas.py BUILD [--shapes squares|long|layers|all|MxNxK,...]
#                        [--evals N] [--seconds S] [--arch sm_90]
#                        [--winners FILE] [-- ...]
#
# What follows `--` goes to tune. With --winners the configurations of FILE, a
# table of the store, are measured anew; without, they are searched. Needs
# PyTorch. cuBLAS runs in fp32 with TF32 off. Both sides are timed by the
# device's events around one launch, as medians, over buffers that rotate
# through more than the L2 cache holds. The device is kept busy until cuBLAS's
# launch is queued, so that its time has no share of the host's. cuBLAS is
# timed before and after tune, and the better of the two medians counts.

import argparse
import json
import math
import statistics
import subprocess
import sys

import torch

SQUARES = [(n, n, n) for n in (1024, 2048, 4096, 8192)]
LONG = [(128, 128, 65536), (256, 256, 16384)]

# Matrices (inputs, outputs) of a layer: attention in (query, key and value as
# one, where they are not of the same size) and out, feed-forward up and down.
MODELS = {
    "Llama-2-7B": [(4096, 4096), (4096, 11008), (11008, 4096)],
    "Llama-3-8B": [(4096, 6144), (4096, 4096), (4096, 14336), (14336, 4096)],
    "Qwen2.5-14B": [(5120, 7168), (5120, 5120), (5120, 13824), (13824, 5120)],
}
TOKENS = (1, 16, 128, 512, 2048)


def layers():
    """Two matrices of each model at each number of tokens, in turn."""
    every = [(tokens, n, k)
             for i, tokens in enumerate(TOKENS)
             for sizes in MODELS.values()
             for k, n in (sizes[2 * i % len(sizes)],
                          sizes[(2 * i + 1) % len(sizes)])]
    return list(dict.fromkeys(every))  # two models share one


SHAPES = {"squares": SQUARES, "long": LONG, "layers": layers(),
          "all": SQUARES + LONG + layers()}


def shapes_of(text):
    """A list named in SHAPES, or one like 1024x1024x1024,16x4096x4096."""
    if text in SHAPES:
        return SHAPES[text]
    return [tuple(int(size) for size in shape.split("x"))
            for shape in text.split(",")]


def cublas_us(m, n, k, samples=51):
    """The median of single launches over rotating buffers."""
    l2 = torch.cuda.get_device_properties(0).L2_cache_size
    size = 4 * (m * k + k * n + m * n)
    sets = min(8, 2 + l2 // size)
    data = [(torch.rand(m, k, device="cuda") * 2 - 1,
             torch.rand(k, n, device="cuda") * 2 - 1,
             torch.empty(m, n, device="cuda")) for _ in range(sets)]
    times = []
    for i in range(samples + 5):
        a, b, c = data[i % sets]
        start = torch.cuda.Event(enable_timing=True)
        stop = torch.cuda.Event(enable_timing=True)
        torch.cuda._sleep(200_000)  # clocks, about 0.1 ms
        start.record()
        torch.mm(a, b, out=c)
        stop.record()
        torch.cuda.synchronize()
        if i >= 5:
            times.append(1000 * start.elapsed_time(stop))
    return statistics.median(times)


def winners(path):
    """Configurations of a table of gemm by shape."""
    found = {}
    for line in open(path, encoding="ascii"):
        row = dict(word.split("=", 1) for word in line.split())
        problem = dict(word.split("=") for word in row["problem"].split(","))
        if problem["layout"] == "nn":
            shape = tuple(int(problem[name]) for name in "mnk")
            found[shape] = row["config"]
    return found


def tuned(options, m, n, k):
    """The winner that tune names: a record."""
    command = [options.build + "/tune", "gemm", "--arch", options.arch,
               "--m", str(m), "--n", str(n), "--k", str(k), "--quiet",
               "--json", "--evals", str(options.evals), *options.more]
    if options.winners:
        command += ["--set", options.winners[m, n, k]]
    if options.seconds:
        command += ["--seconds", str(options.seconds)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True,
                          check=False)
    lines = done.stdout.splitlines()
    if not lines or json.loads(lines[-1])["type"] != "winner":
        sys.exit("cublas.py: no winner from: " + " ".join(command))
    return json.loads(lines[-1])


def unusual(config):
    """What the winner has beyond a plain tiled kernel: name=value ..."""
    plain = {"slice_k": 1, "async": 0, "raster": 1, "split_k": 1,
             "stream_k": 0}
    return " ".join(f"{name}={config[name]}" for name in plain
                    if config[name] != plain[name])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--shapes", type=shapes_of, default="squares")
    parser.add_argument("--evals", type=int, default=120)
    parser.add_argument("--seconds", type=float, default=0)
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--winners", type=winners)
    words = sys.argv[1:]
    cut = words.index("--") if "--" in words else len(words)
    options = parser.parse_args(words[:cut])
    options.more = words[cut + 1:]
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.set_float32_matmul_precision("highest")
    print("command: " + " ".join(sys.argv))
    print(f"device: {torch.cuda.get_device_name(0)}; "
          f"PyTorch {torch.__version__}, CUDA {torch.version.cuda}")
    print(f"{'m':>6} {'n':>6} {'k':>6} {'cuBLAS us':>10} {'tuned us':>10} "
          f"{'TFLOP/s':>8} {'ratio':>6}  not as usual")
    ratios = []
    for m, n, k in options.shapes:
        before = cublas_us(m, n, k)
        winner = tuned(options, m, n, k)
        cublas = min(before, cublas_us(m, n, k))
        ours = winner["time_us"]
        ratios.append(cublas / ours)
        print(f"{m:6} {n:6} {k:6} {cublas:10.1f} {ours:10.1f} "
              f"{2e-6 * m * n * k / ours:8.2f} {ratios[-1]:6.3f}  "
              + unusual(winner["config"]), flush=True)
    mean = math.exp(statistics.mean(math.log(r) for r in ratios))
    print(f"ratio: geometric mean {mean:.3f}, least {min(ratios):.3f}")
    print("made with: " + ", ".join(
        f"{name} {winner[name]}" for name in ("compiler", "runtime")
        if name in winner))


if __name__ == "__main__":
    main()
