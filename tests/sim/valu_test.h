/* valu_test.h - run one vector instruction on one wave, for the tests.
 *
 * Instructions are built from their name, not decoded: v0 = NAME v2, v4, v6,
 * so that operands of two dwords do not overlap. Carries and masks go to VCC.
 */
// SPDX-License-Identifier: MIT
#ifndef tests_valu_test_h
#define tests_valu_test_h

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "runtimes/sim/run/exec.h"
#include "runtimes/sim/run/vector/vector.h"
#include "runtimes/sim/run/wave.h"

enum {VGPRS = 32, USUAL_MODE = 0x3f0};
#define VGPR(n) (CODE_VGPR + (n))
#define ALL (~(uint64_t)0)

struct bench {
  struct wave w;
  uint32_t v[VGPRS][LANES] __attribute__((aligned(64)));
};

struct opcode {
  const char *name;
  int format, op;
};

static const struct opcode opcodes[] = {
#define OP(format, code, name, ...) {#name, format, code},
#include "runtimes/sim/isa/ops.def"
#undef OP
};
enum {OPCODES = sizeof opcodes / sizeof *opcodes};

static inline int is_valu(const struct opcode *o)
{
  return o->format >= VOP1 && o->format <= VOP3P;
}

static inline void bench_reset(struct bench *b)
{
  memset(b, 0, sizeof *b);
  b->w.v = b->v;
  b->w.nv = VGPRS;
  b->w.ns = 102;
  b->w.mode = USUAL_MODE;
  WAVE_EXEC(&b->w) = ALL;
}

static inline void v_all(struct bench *b, int n, uint32_t x)
{
  for (int l = 0; l < LANES; l++)
    b->v[n][l] = x;
}

static inline void v_all64(struct bench *b, int n, uint64_t x)
{
  v_all(b, n, (uint32_t)x);
  v_all(b, n + 1, (uint32_t)(x >> 32));
}

static inline struct inst inst_for(const struct opcode *o)
{
  struct inst i = { .format = (uint8_t)o->format, .op = (uint16_t)o->op,
                    .words = 1, .dst = 0, .sdst = CODE_VCC,
                    .src = {VGPR(2), VGPR(4), VGPR(6)} };
  if (o->format == VOP3P)
    i.opselhi = 7;
  if (strstr(o->name, "cndmask") || strstr(o->name, "addc_co") ||
      strstr(o->name, "subb_co") || strstr(o->name, "subbrev_co"))
    i.src[2] = CODE_VCC;
  return i;
}

/* The first format that has the name, or exactly the one given. */
static inline struct inst inst_in(const char *name, int format)
{
  for (size_t n = 0; n < OPCODES; n++)
    if (!strcmp(opcodes[n].name, name) &&
        (format < 0 || opcodes[n].format == format))
      return inst_for(&opcodes[n]);
  fail_msg("no opcode is named %s", name);
  return (struct inst){0};
}

static inline struct inst inst_of(const char *name)
{
  return inst_in(name, -1);
}

static inline const char *name_of(const struct inst *i)
{
  for (size_t n = 0; n < OPCODES; n++)
    if (opcodes[n].format == i->format && opcodes[n].op == i->op)
      return opcodes[n].name;
  return "?";
}

static inline void same_registers(const struct inst *i, const char *set,
                                  const struct bench *a, const struct bench *b)
{
  for (int n = 0; n < VGPRS; n++)
    for (int l = 0; l < LANES; l++)
      if (a->v[n][l] != b->v[n][l])
        fail_msg("%s format %d flags %#x neg %d abs %d omod %d opsel %d mode "
                 "%#x: v%d lane %d is %#x by %s, %#x portably (%#x %#x %#x)",
                 name_of(i), i->format, i->flags, i->neg, i->abs, i->omod,
                 i->opsel, a->w.mode, n, l, a->v[n][l], set, b->v[n][l],
                 a->v[2][l], a->v[4][l], a->v[6][l]);
}

/* All sets of the host give the same state from the same state; it stays in b. */
static inline void execute(struct bench *b, const struct inst *i)
{
  static struct bench plain, other;
  exec_fn *portable = vector_sets[VECTOR_SETS - 1].handler(i);
  assert_non_null(portable);
  plain = *b;
  plain.w.v = plain.v;
  portable(&plain.w, i);
  for (int n = 0; n < VECTOR_SETS - 1; n++) {
    exec_fn *fast = vector_sets[n].handler(i);
    assert_non_null(fast);
    if (!vector_sets[n].runs())
      continue;
    other = *b;
    other.w.v = other.v;
    fast(&other.w, i);
    same_registers(i, vector_sets[n].name, &other, &plain);
    other.w.v = plain.v;
    assert_memory_equal(&other.w, &plain.w, sizeof other.w);
  }
  *b = plain;
  b->w.v = b->v;
  assert_int_equal(b->w.fault.code, 0);
}

/* One line of a table of known answers, for operands of 32 and 64 bits. */
struct answer {
  const char *name;
  uint32_t s[3];
  uint32_t want;
};
struct answer64 {
  const char *name;
  uint64_t s[3];
  uint64_t want;
};

static inline void check_answer(const struct answer *a, uint32_t mode)
{
  struct bench b;
  bench_reset(&b);
  b.w.mode = mode;
  for (int n = 0; n < 3; n++)
    v_all(&b, 2 + 2 * n, a->s[n]);
  struct inst i = inst_of(a->name);
  execute(&b, &i);
  for (int l = 0; l < LANES; l += 21)
    if (b.v[0][l] != a->want)
      fail_msg("%s %#x %#x %#x: %#x in lane %d, expected %#x", a->name,
               a->s[0], a->s[1], a->s[2], b.v[0][l], l, a->want);
}

static inline void check_answer64(const struct answer64 *a)
{
  struct bench b;
  bench_reset(&b);
  for (int n = 0; n < 3; n++)
    v_all64(&b, 2 + 2 * n, a->s[n]);
  struct inst i = inst_of(a->name);
  execute(&b, &i);
  const uint64_t got = b.v[0][5] | (uint64_t)b.v[1][5] << 32;
  if (got != a->want)
    fail_msg("%s %#llx %#llx %#llx: %#llx, expected %#llx", a->name,
             (unsigned long long)a->s[0], (unsigned long long)a->s[1],
             (unsigned long long)a->s[2], (unsigned long long)got,
             (unsigned long long)a->want);
}

#define CHECK_IN(mode, table)                                                \
  for (size_t n_ = 0; n_ < sizeof(table) / sizeof *(table); n_++)            \
  check_answer(&(table)[n_], mode)
#define CHECK_ALL(table) CHECK_IN(USUAL_MODE, table)
#define CHECK_ALL64(table)                                                   \
  for (size_t n_ = 0; n_ < sizeof(table) / sizeof *(table); n_++)            \
  check_answer64(&(table)[n_])

#endif
