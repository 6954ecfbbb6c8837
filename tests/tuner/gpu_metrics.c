/* gpu_metrics.c - amdgpu's metrics: tables laid out by the compiler, as Linux
 * lays them out, against what is read of them by their bytes. */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "tests/fuzz/gpu_metrics.h"

/* The fields in the order and of the widths of Linux 6.10's
 * kgd_pp_interface.h; names are ours, and say only what is tested. */
struct head {
  uint16_t size;
  uint8_t format, content;
};

struct v1_0 {
  struct head head;
  uint64_t when;
  uint16_t edge, hotspot, others[4], activity[3], watts;
  uint32_t energy;
  uint16_t average[7], sclk, socclk, mclk, video[4];
  uint32_t status;
  uint16_t fan;
  uint8_t width, speed;
};

struct v1_3 {
  struct head head;
  uint16_t edge, hotspot, others[4], activity[3], watts;
  uint64_t energy, when;
  uint16_t average[7], sclk, socclk, mclk, video[4];
  uint32_t status;
  uint16_t fan, width, speed, padding;
  uint32_t busy[2];
  uint16_t hbm[4];
  uint64_t firmware_when; /* since 1.2 */
  uint16_t volts[3], padding2;
  uint64_t kinds;
};

struct v1_4 {
  struct head head;
  uint16_t hotspot, memory, vr, watts, activity[2], vcn[4];
  uint64_t energy, when;
  uint32_t status, locked;
  uint16_t link[4];
  uint32_t busy[2];
  uint64_t pcie[5], xgmi[16], firmware_when;
  uint16_t sclk[8], socclk[4], video[8], mclk, padding;
};

struct v1_6 {
  struct head head;
  uint16_t hotspot, memory, vr, watts, activity[2], vcn[4], jpeg[32];
  uint64_t energy, when;
  uint32_t cycles, prochot, ppt, socket_thm, vr_thm, hbm_thm, status, locked;
  uint16_t link[4];
  uint32_t busy[2];
  uint64_t pcie[5];
  uint32_t nak[2];
  uint64_t xgmi[16], firmware_when;
  uint16_t sclk[8], socclk[4], video[8], mclk, padding;
};

/* As the driver does: what it does not fill in has all bits set. */
#define TABLE(type, content_) \
  struct type t; \
  memset(&t, 0xff, sizeof t); \
  t.head = (struct head){sizeof t, 1, content_}; \
  t.hotspot = 71; \
  t.watts = 190;

static struct reading parse(const void *bytes, size_t n)
{
  struct reading r = READING_NONE;
  assert_int_equal(gpu_metrics_parse(bytes, n, &r), 0);
  return r;
}

static void is(const struct reading *r, double sclk, double mclk, int throttle)
{
  assert_true(r->sclk_mhz == sclk && r->mclk_mhz == mclk);
  assert_true(r->power_w == 190 && r->temp_c == 71);
  assert_int_equal(r->throttle, throttle);
}

static void tables_of_graphics_cards(void **state)
{
  (void)state;
  TABLE(v1_0, 0)
  t.sclk = 1606;
  t.mclk = 1000;
  t.status = 0;
  struct reading r = parse(&t, sizeof t);
  is(&r, 1606, 1000, 0);
  t.status = 1 << 14; /* which bit means what depends on the chip */
  r = parse(&t, sizeof t);
  is(&r, 1606, 1000, THROTTLE_OTHER);
  t.status = UINT32_MAX;
  t.hotspot = UINT16_MAX;
  t.edge = 55;
  r = parse(&t, sizeof t);
  assert_true(r.temp_c == 55);
  assert_int_equal(r.throttle, -1);
}

/* Bits of kinds: 0 PPT0, 16 TDC_GFX, 36 TEMP_HOTSPOT, 57 FIT in amdgpu_smu.h. */
static void kinds_of_throttling(void **state)
{
  (void)state;
  static const struct {
    uint64_t kinds;
    int throttle;
  } known[] = {{0, 0},
               {1, THROTTLE_POWER},
               {UINT64_C(1) << 16, THROTTLE_CURRENT},
               {UINT64_C(1) << 36, THROTTLE_THERMAL},
               {UINT64_C(1) << 57, THROTTLE_OTHER},
               {UINT64_C(1) << 36 | 1, THROTTLE_THERMAL | THROTTLE_POWER}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    TABLE(v1_3, 3)
    t.sclk = 2105;
    t.mclk = 1600;
    t.status = 0;
    t.kinds = known[i].kinds;
    struct reading r = parse(&t, sizeof t);
    is(&r, 2105, 1600, known[i].throttle);
  }
}

static void older_tables_are_shorter(void **state)
{
  (void)state;
  static const size_t sizes[] = {0, 96, 104, 120};
  for (uint8_t content = 1; content <= 2; content++) {
    TABLE(v1_3, content)
    t.head.size = (uint16_t)sizes[content];
    t.sclk = 1700;
    t.mclk = 1600;
    t.status = 4;
    struct reading r = parse(&t, sizes[content]);
    is(&r, 1700, 1600, THROTTLE_OTHER);
  }
}

static void tables_of_accelerators(void **state)
{
  (void)state;
  TABLE(v1_4, 4)
  t.sclk[0] = 2100;
  t.mclk = 1300;
  t.status = 0;
  struct reading r = parse(&t, sizeof t);
  is(&r, 2100, 1300, 0);
}

/* 1.6 has no status, but counts. */
static void counters_of_throttling(void **state)
{
  (void)state;
  TABLE(v1_6, 6)
  t.sclk[0] = 2100;
  t.mclk = 1300;
  t.prochot = 1;
  t.ppt = 20;
  t.socket_thm = 300;
  t.vr_thm = 4000;
  t.hbm_thm = 50000;
  struct reading r = parse(&t, sizeof t);
  is(&r, 2100, 1300, -1);
  assert_true(r.counts);
  assert_int_equal(r.held[0], 20);
  assert_int_equal(r.held[1], 54300);
  assert_int_equal(r.held[2], 0);
  assert_int_equal(r.held[3], 1);
}

static void others_are_not_read(void **state)
{
  (void)state;
  struct reading r = READING_NONE;
  TABLE(v1_3, 3)
  for (size_t n = 0; n < sizeof t; n++)
    assert_int_equal(gpu_metrics_parse(&t, n, &r), -1);
  t.head.size--; /* says itself that it ends before its last field */
  assert_int_equal(gpu_metrics_parse(&t, sizeof t, &r), -1);
  t.head = (struct head){sizeof t, 1, 99};
  assert_int_equal(gpu_metrics_parse(&t, sizeof t, &r), -1);
  t.head = (struct head){sizeof t, 2, 3}; /* of a processor with graphics */
  assert_int_equal(gpu_metrics_parse(&t, sizeof t, &r), -1);
}

static void absurd_values_are_not_known(void **state)
{
  (void)state;
  TABLE(v1_0, 0)
  t.sclk = 0;
  t.mclk = 60000;
  t.watts = 50000;
  t.hotspot = 400;
  t.edge = 0;
  struct reading r = parse(&t, sizeof t);
  assert_true(r.sclk_mhz == 0 && r.mclk_mhz == 0 && r.power_w == 0);
  assert_true(r.temp_c == 0);
}

/* tests/fuzz/gpu_metrics.c does the same under libFuzzer. */
static void any_bytes(void **state)
{
  (void)state;
  struct rng rng;
  uint8_t bytes[512];
  rng_seed(&rng, 1);
  for (int k = 0; k < 100000; k++) {
    size_t n = rng_below(&rng, sizeof bytes + 1);
    for (size_t i = 0; i < n; i++)
      bytes[i] = (uint8_t)rng_below(&rng, 256);
    if (n > 3 && k % 4) { /* mostly a head that may be right */
      bytes[0] = (uint8_t)n;
      bytes[1] = (uint8_t)(n >> 8);
      bytes[2] = 1;
      bytes[3] = (uint8_t)rng_below(&rng, 8);
    }
    gpu_metrics_any(bytes, n);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tables_of_graphics_cards),
      cmocka_unit_test(kinds_of_throttling),
      cmocka_unit_test(older_tables_are_shorter),
      cmocka_unit_test(tables_of_accelerators),
      cmocka_unit_test(counters_of_throttling),
      cmocka_unit_test(others_are_not_read),
      cmocka_unit_test(absurd_values_are_not_known),
      cmocka_unit_test(any_bytes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
