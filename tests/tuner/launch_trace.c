/* launch_trace.c - a launch of two waves, written and read back as JSON. */
// SPDX-License-Identifier: MIT
#include <jansson.h>
#include <math.h>

#include "tests/base/folder.h"
#include "tuner/diagnose/launch_trace.h"

/* A function of one instruction lies before the kernel's entry. Wave 1 takes
 * wave 0's slot when that has ended. */
static const struct hipsim_instruction counted[] = {
    {.offset = (uint32_t)-8, .name = "s_setpc_b64", .unit = "branch"},
    {.offset = 0, .name = "ds_read_b32", .unit = "lds", .hits = 2,
     .lds_cycles = 8, .lds_conflicts = 4},
    {.offset = 8, .name = "s_waitcnt", .unit = "other", .hits = 2},
    {.offset = 12, .name = "s_endpgm", .unit = "other", .hits = 2},
};

static struct att_row rows[] = {
    {"s_setpc_b64 s[30:31]", "", 1, 1, 0, 0, 0, 0, 0},
    {"ds_read_b32 v1, v0", "", 2, 1, 8, 2, 8, 0, 0},
    {"s_waitcnt lgkmcnt(0)", "", 3, 1, 16, 2, 108, 100, 0},
    {"s_endpgm", "", 4, 1, 20, 2, 8, 0, 0},
};

static const struct hipsim_event events[] = {
    {.offset = 0, .wave = 0, .simd = 2, .slot = 1, .at = 0, .latency = 4},
    {.offset = 8, .wave = 0, .simd = 2, .slot = 1, .at = 4, .stall = 50,
     .latency = 54},
    {.offset = 12, .wave = 0, .simd = 2, .slot = 1, .at = 58, .latency = 4},
    {.offset = 0, .wave = 1, .simd = 2, .slot = 1, .at = 100, .latency = 4},
    {.offset = 99, .wave = 1, .simd = 2, .slot = 1, .at = 104, .latency = 4},
};

static struct launch_trace launch(const struct hipsim_instruction **list)
{
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    list[i] = &counted[i];
  return (struct launch_trace){
      .device = "a \"card\"", .clock_mhz = 1000,
      .kernel = {"k", rows, sizeof rows / sizeof *rows}, .base = -8,
      .counted = list, .events = events,
      .nevents = sizeof events / sizeof *events};
}

static json_t *must_load(void **state, const char *name)
{
  json_error_t why;
  json_t *j = json_load_file(folder_file(*state, name), 0, &why);
  if (!j)
    fail_msg("%s:%d: %s", name, why.line, why.text);
  return j;
}

static void must_be(json_t *j, const char *text)
{
  char *found = json_dumps(j, JSON_COMPACT | JSON_ENCODE_ANY);
  assert_string_equal(found, text);
  free(found);
}

static void the_folder_of_a_thread_trace(void **state)
{
  const struct hipsim_instruction *list[4];
  struct launch_trace t = launch(list);
  struct err e = {0};
  struct att read;
  if (launch_att(&t, ((struct folder *)*state)->path, &e))
    fail_msg("%s", e.text);
  json_t *names = must_load(state, "filenames.json");
  must_be(json_object_get(names, "wave_filenames"),
          "{\"0\":{\"2\":{\"1\":{\"0\":[\"se0_sm2_sl1_wv0.json\",0,62],"
          "\"1\":[\"se0_sm2_sl1_wv1.json\",100,108]}}}}");
  json_t *first = must_load(state, "se0_sm2_sl1_wv0.json");
  json_t *wave = json_object_get(first, "wave");
  must_be(json_object_get(wave, "instructions"),
          "[[0,5,0,4,2],[4,9,50,54,3],[58,2,0,4,4]]"); /* LDS, internal, SALU */
  must_be(json_object_get(wave, "timeline"), "[[2,4],[3,50],[2,8]]");
  json_t *all = must_load(state, "occupancy.json");
  must_be(json_object_get(all, "0"), "[[0,0,2,1,1,1],[62,0,2,1,0,1],"
                                     "[100,0,2,1,1,1],[108,0,2,1,0,1]]");
  json_t *waits = must_load(state, "wstates3.json");
  must_be(json_object_get(waits, "time"), "[4,54]");
  must_be(json_object_get(waits, "state"), "[1,0]");
  if (att_read(&read, folder_file(*state, "code.json"), &e))
    fail_msg("%s", e.text);
  assert_int_equal(read.kernels[0].nrows, 4);
  assert_true(read.kernels[0].rows[2].stall == 100);
  assert_int_equal(read.kernels[0].rows[3].address, 20);
  att_free(&read);
  json_decref(names);
  json_decref(first);
  json_decref(all);
  json_decref(waits);
}

static void chromes_events(void **state)
{
  const struct hipsim_instruction *list[4];
  struct launch_trace t = launch(list);
  struct err e = {0};
  if (launch_chrome(&t, folder_file(*state, "chrome.json"), &e))
    fail_msg("%s", e.text);
  json_t *j = must_load(state, "chrome.json");
  json_t *list_of = json_object_get(j, "traceEvents");
  must_be(json_object_get(json_object_get(j, "otherData"), "device"),
          "\"a \\\"card\\\"\"");
  /* four names of SIMDs; wave 0 with the name of its slot, three instructions and a
   * stall; wave 1 with one; what is in no row is left out */
  assert_int_equal(json_array_size(list_of), 13);
  json_t *wave = json_array_get(list_of, 5);
  must_be(json_object_get(wave, "name"), "\"wave 0\"");
  must_be(json_object_get(wave, "dur"), "0.0625");
  json_t *stall = json_array_get(list_of, 7);
  must_be(json_object_get(stall, "name"), "\"LDS: stall\"");
  double from = json_number_value(json_object_get(stall, "ts"));
  double cycles = json_number_value(json_object_get(stall, "dur"));
  assert_true(fabs(from - 0.004) < 1e-3 && fabs(cycles - 0.050) < 1e-3);
  json_t *before = json_array_get(list_of, 6); /* ends where it begins */
  assert_true(json_number_value(json_object_get(before, "ts")) +
              json_number_value(json_object_get(before, "dur")) == from);
  json_t *args = json_object_get(before, "args");
  must_be(json_object_get(args, "for conflicts"), "2.0");
  json_decref(j);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(the_folder_of_a_thread_trace,
                                      folder_make, folder_remove),
      cmocka_unit_test_setup_teardown(chromes_events, folder_make,
                                      folder_remove),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
