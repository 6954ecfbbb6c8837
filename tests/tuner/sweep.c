/* sweep.c - sweep files, files of shapes, shards, and what nights cost. */
// SPDX-License-Identifier: MIT
#include <math.h>

#include "base/file.h"
#include "base/rng.h"
#include "tests/base/folder.h"
#include "tests/fuzz/shapes.h"
#include "tuner/sweep/cost.h"
#include "tuner/sweep/problems.h"

static void put(const struct folder *f, const char *name, const char *text,
                  char path[PATH_MAX])
{
  struct err e = {0};
  snprintf(path, PATH_MAX, "%s/%s", f->path, name);
  if (file_replace(path, text, strlen(text), &e))
    fail_msg("%s", e.text);
}

struct opened {
  struct sweep_file file;
  struct sweep_problems problems;
  struct err e;
};

/* A sweep of these problems; "" or what is wrong with it. */
static const char *open_all(struct opened *o, struct folder *f,
                            const char *problems, int shard, int shards)
{
  char path[PATH_MAX];
  struct str text = {0};
  *o = (struct opened){0};
  str_addf(&text, "return {\n  arch = \"gfx906\",\n  problems = {\n%s\n  },\n}\n",
           problems);
  put(f, "some.lua", text.at, path);
  str_free(&text);
  if (!sweep_file_read(&o->file, path, NULL, &o->e))
    sweep_problems_open(&o->problems, &o->file, shard, shards, &o->e);
  return o->e.text;
}

static void close_all(struct opened *o)
{
  sweep_problems_free(&o->problems);
  sweep_file_free(&o->file);
}

/* "1x2x3 4x5x6": m, n and k of each. */
static void expect(struct folder *f, const char *problems, const char *sizes)
{
  struct opened o;
  struct str got = {0};
  assert_string_equal(open_all(&o, f, problems, 1, 1), "");
  for (size_t i = 0; i < o.problems.n; i++) {
    long m, n, k;
    assert_int_equal(sscanf(o.problems.list[i].text, "m=%ld,n=%ld,k=%ld", &m,
                            &n, &k), 3);
    str_addf(&got, "%s%ldx%ldx%ld", i ? " " : "", m, n, k);
  }
  assert_string_equal(str_text(&got), sizes);
  str_free(&got);
  close_all(&o);
}

/* The first key slowest, in the family's order; each problem once. */
static void lists_are_multiplied(void **state)
{
  struct folder *f = *state;
  expect(f, "gemm { m = 8, n = 16, k = 32 }", "8x16x32");
  expect(f, "gemm { k = { 1, 2 }, m = { 3, 4 }, n = 5 }",
         "3x5x1 3x5x2 4x5x1 4x5x2");
  expect(f, "gemm { { { n = 5, k = 6 }, { n = 7, k = 8 } }, m = { 1, 2 } }",
         "1x5x6 2x5x6 1x7x8 2x7x8");
  expect(f, "gemm { { n = 5, k = 6 }, m = 1 }", "1x5x6");
  expect(f, "gemm { m = range(1, 9, 4), n = doubling(2, 5), k = 1 }",
         "1x2x1 1x4x1 5x2x1 5x4x1 9x2x1 9x4x1");
  expect(f, "{ gemm { m = 1, n = 1, k = 1 }, {} }, gemm { m = 2, n = 1, k = 1 }",
         "1x1x1 2x1x1");
  expect(f, "gemm { m = { 1, 2, 1 }, n = 1, k = 1 }, gemm { m = 2, n = 1, "
         "k = 1 }", "1x1x1 2x1x1");
  expect(f, "gemm { m = 2^3, n = 1e1, k = \"4\" }", "8x10x4");
}

static void refuse(struct folder *f, const char *problems, const char *why)
{
  struct opened o;
  const char *text = open_all(&o, f, problems, 1, 1);
  if (!strstr(text, why))
    fail_msg("%s says '%s', not '%s'", problems, text, why);
  close_all(&o);
}

static void what_is_wrong_is_said(void **state)
{
  struct folder *f = *state;
  refuse(f, "gem {}", "some.lua:4: 'gem' is not defined; did you mean 'gemm'?");
  refuse(f, "\ngemm { mm = 1 }", "some.lua:5: 'mm' is not a key of gemm");
  refuse(f, "gemm { m = 0 }", "some.lua:4: m is 0; it must be from 1");
  refuse(f, "gemm { m = {} }", "some.lua:4: m is an empty list");
  refuse(f, "gemm { m = true }", "some.lua:4: m is a boolean");
  refuse(f, "gemm { layout = \"a b\" }", "some.lua:4: layout is \"a b\"");
  refuse(f, "gemm { { { n = 1 } }, n = 2 }", "some.lua:4: 'n' is given twice");
  refuse(f, "gemm { { 1, 2 } }", "some.lua:4: a list of tables has a number");
  refuse(f, "gemm { evals = 0 }", "some.lua:4: evals 0: must be");
  refuse(f, "gemm { search = \"forset\", m = io }", "'io' is not defined");
  refuse(f, "gemm", "entry 1 of a list of problems is a function");
  refuse(f, "", "some.lua:3: problems is an empty list");
  refuse(f, "gemm { m = range(1, 1e9) }", "some.lua:4: ");
  refuse(f, "gemm { m = range(9, 1) }", "range(first, last, step) needs");
  refuse(f, "gemm { m = range(1, 1000), n = range(1, 1000) }",
         "some.lua:4: more than 100000 problems");
  refuse(f, "family \"./none.lua\" {}", "some.lua:4: ");
  refuse(f, "shapes \"none\"", "some.lua:4: ");
  refuse(f, "(function () while true do end end)()",
         "some.lua:4: still running");
  refuse(f, "lds { size = string.rep(\"x\", 1e9) }", "some.lua");
}

/* Also where problems are added: each stays where it was, and each is in one. */
static void shards_are_stable(void **state)
{
  enum {SHARDS = 7};
  struct folder *f = *state;
  size_t few = 0, many = 0;
  for (int i = 1; i <= SHARDS; i++) {
    struct opened a, b;
    open_all(&a, f, "gemm { m = range(1, 100), n = 1, k = 1 }", i, SHARDS);
    open_all(&b, f, "gemm { m = range(-0 + 1, 300), n = 1, k = 1 }, lds {}", i,
             SHARDS);
    assert_int_equal(a.e.code + b.e.code, 0);
    for (size_t k = 0; k < a.problems.n; k++)
      assert_string_equal(a.problems.list[k].text, b.problems.list[k].text);
    assert_in_range(b.problems.n, 20, 70); /* of 43 on average */
    few += a.problems.n;
    many += b.problems.n;
    close_all(&a);
    close_all(&b);
  }
  assert_int_equal(few, 100);
  assert_int_equal(many, 301);
}

/* As ship/rocblas/record.c writes it. */
static const char recorded[] =
    "# products that a program asked rocBLAS for, by how often\n"
    "gemm m=4096 n=512 k=4096 layout=nt dtype=f32 lda=4096 ldb=4096 ldc=512 "
    "count=12\n"
    "gemm m=7 n=5 k=3 layout=nn dtype=nosuch lda=3 ldb=5 ldc=5 count=9\n"
    "\n"
    "gemm m=1 n=2 k=3 count=1\n";

static void shapes_are_read(void **state)
{
  struct folder *f = *state;
  struct opened o;
  char path[PATH_MAX];
  put(f, "some.shapes", recorded, path);
  assert_string_equal(open_all(&o, f, "shapes \"some.shapes\"", 1, 1), "");
  assert_int_equal(o.problems.n, 2);
  assert_int_equal(o.problems.refused, 1);
  assert_non_null(strstr(o.problems.first_refused, "some.shapes:3: dtype is"));
  assert_true(o.problems.list[0].entry->count == 12);
  assert_non_null(strstr(o.problems.list[0].text, "m=4096,n=512,k=4096,"
                         "layout=nt,dtype=f32"));
  close_all(&o);
  expect(f, "shapes { \"some.shapes\", least = 2, evals = 5 }", "4096x512x4096");
  put(f, "bad.shapes", "gemm m=1\ngemm m\n", path);
  refuse(f, "shapes \"bad.shapes\"", "bad.shapes:2: 'm' is not KEY=VALUE");
  put(f, "bad.shapes", "gem m=1\n", path);
  refuse(f, "shapes \"bad.shapes\"", "bad.shapes:1: ");
}

static void no_shapes_do_harm(void **state)
{
  struct rng r;
  size_t found = 0;
  (void)state;
  rng_seed(&r, 1);
  for (int i = 0; i < 20000; i++) {
    char text[sizeof recorded];
    memcpy(text, recorded, sizeof text);
    for (uint64_t k = rng_below(&r, 6); k > 0; k--)
      text[rng_below(&r, sizeof text - 1)] =
          rng_below(&r, 2) ? (char)rng_below(&r, 256)
                          : " =#\nc"[rng_below(&r, 5)];
    found += check_shapes(text, rng_below(&r, sizeof text));
  }
  assert_true(found > 1000);
}

/* The command line goes before a call's own options, these before the file's. */
static void options_have_an_order(void **state)
{
  struct folder *f = *state;
  char path[PATH_MAX];
  struct sweep_file file;
  struct options line = {0}, got;
  struct err e = {0};
  char *argv[] = {"--seconds", "100", "--timeout", "7"};
  put(f, "some.lua", "return { arch = \"gfx906\", evals = 5, seconds = 3,\n"
        "timeout = 9, problems = { gemm { evals = 6 }, lds {} } }", path);
  if (sweep_file_read(&file, path, NULL, &e) ||
      options_parse(&line, 4, argv, &e) ||
      sweep_file_options(&file, file.list[0], &line, &got, &e))
    fail_msg("%s", e.text);
  assert_int_equal(got.evals, 6);
  assert_true(got.seconds == 3 && got.timeout == 7);
  assert_int_equal(sweep_file_options(&file, file.list[1], &line, &got, &e), 0);
  assert_int_equal(got.evals, 5);
  sweep_file_free(&file);
}

static void tell(struct cost_book *b, const char *family, const char *problem,
                 double cpu_s, int candidates, int known, enum sweep_why why)
{
  struct record *r = record_new();
  record_set(r, "arch", "gfx906");
  record_set(r, "family", "%s", family);
  record_set(r, "problem", "%s", problem);
  record_set(r, "cpu_s", "%g", cpu_s);
  record_set(r, "candidates", "%d", candidates);
  record_set(r, "known", "%d", known);
  record_set(r, "why", "%s", sweep_why(why));
  cost_tell(b, r);
  record_free(r);
}

/* The problem's last, its family's mean, the mean of all. */
static void costs_are_told(void **state)
{
  struct cost_book b = {0};
  struct cost c;
  (void)state;
  assert_false(cost_ask(&b, "gfx906", "gemm", "m=1", &c));
  tell(&b, "gemm", "m=1", 10, 10, 0, SWEEP_NEW); /* 1 s each */
  tell(&b, "gemm", "m=1", 30, 20, 10, SWEEP_CHANGED); /* 3 s each */
  tell(&b, "gemm", "m=2", 5, 10, 10, SWEEP_NEW); /* nothing was tried */
  tell(&b, "lds", "n=1", 60, 20, 0, SWEEP_NEW);
  assert_true(cost_ask(&b, "gfx906", "gemm", "m=1", &c) && c.cpu_s == 3);
  assert_true(cost_ask(&b, "gfx906", "gemm", "m=9", &c) && c.cpu_s == 2);
  assert_true(cost_ask(&b, "gfx906", "kv", "n=9", &c) && c.cpu_s == 2.5);
  tell(&b, "gemm", "m=1", 20, 8, 6, SWEEP_NEAR); /* beside what the search took */
  assert_true(cost_ask(&b, "gfx906", "gemm", "m=1", &c));
  assert_true(fabs(c.cpu_s - 50.0 / 12) < 1e-9);
  for (int i = 0; i < 2000; i++) {
    char problem[16];
    snprintf(problem, sizeof problem, "n=%d", i);
    tell(&b, "dot", problem, i + 1, 1, 0, SWEEP_NEW);
  }
  for (int i = 0; i < 2000; i++) {
    char problem[16];
    snprintf(problem, sizeof problem, "n=%d", i);
    assert_true(cost_ask(&b, "gfx906", "dot", problem, &c) &&
                c.cpu_s == i + 1);
  }
  cost_free(&b);
}

int main(void)
{
#define WITH_FOLDER(test) \
  cmocka_unit_test_setup_teardown(test, folder_make, folder_remove)
  const struct CMUnitTest tests[] = {
      WITH_FOLDER(lists_are_multiplied),
      WITH_FOLDER(what_is_wrong_is_said),
      WITH_FOLDER(shards_are_stable),
      WITH_FOLDER(shapes_are_read),
      cmocka_unit_test(no_shapes_do_harm),
      WITH_FOLDER(options_have_an_order),
      cmocka_unit_test(costs_are_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
