/* emitted_text.c - what the families emit is for people to read.
 *
 * Random configurations of random problems: lines of at most 80 columns, no
 * loop of one turn, nothing added to 0 or taken modulo 1.
 */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gen/source.h"
#include "arch/arch.h"
#include "tests/emitted/draw.h"

enum {PROBLEMS = 3, CONFIGS = 60};

/* Is it a loop of one turn, by its numbers or a constant of the text? */
static int one_turn(const char *all, const char *line)
{
  char limit[64], one[96], end;
  int from;
  if (sscanf(line, " for (int %*[a-z] = %d; %*[a-z] < %63[^; ]%c", &from,
             limit, &end) != 3 || end != ';')
    return 0;
  snprintf(one, sizeof one, " %s = 1", limit);
  const char *at = from ? NULL : strstr(all, one);
  return atoi(limit) == from + 1 || (at && strchr(",;", at[strlen(one)]));
}

/* What is wrong with a line of the text? */
static const char *fault(const char *all, const char *line, size_t n)
{
  static const char *const idle[] = { " + 0)", " + 0;", " + 0]", " % 1)",
                                      " % 1;", " % 1]" };
  char text[256];
  snprintf(text, sizeof text, "%.*s", (int)n, line);
  if (n > 80)
    return "is longer than 80 columns";
  if (n && (line[n - 1] == ' ' || strchr(text, '\t')))
    return "ends with a blank, or has a tab";
  for (size_t i = 0; i < sizeof idle / sizeof *idle; i++)
    if (strstr(text, idle[i]))
      return "adds 0 or takes the rest by 1";
  return one_turn(all, text) ? "is a loop of one turn" : NULL;
}

static void check(const struct family *f, const struct config *c,
                  const char *text)
{
  const char *why, *all = text;
  for (size_t n; *text; text += n + (text[n] == '\n')) {
    n = strcspn(text, "\n");
    if (!(why = fault(all, text, n)))
      continue;
    struct str of = {0};
    config_format(f, c, &of);
    fail_msg("%s %s: a line %s:\n%.*s", family_name(f), of.at, why, (int)n,
             text);
  }
}

static int check_problem(struct family *f, struct rng *r)
{
  struct problem p;
  struct config c = {{0}};
  struct space *s;
  struct err e;
  int n = 0;
  if (!draw_problem(f, r, &p) || space_open(&s, f, &p, &e))
    return 0;
  for (; n < CONFIGS && space_random(s, r, &c); n++) {
    struct str text = {0};
    if (family_render(f, &p, &c, &text, NULL, &e))
      fail_msg("%s", e.text);
    check(f, &c, text.at);
    str_free(&text);
  }
  space_close(s);
  return n;
}

static void check_family(const char *name, const char *arch)
{
  const struct pair *facts;
  size_t n = arch_facts(arch_find(arch), &facts);
  struct family *f;
  struct err e;
  struct rng r;
  int tried = 0;
  rng_seed(&r, 1);
  if (family_open(&f, name, NULL, &e) || family_set_arch(f, facts, n, &e))
    fail_msg("%s", e.text);
  for (int i = 0; i < PROBLEMS; i++)
    tried += check_problem(f, &r);
  assert_true(tried >= CONFIGS);
  family_close(f);
}

/* Has NVIDIA's compiler what the family's text asks for? */
static int on_nvidia(const char *name)
{
  static const char *const not[] = {"kv", "dot", "w4a16", "dequant4"};
  for (size_t i = 0; i < sizeof not / sizeof *not; i++)
    if (!strcmp(name, not[i]))
      return 0;
  return 1;
}

static void all_families(void **state)
{
  (void)state;
  char **names;
  size_t n = source_list(NULL, &names);
  for (size_t i = 0; i < n; i++) {
    if (!strcmp(names[i], "mfma_gemm")) {
      check_family(names[i], "gfx908");
      check_family(names[i], "gfx950");
      continue;
    }
    if (!strcmp(names[i], "multicast")) {
      check_family(names[i], "gfx1250");
      continue;
    }
    check_family(names[i], "gfx906");
    if (on_nvidia(names[i]))
      check_family(names[i], "sm_90");
  }
  free(names);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_families)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
