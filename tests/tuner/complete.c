/* complete.c - the same --set gives the same configuration everywhere. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/study/experiment.h"

/* The first legal configuration that has the values, by walking all. */
static int first_with(const struct setup *s, const char *given,
                      struct config *c)
{
  for (int more = space_first(s->task.space, c); more;
       more = space_next(s->task.space, c)) {
    struct config set = *c;
    assert_int_equal(config_parse(s->task.family, given, 1, &set, NULL), 0);
    if (config_among(&set, 1, c))
      return 1;
  }
  return 0;
}

static void one_way(void **state)
{
  static const struct {
    const char *family, *set;
  } table[] = {
      {SOURCE_DIR "/tests/tuner/families/bowl.lua", "t5=7"},
      {SOURCE_DIR "/tests/tuner/families/bowl.lua", "t4=3"},
      {SOURCE_DIR "/tests/tuner/families/bowl.lua", "t1=7,t4=7"},
      {SOURCE_DIR "/tests/tuner/families/bowl.lua", "t4=3,t5=0"},
      {SOURCE_DIR "/tests/tuner/families/plain.lua", "each=4"},
      {SOURCE_DIR "/tests/tuner/families/plain.lua", "each=4,group=256"},
      {"lane", "ilp=4"},
      {"kv", "threads=256"},
  };
  (void)state;
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    struct setup s = {.options = {.arch = "gfx906", .db = "/nowhere",
                                  .seed = (long long)i, .nsets = 1,
                                  .sets = {table[i].set}}};
    struct config tuned, studied, first;
    struct err e = {0};
    if (task_open(&s.task, &s.options, table[i].family, NULL, NULL, &e) ||
        task_config(&s.task, &tuned, &e))
      fail_msg("%s: %s", table[i].set, e.text);
    int is = first_with(&s, table[i].set, &first);
    assert_int_equal(setup_config(&s, NULL, table[i].set, &studied, &e),
                     is ? 0 : ERR_FAILED);
    assert_int_equal(space_rule(s.task.space, &tuned) == NULL, is);
    if (is) {
      assert_memory_equal(&tuned, &studied, sizeof tuned);
      assert_true(!space_rule(s.task.space, &tuned));
    }
    setup_close(&s);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_way),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
