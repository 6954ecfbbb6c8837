/* matrix_hazard.c - who uses a result of the matrix cores too early is stopped.
 *
 * A product, wait states and a user, put together by hand: one state too few is a
 * fault that names both, enough are none. The numbers are those of AMD's tables
 * ("CDNA3" and "CDNA4" ISA, software scheduling rules) and of LLVM 22. Kernels that
 * the compiler made lose the s_nop that it put behind a product.
 */
// SPDX-License-Identifier: MIT
#include "tests/sim/program.h"
#include "tests/sim/launch.h"

enum use {VALU, VALU_LONG, MEMORY, AB, SAME_C, PART_C, OVER, OVER_LOAD};
enum {A = 0, B = 4, OTHER = 8, D = 40, ZERO = 128 /* the constant */};

/* Bits 59 and 60: A and B are AGPRs; 15: C and D are. */
static void product(uint32_t w[2], unsigned op, unsigned d, unsigned a,
                    unsigned c, int agprs)
{
  w[0] = 0xd3800000u | op << 16 | (uint32_t)agprs << 15 | d;
  w[1] = (256 + a) | (256 + B) << 9 | c << 18 | (agprs ? 1u << 27 : 0);
}

static size_t user(uint32_t w[2], unsigned op, enum use use, int agprs)
{
  switch (use) {
  case VALU: /* v_mov_b32 v60, v40; v_accvgpr_read_b32 v60, a40 */
    w[0] = agprs ? 0xd3d84000u | 60 : 0x7e000200u | 60 << 17 | (256 + D);
    w[1] = 256 + D;
    return agprs ? 2 : 1;
  case VALU_LONG: /* v_fma_f32 v60, v40, v61, v61: its opcode is above 127 */
    w[0] = 0xd1cb0000u | 60;
    w[1] = (256 + D) | (256 + 61) << 9 | (256 + 61) << 18;
    return 2;
  case MEMORY: /* ds_write_b32 v61, v40 */
    w[0] = 0xd8000000u | 0x0d << 17;
    w[1] = D << 8 | 61;
    return 2;
  case OVER: /* v_mov_b32 v40, v61; v_accvgpr_write_b32 a40, v61 */
    w[0] = agprs ? 0xd3d94000u | D : 0x7e000200u | D << 17 | (256 + 61);
    w[1] = 256 + 61;
    return agprs ? 2 : 1;
  case OVER_LOAD: /* ds_read_b32 v40, v61 */
    w[0] = 0xd8000000u | 0x36 << 17;
    w[1] = (uint32_t)D << 24 | 61;
    return 2;
  default:
    product(w, op, OTHER, use == AB ? D : A,
            use == AB ? ZERO : 256u + D + (use == PART_C ? 2 : 0), agprs);
    return 2;
  }
}

static size_t nops(uint32_t *w, unsigned states)
{
  size_t n = 0;
  for (; states; n++) {
    unsigned now = states > 16 ? 16 : states;
    w[n] = 0xbf800000u | (now - 1);
    states -= now;
  }
  return n;
}

static unsigned opcode(const struct isa *isa, const char *name)
{
  for (unsigned op = 0; op < 128; op++) {
    const struct op *o = op_find(isa, VOP3P, op);
    if (o && !strcmp(o->name, name))
      return op;
  }
  fail_msg("%s has no %s", isa->name, name);
  return 0;
}

/* Run it; 1: a fault that names the product and its user. */
static int stopped(const struct isa *isa, const char *name, enum use use,
                   unsigned states)
{
  uint32_t w[16] = {0x7e000280u | 61 << 17}; /* v_mov_b32 v61, 0 */
  unsigned op = opcode(isa, name);
  int agprs = isa->agprs == AGPRS_APART;
  size_t n = 1;
  product(w + n, op, D, A, ZERO, 0);
  w[n + 1] &= ~(1u << 27);
  n += 2;
  n += nops(w + n, states);
  size_t at = n;
  n += user(w + n, op, use, agprs);
  struct program p;
  program_load_for(&p, isa, w, n);
  p.kernel.vgprs = agprs ? 128 : 256;
  p.kernel.agprs = 128;
  p.dispatch.lds = 1024;
  program_start(&p, 64);
  while (p.group->waves->state == WAVE_RUN)
    wave_step(p.group->waves);
  const struct fault *f = &p.group->waves->fault;
  const char *second = inst_name(&p.object.code[at]);
  int told = f->code && strstr(f->text, name) && strstr(f->text, second);
  if (f->code && isa->late_matrix && use == MEMORY && !strcmp(name, "v_mfma_f64_16x16x4_f64"))
    assert_non_null(strstr(f->text, "LLVM leaves 18; AMD's document asks for 20"));
  if (f->code && !told)
    fail_msg("%s", f->text);
  program_close(&p);
  return told;
}

static const struct {
  const char *arch, *name;
  enum use use;
  unsigned states;
} rows[] = {
    {"gfx908", "v_mfma_f32_4x4x4f16", VALU, 4},
    {"gfx908", "v_mfma_f32_16x16x16f16", VALU, 10},
    {"gfx908", "v_mfma_f32_32x32x8f16", VALU, 18},
    {"gfx908", "v_mfma_f32_16x16x16f16", AB, 4},
    {"gfx908", "v_mfma_f32_16x16x16f16", PART_C, 2},
    {"gfx908", "v_mfma_f32_16x16x16f16", SAME_C, 0},
    {"gfx908", "v_mfma_f32_4x4x4f16", OVER, 1},
    {"gfx908", "v_mfma_f32_16x16x16f16", OVER, 7},
    {"gfx908", "v_mfma_f32_32x32x8f16", OVER, 15},
    {"gfx90a", "v_mfma_f32_4x4x4f16", VALU, 5},
    {"gfx90a", "v_mfma_f32_16x16x16f16", VALU, 11},
    {"gfx90a", "v_mfma_f32_16x16x16f16", VALU_LONG, 11},
    {"gfx90a", "v_mfma_f32_16x16x16f16", MEMORY, 11},
    {"gfx90a", "v_mfma_f32_16x16x16f16", AB, 11},
    {"gfx90a", "v_mfma_f32_16x16x16f16", PART_C, 8},
    {"gfx90a", "v_mfma_f32_16x16x16f16", SAME_C, 0},
    {"gfx90a", "v_mfma_f32_32x32x8f16", MEMORY, 19},
    {"gfx90a", "v_mfma_f64_16x16x4f64", VALU, 11},
    {"gfx90a", "v_mfma_f64_16x16x4f64", MEMORY, 18},
    {"gfx90a", "v_mfma_f64_16x16x4f64", OVER, 11},
    {"gfx90a", "v_mfma_f64_16x16x4f64", OVER_LOAD, 11},
    {"gfx90a", "v_mfma_f64_4x4x4f64", MEMORY, 9},
    {"gfx90a", "v_mfma_f64_4x4x4f64", OVER_LOAD, 6},
    {"gfx90a", "v_mfma_f32_16x16x16f16", OVER, 11},
    {"gfx90a", "v_mfma_f32_16x16x16f16", OVER_LOAD, 11},
    {"gfx90a", "v_mfma_f64_4x4x4f64", SAME_C, 4},
    {"gfx942", "v_mfma_f32_4x4x4_16b_f16", VALU, 5},
    {"gfx942", "v_mfma_f32_16x16x16_f16", VALU, 7},
    {"gfx942", "v_mfma_f32_16x16x16_f16", PART_C, 5},
    {"gfx942", "v_mfma_f32_32x32x8_f16", AB, 11},
    {"gfx942", "v_mfma_f32_32x32x4_2b_f16", MEMORY, 19},
    {"gfx942", "v_mfma_f32_16x16x8_xf32", MEMORY, 6},
    {"gfx942", "v_mfma_f32_16x16x4_f32", VALU, 10},
    {"gfx942", "v_mfma_f32_4x4x4_16b_f16", SAME_C, 2},
    {"gfx950", "v_mfma_f32_4x4x4_16b_f16", MEMORY, 5},
    {"gfx950", "v_mfma_f32_16x16x32_f16", MEMORY, 8},
    {"gfx950", "v_mfma_f32_32x32x16_f16", VALU, 12},
    {"gfx950", "v_mfma_f32_32x32x4_2b_f16", AB, 20},
    {"gfx950", "v_mfma_f64_16x16x4_f64", VALU, 19},
    {"gfx950", "v_mfma_f64_16x16x4_f64", MEMORY, 18},
    {"gfx950", "v_mfma_f64_16x16x4_f64", AB, 19},
    {"gfx950", "v_mfma_f64_16x16x4_f64", PART_C, 17},
    {"gfx950", "v_mfma_f64_16x16x4_f64", OVER, 11},
    {"gfx950", "v_mfma_f64_16x16x4_f64", OVER_LOAD, 11},
};

static void test_table(void **state)
{
  (void)state;
  int wrong = 0;
  for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
    const struct isa *isa = isa_find(rows[n].arch);
    unsigned states = rows[n].states;
    int early = states && !stopped(isa, rows[n].name, rows[n].use, states - 1);
    int late = stopped(isa, rows[n].name, rows[n].use, states);
    if (early || late)
      print_message("%s %s, use %d: not %u wait states\n", rows[n].arch,
                    rows[n].name, rows[n].use, states);
    wrong += early || late;
  }
  assert_int_equal(wrong, 0);
}

/* The user is behind a branch that is not taken: its path counts, too. */
static void test_branch(void **state)
{
  (void)state;
  uint32_t w[8];
  product(w, opcode(isa_find("gfx90a"), "v_mfma_f32_16x16x16f16"), D, A, ZERO,
          0);
  w[1] &= ~(1u << 27);
  w[2] = 0xbf850001u; /* s_cbranch_scc1, over the next */
  w[3] = 0xbf810000u; /* s_endpgm */
  w[4] = 0x7e000200u | 60 << 17 | (256 + D); /* v_mov_b32 v60, v40 */
  struct program p;
  program_load_for(&p, isa_find("gfx90a"), w, 5);
  p.kernel.vgprs = 128;
  program_start(&p, 64);
  while (p.group->waves->state == WAVE_RUN)
    wave_step(p.group->waves);
  assert_non_null(strstr(p.group->waves->fault.text, "v_mov_b32"));
  program_close(&p);
}

/* --- what compilers put there --------------------------------------------- */

static const char text[] =
    "typedef _Float16 half4 __attribute__((ext_vector_type(4)));\n"
    "typedef float float4_ __attribute__((ext_vector_type(4)));\n"
    "extern \"C\" __global__ void once(float4_ *d, const half4 *a)\n"
    "{\n"
    "  int l = threadIdx.x;\n"
    "  d[l] = __builtin_amdgcn_mfma_f32_16x16x16f16(a[l], a[l + 64],\n"
    "                                               d[l], 0, 0, 0);\n"
    "}\n";

/* Behind a change of its code. */
static int run(const struct device *dev, struct fault *fault)
{
  exec_bind(dev->object->code, dev->object->ncode);
  struct dispatch d;
  void *args[2] = {arena_alloc(dev->arena, 1024), arena_alloc(dev->arena, 1024)};
  memset(args[0], 0, 1024);
  memset(args[1], 0, 1024);
  *fault = (struct fault){0};
  assert_int_equal(device_prepare(dev, &d, "once", 1, 64, args, sizeof args), 0);
  int code = dispatch_run(&d, 1, NULL, fault);
  device_finish(&d);
  arena_free(dev->arena, args[0]);
  arena_free(dev->arena, args[1]);
  return code;
}

static void test_compiled(void **state)
{
  struct rtc r;
  struct device dev;
  struct fault fault;
  if (rtc_open(&r) || device_open_for(&dev, &r, isa_find(*state), text))
    skip();
  assert_int_equal(run(&dev, &fault), 0);
  int found = 0;
  for (size_t n = 2; n < dev.object->ncode; n++) {
    struct inst *i = &dev.object->code[n];
    if (i->format != SOPP || i->op != S_NOP || !i->imm ||
        strncmp(inst_name(&dev.object->code[n - 2]), "v_mfma", 6))
      continue;
    found++;
    i->imm--;
    assert_int_not_equal(run(&dev, &fault), 0);
    assert_non_null(strstr(fault.text, "too early"));
    i->imm++;
  }
  assert_true(found);
  device_close(&dev);
}

int main(void)
{
#define ON(test, arch) \
  {#test ", " arch, test, NULL, NULL, (void *)(uintptr_t)arch}
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_table), cmocka_unit_test(test_branch),
      ON(test_compiled, "gfx908"), ON(test_compiled, "gfx90a"),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
