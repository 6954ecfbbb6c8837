/* hip_waves.c - a card's waves have the lanes that its architecture has.
 *
 * 64 of GFX9 ("AMD Instinct MI200 Instruction Set Architecture", 2.1), 32 of
 * GFX12 compute. A process has one device, so that each is asked in a child.
 */
// SPDX-License-Identifier: MIT
#include <hip/hip_runtime_api.h>

#define CALLS(X) \
  X(hipGetErrorName) X(hipsimError) X(hipsimArch) X(hipDeviceGetAttribute) \
  X(hipGetDeviceProperties) X(hipMalloc)
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/sim/library.h"

/* What the child says of its device, or 0. */
static int lanes_of(const char *arch)
{
  hipDeviceProp_t properties;
  int n = 0, all = 0;
  if (library_open() || h.hipsimArch(arch) != 0 ||
      h.hipDeviceGetAttribute(&n, hipDeviceAttributeWarpSize, 0) ||
      h.hipDeviceGetAttribute(
        &all, hipDeviceAttributeMaxThreadsPerMultiProcessor, 0) ||
      h.hipGetDeviceProperties(&properties, 0))
    return 0;
  return properties.warpSize == n && all % n == 0 &&
         properties.maxThreadsPerMultiProcessor == all ? n : 0;
}

static void waves_are_of_the_architecture(void **state)
{
  static const struct {
    const char *arch;
    int lanes;
  } table[] = {{"gfx906", 64}, {"gfx90a", 64}, {"gfx950", 64}, {"gfx1250", 32}};
  (void)state;
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    int status = 0;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
      _exit(lanes_of(table[i].arch));
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), table[i].lanes);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(waves_are_of_the_architecture),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
