/* report_junit.c - the report as JUnit XML: see report.h.
 *
 * A suite for each family and arch, a case for each problem. Slower beyond the
 * gate and a winner lost are failures, a problem that was cut or is missing is
 * skipped, and a difference that no gate asks for is told in system-out.
 */
// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "tuner/report/report.h"

/* XML 1.0 has no other control characters than these, even escaped. Bytes that
 * are no UTF-8 would end a parser: records hold any. */
static void escape(struct str *out, const char *text)
{
  for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
    if (*c == '&')
      str_add(out, "&amp;");
    else if (*c == '<')
      str_add(out, "&lt;");
    else if (*c == '>')
      str_add(out, "&gt;");
    else if (*c == '"')
      str_add(out, "&quot;");
    else if (*c >= ' ' && *c < 0x7f)
      str_addf(out, "%c", *c);
    else
      str_add(out, *c == '\n' || *c == '\t' ? " " : "?");
  }
}

enum outcome {PASSED, FAILED, SKIPPED};

static enum outcome outcome_of(const struct report *r, size_t i)
{
  const struct compared *c = &r->comparison.list[i];
  switch (c->verdict) {
  case VERDICT_SLOWER:
    return r->asked.gate < 0 || compared_percent(c) >= r->asked.gate ? FAILED
                                                                     : PASSED;
  case VERDICT_FAILED:
  case VERDICT_FAILS:
    return FAILED;
  case VERDICT_CUT:
  case VERDICT_MISSING:
    return SKIPPED;
  default:
    return PASSED;
  }
}

/* "slower by 3.1 %: 103 us, before 100 us, modelled" */
static void sentence(const struct report *r, size_t i, struct str *out)
{
  const struct compared *c = &r->comparison.list[i];
  const struct point *a = report_before(r, i), *b = report_after(r, i);
  str_add(out, verdict_words(c->verdict));
  if (c->verdict == VERDICT_SLOWER || c->verdict == VERDICT_FASTER)
    str_addf(out, " by %.2f %%", fabs(compared_percent(c)));
  if (b && b->state == POINT_OK) {
    str_add(out, ": ");
    report_time(b->time_us, out);
    str_addf(out, ", %s", source_name(b->source));
  }
  if (a && a->state == POINT_OK) {
    str_add(out, "; before ");
    report_time(a->time_us, out);
    str_addf(out, ", %s", source_name(a->source));
  }
  if (b && b->state != POINT_OK)
    str_addf(out, ": %s", names_text(&r->nights.names, b->reason));
}

static void add_case(const struct report *r, size_t i, struct str *out)
{
  static const char *const tags[] = {"system-out", "failure", "skipped"};
  const struct subject *a = &r->nights.subjects[i];
  const struct point *p = report_after(r, i);
  enum outcome o = outcome_of(r, i);
  struct str text = {0};
  sentence(r, i, &text);
  str_add(out, "    <testcase classname=\"");
  escape(out, names_text(&r->nights.names, a->arch));
  str_add(out, ".");
  escape(out, names_text(&r->nights.names, a->family));
  str_add(out, "\" name=\"");
  escape(out, r->facts[i].brief);
  str_addf(out, "\" time=\"%.9f\">\n      <%s", p ? 1e-6 * p->time_us : 0,
           tags[o]);
  if (o != PASSED) {
    str_add(out, " message=\"");
    escape(out, text.at);
    str_add(out, "\"");
  }
  if (o == FAILED) {
    str_add(out, " type=\"");
    escape(out, verdict_words(r->comparison.list[i].verdict));
    str_add(out, "\"");
  }
  str_add(out, ">");
  escape(out, text.at);
  str_addf(out, "</%s>\n    </testcase>\n", tags[o]);
  str_free(&text);
}

static int alike(const struct report *r, size_t i, size_t k)
{
  const struct subject *a = &r->nights.subjects[i], *b = &r->nights.subjects[k];
  return a->arch == b->arch && a->family == b->family;
}

/* Is there anything to tell of it? */
static int told(const struct report *r, size_t i)
{
  return r->comparison.list[i].verdict != VERDICT_NONE;
}

static void add_suite(const struct report *r, size_t first, char *done,
                      struct str *out)
{
  const struct subject *a = &r->nights.subjects[first];
  size_t count[3] = {0}, n = 0;
  struct str cases = {0};
  for (size_t i = first; i < r->nights.nsubjects; i++) {
    if (!alike(r, first, i) || !told(r, i))
      continue;
    done[i] = 1;
    n++;
    count[outcome_of(r, i)]++;
    add_case(r, i, &cases);
  }
  str_add(out, "  <testsuite name=\"");
  escape(out, names_text(&r->nights.names, a->family));
  str_add(out, " on ");
  escape(out, names_text(&r->nights.names, a->arch));
  str_addf(out, "\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" "
           "skipped=\"%zu\" time=\"0\">\n", n, count[FAILED], count[SKIPPED]);
  str_add(out, cases.at);
  str_add(out, "  </testsuite>\n");
  str_free(&cases);
}

void report_junit(const struct report *r, struct str *out)
{
  char *done = mem_array(r->nights.nsubjects + 1, 1);
  size_t count[3] = {0}, n = 0;
  for (size_t i = 0; i < r->nights.nsubjects; i++)
    if (told(r, i)) {
      count[outcome_of(r, i)]++;
      n++;
    }
  str_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
               "<testsuites name=\"");
  escape(out, r->nights.sweep);
  str_addf(out, "\" tests=\"%zu\" failures=\"%zu\" errors=\"0\">\n", n,
           count[FAILED]);
  for (size_t i = 0; i < r->nights.nsubjects; i++)
    if (told(r, i) && !done[i])
      add_suite(r, i, done, out);
  str_add(out, "</testsuites>\n");
  free(done);
}
