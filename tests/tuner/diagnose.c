/* diagnose.c - thread traces with one defect each, and one with none.
 *
 * The kernels are written here as a person would, in assembler with hits and
 * stalls; shares are counted by hand.
 */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "base/str.h"
#include "tuner/diagnose/advice.h"
#include "tuner/diagnose/diagnose.h"

struct line {
  const char *text;
  double hits, stall;
};

enum {WAVES = 100};

#define LINES(name) name, sizeof name / sizeof *name

/* Instructions of 4 bytes each, in the form of rocprofv3's file. */
static void write_code(struct str *out, const struct line *line, size_t n)
{
  str_add(out, "{\"code\":[[\"; _Z1kv\",0,0,\"k()\",1,256,0,0,0,0]");
  for (size_t i = 0; i < n; i++)
    str_addf(out, ",[\"%s\",0,%zu,\"/src/k.hip:%zu\",1,%zu,%.0f,%.0f,%.0f,0]",
             line[i].text, i + 1, i + 10, 256 + 4 * i, line[i].hits,
             line[i].stall + 4 * line[i].hits, line[i].stall);
  str_add(out, "],\"header\":\"ISA, _, LineNumber, Source, Codeobj, Vaddr, "
          "Hit, Latency, Stall, Idle\",\"version\":\"3.0.0\"}");
}

static void must_diagnose(struct att *t, struct diagnosis *d,
                          const struct line *line, size_t n)
{
  struct str text = {0};
  struct err e = {0};
  write_code(&text, line, n);
  if (att_parse(t, "code.json", text.at, text.len, &e))
    fail_msg("%s", e.text);
  assert_int_equal(t->nkernels, 1);
  assert_int_equal(t->kernels[0].nrows, n);
  diagnose(d, &t->kernels[0], 32);
  str_free(&text);
}

static void end(struct att *t, struct diagnosis *d)
{
  diagnosis_free(d);
  att_free(t);
}

/* What a row says is kept as it is. */
static void rows_are_read(void **state)
{
  (void)state;
  static const struct line lines[] = {
      {"v_mov_b32_e32 v0, 0", WAVES, 40}, {"s_endpgm", WAVES, 0}};
  struct att t;
  struct diagnosis d;
  must_diagnose(&t, &d, LINES(lines));
  const struct att_row *row = &t.kernels[0].rows[0];
  assert_string_equal(t.kernels[0].name, "k()");
  assert_string_equal(row->text, "v_mov_b32_e32 v0, 0");
  assert_string_equal(row->source, "/src/k.hip:10");
  assert_int_equal(row->line, 1);
  assert_int_equal(row->object, 1);
  assert_int_equal(row->address, 256);
  assert_true(row->hits == WAVES && row->stall == 40);
  assert_true(row->latency == 440 && row->idle == 0);
  assert_true(d.waves == WAVES && d.stall == 40 && d.cycles == 840);
  end(&t, &d);
}

/* The counter of LDS counts scalar loads as well: what a wait is for depends on
 * what was begun before it. */
static void a_scalar_load_is_not_lds(void **state)
{
  (void)state;
  static const struct line lines[] = {
      {"s_load_dwordx2 s[0:1], s[4:5], 0x0", WAVES, 0},
      {"s_waitcnt lgkmcnt(0)", WAVES, 60000},
      {"ds_read_b32 v1, v0", WAVES, 0},
      {"s_waitcnt lgkmcnt(0)", WAVES, 20000},
      {"s_waitcnt vmcnt(0)", WAVES, 20000},
      {"s_endpgm", WAVES, 0},
  };
  struct att t;
  struct diagnosis d;
  must_diagnose(&t, &d, LINES(lines));
  assert_true(d.by[CAUSE_SCALAR] == 60000 && d.by[CAUSE_LDS] == 20000);
  assert_true(d.by[CAUSE_MEMORY] == 20000);
  assert_int_equal(d.nfindings, 0);
  end(&t, &d);
}

/* A read at the end of a loop is under way at the wait at its beginning. */
static void loops_are_followed(void **state)
{
  (void)state;
  static const struct line lines[] = {
      {"v_mov_b32_e32 v0, 0", WAVES, 0},
      {"s_waitcnt lgkmcnt(0)", 10 * WAVES, 3000}, /* 260 */
      {"v_add_f32_e32 v0, v0, v1", 10 * WAVES, 0},
      {"ds_read_b32 v1, v2", 10 * WAVES, 0},
      {"s_cbranch_scc1 65532", 10 * WAVES, 0}, /* 272 + 4 - 4 * 4 = 260 */
      {"s_waitcnt vmcnt(0) lgkmcnt(0)", WAVES, 500},
      {"s_endpgm", WAVES, 0},
  };
  struct att t;
  struct diagnosis d;
  must_diagnose(&t, &d, LINES(lines));
  assert_int_equal(flow_target(&t.kernels[0], 4), 1);
  assert_true(d.by[CAUSE_LDS] == 3000 && d.by[CAUSE_BOTH] == 500);
  end(&t, &d);
}

static const struct finding *must_find_one(const struct diagnosis *d,
                                           enum trouble trouble, size_t first,
                                           size_t last)
{
  assert_int_equal(d->nfindings, 1);
  const struct finding *f = d->findings;
  assert_int_equal(f->trouble, trouble);
  assert_int_equal(f->first, first);
  assert_int_equal(f->last, last);
  return f;
}

static void conflicts_are_found(void **state)
{
  (void)state;
  static const struct line lines[] = {
      {"ds_read_b64 v[2:3], v0", WAVES, 101 * WAVES},
      {"ds_read_b64 v[4:5], v1", WAVES, 99 * WAVES}, /* at most 100 a hit */
      {"s_waitcnt lgkmcnt(0)", WAVES, 200 * WAVES},
      {"s_endpgm", WAVES, 0},
  };
  struct att t;
  struct diagnosis d;
  struct str text = {0};
  must_diagnose(&t, &d, LINES(lines));
  const struct finding *f = must_find_one(&d, TROUBLE_CONFLICTS, 0, 0);
  assert_true(f->share > 0.252 && f->share < 0.253); /* 101 of 400 */
  assert_false(f->same_banks);
  advice(f, &t.kernels[0], "gfx906", &text);
  assert_non_null(strstr(text.at, "--arch gfx906 --set read_width=2"));
  str_free(&text);
  end(&t, &d);
}

/* Two words a lane, 4 * 8 and 64 * 1 words apart; 8 and 16 are not. */
static void pairs_in_the_same_banks(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    int same;
  } pairs[] = {
      {"ds_read2_b64 v[0:3], v28 offset1:16", 1},
      {"ds_read2_b64 v[0:3], v28 offset0:16 offset1:24", 0},
      {"ds_write2_b32 v28, v1, v2 offset0:32 offset1:64", 1},
      {"ds_write2_b32 v28, v1, v2 offset0:32 offset1:48", 0},
      {"ds_read2st64_b32 v[0:1], v28 offset1:1", 1},
  };
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    const struct line lines[] = {{pairs[i].text, WAVES, 60 * WAVES},
                                 {"s_endpgm", WAVES, 0}};
    struct att t;
    struct diagnosis d;
    must_diagnose(&t, &d, LINES(lines));
    assert_int_equal(d.nfindings, pairs[i].same); /* 60: between 50 and 100 */
    end(&t, &d);
  }
}

static void a_wait_behind_a_write_is_found(void **state)
{
  (void)state;
  static const struct line lines[] = {
      {"ds_write_b32 v0, v1", WAVES, 0},
      {"v_add_u32_e32 v2, v3, v4", WAVES, 0},
      {"s_waitcnt lgkmcnt(0)", WAVES, 60 * WAVES},
      {"s_barrier", WAVES, 10 * WAVES},
      {"ds_read_b32 v1, v2", WAVES, 0},
      {"s_waitcnt lgkmcnt(0)", WAVES, 60 * WAVES}, /* of a read: no finding */
      {"s_endpgm", WAVES, 0},
  };
  struct att t;
  struct diagnosis d;
  must_diagnose(&t, &d, LINES(lines));
  assert_int_equal(must_find_one(&d, TROUBLE_DISTANCE, 2, 2)->distance, 1);
  end(&t, &d);
}

/* With nine instructions between, the same wait is not the write's fault. */
static void a_wait_far_from_its_write_is_not(void **state)
{
  (void)state;
  struct line lines[12] = {{"ds_write_b32 v0, v1", WAVES, 0}};
  struct att t;
  struct diagnosis d;
  for (int i = 1; i < 10; i++)
    lines[i] = (struct line){"v_fmac_f32_e32 v2, v3, v4", WAVES, 0};
  lines[10] = (struct line){"s_waitcnt lgkmcnt(0)", WAVES, 60 * WAVES};
  lines[11] = (struct line){"s_endpgm", WAVES, 0};
  must_diagnose(&t, &d, LINES(lines));
  assert_int_equal(d.nfindings, 0);
  assert_true(d.by[CAUSE_LDS] == 60 * WAVES);
  end(&t, &d);
}

/* A sum over a workgroup, unrolled: write, barrier, read, five times. */
static void an_exchange_is_found(void **state)
{
  (void)state;
  static const struct line round[] = {
      {"ds_write_b32 v0, v1", WAVES, 0},
      {"s_waitcnt lgkmcnt(0)", WAVES, 10 * WAVES},
      {"s_barrier", WAVES, 50 * WAVES},
      {"ds_read_b32 v2, v3", WAVES, 0},
      {"s_waitcnt lgkmcnt(0)", WAVES, 10 * WAVES},
      {"v_add_f32_e32 v1, v1, v2", WAVES, 0},
  };
  struct line lines[31];
  struct att t;
  struct diagnosis d;
  for (int i = 0; i < 5; i++)
    memcpy(&lines[6 * i], round, sizeof round);
  lines[30] = (struct line){"s_endpgm", WAVES, 0};
  must_diagnose(&t, &d, LINES(lines));
  const struct finding *f = must_find_one(&d, TROUBLE_EXCHANGE, 2, 26);
  assert_true(f->barriers == 5);
  assert_true(f->stall == 5 * 50 * WAVES + 4 * 20 * WAVES);
  end(&t, &d);
  lines[2].text = lines[8].text = "s_nop 0"; /* three barriers are few */
  must_diagnose(&t, &d, LINES(lines));
  assert_int_equal(d.nfindings, 0);
  end(&t, &d);
}

/* The same as a loop of eight turns: one barrier, met eight times. */
static void an_exchange_in_a_loop_is_found(void **state)
{
  (void)state;
  static const struct line lines[] = {
      {"v_mov_b32_e32 v1, 0", WAVES, 0},
      {"ds_write_b32 v0, v1", 8 * WAVES, 0},
      {"s_waitcnt lgkmcnt(0)", 8 * WAVES, 80 * WAVES},
      {"s_barrier", 8 * WAVES, 400 * WAVES},
      {"ds_read_b32 v2, v3", 8 * WAVES, 0},
      {"s_cbranch_scc0 65531", 8 * WAVES, 0}, /* 276 + 4 - 4 * 5 = 260 */
      {"s_endpgm", WAVES, 0},
  };
  struct att t;
  struct diagnosis d;
  must_diagnose(&t, &d, LINES(lines));
  assert_true(must_find_one(&d, TROUBLE_EXCHANGE, 1, 5)->barriers == 8);
  end(&t, &d);
}

/* The main loop of a product has barriers too, and much between them. */
static void a_main_loop_is_no_exchange(void **state)
{
  (void)state;
  static const struct line lines[] = {
      {"global_load_dwordx4 v[4:7], v[0:1], off", 99 * WAVES, 0},
      {"ds_write_b128 v2, v[4:7]", 99 * WAVES, 0},
      {"s_barrier", 99 * WAVES, 9000 * WAVES},
      {"ds_read_b128 v[8:11], v3", 99 * WAVES, 0},
      {"s_cbranch_scc0 65531", 99 * WAVES, 0},
      {"s_endpgm", WAVES, 0},
  };
  struct att t;
  struct diagnosis d;
  must_diagnose(&t, &d, LINES(lines));
  assert_int_equal(d.nfindings, 0);
  end(&t, &d);
}

/* Barriers around a tile that goes through LDS: 3 * 4 words a lane between two. */
static void a_tile_is_no_exchange(void **state)
{
  (void)state;
  static const struct line lines[] = {
      {"ds_write_b128 v2, v[4:7]", 99 * WAVES, 0},
      {"ds_write_b128 v2, v[8:11] offset:16", 99 * WAVES, 0},
      {"ds_write_b128 v2, v[12:15] offset:32", 99 * WAVES, 0},
      {"s_barrier", 99 * WAVES, 9000 * WAVES},
      {"ds_read2_b64 v[4:7], v3 offset1:1", 99 * WAVES, 0},
      {"ds_read2_b64 v[8:11], v3 offset0:2 offset1:3", 99 * WAVES, 0},
      {"ds_read2_b64 v[12:15], v3 offset0:4 offset1:5", 99 * WAVES, 0},
      {"s_barrier", 99 * WAVES, 9000 * WAVES},
      {"s_cbranch_scc0 65527", 99 * WAVES, 0},
      {"s_endpgm", WAVES, 0},
  };
  struct att t;
  struct diagnosis d;
  must_diagnose(&t, &d, LINES(lines));
  assert_int_equal(flow_target(&t.kernels[0], 8), 0);
  assert_int_equal(d.nfindings, 0);
  end(&t, &d);
}

static void damage_is_said(void **state)
{
  (void)state;
  static const struct {
    const char *text, *error;
  } damaged[] = {
      {"", "f:1: not JSON, "},
      {"{\"code\":", "f:1: not JSON, "},
      {"[]", "f: no \"code\" is in it"},
      {"{\"code\":[]}", "f: no instruction was traced"},
      {"{\"code\":[[\"; k\",0,0,\"\",0,0,0,0,0,0]]}",
       "f: no instruction was traced"},
      {"{\"code\":[[\"s_nop 0\",0,1,\"\",0,0,1,1,-1,0]]}", "f: row 1 of "},
      {"{\"code\":[[\"s_nop 0\",0,1,\"\",0,0,1,1,1]]}", "f: row 1 of "},
      {"{\"code\":[[null,0,1,\"\",0,0,1,1,1,0]]}", "f: row 1 of "},
      {"{\"code\":[[\"s_nop 0\",0,1,\"\",0,8,1,1,1,0],"
       "[\"s_nop 0\",0,1,\"\",0,4,1,1,1,0]]}", "f: row 2 of "},
      {"{\"code\":[],\"header\":\"ISA\"}", "f: its columns are \"ISA\""},
  };
  for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
    struct att t;
    struct err e = {0};
    assert_int_equal(att_parse(&t, "f", damaged[i].text,
                               strlen(damaged[i].text), &e), ERR_FAILED);
    if (strncmp(e.text, damaged[i].error, strlen(damaged[i].error)))
      fail_msg("%s", e.text);
    att_free(&t);
  }
}

/* Bytes changed at random: refused or diagnosed, and nothing else. */
static void any_bytes(void **state)
{
  (void)state;
  static const struct line lines[] = {
      {"ds_write2_b32 v28, v1, v2 offset0:32 offset1:64", WAVES, 9000},
      {"s_waitcnt lgkmcnt(0)", WAVES, 9000},
      {"s_barrier", WAVES, 9000},
      {"s_cbranch_scc0 65533", WAVES, 0},
      {"s_endpgm", WAVES, 0},
  };
  static const char spice[] = "\"[]{},:-e0159 \\n\xff";
  struct str good = {0};
  struct rng rng;
  rng_seed(&rng, 1);
  write_code(&good, LINES(lines));
  for (int i = 0; i < 3000; i++) {
    char *bytes = malloc(good.len); /* so that ASan sees the end */
    struct att t;
    struct err e = {0};
    assert_non_null(bytes);
    memcpy(bytes, good.at, good.len);
    for (int k = 0; k < 1 + i % 3; k++)
      bytes[rng_below(&rng, good.len)] = spice[rng_below(&rng,
                                                         sizeof spice - 1)];
    int failed = att_parse(&t, "f", bytes, good.len, &e);
    assert_true(!failed || *e.text == 'f');
    for (size_t k = 0; !failed && k < t.nkernels; k++) {
      struct diagnosis d;
      diagnose(&d, &t.kernels[k], 32);
      diagnosis_free(&d);
    }
    att_free(&t);
    free(bytes);
  }
  str_free(&good);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_are_read),
      cmocka_unit_test(a_scalar_load_is_not_lds),
      cmocka_unit_test(loops_are_followed),
      cmocka_unit_test(conflicts_are_found),
      cmocka_unit_test(pairs_in_the_same_banks),
      cmocka_unit_test(a_wait_behind_a_write_is_found),
      cmocka_unit_test(a_wait_far_from_its_write_is_not),
      cmocka_unit_test(an_exchange_is_found),
      cmocka_unit_test(an_exchange_in_a_loop_is_found),
      cmocka_unit_test(a_main_loop_is_no_exchange),
      cmocka_unit_test(a_tile_is_no_exchange),
      cmocka_unit_test(damage_is_said),
      cmocka_unit_test(any_bytes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
