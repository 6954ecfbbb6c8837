/* merge.c - stores as one: whatever their order, whoever is killed, and by the
 * rules of merge_rows.h and merge_records.h. */
// SPDX-License-Identifier: MIT
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/file.h"
#include "base/rng.h"
#include "db/night.h"
#include "db/table.h"
#include "tests/base/folder.h"
#include "tuner/store/merge.h"
#include "tuner/store/merge_records.h"

enum {STORES = 4};

static void told(void *user, const char *text)
{
  (void)user;
  fail_msg("%s", text);
}

static struct record *parse(const char *text)
{
  struct record *r = record_new();
  char copy[512], *rest = copy, *pair;
  snprintf(copy, sizeof copy, "%s", text);
  while ((pair = strsep(&rest, " "))) {
    char *equals = strchr(pair, '=');
    *equals = 0;
    record_set(r, pair, "%s", equals + 1);
  }
  return r;
}

static void add_line(struct str *to, struct record *r)
{
  record_format(r, to);
  str_add(to, "\n");
  record_free(r);
}

static void put_file(const char *path, const struct str *text)
{
  struct err e = {0};
  char folder[PATH_MAX];
  snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path),
           path);
  if (file_mkdirs(folder, &e) ||
      file_replace(path, str_text(text), text->len, &e))
    fail_msg("%s", e.text);
}

/* --- rules --------------------------------------------------------------- */

static const char base[] = "arch=a family=f problem=m=1 device=d cus=60 "
                           "config=x=1 status=ok n=1 mad_us=0";

struct row {
  const char *source, *compiler, *date;
  double us;
  const char *config;
};

static struct record *make_row(const struct row *x)
{
  struct record *r = parse(base);
  record_set(r, "source", "%s", x->source);
  record_set(r, "compiler", "%s", x->compiler);
  record_set(r, "date", "%s", x->date);
  record_set(r, "time_us", "%g", x->us);
  if (x->config)
    record_set(r, "config", "%s", x->config);
  return r;
}

struct seen {
  int kinds[CONFLICT_N];
};

static void count(void *user, const struct conflict *c)
{
  struct str text = {0};
  ((struct seen *)user)->kinds[c->kind]++;
  conflict_text(c, &text);
  assert_non_null(strstr(text.at, "m=1"));
  str_free(&text);
}

/* Which of the rows stay, as "<date><source's first letter>", and conflicts. */
static const struct {
  struct row rows[3];
  const char *stay;
  int conflicts[CONFLICT_N]; /* made, slower, date */
} rules[] = {
    /* newer beats older of one provenance, whatever it took */
    {{{"measured", "c", "1", 5, 0}, {"measured", "c", "2", 9, 0}}, "2m", {0}},
    {{{"measured", "c", "1", 5, "x=2"}, {"measured", "c", "2", 9, 0}}, "2m",
     {0, 1, 0}},
    {{{"measured", "c", "1", 9, "x=2"}, {"measured", "c", "2", 5, 0}}, "2m",
     {0}},
    /* measured and modelled never replace each other */
    {{{"modelled", "c", "3", 1, 0}, {"measured", "c", "1", 9, 0}}, "1m 3m",
     {0}},
    /* another compiler is another provenance */
    {{{"measured", "c", "1", 5, 0}, {"measured", "d", "2", 9, 0}}, "1m 2m",
     {1, 0, 0}},
    /* the same row is no conflict, another of the same date is */
    {{{"measured", "c", "1", 5, 0}, {"measured", "c", "1", 5, 0}}, "1m", {0}},
    {{{"measured", "c", "1", 6, 0}, {"measured", "c", "1", 5, 0}}, "1m",
     {0, 0, 1}},
    {{{"measured", "c", "1", 6, 0},
      {"measured", "c", "3", 5, 0},
      {"measured", "c", "2", 5, 0}}, "3m", {0}},
};

static void rows_stay_by_their_provenance(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
    for (int turned = 0; turned < 2; turned++) {
      struct record *rows[3];
      size_t n = 0;
      struct str stay = {0};
      struct seen seen = {{0}};
      while (n < 3 && rules[i].rows[n].source)
        n++;
      for (size_t k = 0; k < n; k++)
        rows[k] = make_row(&rules[i].rows[turned ? n - 1 - k : k]);
      merge_rows(rows, &n, count, &seen);
      for (size_t k = 0; k < n; k++) {
        str_addf(&stay, "%s%s%c", stay.len ? " " : "",
                 record_text(rows[k], "date"),
                 record_text(rows[k], "source")[0]);
        record_free(rows[k]);
      }
      assert_string_equal(stay.at, rules[i].stay);
      assert_memory_equal(seen.kinds, rules[i].conflicts, sizeof seen.kinds);
      str_free(&stay);
    }
}

/* --- in any order -------------------------------------------------------- */

static struct record *random_result(struct rng *rng)
{
  static const char *const sources[] = {"measured", "modelled"};
  struct record *r = parse(base);
  record_set(r, "problem", "m=%d", (int)rng_below(rng, 12));
  record_set(r, "device", "card %d", (int)rng_below(rng, 2));
  record_set(r, "source", "%s", sources[rng_below(rng, 2)]);
  record_set(r, "compiler", "c%d", (int)rng_below(rng, 2));
  record_set(r, "date", "2026-11-%02dT00:00:0%dZ", (int)rng_below(rng, 3) + 1,
             (int)rng_below(rng, 2));
  record_set(r, "config", "x=%d", (int)rng_below(rng, 3));
  record_set(r, "time_us", "%d", 1 + (int)rng_below(rng, 3));
  return r;
}

static void add_night(const char *store, struct rng *rng, int s)
{
  char path[PATH_MAX];
  struct str text = {0};
  /* the shards of a night, and one that two stores began in one second */
  if (s < 2)
    snprintf(path, sizeof path,
             "%s/nights/n/20261124T01000%dZ-%d-of-2.night", store, s, s + 1);
  else
    snprintf(path, sizeof path, "%s/nights/n/20261125T010000Z.night", store);
  add_line(&text, parse(s < 2 ? "kind=night sweep=n begun=1 shard=1/2"
                              : s == 2 ? "kind=night sweep=n begun=2 shard=1/1"
                                       : "kind=night sweep=n begun=3 "
                                         "shard=1/1"));
  for (int i = 0; i < 5; i++) {
    struct record *r = random_result(rng);
    record_set(r, "kind", "problem");
    add_line(&text, r);
  }
  add_line(&text, parse("kind=end wall_s=1"));
  put_file(path, &text);
  str_free(&text);
}

/* Stores that share what was drawn before. */
static void make_store(const char *root, int s, struct rng *rng)
{
  char path[PATH_MAX], store[PATH_MAX - 64];
  struct err e = {0};
  struct journal *j;
  snprintf(store, sizeof store, "%s/%d", root, s);
  snprintf(path, sizeof path, "%s/a/f.journal", store);
  assert_int_equal(journal_open(&j, path, &e), 0);
  for (int i = 0; i < 30; i++) {
    struct rng own = *rng;
    rng_seed(&own, rng_below(rng, 60));
    struct record *r = random_result(&own);
    assert_int_equal(journal_append(j, r, &e), 0);
    assert_int_equal(table_put(store, r, told, NULL, &e), 0);
    record_free(r);
  }
  journal_close(j);
  add_night(store, rng, s);
}

static void read_into(struct str *all, const char *store, const char *file)
{
  char path[PATH_MAX];
  struct err e = {0};
  snprintf(path, sizeof path, "%s/%s", store, file);
  str_addf(all, "-- %s\n", file);
  if (file_exists(path) && file_read(path, SIZE_MAX, all, &e))
    fail_msg("%s", e.text);
}

/* All that a merged store says. */
static struct str contents(const char *store)
{
  struct str all = {0};
  read_into(&all, store, "a/f.table");
  read_into(&all, store, "a/f.journal");
  read_into(&all, store, "nights/n/20261124T010000Z-1-of-2.night");
  read_into(&all, store, "nights/n/20261124T010001Z-2-of-2.night");
  read_into(&all, store, "nights/n/20261125T010000Z.night");
  read_into(&all, store, "nights/n/20261125T010001Z.night");
  return all;
}

static void must_merge(const char *out, const char *const *in, size_t n)
{
  struct err e = {0};
  const struct merge_request q = {.out = out, .inputs = in, .n = n,
                                  .notice = told};
  if (merge(&q, &e))
    fail_msg("%s", e.text);
}

/* The i-th permutation of all stores, by Lehmer's code. */
static void permute(int i, int out[STORES])
{
  int left[STORES] = {0, 1, 2, 3};
  for (int n = STORES; n > 0; n--) {
    int at = i % n;
    i /= n;
    out[STORES - n] = left[at];
    memmove(left + at, left + at + 1, sizeof *left * (size_t)(n - at - 1));
  }
}

static void order_makes_no_difference(void **state)
{
  const char *root = ((struct folder *)*state)->path;
  for (uint64_t seed = 1; seed <= 3; seed++) {
    char names[STORES][PATH_MAX], out[PATH_MAX], here[PATH_MAX - 8];
    struct str first = {0};
    struct rng rng;
    rng_seed(&rng, seed);
    snprintf(here, sizeof here, "%s/%d", root, (int)seed);
    for (int s = 0; s < STORES; s++) {
      make_store(here, s, &rng);
      snprintf(names[s], PATH_MAX, "%s/%d", here, s);
    }
    for (int i = 0; i < 24; i++) {
      const char *in[STORES];
      int at[STORES];
      permute(i, at);
      for (int s = 0; s < STORES; s++)
        in[s] = names[at[s]];
      snprintf(out, sizeof out, "%s/o%d", here, i);
      must_merge(out, in, STORES);
      struct str all = contents(out);
      if (!i)
        str_add(&first, all.at);
      assert_string_equal(all.at, first.at);
      str_free(&all);
    }
    must_merge(out, (const char *const[]){names[2], out, names[0]}, 3);
    struct str again = contents(out); /* nothing new */
    assert_string_equal(again.at, first.at);
    str_free(&again);
    str_free(&first);
  }
}

/* --- records ------------------------------------------------------------- */

static void take_config(void *user, struct record *r)
{
  str_addf(user, "%s ", record_text(r, "i"));
  record_free(r);
}

static void put_dated(struct incoming *in, const char *date, int i)
{
  struct record *r = record_new();
  record_set(r, "i", "%d", i);
  record_set(r, "config", "x=1");
  record_set(r, "date", "%s", date);
  incoming_add(in, r);
}

/* What is older goes before what is newer; lines of a file whose clock was set
 * back stay in their order; what is there stays. */
static void records_go_where_their_dates_belong(void **state)
{
  const char *path = folder_file(*state, "dated.journal");
  struct journal_edit edit;
  struct str order = {0};
  struct err e = {0};
  const struct journal_reader reader = {&order, take_config, NULL};
  struct incoming *in = incoming_open();
  put_dated(in, "2026-03", 3);
  put_dated(in, "2026-05", 5);
  assert_int_equal(incoming_merge(in, path, told, NULL, &edit, &e), 0);
  assert_int_equal(edit.inserted, 2);
  incoming_close(in);
  in = incoming_open();
  put_dated(in, "2026-06", 6);
  put_dated(in, "2026-01", 7); /* the clock was set back */
  incoming_file(in);
  put_dated(in, "2026-04", 4);
  put_dated(in, "2026-05", 5); /* there already */
  assert_int_equal(incoming_merge(in, path, told, NULL, &edit, &e), 0);
  assert_int_equal(edit.inserted, 3);
  incoming_close(in);
  assert_int_equal(journal_read(path, &reader, &e), 0);
  assert_string_equal(order.at, "3 4 5 6 7 ");
  str_free(&order);
}

/* --- nights -------------------------------------------------------------- */

static void shards_are_one_night(void **state)
{
  const char *root = ((struct folder *)*state)->path;
  char a[PATH_MAX], b[PATH_MAX], out[PATH_MAX], (*stamps)[NIGHT_STAMP];
  struct night_read night;
  struct err e = {0};
  struct rng rng;
  rng_seed(&rng, 1);
  snprintf(a, sizeof a, "%s/a", root);
  snprintf(b, sizeof b, "%s/b", root);
  snprintf(out, sizeof out, "%s/joined", root);
  add_night(a, &rng, 0);
  add_night(b, &rng, 1);
  must_merge(out, (const char *const[]){b, a}, 2);
  must_merge(out, (const char *const[]){a}, 1);
  assert_int_equal(night_list(out, "n", &stamps), 2);
  assert_string_equal(stamps[0], "20261124T010000Z-1-of-2");
  assert_string_equal(stamps[1], "20261124T010001Z-2-of-2");
  assert_int_equal(night_load(&night, out, "n", stamps[1], told, NULL, &e), 0);
  assert_true(night.head && night.end && night.n > 0);
  night_free(&night);
  free(stamps);
}

/* --- beside others, and killed ------------------------------------------- */

/* Another process appends while this one merges again and again. */
static void a_running_tune_loses_nothing(void **state)
{
  enum {OWN = 300};
  const char *root = ((struct folder *)*state)->path;
  char in[PATH_MAX], out[PATH_MAX - 64], path[PATH_MAX];
  struct str found = {0};
  struct err e = {0};
  struct rng rng;
  const struct journal_reader reader = {&found, take_config, told};
  rng_seed(&rng, 7);
  snprintf(out, sizeof out, "%s/running", root);
  snprintf(path, sizeof path, "%s/a/f.journal", out);
  pid_t child = fork();
  if (!child) {
    struct journal *j;
    int bad = journal_open(&j, path, &e);
    for (int i = 0; i < OWN && !bad; i++) {
      struct record *r = parse(base);
      record_set(r, "i", "%d", i);
      record_set(r, "date", "2026-11-24T00:%02d:%02dZ", i / 60, i % 60);
      bad = journal_append(j, r, &e);
      record_free(r);
    }
    _exit(bad);
  }
  for (int s = 0; s < STORES; s++) {
    snprintf(in, sizeof in, "%s/s", root);
    make_store(in, s, &rng);
    snprintf(in, sizeof in, "%s/s/%d", root, s);
    must_merge(out, (const char *const[]){in}, 1);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  assert_int_equal(journal_read(path, &reader, &e), 0);
  const char *at = found.at;
  for (int i = 0; i < OWN; i++) { /* in their order, between others */
    char text[16];
    snprintf(text, sizeof text, " %d ", i);
    at = i ? strstr(at, text) : at;
    assert_non_null(at);
  }
  str_free(&found);
}

static void killed_merges_are_run_again(void **state)
{
  const char *root = ((struct folder *)*state)->path;
  char names[STORES][PATH_MAX], out[PATH_MAX], here[PATH_MAX - 8];
  const char *in[STORES];
  struct rng rng;
  rng_seed(&rng, 3);
  snprintf(here, sizeof here, "%s/k", root);
  for (int s = 0; s < STORES; s++) {
    make_store(here, s, &rng);
    snprintf(names[s], PATH_MAX, "%s/%d", here, s);
    in[s] = names[s];
  }
  snprintf(out, sizeof out, "%s/whole", here);
  must_merge(out, in, STORES);
  struct str whole = contents(out);
  for (int i = 0; i < 20; i++) {
    snprintf(out, sizeof out, "%s/o%d", here, i);
    pid_t child = fork();
    if (!child) {
      must_merge(out, in, STORES);
      _exit(0);
    }
    usleep((unsigned)(i * 500));
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, NULL, 0), child);
    must_merge(out, in, STORES);
    struct str all = contents(out);
    assert_string_equal(all.at, whole.at);
    str_free(&all);
  }
  str_free(&whole);
}

/* --- what is refused ----------------------------------------------------- */

static void foreign_inputs_are_refused(void **state)
{
  struct folder *f = *state;
  struct err e = {0};
  struct str text = {0};
  char a[PATH_MAX], odd[PATH_MAX], out[PATH_MAX];
  snprintf(a, sizeof a, "%s/odd/a/g.journal", f->path);
  snprintf(odd, sizeof odd, "%s/odd/readme.txt", f->path);
  snprintf(out, sizeof out, "%s/odd/out.table", f->path);
  add_line(&text, parse(base)); /* of the family f, not g */
  put_file(a, &text);
  put_file(odd, &text);
  char folder[PATH_MAX];
  snprintf(folder, sizeof folder, "%s/odd", f->path);
  const struct {
    const char *in, *out, *says;
  } refused[] = {
      {"/nowhere", f->path, "No such file"},
      {"/dev/fd", f->path, "holds no table"},
      {odd, f->path, "readme.txt: is no store"},
      {folder, f->path, "not of a g"},
      {folder, out, "is one file"},
  };
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    const struct merge_request q = {.out = refused[i].out, .n = 1,
                                    .inputs = &refused[i].in};
    e.code = 0;
    assert_true(merge(&q, &e) != 0);
    if (!strstr(e.text, refused[i].says))
      fail_msg("%s", e.text);
  }
  str_free(&text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_stay_by_their_provenance),
      cmocka_unit_test(order_makes_no_difference),
      cmocka_unit_test(records_go_where_their_dates_belong),
      cmocka_unit_test(shards_are_one_night),
      cmocka_unit_test(a_running_tune_loses_nothing),
      cmocka_unit_test(killed_merges_are_run_again),
      cmocka_unit_test(foreign_inputs_are_refused),
  };
  return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
