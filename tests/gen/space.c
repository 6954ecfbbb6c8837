/* space.c - spaces against brute force, on small random families.
 *
 * The brute force has its own representation of rules, from which the Lua
 * text is written: rule r excludes a configuration when a weighted sum of
 * value positions, modulo m, is below a bound, some of it behind `and`, so
 * that a rule reads different tunables on different ways through it.
 */
// SPDX-License-Identifier: MIT
#include <math.h>

#include "gen/space.h"
#include "tests/gen/help.h"

enum {TUNABLES = 6, RULES = 4, FAMILIES = 120};

struct sum { /* weights . positions mod m < bound */
  int weight[TUNABLES], modulus, bound;
};

struct toy {
  size_t n, nvalues[TUNABLES], nrules;
  struct sum first[RULES], second[RULES]; /* excluded: first and second */
};

static int holds(const struct toy *t, const struct sum *s, const uint8_t *at)
{
  int sum = 0;
  for (size_t i = 0; i < t->n; i++)
    sum += s->weight[i] * at[i];
  return sum % s->modulus < s->bound;
}

/* The first rule against this point, or -1. */
static int against(const struct toy *t, const uint8_t *at)
{
  for (size_t r = 0; r < t->nrules; r++)
    if (holds(t, &t->first[r], at) && holds(t, &t->second[r], at))
      return (int)r;
  return -1;
}

static struct sum random_sum(const struct toy *t, struct rng *r)
{
  struct sum s = {.modulus = 2 + (int)rng_below(r, 4)};
  s.bound = (int)rng_below(r, (uint64_t)s.modulus + 1);
  for (size_t i = 0; i < t->n; i++)
    s.weight[i] = rng_below(r, 3) ? 0 : 1 + (int)rng_below(r, 3);
  return s;
}

static struct toy random_toy(struct rng *r)
{
  struct toy t = { .n = 1 + rng_below(r, TUNABLES),
                   .nrules = rng_below(r, RULES + 1) };
  for (size_t i = 0; i < t.n; i++)
    t.nvalues[i] = 1 + rng_below(r, 5);
  for (size_t i = 0; i < t.nrules; i++) {
    t.first[i] = random_sum(&t, r);
    t.second[i] = random_sum(&t, r);
  }
  return t;
}

static void add_sum(struct str *out, const struct toy *t, const struct sum *s)
{
  str_add(out, "(0");
  for (size_t i = 0; i < t->n; i++)
    if (s->weight[i])
      str_addf(out, " + %d * cfg.t%zu", s->weight[i], i);
  str_addf(out, ") %% %d < %d", s->modulus, s->bound);
}

static struct family *open_toy(const struct toy *t)
{
  struct str lua = {0};
  struct family *f = NULL;
  struct err e = {0};
  str_add(&lua, "return {\n" GOOD_MEANING GOOD_PROBLEM "space = {\n");
  for (size_t i = 0; i < t->n; i++) {
    str_addf(&lua, "{ \"t%zu\", { 0", i);
    for (size_t v = 1; v < t->nvalues[i]; v++)
      str_addf(&lua, ", %zu", v);
    str_add(&lua, " }, \"a tunable\" },\n");
  }
  str_add(&lua, "}, rules = {\n");
  for (size_t i = 0; i < t->nrules; i++) {
    str_addf(&lua, "{ \"rule %zu\", function (cfg) return ", i);
    add_sum(&lua, t, &t->first[i]);
    str_add(&lua, " and ");
    add_sum(&lua, t, &t->second[i]);
    str_add(&lua, " end },\n");
  }
  str_add(&lua, "},\n" GOOD_LAUNCH GOOD_BUFFERS GOOD_REST GOOD_CHECK "}\n");
  if (open_text(&f, lua.at, "", &e))
    fail_msg("%s", e.text);
  str_free(&lua);
  return f;
}

static struct space *open_space(struct family *f)
{
  struct problem p;
  struct space *s = NULL;
  struct err e;
  if (family_problem(f, NULL, NULL, 0, &p, &e) || space_open(&s, f, &p, &e))
    fail_msg("%s", e.text);
  return s;
}

/* All points of the product, one after the other; 0 at the end. */
static int next_point(const struct toy *t, uint8_t *at)
{
  for (size_t i = t->n; i--;) {
    if (++at[i] < t->nvalues[i])
      return 1;
    at[i] = 0;
  }
  return 0;
}

static size_t number(const struct toy *t, const uint8_t *at)
{
  size_t n = 0;
  for (size_t i = 0; i < t->n; i++)
    n = n * t->nvalues[i] + at[i];
  return n;
}

static size_t product(const struct toy *t)
{
  size_t n = 1;
  for (size_t i = 0; i < t->n; i++)
    n *= t->nvalues[i];
  return n;
}

static void check_rules(const struct toy *t, struct space *s)
{
  uint64_t legal = 0, alone[RULES] = {0};
  struct config c = {0};
  do {
    int r = against(t, c.at);
    const char *reason = space_rule(s, &c);
    legal += r < 0;
    char wanted[16];
    snprintf(wanted, sizeof wanted, "rule %d", r);
    if (r < 0)
      assert_null(reason);
    else
      assert_string_equal(reason, wanted);
    for (size_t i = 0; i < t->nrules; i++)
      alone[i] += holds(t, &t->first[i], c.at) &&
                  holds(t, &t->second[i], c.at);
  } while (next_point(t, c.at));
  assert_int_equal(space_count(s), legal);
  assert_int_equal(space_count(s), legal);
  assert_int_equal(space_product(s), product(t));
  for (size_t i = 0; i < t->nrules; i++) {
    uint64_t excluded;
    assert_non_null(space_reason(s, i, &excluded));
    assert_int_equal(excluded, alone[i]);
  }
  uint64_t unused;
  assert_null(space_reason(s, t->nrules, &unused));
}

/* The walk meets every legal point once, before and after counting. */
static void check_walk(const struct toy *t, struct space *s)
{
  char *met = calloc(product(t), 1);
  struct config c;
  uint64_t n = 0;
  for (int more = space_first(s, &c); more; more = space_next(s, &c)) {
    assert_int_equal(against(t, c.at), -1);
    assert_int_equal(met[number(t, c.at)]++, 0);
    n++;
  }
  assert_int_equal(n, space_count(s));
  free(met);
}

static void check_neighbours(const struct toy *t, struct space *s,
                             struct rng *r)
{
  struct config c, *list;
  if (!space_random(s, r, &c)) {
    assert_int_equal(space_count(s), 0);
    return;
  }
  assert_int_equal(against(t, c.at), -1);
  size_t wanted = 0;
  for (size_t i = 0; i < t->n; i++)
    for (size_t v = 0; v < t->nvalues[i]; v++) {
      struct config other = c;
      other.at[i] = (uint8_t)v;
      wanted += v != c.at[i] && against(t, other.at) < 0;
    }
  size_t n = space_neighbours(s, &c, r, &list);
  assert_int_equal(n, wanted);
  for (size_t i = 0; i < n; i++) {
    int differ = 0;
    for (size_t j = 0; j < t->n; j++)
      differ += list[i].at[j] != c.at[j];
    assert_int_equal(differ, 1);
    assert_int_equal(against(t, list[i].at), -1);
    for (size_t j = 0; j < i; j++)
      assert_memory_not_equal(&list[i], &list[j], sizeof *list);
  }
  free(list);
}

static void brute_force(void **state)
{
  (void)state;
  struct rng r;
  rng_seed(&r, 20181106);
  for (int i = 0; i < FAMILIES; i++) {
    struct toy t = random_toy(&r);
    struct family *f = open_toy(&t);
    struct space *s = open_space(f);
    check_walk(&t, s);
    check_rules(&t, s);
    check_walk(&t, s);
    check_neighbours(&t, s, &r);
    space_close(s);
    family_close(f);
  }
}

/* Pearson's chi-square over the legal points; its mean is the degrees of
 * freedom k and its deviation sqrt(2 k), and 5 deviations do not happen. */
static void draws_are_uniform(void **state)
{
  (void)state;
  struct rng r;
  rng_seed(&r, 7);
  for (int i = 0; i < 12; i++) {
    struct toy t = random_toy(&r);
    struct family *f = open_toy(&t);
    struct space *s = open_space(f);
    size_t points = product(&t), legal = space_count(s), draws = 20 * legal;
    unsigned *hits = calloc(points, sizeof *hits);
    struct config c = {0};
    for (size_t j = 0; j < draws; j++) {
      assert_int_equal(space_random(s, &r, &c), 1);
      hits[number(&t, c.at)]++;
    }
    double chi = 0;
    c = (struct config){0};
    do {
      double off = hits[number(&t, c.at)] - 20.0;
      if (against(&t, c.at) < 0)
        chi += off * off / 20;
      else
        assert_int_equal(hits[number(&t, c.at)], 0);
    } while (next_point(&t, c.at));
    if (legal > 1)
      assert_true(fabs(chi - (double)(legal - 1)) <
                  5 * sqrt(2 * (double)(legal - 1)) + 5);
    free(hits);
    space_close(s);
    family_close(f);
  }
}

/* The same seed draws the same points. */
static void draws_repeat(void **state)
{
  (void)state;
  struct rng seed, a, b;
  rng_seed(&seed, 3);
  struct toy t = {.n = 3, .nvalues = {5, 4, 3}};
  struct family *f = open_toy(&t);
  struct space *s = open_space(f), *again = open_space(f);
  a = b = seed;
  for (int i = 0; i < 50; i++) {
    struct config x, y;
    space_random(s, &a, &x);
    space_random(again, &b, &y);
    assert_memory_equal(&x, &y, sizeof x);
  }
  space_close(s);
  space_close(again);
  family_close(f);
}

static struct family *open_rules(const char *space, const char *rules)
{
  struct str lua = {0};
  struct family *f = NULL;
  struct err e = {0};
  str_addf(&lua, "return {\n%s%s%s%s%s}\n", GOOD_MEANING GOOD_PROBLEM, space,
           rules, GOOD_LAUNCH GOOD_BUFFERS, GOOD_REST GOOD_CHECK);
  if (open_text(&f, lua.at, "", &e))
    fail_msg("%s", e.text);
  str_free(&lua);
  return f;
}

/* A rule over 2^24 combinations is not tabulated: 24 tunables of 2 values of
 * which exactly 23 or more are 1, so 24 + 1 legal points. */
static void a_rule_too_large_for_a_table(void **state)
{
  (void)state;
  struct str space = {0};
  str_add(&space, "space = {\n");
  for (int i = 0; i < 24; i++)
    str_addf(&space, "{ \"t%d\", { 1, 0 }, \"a bit\" },\n", i);
  str_add(&space, "},\n");
  struct family *f = open_rules(
      space.at, "rules = { { \"too few\", function (cfg)\n"
                "  local n = 0\n"
                "  for i = 0, 23 do n = n + cfg[\"t\" .. i] end\n"
                "  return n < 23\n"
                "end } },\n");
  struct space *s = open_space(f);
  struct config c = {0};
  struct rng r;
  uint64_t excluded;
  rng_seed(&r, 1);
  assert_int_equal(space_product(s), 1 << 24);
  assert_null(space_rule(s, &c));
  c.at[4] = 1;
  assert_null(space_rule(s, &c));
  struct config *list;
  assert_int_equal(space_neighbours(s, &c, &r, &list), 1);
  free(list);
  c.at[9] = 1;
  assert_string_equal(space_rule(s, &c), "too few");
  assert_string_equal(space_reason(s, 0, &excluded), "too few");
  assert_true(excluded == UINT64_MAX);
  assert_int_equal(space_first(s, &c), 1);
  assert_null(space_rule(s, &c));
  space_close(s);
  family_close(f);
  str_free(&space);
}

/* 31 tunables of 64 values: 2^186 points do not fit in 64 bits. */
static void counts_saturate(void **state)
{
  (void)state;
  struct str space = {0};
  str_add(&space, "space = {\n");
  for (int i = 0; i < 31; i++) {
    str_addf(&space, "{ \"t%d\", { 0", i);
    for (int v = 1; v < 64; v++)
      str_addf(&space, ", %d", v);
    str_add(&space, " }, \"a tunable\" },\n");
  }
  str_add(&space, "},\n");
  struct family *f = open_rules(
      space.at, "rules = { { \"no\", function (cfg)\n"
                "  return cfg.t3 == cfg.t17 end } },\n");
  struct space *s = open_space(f);
  struct config c;
  struct rng r;
  rng_seed(&r, 1);
  assert_true(space_product(s) == UINT64_MAX);
  assert_true(space_count(s) >= UINT64_MAX - 1);
  for (int i = 0; i < 1000; i++) {
    assert_int_equal(space_random(s, &r, &c), 1);
    assert_null(space_rule(s, &c));
  }
  space_close(s);
  family_close(f);
  str_free(&space);
}

/* Rules may look at the problem alone. */
static void a_rule_without_tunables(void **state)
{
  (void)state;
  struct family *f = open_rules(
      GOOD_SPACE, "rules = { { \"n is 10\", function (_, problem)\n"
                  "  return problem.n == 10 end } },\n");
  struct space *s = open_space(f);
  struct config c;
  struct rng r;
  rng_seed(&r, 1);
  assert_int_equal(space_count(s), 0);
  assert_int_equal(space_first(s, &c), 0);
  assert_int_equal(space_random(s, &r, &c), 0);
  space_close(s);
  family_close(f);
}

static const struct {
  const char *rule, *error;
} broken[] = {
  { "return 1 // (cfg.tile - 8) > 5",
    "t.lua:12: attempt to divide by zero (rule 'bad' of t, on "
    "tile=8,word=ab)" },
  { "return cfg.tille > 5",
    "t.lua:12: 'tille' is not a tunable; did you mean 'tile'? (rule 'bad' of "
    "t, on tile=4,word=ab)" },
  { "return problem.order > arch.waves",
    "t.lua:12: 'waves' is not a fact of the arch; did you mean 'wave'? (rule "
    "'bad' of t, on tile=4,word=ab)" },
  { "return cfg.tile",
    "t.lua:12: returns a number; a rule returns true or false (rule 'bad' of "
    "t, on tile=4,word=ab)" },
  { "cfg.tile = 5",
    "t.lua:12: cfg cannot be changed (rule 'bad' of t, on tile=4,word=ab)" },
  { "return cfg.word < 3",
    "t.lua:12: attempt to compare string with number (rule 'bad' of t, on "
    "tile=4,word=ab)" },
  { "while cfg.word == 'cd' do end",
    "t.lua:12: still running after its allowance of steps or time; look for "
    "an endless loop (rule 'bad' of t, on tile=4,word=cd)" },
};

static void broken_rules(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
    struct str rules = {0};
    str_addf(&rules,
             "rules = { { \"bad\", function (cfg, problem, arch) %s end } },\n",
             broken[i].rule);
    struct family *f = open_rules(GOOD_SPACE, rules.at);
    struct problem p;
    struct space *s;
    struct err e;
    assert_int_equal(family_problem(f, NULL, NULL, 0, &p, &e), 0);
    assert_int_equal(space_open(&s, f, &p, &e), ERR_FAILED);
    assert_string_equal(e.text, broken[i].error);
    str_free(&rules);
    family_close(f);
  }
}

/* A rule with a memory of its own gives no promise, but does no harm. */
static void rules_with_a_memory(void **state)
{
  (void)state;
  struct family *f = open_rules(
      GOOD_SPACE,
      "rules = (function () local calls = 0 return { { \"odd\",\n"
      "  function (cfg) calls = calls + 1\n"
      "    return calls % 3 == 0 or (cfg.word == \"cd\" and cfg.tile > 4)\n"
      "  end } } end)(),\n");
  struct space *s = open_space(f);
  assert_true(space_count(s) <= space_product(s));
  space_close(s);
  family_close(f);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(brute_force),
    cmocka_unit_test(draws_are_uniform),
    cmocka_unit_test(draws_repeat),
    cmocka_unit_test(a_rule_too_large_for_a_table),
    cmocka_unit_test(counts_saturate),
    cmocka_unit_test(a_rule_without_tunables),
    cmocka_unit_test(broken_rules),
    cmocka_unit_test(rules_with_a_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
