/* hip_args.c - hidden arguments: the inside of libhipsim, where no compiler at
 * hand makes kernels that have them.
 */
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "runtimes/sim/api/hip_args.c"

/* LLVM's "User Guide for AMDGPU Backend", metadata V5: the launch by whole
 * workgroups, threads of one, threads of a last one that is partial, or 0. */
static void test_launch(void **state)
{
  static const char *const kinds[] = {
      "hidden_block_count_x", "hidden_block_count_y", "hidden_block_count_z",
      "hidden_group_size_x",  "hidden_group_size_y",  "hidden_group_size_z",
      "hidden_remainder_x",   "hidden_remainder_y",   "hidden_remainder_z",
      "hidden_grid_dims"};
  enum {N = sizeof kinds / sizeof *kinds};
  static const struct {
    uint32_t grid[3], rest[3], told[N];
  } launches[] = {
      {{16, 18, 3}, {40, 2, 0}, {15, 17, 3, 64, 4, 2, 40, 2, 0, 3}},
      {{16, 18, 3}, {0, 0, 0}, {16, 18, 3, 64, 4, 2, 0, 0, 0, 3}},
      {{1, 1, 1}, {7, 1, 1}, {0, 0, 0, 64, 4, 2, 7, 1, 1, 3}},
  };
  struct kernel_arg args[N];
  (void)state;
  for (uint32_t n = 0; n < N; n++) {
    args[n] = (struct kernel_arg){.offset = 4 * n, .size = 4};
    strcpy(args[n].kind, kinds[n]);
  }
  const struct kernel k = {.kernarg_size = 4 * N, .nargs = N, .args = args};
  for (size_t n = 0; n < sizeof launches / sizeof *launches; n++) {
    uint32_t told[N] = {0};
    struct err e = {0};
    struct dispatch d = {.kernel = &k, .block = {64, 4, 2},
                         .kernarg = (uint64_t)(uintptr_t)told};
    memcpy(d.grid, launches[n].grid, sizeof d.grid);
    memcpy(d.rest, launches[n].rest, sizeof d.rest);
    assert_int_equal(hip_args(&d, 0, NULL, NULL, &e), hipSuccess);
    assert_memory_equal(told, launches[n].told, sizeof told);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_launch),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
