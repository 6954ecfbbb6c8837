/* convert_small.c - every conversion from and to floats of 16, 8, 6 and 4 bits, of
 * gfx942 (8 bits with one zero) and gfx950 (OCP's).
 *
 * What an instruction does is read off its name. Each result is held to the formats'
 * definitions: the neighbours of the exact value among all codes, the nearer one, of
 * two the even one, or by chance. All 8-bit codes come up, halves way between two
 * codes, what is too large, infinity, NaN; random lanes, parts of dwords and scales.
 */
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>

#include "base/rng.h"
#include "tests/sim/program.h"

enum {FINITE, IEEE, OCP8, FNUZ};

struct number {
  const char *name;
  int exponent, mantissa, bias, kind;
};

/* OCP's "8-bit Floating Point" and "Microscaling Formats"; Noune et al. for FNUZ. */
static const struct number ocp[] = {
    {"f32", 8, 23, 127, IEEE}, {"f16", 5, 10, 15, IEEE}, {"bf16", 8, 7, 127, IEEE},
    {"fp8", 4, 3, 7, OCP8},    {"bf8", 5, 2, 15, IEEE},  {"fp6", 2, 3, 1, FINITE},
    {"bf6", 3, 2, 3, FINITE},  {"fp4", 2, 1, 1, FINITE}, {0}};
static const struct number fnuz[] = {
    {"f32", 8, 23, 127, IEEE}, {"fp8", 4, 3, 8, FNUZ}, {"bf8", 5, 2, 16, FNUZ}, {0}};

enum {SRC0 = 32, SRC1 = 64, SRC2 = 80, VGPRS_ALL = 88};

struct conversion {
  char name[64];
  unsigned op;
  const struct number *to, *from;
  unsigned n;
  int two, chance, scaled;
};

static unsigned width(const struct number *f)
{
  return 1u + (unsigned)f->exponent + (unsigned)f->mantissa;
}

static uint32_t top_code(const struct number *f)
{
  uint32_t all = (1u << (f->exponent + f->mantissa)) - 1;
  return f->kind == IEEE ? all - (1u << f->mantissa) : f->kind == OCP8 ? all - 1 : all;
}

/* Of a code without its sign, were there no infinity and no NaN. */
static double magnitude(const struct number *f, uint32_t code)
{
  int exponent = (int)(code >> f->mantissa);
  double part = ldexp(code & ((1u << f->mantissa) - 1), -f->mantissa);
  return exponent ? ldexp(1 + part, exponent - f->bias) : ldexp(part, 1 - f->bias);
}

static double value(const struct number *f, uint32_t code)
{
  uint32_t sign = 1u << (width(f) - 1), own = code & (sign - 1);
  if (f->kind == FNUZ && code == sign)
    return (double)NAN;
  if (own > top_code(f))
    return f->kind == IEEE && own == top_code(f) + 1
               ? code & sign ? -(double)INFINITY : (double)INFINITY
               : (double)NAN;
  return code & sign ? -magnitude(f, own) : magnitude(f, own);
}

static int is_nan_code(const struct number *f, uint32_t code)
{
  return isnan(value(f, code));
}

/* The last code that is not above x, which is not negative. */
static uint32_t below(const struct number *f, double x)
{
  uint32_t low = 0, high = top_code(f) + 1;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (magnitude(f, middle) <= x)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* Is `code` what x becomes? chance: NULL, or the random number. */
static int right(const struct number *f, double x, const uint32_t *chance, uint32_t code)
{
  uint32_t sign = 1u << (width(f) - 1), up = signbit(x) ? sign : 0, top = top_code(f);
  if (isnan(x))
    return f->kind == FINITE ? code == top : is_nan_code(f, code);
  double size = fabs(x);
  uint32_t low = below(f, isinf(x) ? 0 : size);
  double step = magnitude(f, low + 1) - magnitude(f, low);
  double share = isinf(x) ? 1 : (size - magnitude(f, low)) / step;
  int more = chance ? floor(ldexp(share, 32)) + *chance >= 0x1p32
                    : share > 0.5 || (share >= 0.5 && low & 1);
  uint32_t want = low + (uint32_t)more;
  if (share >= 1 + (double)!!chance || want > top || isinf(x)) {
    if (f->kind == FINITE)
      return code == (top | up);
    return f->kind == IEEE ? code == ((top + 1) | up) : is_nan_code(f, code);
  }
  return code == (want || f->kind != FNUZ ? want | up : 0);
}

/* --- the instruction's name ------------------------------------------------ */

static const struct number *format_named(const struct number *all, const char *name,
                                         size_t n)
{
  for (; all->name; all++)
    if (strlen(all->name) == n && !strncmp(all->name, name, n))
      return all;
  return NULL;
}

static int skip_word(const char **at, const char *word)
{
  size_t n = strlen(word);
  if (strncmp(*at, word, n))
    return 0;
  *at += n;
  return 1;
}

/* v_cvt_[scalef32_][sr_][2xpk16_|pk32_|pk_]TO_FROM */
static int parse(const struct number *all, const char *name, struct conversion *c)
{
  const char *at = name;
  *c = (struct conversion){.n = 1};
  snprintf(c->name, sizeof c->name, "%s", name);
  if (!skip_word(&at, "v_cvt_"))
    return 0;
  c->scaled = skip_word(&at, "scalef32_");
  c->chance = skip_word(&at, "sr_");
  c->two = skip_word(&at, "2xpk16_");
  if (c->two || skip_word(&at, "pk32_"))
    c->n = 32;
  else if (skip_word(&at, "pk_"))
    c->n = 2;
  const char *from = strchr(at, '_');
  if (!from)
    return 0;
  c->to = format_named(all, at, (size_t)(from - at));
  c->from = format_named(all, from + 1, strlen(from + 1));
  c->two |= c->n == 2 && c->from == all && !c->chance;
  return c->to && c->from && (width(c->to) < 16 || width(c->from) < 16 ||
                              !strcmp(c->to->name, "bf16") || c->chance);
}

/* --- one run --------------------------------------------------------------- */

static unsigned last_source(const struct conversion *c)
{
  return c->two || c->chance ? SRC2 : SRC1;
}

static void encode(const struct conversion *c, unsigned format, unsigned opsel,
                   uint32_t w[2])
{
  if (format == VOP1) {
    w[0] = 0x7e000000 | c->op << 9 | (256 + SRC0);
    return;
  }
  w[0] = 0xd0000000 | c->op << 16 | opsel << 11;
  w[1] = (256 + SRC0) | (c->two || c->chance || c->scaled ? (256 + SRC1) << 9 : 0) |
         (c->scaled && last_source(c) == SRC2 ? (256 + SRC2) << 18 : 0);
}

static uint32_t float_bits(double x)
{
  float f = (float)x;
  uint32_t u;
  memcpy(&u, &f, 4);
  return u;
}

/* Of the parts of dwords that LLVM has for it. */
static unsigned legal_parts(const struct isa *isa, const struct conversion *c,
                            unsigned format, struct rng *r, uint32_t words[2])
{
  struct inst i;
  for (;;) {
    unsigned opsel = format == VOP3 ? (unsigned)rng_next(r) & 15 : 0;
    encode(c, format, opsel, words);
    decode(isa, words, 2, &i);
    if (i.legal)
      return opsel;
    assert_int_not_equal(opsel, 0);
  }
}

/* Numbers where the result's codes are, and sometimes beyond; the exact middle of two
 * codes; what is none. In the source's format. */
static uint32_t random_code(struct rng *r, const struct conversion *c, int scale)
{
  uint32_t own = (uint32_t)rng_next(r);
  unsigned bits = width(c->from);
  if (bits <= 8)
    return own & ((1u << bits) - 1);
  uint32_t code = (uint32_t)rng_next(r) % (top_code(c->to) + 2);
  double x = magnitude(c->to, code), y = magnitude(c->to, code + 1);
  static const double mix[] = {0, 0.5, 0.25, 0.75, 0.4999, 0.5001};
  x += (y - x) * (own & 8 ? mix[own % 6] : (double)(rng_next(r) >> 11) * 0x1p-53);
  x = ldexp(x, scale) * (own & 16 ? -1 : 1) * (own % 64 == 1 ? 1000 : 1);
  uint32_t u = float_bits(own % 64 == 2 ? (double)INFINITY : own % 64 == 3 ? (double)NAN : x);
  return bits == 32 ? u : !strcmp(c->from->name, "bf16") ? u >> 16
                        : (uint32_t)rng_next(r) & 0xffff;
}

static void put_bits(uint32_t (*v)[LANES], unsigned reg, unsigned l, unsigned at,
                     unsigned bits, uint32_t x)
{
  for (unsigned b = 0; b < bits; b++, at++) {
    uint32_t one = 1u << at % 32;
    uint32_t *word = &v[reg + at / 32][l];
    *word = x >> b & 1 ? *word | one : *word & ~one;
  }
}

static uint32_t get_bits(uint32_t (*v)[LANES], unsigned reg, unsigned l, unsigned at,
                         unsigned bits)
{
  uint32_t x = 0;
  for (unsigned b = 0; b < bits; b++, at++)
    x |= (v[reg + at / 32][l] >> at % 32 & 1) << b;
  return x;
}

/* Where what is less than a dword begins. */
static unsigned begin(unsigned bits, unsigned sel)
{
  return bits == 8 ? 8 * (sel & 3) : bits == 16 ? 16 * (sel & 1) : 0;
}

struct codes {
  uint32_t from[LANES][32], chance[LANES];
  int scale[LANES];
  uint32_t before[32][LANES];
};

static void fill(struct wave *w, const struct conversion *c, unsigned opsel,
                 struct rng *r, unsigned turn, struct codes *s)
{
  unsigned bits = width(c->from), start = begin(c->two ? 32 : bits * c->n, opsel);
  for (unsigned n = 0; n < VGPRS_ALL; n++)
    for (unsigned l = 0; l < LANES; l++)
      w->v[n][l] = (uint32_t)rng_next(r);
  for (unsigned l = 0; l < LANES; l++) {
    s->scale[l] = c->scaled ? (int)(rng_next(r) % 16) - 8 : 0;
    s->chance[l] = w->v[SRC1][l];
    if (c->scaled)
      w->v[last_source(c)][l] = (uint32_t)(s->scale[l] + 127) << 23 |
                                ((uint32_t)rng_next(r) & 0x807fffff);
    for (unsigned k = 0; k < c->n; k++) {
      uint32_t code = bits <= 8 ? (turn * LANES * c->n + l * c->n + k) &
                                      ((1u << bits) - 1)
                                : random_code(r, c, s->scale[l]);
      s->from[l][k] = code;
      put_bits(w->v, c->two && k % 2 ? SRC1 : SRC0, l,
               start + (c->two ? k / 2 : k) * bits, bits, code);
    }
  }
  memcpy(s->before, w->v, sizeof s->before);
}

static uint32_t next_chance(uint32_t x)
{
  return x << 1 ^ (x & 0x80000000 ? 0xc5 : 0);
}

static void check_lane(const struct wave *w, const struct conversion *c, unsigned opsel,
                       const struct codes *s, unsigned l)
{
  unsigned bits = width(c->to), all = bits * c->n;
  unsigned start = begin(all, all == 8 ? opsel >> 2 : opsel >> 3);
  uint32_t chance = s->chance[l];
  int wider = bits > width(c->from);
  for (unsigned k = 0; k < c->n; k++) {
    double x = ldexp(value(c->from, s->from[l][k]), wider ? s->scale[l] : -s->scale[l]);
    uint32_t code = get_bits(w->v, 0, l, start + k * bits, bits);
    if (!right(c->to, x, c->chance ? &chance : NULL, code))
      fail_msg("%s: lane %u, element %u: 0x%x, %g by 2^%d becomes 0x%x, %g", c->name, l,
               k, s->from[l][k], value(c->from, s->from[l][k]), s->scale[l], code,
               value(c->to, code));
    chance = next_chance(chance);
  }
  for (unsigned at = 0; at < 32 && all < 32; at++)
    if (at - start >= all &&
        get_bits((uint32_t (*)[LANES])w->v, 0, l, at, 1) !=
            (s->before[0][l] >> at & 1))
      fail_msg("%s: lane %u: bit %u changed", c->name, l, at);
}

static void run(const struct isa *isa, const struct conversion *c, unsigned format,
                struct rng *r, unsigned turn)
{
  static struct codes s;
  uint32_t words[2];
  struct program p;
  unsigned opsel = legal_parts(isa, c, format, r, words);
  program_load_for(&p, isa, words, format == VOP1 ? 1 : 2);
  p.kernel.vgprs = VGPRS_ALL;
  program_start(&p, LANES);
  struct wave *w = p.group->waves;
  uint64_t exec = turn < 8 ? ~(uint64_t)0 : rng_next(r);
  memcpy(&w->s[CODE_EXEC], &exec, sizeof exec);
  fill(w, c, opsel, r, turn, &s);
  wave_step(w);
  if (w->state != WAVE_RUN)
    fail_msg("%s: %s", c->name, w->fault.text);
  for (unsigned l = 0; l < LANES; l++)
    if (exec >> l & 1)
      check_lane(w, c, opsel, &s, l);
    else
      for (unsigned n = 0; n < 32; n++)
        assert_int_equal(w->v[n][l], s.before[n][l]);
  program_close(&p);
}

static void test_all(const char *arch, const struct number *all, int least)
{
  const struct isa *isa = isa_find(arch);
  int found = 0;
  struct rng r;
  rng_seed(&r, 31);
  for (unsigned format = VOP1; format <= VOP3; format++)
    for (unsigned op = 0; op < 1024; op++) {
      const struct op *o = op_find(isa, format, op);
      struct conversion c;
      if (!o || !parse(all, o->name, &c))
        continue;
      c.op = op;
      found++;
      for (unsigned turn = 0; turn < 12; turn++)
        run(isa, &c, format, &r, turn);
    }
  print_message("%s: %d instructions\n", arch, found);
  assert_true(found >= least);
}

static void test_fnuz(void **state)
{
  (void)state;
  test_all("gfx942", fnuz, 12);
}

static void test_ocp(void **state)
{
  (void)state;
  test_all("gfx950", ocp, 60);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_fnuz),
                                     cmocka_unit_test(test_ocp)};
  return cmocka_run_group_tests_name("convert_small", tests, NULL, NULL);
}
