/* card.c - reading a card: a tree that stands for /sys, and a library that stands
 * for NVML; both damaged, too. */
// SPDX-License-Identifier: MIT
#include <sys/stat.h>

#include "base/file.h"
#include "base/rng.h"
#include "tests/base/folder.h"
#include "tests/cuda/fake.h"
#include "tuner/conditions/conditions.h"

#define BUS_ID "0000:63:00.0"
#define CARD "bus/pci/devices/" BUS_ID "/"

/* --- a tree ---------------------------------------------------------------- */

static void put_bytes(struct folder *f, const char *name, const void *bytes,
                      size_t n)
{
  char path[200], folder[200];
  snprintf(path, sizeof path, "%s/%s", f->path, name);
  snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path),
           path);
  assert_int_equal(file_mkdirs(folder, NULL), 0);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, n, file), n);
  fclose(file);
}

static void put(struct folder *f, const char *name, const char *text)
{
  put_bytes(f, name, text, strlen(text));
}

/* gpu_metrics 1.0 that says 1606 and 1001 MHz, 190 W, 71 C and a status. */
static void put_metrics(struct folder *f, unsigned status)
{
  unsigned char t[80];
  memset(t, 0xff, sizeof t);
  memcpy(t, (const unsigned char[]){80, 0, 1, 0}, 4);
  memcpy(t + 18, (const uint16_t[]){71}, 2);
  memcpy(t + 34, (const uint16_t[]){190}, 2);
  memcpy(t + 54, (const uint16_t[]){1606, 971, 1001}, 6);
  memcpy(t + 68, &status, 4);
  put_bytes(f, CARD "gpu_metrics", t, sizeof t);
}

/* Names and units by docs.kernel.org, gpu/amdgpu/thermal.html. */
static void put_hwmon(struct folder *f)
{
  put(f, CARD "hwmon/hwmon3/name", "amdgpu\n");
  put(f, CARD "hwmon/hwmon3/freq1_input", "1725000000\n");
  put(f, CARD "hwmon/hwmon3/freq2_input", "1000000000\n");
  put(f, CARD "hwmon/hwmon3/power1_average", "225000000\n");
  put(f, CARD "hwmon/hwmon3/temp1_label", "edge\n");
  put(f, CARD "hwmon/hwmon3/temp1_input", "61000\n");
  put(f, CARD "hwmon/hwmon3/temp2_label", "junction\n");
  put(f, CARD "hwmon/hwmon3/temp2_input", "78000\n");
}

static void put_levels(struct folder *f)
{
  put(f, CARD "pp_dpm_sclk", "0: 938Mhz\n1: 1440Mhz *\n2: 1725Mhz\n");
  put(f, CARD "pp_dpm_mclk", "0: 350Mhz\n1: 800Mhz *\n");
}

static struct card *open_card(struct folder *f)
{
  struct card *c;
  struct err e = {0};
  setenv("TUNE_SYSFS", f->path, 1);
  setenv("TUNE_NVML", "/nowhere/libnvidia-ml.so.1", 1);
  if (card_open(&c, BUS_ID, &e))
    fail_msg("%s", e.text);
  return c;
}

static struct reading read_once(struct folder *f)
{
  struct reading r;
  struct card *c = open_card(f);
  card_read(c, &r);
  card_close(c);
  return r;
}

/* --- amdgpu ---------------------------------------------------------------- */

static void hwmon_is_read(void **state)
{
  struct folder *f = *state;
  put_hwmon(f);
  put_levels(f);
  struct reading r = read_once(f);
  assert_true(r.sclk_mhz == 1725 && r.mclk_mhz == 1000);
  assert_true(r.power_w == 225 && r.temp_c == 78);
  assert_int_equal(r.throttle, -1);
}

static void newer_kernels_call_power_input(void **state)
{
  struct folder *f = *state;
  put_levels(f);
  put(f, CARD "hwmon/hwmon0/power1_input", "42500000\n");
  put(f, CARD "hwmon/hwmon0/temp1_input", "40000\n");
  struct reading r = read_once(f);
  assert_true(r.power_w == 42.5 && r.temp_c == 40);
}

static void without_hwmon_metrics_and_levels_tell(void **state)
{
  struct folder *f = *state;
  put_levels(f);
  struct reading r = read_once(f);
  assert_true(r.sclk_mhz == 1440 && r.mclk_mhz == 800);
  assert_true(r.power_w == 0 && r.temp_c == 0);
  put_metrics(f, 0);
  r = read_once(f);
  assert_true(r.sclk_mhz == 1606 && r.mclk_mhz == 1001);
  assert_true(r.power_w == 190 && r.temp_c == 71);
  assert_int_equal(r.throttle, 0);
}

static void throttling_is_read(void **state)
{
  struct folder *f = *state;
  put_hwmon(f);
  put_metrics(f, 1 << 9);
  struct reading r = read_once(f);
  assert_true(r.sclk_mhz == 1725);
  assert_int_equal(r.throttle, THROTTLE_OTHER);
}

static void versions_are_read(void **state)
{
  struct folder *f = *state;
  put(f, CARD "vbios_version", "113-D1631700-111\n");
  put(f, CARD "fw_version/smc_fw_version", "0x00282d00\n");
  put(f, CARD "fw_version/mec_fw_version", "0x000001d3\n");
  put(f, "module/amdgpu/version", "6.7.0\n");
  struct card *c = open_card(f);
  assert_string_equal(card_driver(c), "amdgpu 6.7.0");
  assert_string_equal(card_firmware(c), "vbios 113-D1631700-111, smc "
                      "0x00282d00, mec 0x000001d3");
  card_close(c);
}

static void the_kernels_own_driver_has_its_version(void **state)
{
  struct folder *f = *state;
  put_levels(f);
  struct card *c = open_card(f);
  assert_memory_equal(card_driver(c), "amdgpu of Linux ", 16);
  assert_string_equal(card_firmware(c), "");
  card_close(c);
}

/* The bus id of HIP may have capitals; that of a path never. */
static void bus_ids_are_of_any_case(void **state)
{
  struct folder *f = *state;
  struct card *c;
  put(f, "bus/pci/devices/0000:c3:00.0/pp_dpm_sclk", "0: 938Mhz *\n");
  setenv("TUNE_SYSFS", f->path, 1);
  assert_int_equal(card_open(&c, "0000:C3:00.0", NULL), 0);
  card_close(c);
}

static void other_cards_are_not_taken(void **state)
{
  struct folder *f = *state;
  static const char *const ids[] = {"0000:64:00.0", "", "../0000:63:00.0",
                                    "0000:63:00.0/", ".."};
  struct card *c;
  put_levels(f);
  put(f, "bus/pci/devices/0000:64:00.0/vendor", "0x10de\n");
  setenv("TUNE_SYSFS", f->path, 1);
  setenv("TUNE_NVML", "/nowhere/libnvidia-ml.so.1", 1);
  for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
    struct err e = {0};
    assert_int_equal(card_open(&c, ids[i], &e), ERR_FAILED);
    assert_null(c);
    assert_non_null(strstr(e.text, "amdgpu: "));
    assert_non_null(strstr(e.text, "NVML: "));
  }
}

/* Folders and pipes where files should be, empty and absurd files. */
static void what_is_no_number_is_not_known(void **state)
{
  struct folder *f = *state;
  static const char *const bad[] = {"", "\n", "fast\n", "-5\n", "nan\n", "inf\n",
                                    "1e30\n", "0\n", "12 34\n"};
  put_levels(f);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    put(f, CARD "hwmon/hwmon1/freq1_input", bad[i]);
    put(f, CARD "hwmon/hwmon1/power1_average", bad[i]);
    put(f, CARD "hwmon/hwmon1/temp1_input", bad[i]);
    put(f, CARD "pp_dpm_mclk", bad[i]);
    put(f, CARD "gpu_metrics", bad[i]);
    struct reading r = read_once(f);
    assert_true(r.sclk_mhz == 1440 && r.mclk_mhz == 0);
    assert_true(r.power_w == 0 && r.temp_c == 0);
    assert_int_equal(r.throttle, -1);
  }
  char path[200];
  snprintf(path, sizeof path, "%s/" CARD "hwmon/hwmon1/freq2_input", f->path);
  assert_int_equal(mkfifo(path, 0600), 0); /* would never end */
  snprintf(path, sizeof path, "%s/" CARD "hwmon/hwmon1/power1_input", f->path);
  assert_int_equal(mkdir(path, 0700), 0);
  struct reading r = read_once(f);
  assert_true(r.mclk_mhz == 0 && r.power_w == 0);
}

static void any_bytes_in_any_file(void **state)
{
  struct folder *f = *state;
  static const char *const files[] = {
      "gpu_metrics", "pp_dpm_sclk", "pp_dpm_mclk", "vbios_version",
      "hwmon/hwmon1/freq1_input", "hwmon/hwmon1/freq2_input",
      "hwmon/hwmon1/power1_average", "hwmon/hwmon1/temp1_input",
      "hwmon/hwmon1/temp2_label", "hwmon/hwmon1/temp2_input",
      "fw_version/smc_fw_version"};
  struct rng rng;
  char bytes[5000], name[100];
  rng_seed(&rng, 2);
  put_levels(f);
  for (int k = 0; k < 1000; k++) {
    size_t i = rng_below(&rng, sizeof files / sizeof *files);
    size_t n = rng_below(&rng, k % 10 ? 40 : sizeof bytes);
    for (size_t b = 0; b < n; b++)
      bytes[b] = k % 2 ? "0123456789*:Mhz. \n"[rng_below(&rng, 18)]
                       : (char)rng_below(&rng, 256);
    snprintf(name, sizeof name, CARD "%s", files[i]);
    put_bytes(f, name, bytes, n);
    struct card *c = open_card(f);
    struct reading r;
    card_read(c, &r);
    assert_true(r.sclk_mhz >= 0 && r.sclk_mhz <= 10000);
    assert_true(r.mclk_mhz >= 0 && r.mclk_mhz <= 10000);
    assert_true(r.power_w >= 0 && r.power_w <= 3000);
    assert_true(r.temp_c >= 0 && r.temp_c <= 150);
    for (const char *at = card_firmware(c); *at; at++)
      assert_true(*at >= ' ' && *at < 0x7f);
    card_close(c);
  }
}

/* --- NVML ------------------------------------------------------------------ */

static struct card *open_nvml(struct folder *f, const char *line)
{
  struct card *c;
  struct err e = {0};
  put(f, "state", line);
  setenv("FAKE_NVML", folder_file(f, "state"), 1);
  setenv("TUNE_SYSFS", f->path, 1);
  setenv("TUNE_NVML", FAKE_NVML, 1);
  if (card_open(&c, FAKE_BUS_ID, &e))
    fail_msg("%s", e.text);
  return c;
}

static struct reading read_nvml(struct folder *f, const char *line)
{
  struct reading r;
  struct card *c = open_nvml(f, line);
  card_read(c, &r);
  card_close(c);
  return r;
}

static void nvml_is_read(void **state)
{
  struct folder *f = *state;
  struct card *c = open_nvml(f, "1980 2619 345678 54 0\n");
  struct reading r;
  card_read(c, &r);
  assert_true(r.sclk_mhz == 1980 && r.mclk_mhz == 2619);
  assert_true(r.power_w == 345.678 && r.temp_c == 54);
  assert_int_equal(r.throttle, 0);
  assert_string_equal(card_driver(c), "nvidia 580.159.04");
  assert_string_equal(card_firmware(c), "vbios 96.00.A5.00.03");
  card_close(c);
}

/* Reasons by NVML's documentation: 0x1 idle, 0x2 clocks that the user set, 0x4
 * software power cap, 0x8 hardware slowdown, 0x10 sync boost, 0x20 and 0x40
 * thermal, 0x80 power brake, 0x100 display. */
static void reasons_of_nvml(void **state)
{
  struct folder *f = *state;
  static const struct {
    int reasons, throttle;
  } known[] = {{0x1, 0}, {0x2, 0}, {0x10, 0}, {0x100, 0},
               {0x4, THROTTLE_POWER}, {0x80 | 0x8, THROTTLE_POWER},
               {0x20, THROTTLE_THERMAL}, {0x40 | 0x8, THROTTLE_THERMAL},
               {0x8, THROTTLE_OTHER},
               {0x4 | 0x20, THROTTLE_POWER | THROTTLE_THERMAL}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    char line[64];
    snprintf(line, sizeof line, "1980 2619 345678 54 %d\n", known[i].reasons);
    assert_int_equal(read_nvml(f, line).throttle, known[i].throttle);
  }
}

static void what_nvml_does_not_support_is_not_known(void **state)
{
  struct folder *f = *state;
  struct reading r = read_nvml(f, "-1 2619 -1 -1 -1\n");
  assert_true(r.sclk_mhz == 0 && r.mclk_mhz == 2619);
  assert_true(r.power_w == 0 && r.temp_c == 0);
  assert_int_equal(r.throttle, -1);
}

static void nvml_without_a_driver(void **state)
{
  struct folder *f = *state;
  struct err e = {0};
  struct card *c;
  setenv("TUNE_SYSFS", f->path, 1);
  setenv("TUNE_NVML", FAKE_NVML, 1);
  setenv("FAKE_NVML_NONE", "1", 1);
  assert_int_equal(card_open(&c, FAKE_BUS_ID, &e), ERR_FAILED);
  assert_non_null(strstr(e.text, "nvmlInit_v2 gave 9"));
  unsetenv("FAKE_NVML_NONE");
  setenv("TUNE_NVML", "libm.so.6", 1); /* it loads, and is something else */
  assert_int_equal(card_open(&c, FAKE_BUS_ID, &e), ERR_FAILED);
  assert_non_null(strstr(e.text, "has no nvmlInit_v2"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, folder_make, \
                                                   folder_remove)

int main(void)
{
  const struct CMUnitTest tests[] = {
      TEST(hwmon_is_read),
      TEST(newer_kernels_call_power_input),
      TEST(without_hwmon_metrics_and_levels_tell),
      TEST(throttling_is_read),
      TEST(versions_are_read),
      TEST(the_kernels_own_driver_has_its_version),
      TEST(bus_ids_are_of_any_case),
      TEST(other_cards_are_not_taken),
      TEST(what_is_no_number_is_not_known),
      TEST(any_bytes_in_any_file),
      TEST(nvml_is_read),
      TEST(reasons_of_nvml),
      TEST(what_nvml_does_not_support_is_not_known),
      TEST(nvml_without_a_driver),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
