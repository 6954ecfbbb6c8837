/* lds_solver.c - see lds_solver.h. */
// SPDX-License-Identifier: MIT
#include "tuner/cli/lds_solver.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "arch/arch.h"
#include "arch/lds_solve.h"
#include "tuner/cli/cli.h"
#include "tuner/cli/json.h"
#include "tuner/reference/problem.h"

/* What every arch gives a workgroup, where the arch table does not say. */
enum {LDS_LEAST = 65536, USES = 2, NAMES = 16};

struct solver {
  const struct options *options;
  const struct lds_layout *layout;
  struct family *family;
  struct problem problem;
  struct config config;
  struct lds_tile tile;
  struct lds_use uses[USES]; /* the producer, the consumer */
  uint64_t budget;
};

/* --- the question -------------------------------------------------------- */

static int find_layout(struct solver *s, struct err *e)
{
  const char *names[NAMES], *arch;
  const struct lds_layout *y;
  struct str known = {0};
  size_t n = 0;
  if (options_arch(s->options, &arch, e))
    return e->code;
  s->layout = lds_layout_find(arch);
  if (s->layout)
    return 0;
  while (n < NAMES && (y = lds_layout_at(n))) {
    str_addf(&known, "%s%s", n ? ", " : "", y->arch);
    names[n++] = y->arch;
  }
  const char *near = arch_find(arch) ? NULL : suggest(arch, names, n);
  err_set(e, ERR_USAGE, "which lanes of '%s' share an LDS cycle is not "
          "known%s%s%s it is of %s", arch, near ? "; did you mean '" : "",
          near ? near : "", near ? "'?" : ";", known.at);
  str_free(&known);
  return e->code;
}

/* An arch that only the LDS table knows has its wave. */
static int set_arch(struct solver *s, struct err *e)
{
  const struct arch *a = arch_find(s->layout->arch);
  const struct pair *facts;
  const struct pair few[] = {
      {"name", {.kind = VALUE_STR, .s = s->layout->arch}},
      {"wave", {.kind = VALUE_INT, .i = s->layout->wave}},
  };
  s->budget = a ? (uint64_t)arch_fact(a, "lds_bytes") : LDS_LEAST;
  if (s->options->budget)
    s->budget = (uint64_t)s->options->budget;
  if (!a)
    return family_set_arch(s->family, few, sizeof few / sizeof *few, e);
  size_t n = arch_facts(a, &facts);
  return family_set_arch(s->family, facts, n, e);
}

/* A tunable's value; 0 where the family has no such tunable. */
static long long tunable(const struct solver *s, const char *name)
{
  const struct tunable *list;
  size_t n = family_tunables(s->family, &list);
  for (size_t i = 0; i < n; i++)
    if (!strcmp(list[i].name, name))
      return list[i].values[s->config.at[i]].i;
  return 0;
}

static long long key(const struct solver *s, const char *name)
{
  return problem_int(s->family, &s->problem, name);
}

static const char *word(const struct solver *s, const char *name)
{
  return problem_text(s->family, &s->problem, name);
}

static int open_family(struct solver *s, const char *name, struct err *e)
{
  static const char *const needed[] = {"rows", "columns", "dtype", "pattern",
                                       "down"};
  const struct options *r = s->options;
  if (family_open(&s->family, name, r->templates, e) ||
      options_keys(r, s->family, e) || set_arch(s, e) ||
      family_problem(s->family, r->names, r->texts, r->nkeys, &s->problem,
                     e))
    return e->code;
  for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
    if (!problem_value(s->family, &s->problem, needed[i]))
      return err_set(e, ERR_USAGE, "--solve lays out the tile of the family "
                     "lds; %s has no key '%s'", name, needed[i]);
  return 0;
}

/* Widths that are not given are the widest: staging wants 16 bytes. */
static int take_widths(struct solver *s, struct err *e)
{
  const struct options *r = s->options;
  if (config_parse(s->family, "write_width=4,read_width=4", 1, &s->config, e))
    return err_prefix(e, "--solve needs the widths of both sides");
  for (size_t i = 0; i < r->nsets; i++)
    if (config_parse(s->family, r->sets[i], 1, &s->config, e))
      return e->code;
  return 0;
}

static unsigned element_bytes(const char *dtype)
{
  return !strcmp(dtype, "f16") ? 2 : !strcmp(dtype, "i8") ? 1 : 4;
}

static void describe(struct solver *s)
{
  unsigned write = (unsigned)tunable(s, "write_width");
  unsigned read = (unsigned)tunable(s, "read_width");
  unsigned down = (unsigned)key(s, "down");
  const char *pattern = word(s, "pattern");
  int turned = !strcmp(pattern, "transpose");
  int columns = !strcmp(pattern, "column");
  s->tile = (struct lds_tile){
      (unsigned)key(s, "rows"),
      (unsigned)key(s, "columns") * element_bytes(word(s, "dtype"))};
  s->uses[0] = (struct lds_use){LDS_WRITE, turned ? LDS_TURNED : LDS_ALONG,
                                turned ? 4 : 4 * write, 1,
                                turned ? write : 1};
  s->uses[1] = (struct lds_use){LDS_READ, columns ? LDS_COLUMNS : LDS_ALONG,
                                4 * read, down, 1};
}

static int ask(struct solver *s, const char *name, struct err *e)
{
  static const char *const sides[] = {"producer", "consumer"};
  const char *why;
  if (find_layout(s, e) || open_family(s, name, e) || take_widths(s, e))
    return e->code;
  describe(s);
  for (size_t i = 0; i < USES; i++)
    if (!lds_use_fits(s->layout, &s->tile, &s->uses[i], &why))
      return err_set(e, ERR_USAGE, "the %s does not fit the tile: %s; change "
                     "rows, columns, down or --set %s_width=...", sides[i],
                     why, i ? "read" : "write");
  return 0;
}

/* --- the answer ---------------------------------------------------------- */

/* Bytes of the widest access, in which the family counts an XOR's unit. */
static unsigned widest(const struct solver *s)
{
  return s->uses[0].bytes > s->uses[1].bytes ? s->uses[0].bytes
                                             : s->uses[1].bytes;
}

static void print_json(const struct solver *s, const struct lds_solution *x)
{
  const struct lds_way *w = &x->way;
  json_t *o = json_pack(
      "{ss ss ss sI sI s{sI sI sI} sI sI sI sI sb}", "type", "layout",
      "family", family_name(s->family), "arch", s->layout->arch, "rows",
      (json_int_t)s->tile.rows, "row_bytes", (json_int_t)s->tile.row_bytes,
      "config", "pad", (json_int_t)(w->pad / 4), "xor", (json_int_t)w->mask,
      "unit", (json_int_t)(w->mask ? w->unit / widest(s) : 1), "cycles",
      (json_int_t)x->cycles, "conflicts", (json_int_t)x->conflicts,
      "lds_bytes", (json_int_t)lds_tile_bytes(&s->tile, w), "budget",
      (json_int_t)s->budget, "tight", x->tight);
  json_line(stdout, o);
}

static void row(const char *label, const struct str *text)
{
  cli_row(label, str_text(text));
}

static void print_use(const struct solver *s, const char *label,
                      const struct lds_use *u, const struct lds_way *w)
{
  struct str text = {0};
  struct lds_way plain = {0, 0, 0};
  struct lds_price before = lds_price(s->layout, &s->tile, u, &plain);
  struct lds_price after = lds_price(s->layout, &s->tile, u, w);
  double n = (double)before.instructions;
  str_addf(&text, "ds_%s_b%u ", u->kind == LDS_WRITE ? "write" : "read",
           8 * u->bytes);
  if (u->walk == LDS_COLUMNS)
    str_addf(&text, "%u lanes down columns", u->down);
  else if (u->walk == LDS_TURNED)
    str_addf(&text, "of %u down columns", u->run);
  else
    str_addf(&text, u->down > 1 ? "along rows by %u lanes each" : "along rows",
             u->down);
  str_addf(&text, ", %.4g cycles an instruction as it is, %.4g then",
           (double)before.cycles / n, (double)after.cycles / n);
  row(label, &text);
  str_free(&text);
}

static void print_way(const struct solver *s, const struct lds_solution *x)
{
  struct str text = {0};
  const struct lds_way *w = &x->way;
  unsigned element = element_bytes(word(s, "dtype"));
  uint64_t bytes = lds_tile_bytes(&s->tile, w);
  uint64_t plain = (uint64_t)s->tile.rows * s->tile.row_bytes;
  if (w->mask)
    str_addf(&text, "XOR: xor=%u,unit=%u: chunks of %u bytes, max phase %u",
             w->mask, w->unit / widest(s), w->unit, w->mask + 1);
  else if (w->pad)
    str_addf(&text, "pad: pad=%u: %u bytes (%u elements) after each row",
             w->pad / 4, w->pad, w->pad / element);
  else
    str_add(&text, "the tile as it is");
  row("layout", &text);
  str_clear(&text);
  str_addf(&text, "%llu bytes of LDS, %llu (%.1f %%) more than the data; the "
           "budget of %llu takes %llu of them", (unsigned long long)bytes,
           (unsigned long long)(bytes - plain),
           100 * (double)(bytes - plain) / (double)plain,
           (unsigned long long)s->budget,
           (unsigned long long)(s->budget / bytes));
  row("LDS", &text);
  str_free(&text);
}

static void print_verdict(const struct lds_solution *x)
{
  struct str text = {0};
  if (x->conflicts)
    str_addf(&text, "the least bad: %llu of %llu cycles over the tile are "
             "conflicts, and no pad or XOR leaves fewer",
             (unsigned long long)x->conflicts, (unsigned long long)x->cycles);
  else
    str_add(&text, "free of conflicts");
  if (!x->conflicts && x->way.mask)
    str_add(&text, x->tight ? "; with a pad fewer tiles would fit"
                            : "; pads that cost no tile are not");
  row("verdict", &text);
  str_free(&text);
}

static int answer(const struct solver *s, struct err *e)
{
  struct lds_solution x;
  struct str text = {0};
  if (!lds_solve(s->layout, &s->tile, s->uses, USES, s->budget, &x))
    return err_set(e, ERR_FAILED, "a tile of %u rows of %u bytes does not fit "
                   "into %llu bytes of LDS", s->tile.rows, s->tile.row_bytes,
                   (unsigned long long)s->budget);
  if (s->options->json) {
    print_json(s, &x);
    return 0;
  }
  printf("layout of a tile in LDS on %s\n", s->layout->arch);
  str_addf(&text, "%u rows of %u bytes, pattern %s", s->tile.rows,
           s->tile.row_bytes, word(s, "pattern"));
  row("tile", &text);
  str_free(&text);
  print_use(s, "producer", &s->uses[0], &x.way);
  print_use(s, "consumer", &s->uses[1], &x.way);
  print_way(s, &x);
  print_verdict(&x);
  return 0;
}

int lds_solver_run(const struct options *r, struct err *e)
{
  struct solver s = {.options = r};
  const char *family;
  int code = cli_word(r, 0, "family", &family, e);
  if (!code)
    code = ask(&s, family, e);
  if (!code)
    code = answer(&s, e);
  if (s.family)
    family_close(s.family);
  return code;
}
