/* families.c - the vocabulary and every family, compiled by a real NVRTC.
 *
 * Skipped where no libnvrtc of CUDA 12 or 13 is. No GPU is needed.
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

#include "arch/arch.h"
#include "gen/source.h"
#include "gen/space.h"
#include "tuner/device/compiler.h"

enum {CONFIGS = 2};

static struct rtc rtc;

static int have_nvrtc(void **state)
{
  (void)state;
  char version[32];
  if (rtc_open(&rtc, HIPCUDA, NULL))
    return -1;
  rtc.hipcudaCompiler(version, sizeof version);
  printf("%s\n", version[0] ? version : "skipped: there is no libnvrtc here");
  if (!version[0])
    exit(0);
  return 0;
}

static void must_compile(const char *what, const char *text)
{
  struct str code = {0}, log = {0};
  struct err e = {0};
  if (compiler_run(&rtc, arch_find("sm_90"), "x.hip", text, &code, &log, &e))
    fail_msg("%s: %s\n%.2000s\n%s", what, e.text, str_text(&log), text);
  str_free(&code);
  str_free(&log);
}

/* All words, with a kernel that uses those that are templates or macros. */
static void vocabulary(void **state)
{
  (void)state;
  struct str text = {0};
  for (const struct embedded *f = embedded_files; f->name; f++)
    if (!strcmp(f->name, "vocabulary.hip"))
      str_add_bytes(&text, f->bytes, f->size);
  assert_true(text.len > 1000);
  str_add(&text,
          "extern \"C\" __global__ void k(int *x, float4 *y)\n"
          "{\n"
          "  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, \"agent\");\n"
          "  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, \"wavefront\");\n"
          "  __builtin_amdgcn_s_barrier();\n"
          "  __builtin_amdgcn_wave_barrier();\n"
          "  __builtin_amdgcn_s_waitcnt(0);\n"
          "  __builtin_amdgcn_sched_barrier(0);\n"
          "  __builtin_amdgcn_s_sleep(1);\n"
          "  x[0] = __builtin_amdgcn_workitem_id_x()\n"
          "      + __builtin_amdgcn_workgroup_id_z()\n"
          "      + __builtin_amdgcn_mbcnt_hi(1, 2)\n"
          "      + __builtin_amdgcn_s_memtime();\n"
          "  y[4].x = __builtin_bit_cast(float, x[1])\n"
          "      + __builtin_fmaf(y->x, y->y, __builtin_rintf(y->z))\n"
          "      + __builtin_roundf(y->y)\n"
          "      + __builtin_fminf(y->x, __builtin_fmaxf(y->z, y->w))\n"
          "      + __builtin_fabsf(y->w) + __builtin_popcount(x[2]);\n"
          "  y[1] = __builtin_nontemporal_load(y);\n"
          "  __builtin_nontemporal_store(y[2], y + 3);\n"
          "}\n");
  must_compile("vocabulary.hip", text.at);
  str_free(&text);
}

static void compile_one(struct family *f, const struct problem *p,
                        const struct config *c)
{
  struct str text = {0};
  struct err e;
  if (family_render(f, p, c, &text, NULL, &e))
    fail_msg("%s: %s", family_name(f), e.text);
  must_compile(family_name(f), text.at);
  str_free(&text);
}

/* A problem without legal configurations is not meant for the arch, as the
 * rules say. */
static int compile_problem(struct family *f, const struct problem *p)
{
  struct space *s;
  struct config c = {0};
  struct rng r;
  struct err e;
  int tried = 0;
  if (space_open(&s, f, p, &e))
    fail_msg("%s: %s", family_name(f), e.text);
  rng_seed(&r, 1);
  while (tried < CONFIGS && space_random(s, &r, &c)) {
    compile_one(f, p, &c);
    tried++;
  }
  space_close(s);
  return tried;
}

/* The default problem, and those with one other value from a key's list. A family
 * that refuses its default problem is not meant for the arch. */
static void compile_family(const char *name, const struct pair *facts,
                           size_t n)
{
  struct family *f;
  struct problem p;
  struct err e;
  const struct key *keys;
  if (family_open(&f, name, NULL, &e) || family_set_arch(f, facts, n, &e))
    fail_msg("%s: %s", name, e.text);
  if (family_problem(f, NULL, NULL, 0, &p, &e)) {
    assert_int_equal(e.code, ERR_USAGE);
    printf("left out: %s\n", e.text);
    family_close(f);
    return;
  }
  int tried = compile_problem(f, &p), problems = 1;
  size_t nkeys = family_keys(f, &keys);
  for (size_t k = 0; k < nkeys; k++)
    for (size_t v = 0; v < keys[k].nvalues; v++) {
      char text[64];
      const char *names[] = {keys[k].name}, *texts[] = {text};
      value_format(&keys[k].values[v], text, sizeof text);
      if (value_equal(&keys[k].values[v], &keys[k].standard) ||
          family_problem(f, names, texts, 1, &p, NULL))
        continue;
      tried += compile_problem(f, &p);
      problems++;
    }
  printf("%s: %d configurations of %d problems\n", name, tried, problems);
  family_close(f);
}

static void all_families(void **state)
{
  (void)state;
  const struct pair *facts;
  size_t n = arch_facts(arch_find("sm_90"), &facts);
  char **names;
  size_t families = source_list(NULL, &names);
  for (size_t i = 0; i < families; i++)
    compile_family(names[i], facts, n);
  free(names);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(vocabulary),
      cmocka_unit_test(all_families),
  };
  return cmocka_run_group_tests(tests, have_nvrtc, NULL);
}
