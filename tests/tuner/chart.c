/* chart.c - plots through gnuplot, where it is installed. */
// SPDX-License-Identifier: MIT
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "tests/tuner/folder.h"
#include "tuner/study/chart.h"
#include "base/clock.h"
#include "tuner/study/gnuplot.h"

static const char *const pads[] = {"0", "1", "2", "4"};
static const char *const masks[] = {"0", "1", "7"};
static const char *const depths[] = {"1", "2", "4", "8", "16"};
static const char *const paths[] = {"dpp", "it's <LDS> & more"};
static const double cells[] = { 100, 250, 400, 400, 250, 250,
                                400, NAN, 400, 400, 400, 400 };
static const double depth[] = {3, 6, 12, 13, 13, 2, 4, 8, 8, NAN};

static const struct chart heat = {
  .kind = CHART_HEAT, .title = "Bandwidth over pad and mask",
  .about = "gfx906, 60 CUs", .source = "modelled", .value = "bandwidth",
  .unit = "GB/s", .x = {"pad", 4, pads}, .y = {"mask", 3, masks},
  .values = cells,
};
static const struct chart lines = {
  .kind = CHART_LINES, .title = "Speed over depth", .about = "",
  .source = "measured", .value = "speed", .unit = "TOPS",
  .x = {"independent chains", 5, depths}, .y = {"path", 2, paths},
  .values = depth,
};

static int have_gnuplot(void)
{
  struct err e;
  if (!gnuplot_find(&e))
    return 1;
  print_message("skipped: %s\n", e.text);
  return 0;
}

/* The whole file; "" where there is none. */
static char *picture(const char *path)
{
  struct str s = {0};
  file_read(path, 1 << 24, &s, NULL);
  return s.at ? s.at : strdup("");
}

static size_t count(const char *text, const char *word)
{
  size_t n = 0;
  while ((text = strstr(text, word))) {
    n++;
    text += strlen(word);
  }
  return n;
}

static void heat_map(void **state)
{
  const char *in = *state;
  char path[128];
  struct err e;
  if (!have_gnuplot())
    skip();
  snprintf(path, sizeof path, "%s/heat.svg", in);
  if (chart_draw(&heat, path, 30, &e))
    fail_msg("%s", e.text);
  char *svg = picture(path);
  assert_non_null(strstr(svg, "</svg>"));
  assert_non_null(strstr(svg, "bandwidth, GB/s (modelled)"));
  assert_non_null(strstr(svg, "Bandwidth over pad and mask"));
  assert_non_null(strstr(svg, "gfx906, 60 CUs"));
  assert_int_equal(count(svg, ">250<"), 3);
  assert_int_equal(count(svg, ">400<"), 7);
  assert_int_equal(count(svg, ">nan<") + count(svg, ">NaN<"), 0);
  free(svg);
}

static void line_plot(void **state)
{
  const char *in = *state;
  char path[128];
  struct err e;
  if (!have_gnuplot())
    skip();
  snprintf(path, sizeof path, "%s/lines.svg", in);
  if (chart_draw(&lines, path, 30, &e))
    fail_msg("%s", e.text);
  char *svg = picture(path);
  assert_non_null(strstr(svg, "speed, TOPS (measured)"));
  assert_non_null(strstr(svg, "it's &lt;LDS> &amp; more"));
  assert_non_null(strstr(svg, ">16<"));
  free(svg);
}

static void quoting(void **state)
{
  (void)state;
  struct str s = {0};
  gnuplot_quote(&s, "a 'b'\n`c` \"$d\"");
  assert_string_equal(s.at, "'a ''b''`c` \"$d\"'");
  str_free(&s);
}

static void refused_script(void **state)
{
  const char *in = *state;
  char path[128];
  struct err e;
  if (!have_gnuplot())
    skip();
  snprintf(path, sizeof path, "%s/bad.svg", in);
  assert_int_equal(gnuplot_draw("set terminal svg\nplot nothing(\n", path, 20,
                                &e), ERR_FAILED);
  assert_non_null(strstr(e.text, "gnuplot drew nothing"));
  assert_non_null(strstr(e.text, "invalid expression"));
  assert_false(file_exists(path));
}

static void deadline(void **state)
{
  const char *in = *state;
  char path[128];
  struct err e;
  if (!have_gnuplot())
    skip();
  double begun = clock_now();
  snprintf(path, sizeof path, "%s/late.svg", in);
  assert_int_equal(gnuplot_draw("pause 60\n", path, 0.5, &e), ERR_FAILED);
  assert_non_null(strstr(e.text, "no answer within 0.5 s"));
  assert_true(clock_now() - begun < 20);
}

static void no_gnuplot(void **state)
{
  const char *in = *state;
  char path[128], *kept = strdup(getenv("PATH"));
  struct err e;
  snprintf(path, sizeof path, "%s/none.svg", in);
  setenv("PATH", in, 1);
  assert_int_equal(gnuplot_find(&e), ERR_FAILED);
  assert_non_null(strstr(e.text, "gnuplot-nox"));
  assert_int_equal(gnuplot_draw("plot x\n", path, 20, &e), ERR_FAILED);
  assert_non_null(strstr(e.text, "gnuplot-nox"));
  setenv("PATH", kept, 1);
  free(kept);
}

static int make(void **state)
{
  static char path[64];
  folder_make(path);
  *state = path;
  return 0;
}

static int clear(void **state)
{
  folder_remove(*state);
  return 0;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(heat_map),       cmocka_unit_test(line_plot),
    cmocka_unit_test(quoting),        cmocka_unit_test(refused_script),
    cmocka_unit_test(deadline),       cmocka_unit_test(no_gnuplot),
  };
  return cmocka_run_group_tests(tests, make, clear);
}
