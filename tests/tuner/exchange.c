/* exchange.c - the formats of others: round trips, published shapes, damage. */
// SPDX-License-Identifier: MIT
#include <jansson.h>

#include "base/file.h"
#include "base/rng.h"
#include "base/status.h"
#include "db/journal.h"
#include "tests/base/folder.h"
#include "tests/fuzz/exchange.h"
#include "tuner/store/import.h"

static const char *const names[] = {"t4", "csv", "kernel-tuner", "tunableop"};

static const struct exchange_format *format(const char *name)
{
  const struct exchange_format *f;
  struct err e = {0};
  if (exchange_find(name, NULL, NULL, &f, &e))
    fail_msg("%s", e.text);
  return f;
}

static void told(void *user, const char *text)
{
  (void)user;
  fail_msg("%s", text);
}

static void must_put(const char *path, const char *text)
{
  struct err e = {0};
  if (file_replace(path, text, strlen(text), &e))
    fail_msg("%s", e.text);
}

/* A result of each status, of one problem. */
static struct results samples(void)
{
  struct results r = {0};
  for (int i = 0; i < STATUS_N; i++) {
    struct record *one = record_new();
    record_set(one, "arch", "gfx906");
    record_set(one, "family", "gemm");
    record_set(one, "problem", "m=5,n=6,k=7,layout=nt,dtype=f16,alpha=1,"
               "beta=0,lda=7,ldb=7,ldc=6");
    record_set(one, "device", "a card, \"mine\"");
    record_set(one, "cus", "60");
    record_set(one, "source", "measured");
    record_set(one, "compiler", "hiprtc-5.2");
    record_set(one, "config", "tile_m=%d,mode=a b,f=0.5", i);
    record_set(one, "date", "2026-11-24T01:00:0%dZ", i);
    record_set(one, "status", "%s", status_name((enum status)i));
    if (!i)
      record_set(one, "time_us", "12.5");
    results_add(&r, one);
  }
  return r;
}

/* What a format writes is read as it was: written again it is the same. */
static void round_trips(void **state)
{
  (void)state;
  for (int i = 0; i < 4; i++) {
    const struct exchange_format *f = format(names[i]), *guessed;
    struct results r = samples(), back = {0};
    struct str text = {0}, again = {0};
    struct err e = {0};
    f->write(&r, &text);
    if (exchange_find(NULL, &text, "p", &guessed, &e) ||
        f->read("p", &text, &back, &e))
      fail_msg("%s: %s", names[i], e.text);
    assert_string_equal(guessed->name, names[i]);
    f->write(&back, &again);
    assert_string_equal(again.at, text.at);
    assert_int_equal(back.n, i == 3 ? 1 : STATUS_N); /* TunableOp: winners */
    for (size_t k = 0; k < back.n; k++) {
      static const char *const same[] = {"problem", "config", "status",
                                         "time_us", "family", "arch"};
      for (size_t s = 0; s < sizeof same / sizeof *same; s++)
        assert_string_equal(record_text(back.list[k], same[s]),
                            record_text(r.list[k], same[s]));
    }
    results_free(&r);
    results_free(&back);
    str_free(&text);
    str_free(&again);
  }
}

/* Against the schema of T4 1.0.0: what it requires, types, and its words. */
static void t4_is_what_its_schema_says(void **state)
{
  (void)state;
  static const char *const words[] = {"timeout", "compile", "runtime",
                                      "correctness", "constraints", "correct"};
  struct results r = samples();
  struct str text = {0};
  format("t4")->write(&r, &text);
  json_t *o = json_loads(text.at, 0, NULL);
  assert_string_equal(json_string_value(json_object_get(o, "schema_version")),
                      "1.0.0");
  json_t *list = json_object_get(o, "results");
  assert_int_equal(json_array_size(list), STATUS_N);
  for (size_t i = 0; i < json_array_size(list); i++) {
    json_t *one = json_array_get(list, i), *m;
    const char *word = json_string_value(json_object_get(one, "invalidity"));
    size_t w = 0, k;
    while (w < 6 && strcmp(word, words[w]) != 0)
      w++;
    assert_true(w < 6);
    assert_true(json_is_object(json_object_get(one, "configuration")));
    assert_true(json_is_object(json_object_get(one, "times")));
    assert_true(json_is_number(json_object_get(one, "correctness")));
    assert_true(json_is_array(json_object_get(one, "objectives")));
    assert_true(json_is_string(json_object_get(one, "timestamp")));
    json_array_foreach(json_object_get(one, "measurements"), k, m) {
      json_t *v = json_object_get(m, "value");
      assert_true(json_is_string(json_object_get(m, "name")));
      assert_true(json_is_string(json_object_get(m, "unit")));
      assert_true(json_is_number(v) || json_is_string(v) || json_is_array(v));
    }
  }
  json_t *ok = json_array_get(json_object_get(json_array_get(list, 0),
                                              "measurements"), 0);
  assert_true(json_number_value(json_object_get(ok, "value")) == 0.0125);
  json_decref(o);
  results_free(&r);
  str_free(&text);
}

/* --- files of others ----------------------------------------------------- */

static const char kernel_tuner[] =
    "{\"device_name\": \"A100\", \"kernel_name\": \"conv\", \"problem_size\": "
    "[4096, 4096], \"tune_params_keys\": [\"bx\", \"by\"], \"tune_params\": "
    "{\"bx\": [16, 32], \"by\": [1]}, \"objective\": \"time\", \"cache\": {\n"
    "\"16,1\": {\"bx\": 16, \"by\": 1, \"time\": 2.5, \"times\": [2.4, 2.6], "
    "\"compile_time\": 500, \"GFLOP/s\": 100.5, \"timestamp\": "
    "\"2023-12-21 10:44:42.236642+00:00\"},\n"
    "\"32,1\": {\"bx\": 32, \"by\": 1, \"time\": \"CompilationFailedConfig\"},";

static const char published_t4[] =
    "{\"schema_version\": \"1.0.0\", \"metadata\": {\"timeunit\": "
    "\"miliseconds\"}, \"results\": [{\"configuration\": {\"bx\": 16}, "
    "\"times\": {\"compilation_time\": 1.5, \"runtimes\": [2, 4]}, "
    "\"invalidity\": \"correct\", \"correctness\": 1},\n"
    "{\"configuration\": {\"bx\": 32}, \"objectives\": [\"time\"], \"times\": "
    "{\"compilation\": 1.5}, \"invalidity\": \"runtime\", \"correctness\": 1, "
    "\"measurements\": [{\"name\": \"time\", \"value\": "
    "\"RuntimeFailedConfig\", \"unit\": \"ms\"}]}]}";

/* nt_25088_4096_64 by columns is a product of rows with m=4096, n=25088; B is
 * the first operand, which is not transposed there, A the second, which is. */
static const char tunable[] =
    "Validator,PT_VERSION,2.4.0\n"
    "Validator,GCN_ARCH_NAME,gfx906:sramecc+:xnack-\n"
    "GemmTunableOp_float_NT,nt_25088_4096_64,Gemm_Rocblas_1219,1.262\n";

static const struct {
  const char *text, *format, *arch;
  size_t n;
  const char *fields[6]; /* of the first result, field and value */
  const char *last;      /* status of the last */
} published[] = {
    {kernel_tuner, NULL, "gfx906", 2,
     {"config", "bx=16,by=1", "time_us", "2500", "problem", "[4096,4096]"},
     "compile"},
    {published_t4, NULL, "gfx906", 2,
     {"config", "bx=16", "time_us", "3000", "source", "imported"}, "launch"},
    {tunable, NULL, NULL, 1,
     {"problem", "m=4096,n=25088,k=64,layout=tn,dtype=f32,alpha=1,beta=0,"
      "lda=4096,ldb=25088,ldc=25088", "config",
      "solution=Gemm_Rocblas_1219", "time_us", "1262"}, "ok"},
};

static struct results *into;

static void take(void *user, struct record *r)
{
  (void)user;
  results_add(into, r);
}

static void files_of_others(void **state)
{
  struct folder *f = *state;
  char path[PATH_MAX], journal[PATH_MAX];
  snprintf(path, sizeof path, "%s/theirs", f->path);
  snprintf(journal, sizeof journal, "%s/gfx906/k.journal", f->path);
  for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
    struct results r = {0};
    struct err e = {0};
    size_t n, added;
    const struct import_request q = {
        .store = f->path, .path = path, .arch = published[i].arch,
        .format = published[i].format, .family = "k", .notice = told};
    must_put(path, published[i].text);
    if (import_file(&q, &n, &added, &e))
      fail_msg("%s", e.text);
    assert_int_equal(n, published[i].n);
    assert_int_equal(added, n);
    into = &r;
    snprintf(journal, sizeof journal, "%s/gfx906/%s.journal", f->path,
             i == 0 ? "conv" : i == 1 ? "k" : "gemm");
    const struct journal_reader reader = {NULL, take, told};
    assert_int_equal(journal_read(journal, &reader, &e), 0);
    assert_int_equal(r.n, n);
    size_t first = 0; /* dated ones come first */
    for (size_t k = 0; k < r.n; k++)
      if (!strcmp(record_text(r.list[k], "status"), "ok"))
        first = k;
    for (int k = 0; k < 6; k += 2)
      assert_string_equal(record_text(r.list[first], published[i].fields[k]),
                          published[i].fields[k + 1]);
    assert_string_equal(record_text(r.list[r.n - 1 - (first == r.n - 1 &&
                                                      r.n > 1)], "status"),
                        published[i].last);
    for (size_t k = 0; k < r.n; k++) { /* never our own measurement */
      assert_string_equal(record_text(r.list[k], "source"), "imported");
      assert_true(!strncmp(record_text(r.list[k], "imported"), "theirs-", 7));
    }
    results_free(&r);
  }
}

/* --- damage -------------------------------------------------------------- */

static const struct {
  const char *format, *text, *says;
} damaged[] = {
    {NULL, "", "theirs: is empty"},
    {"csv", "arch,family\ngfx906\n", "theirs:2: 1 cells"},
    {"csv", "arch,arch\n", "theirs:1: the field arch is named twice"},
    {"csv", "arch,Größe\n", "theirs:1: 'Größe' is no name"},
    {"csv", "arch,family\ngfx906,\"k\n", "theirs:2: a quote"},
    {"csv", "arch,family\ngfx906,\"k\"x\n", "theirs:2: a comma"},
    {"csv", "arch,family\n", "theirs: holds no result"},
    {"csv", "arch,config,status\ngfx906,x=1,ok\n", "names no kernel family"},
    {"csv", "family,config,status\nk,x=1,ok\n", "is not known; say which"},
    {"csv", "arch,family,status\ngfx906,k,fine\n", "the status 'fine'"},
    {"csv", "arch,family,config,status\ngfx906,../k,x=1,ok\n", "names no kernel"},
    {"t4", "{\"results\": [", "theirs:1:"},
    {"t4", "[]", "theirs: has no list of results"},
    {"t4", "{\"results\": [{}]}", "result 1: it has no configuration"},
    {"t4", "{\"results\": [{\"configuration\": {\"x\": 1}, \"invalidity\": "
     "\"odd\"}]}", "its invalidity"},
    {"t4", "{\"results\": [{\"configuration\": {\"x\": 1}, \"invalidity\": "
     "\"correct\"}]}", "has no time"},
    {"t4", "{\"results\": [{\"configuration\": {\"x\": {}}, \"invalidity\": "
     "\"compile\"}]}", "is no number"},
    {"kernel-tuner", "{\"cache\": {}}", "has no cache"},
    {"kernel-tuner", "{\"tune_params_keys\": [\"x\"], \"cache\": {\"1\": {}}}",
     "entry '1': it has no value of 'x'"},
    {"kernel-tuner", "{\"tune_params_keys\": [\"x\"], \"cache\": {\"1\": "
     "{\"x\": 1, \"time\": \"odd\"}}}", "its time is no time"},
    {"tunableop", "Validator,A\n", "theirs:1: 2 cells"},
    {"tunableop", "\nGemmStridedBatchedTunableOp_float_NN,nn_1_1_1_B_2,x,1\n",
     "theirs:2: 'GemmStrided"},
    {"tunableop", "GemmTunableOp_float_NN,nn_1_1,x,1\n", "is no product"},
    {"tunableop", "GemmTunableOp_float_NN,nt_1_1_1,x,1\n", "a type or letters"},
    {"tunableop", "GemmTunableOp_float_NN,nn_1_1_1,x,soon\n", "is no time"},
    {"yaml", "x", "must be t4, csv"},
};

static void damaged_files_are_refused(void **state)
{
  struct folder *f = *state;
  char path[PATH_MAX], store[PATH_MAX];
  snprintf(path, sizeof path, "%s/theirs", f->path);
  snprintf(store, sizeof store, "%s/none", f->path);
  for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
    struct err e = {0};
    size_t n, added;
    const struct import_request q = {.store = store, .path = path,
                                     .format = damaged[i].format,
                                     .notice = told};
    must_put(path, damaged[i].text);
    assert_true(import_file(&q, &n, &added, &e) != 0);
    if (!strstr(e.text, damaged[i].says))
      fail_msg("%s", e.text);
  }
  assert_false(file_exists(store)); /* all or nothing */
}

/* Bytes changed anywhere: refused with the file's name, or records that can be
 * stored. */
static void any_bytes(void **state)
{
  (void)state;
  struct rng rng;
  rng_seed(&rng, 1);
  const char *const texts[] = {kernel_tuner, published_t4, tunable,
                               "arch,family\ngfx906,\"k\"\n"};
  for (int i = 0; i < 20000; i++) {
    const char *text = texts[i % 4];
    size_t n = strlen(text);
    char *copy = malloc(n);
    memcpy(copy, text, n);
    for (int k = 0; k < 3; k++)
      copy[rng_below(&rng, n)] =
          "\n\",:{}[]0e-\0\xff"[rng_below(&rng, 13)];
    exchange_bytes(copy, rng_below(&rng, 4) ? n : rng_below(&rng, n));
    free(copy);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(round_trips),
      cmocka_unit_test(t4_is_what_its_schema_says),
      cmocka_unit_test(files_of_others),
      cmocka_unit_test(damaged_files_are_refused),
      cmocka_unit_test(any_bytes),
  };
  return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
