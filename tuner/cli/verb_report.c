/* verb_report.c - tune report [SWEEP [NIGHT]]: the morning after. */
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/suggest.h"
#include "tuner/cli/cli.h"
#include "tuner/cli/night_text.h"
#include "tuner/report/page.h"
#include "tuner/session/history.h"

static int as_text(struct report *r, struct str *out, struct err *e)
{
  char *text = NULL;
  size_t n = 0;
  FILE *to = open_memstream(&text, &n);
  (void)e;
  night_text(r, to);
  fclose(to);
  str_add_bytes(out, text, n);
  free(text);
  return 0;
}

static int as_markdown(struct report *r, struct str *out, struct err *e)
{
  (void)e;
  report_markdown(r, out);
  return 0;
}

static int as_junit(struct report *r, struct str *out, struct err *e)
{
  (void)e;
  report_junit(r, out);
  return 0;
}

static int as_json(struct report *r, struct str *out, struct err *e)
{
  (void)e;
  report_json(r, out);
  return 0;
}

static const struct format {
  const char *name;
  int (*write)(struct report *r, struct str *out, struct err *e);
} formats[] = {
    {"text", as_text}, {"markdown", as_markdown}, {"junit", as_junit},
    {"json", as_json}, {"html", report_page},
};

enum {FORMATS = sizeof formats / sizeof *formats};

static int find_format(const struct options *q, const struct format **out,
                       struct err *e)
{
  const char *wanted = q->format ? q->format : q->json ? "json" : "text";
  const char *names[FORMATS];
  for (size_t i = 0; i < FORMATS; i++) {
    names[i] = formats[i].name;
    *out = &formats[i];
    if (!strcmp(wanted, names[i]))
      return 0;
  }
  const char *near = suggest(wanted, names, FORMATS);
  return err_set(e, ERR_USAGE, "--format %s: must be text, markdown, junit, "
                 "json or html%s%s%s", wanted, near ? "; did you mean '" : "",
                 near ? near : "", near ? "'?" : "");
}

/* The exit status of a gate that is crossed, with a sentence. */
static int judge(const struct report *r, struct err *e)
{
  size_t lost = r->comparison.count[VERDICT_FAILED];
  if (!r->crossed)
    return 0;
  return err_set(e, ERR_GATE, "the gate is crossed: %zu problems are slower by "
                 "%g %% or more, and %zu that had a winner have none",
                 r->crossed - lost, r->asked.gate, lost);
}

static int print(const struct options *q, const struct str *text,
                 struct err *e)
{
  if (q->out)
    return file_replace(q->out, text->at, text->len, e);
  fwrite(text->at, 1, text->len, stdout); /* a failure is told at the end */
  return 0;
}

static int report(const struct options *q, const struct format *f,
                  const char *store, struct err *e)
{
  struct str text = {0};
  struct report r;
  struct report_request asked = {
      .store = store, .against = q->against, .templates = q->templates,
      .sweep = q->nwords > 1 ? q->words[1] : NULL,
      .night = q->nwords > 2 ? q->words[2] : NULL,
      .gate = q->gate, .notice = cli_notice};
  int code = report_open(&r, &asked, e);
  if (!code)
    code = f->write(&r, &text, e);
  if (!code)
    code = print(q, &text, e);
  if (!code)
    code = judge(&r, e);
  report_free(&r);
  str_free(&text);
  return code;
}

static int run(const struct options *q, struct err *e)
{
  const struct format *f;
  struct str store = {0};
  if (q->nwords > 3)
    return err_set(e, ERR_USAGE, "'%s' is one word too many: a sweep and a "
                   "night are named", q->words[3]);
  if (options_keys(q, NULL, e) || find_format(q, &f, e) ||
      history_folder(q->db, &store, e))
    return e->code;
  int code = report(q, f, store.at, e);
  str_free(&store);
  return code;
}

const struct verb verb_report = {
    "report", "report [SWEEP [NIGHT]]", "what a night of a sweep changed", run,
    "Compares the last night of a sweep, or the one named, with the night\n"
    "before it or with --against: another night (20261124 is enough where it\n"
    "names one), `shipped` tables, or a folder of tables. Slower and faster is\n"
    "what is beyond the noise of both; modelled results are never compared\n"
    "with measured ones, nor those of two devices. The first lines say what to\n"
    "know before: other clocks, other compilers, a night that was cut short.\n"
    "--gate 3: exit status 3 where a problem got slower by 3 % or more, or has\n"
    "no winner any more. --format html makes one page with all nights, which\n"
    "opens from a file; --out FILE writes it whole or not at all.\n"};
