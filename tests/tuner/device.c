/* device.c - which devices a wish means. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>
#include <string.h>

#include "tuner/device/device.h"

/* A machine with an AMD card, two like ones of NVIDIA, and the simulator. */
static const struct devices machine = {
    .n = 4,
    .list = {
        {.name = "MI50", .number = 0, .cus = 60, .memory = 16e9},
        {.name = "H200", .number = 1, .cus = 132, .memory = 141e9, .fits = 1},
        {.name = "H200", .number = 2, .cus = 132, .memory = 141e9, .fits = 1},
        {.name = "sim", .number = -1, .modelled = 1, .cus = 60},
    }};

/* The numbers of the team, "1 2", or the error. */
static void must_be(const struct devices *d, const char *wish,
                    const char *wanted)
{
  const struct device *chosen, *team[DEVICES];
  size_t n;
  struct str why = {0}, got = {0};
  struct err e = {0};
  if (device_choose(d, wish, arch_find("sm_90"), &chosen, &why, &e) ||
      device_team(d, wish, chosen, team, &n, &e))
    str_add(&got, e.text);
  else
    for (size_t i = 0; i < n; i++)
      str_addf(&got, "%s%d", i ? " " : "", team[i]->number);
  if (!strstr(got.at, wanted))
    fail_msg("--device %s: %s, not %s", wish, got.at, wanted);
  str_free(&why);
  str_free(&got);
}

static void wishes(void **state)
{
  (void)state;
  must_be(&machine, "auto", "1");
  must_be(&machine, "2", "2");
  must_be(&machine, "all", "1 2");
  must_be(&machine, "0", "does not run code for sm_90");
  must_be(&machine, "3", "there is no device 3");
  must_be(&machine, "sim", "there is no simulated device for sm_90");
  must_be(&machine, "every", "must be auto, all, sim or a number");
}

/* A simulated device that runs the code is not said to be unable to. */
static void only_simulated(void **state)
{
  (void)state;
  struct devices sim = {
      .n = 1,
      .list = {{.name = "sim", .number = -1, .modelled = 1, .fits = 1}}};
  must_be(&sim, "all", "there is no real device for sm_90\nsim: is simulated; "
                       "--device sim takes it");
  must_be(&sim, "auto", "-1");
  sim.list[0].fits = 0;
  must_be(&sim, "all", "sim: does not run code for sm_90");
}

/* Times of unlike devices do not stand beside each other. */
static void unlike_devices_are_no_team(void **state)
{
  (void)state;
  struct devices other = machine;
  other.list[2].cus = 114;
  must_be(&other, "all", "device 2 (H200, 114 CUs, 131.3 GiB) is not like "
                         "device 1 (H200, 132 CUs, 131.3 GiB)");
  other = machine;
  other.list[2].memory = 70e9;
  must_be(&other, "all", "65.2 GiB");
  other = machine;
  strcpy(other.list[2].name, "H100");
  must_be(&other, "all", "name one of them with --device N");
  other.list[2].fits = 0; /* nobody asked for it */
  must_be(&other, "all", "1");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wishes),
      cmocka_unit_test(only_simulated),
      cmocka_unit_test(unlike_devices_are_no_team),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
