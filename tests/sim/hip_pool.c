/* hip_pool.c - memory pools, and small functions of releases after 5.2. */
// SPDX-License-Identifier: MIT
#define CALLS(X) \
  X(hipGetErrorName) X(hipsimError) X(hipMalloc) X(hipFree) X(hipMemset) \
  X(hipDeviceGetDefaultMemPool) X(hipDeviceGetMemPool) \
  X(hipDeviceSetMemPool) X(hipMemPoolCreate) X(hipMemPoolDestroy) \
  X(hipMemPoolGetAttribute) X(hipMemPoolSetAttribute) X(hipMemPoolTrimTo) \
  X(hipMemPoolGetAccess) X(hipMemPoolSetAccess) X(hipMallocAsync) \
  X(hipMallocFromPoolAsync) X(hipFreeAsync) X(hipDeviceGetAttribute)

#include "tests/sim/library.h"

static int setup(void **state)
{
  (void)state;
  return library_open();
}

static uint64_t number(hipMemPool_t pool, hipMemPoolAttr id)
{
  uint64_t value = 99;
  check(h.hipMemPoolGetAttribute(pool, id, &value));
  return value;
}

static void test_default(void **state)
{
  hipMemPool_t pool, current;
  void *p;
  (void)state;
  check(h.hipDeviceGetDefaultMemPool(&pool, 0));
  check(h.hipDeviceGetMemPool(&current, 0));
  assert_true(pool == current);
  assert_int_equal(h.hipDeviceGetMemPool(&current, 1), hipErrorInvalidDevice);
  assert_int_equal(number(pool, hipMemPoolAttrUsedMemCurrent), 0);
  check(h.hipMallocAsync(&p, 1000, NULL));
  assert_int_equal(number(pool, hipMemPoolAttrUsedMemCurrent), 1000);
  check(h.hipFreeAsync(p, NULL));
  assert_int_equal(number(pool, hipMemPoolAttrUsedMemCurrent), 0);
  assert_int_equal(number(pool, hipMemPoolAttrUsedMemHigh), 1000);
  assert_int_equal(h.hipMemset(p, 0, 1), hipErrorInvalidValue);
  assert_int_equal(h.hipMemPoolDestroy(pool), hipErrorInvalidValue);
}

static void test_pool(void **state)
{
  const hipMemPoolProps props = {
      .allocType = hipMemAllocationTypePinned,
      .location = {hipMemLocationTypeDevice, 0}};
  const hipMemAccessDesc access = {{hipMemLocationTypeDevice, 0},
                                   hipMemAccessFlagsProtReadWrite};
  hipMemLocation here = {hipMemLocationTypeDevice, 0};
  hipMemAccessFlags flags;
  hipMemPool_t pool, before;
  uint64_t value = 1 << 20;
  int on = -1, off = 0;
  void *p, *q;
  (void)state;
  check(h.hipMemPoolCreate(&pool, &props));
  check(h.hipMallocFromPoolAsync(&p, 500, pool, NULL));
  check(h.hipDeviceGetMemPool(&before, 0));
  check(h.hipDeviceSetMemPool(0, pool));
  check(h.hipMallocAsync(&q, 300, NULL));
  assert_int_equal(number(pool, hipMemPoolAttrReservedMemCurrent), 800);
  check(h.hipFree(p)); /* of a pool or not */
  check(h.hipMemPoolTrimTo(pool, 0));
  assert_int_equal(number(pool, hipMemPoolAttrUsedMemCurrent), 300);
  check(h.hipMemPoolSetAttribute(pool, hipMemPoolAttrReleaseThreshold,
                                 &value));
  assert_int_equal(number(pool, hipMemPoolAttrReleaseThreshold), 1 << 20);
  value = 0;
  check(h.hipMemPoolSetAttribute(pool, hipMemPoolAttrUsedMemHigh, &value));
  assert_int_equal(number(pool, hipMemPoolAttrUsedMemHigh), 300);
  value = 5;
  assert_int_equal(h.hipMemPoolSetAttribute(pool, hipMemPoolAttrUsedMemHigh,
                                            &value), hipErrorInvalidValue);
  check(h.hipMemPoolGetAttribute(pool, hipMemPoolReuseAllowOpportunistic,
                                 &on));
  assert_int_equal(on, 1);
  check(h.hipMemPoolSetAttribute(pool, hipMemPoolReuseAllowOpportunistic,
                                 &off));
  check(h.hipMemPoolGetAttribute(pool, hipMemPoolReuseAllowOpportunistic,
                                 &on));
  assert_int_equal(on, 0);
  check(h.hipMemPoolSetAccess(pool, &access, 1));
  check(h.hipMemPoolGetAccess(&flags, pool, &here));
  assert_int_equal(flags, hipMemAccessFlagsProtReadWrite);
  check(h.hipMemPoolDestroy(pool));
  assert_int_equal(h.hipMemPoolTrimTo(pool, 0), hipErrorInvalidValue);
  check(h.hipDeviceGetMemPool(&pool, 0));
  assert_true(pool == before);
  check(h.hipMemset(q, 0, 300)); /* outlives its pool */
  check(h.hipFreeAsync(q, NULL));
}

/* hipDeviceAttribute_t of HIP 6 and 7. */
static void test_attributes(void **state)
{
  static const struct {
    int id, value;
  } rows[] = {{89, 0}, {90, 1}, {91, 0}, {10018, 1},
              {hipDeviceAttributeMemoryPoolsSupported, 1}};
  int value;
  (void)state;
  for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
    check(h.hipDeviceGetAttribute(&value, (hipDeviceAttribute_t)rows[n].id,
                                  0));
    assert_int_equal(value, rows[n].value);
  }
}

/* --- by name, as programs for later releases find them -------------------- */

static hipError_t (*proc)(const char *, void **, int, uint64_t, int *);

static void *named(const char *name)
{
  void *f = NULL;
  int status = -1;
  check(proc(name, &f, 0, 0, &status));
  assert_int_equal(status, 0);
  return f;
}

static void test_by_name(void **state)
{
  void *library = dlopen(BUILD_DIR "/libhipsim.so", RTLD_NOW | RTLD_LOCAL);
  void *f = dlsym(library, "hipGetProcAddress");
  hipError_t (*error_name)(hipError_t, const char **);
  hipError_t (*set_limit)(enum hipLimit_t, size_t);
  hipError_t (*host_alloc)(void **, size_t, unsigned);
  const char *text;
  void *p;
  int status;
  (void)state;
  memcpy(&proc, &f, sizeof f);
  f = named("hipDrvGetErrorName"), memcpy(&error_name, &f, sizeof f);
  check(error_name(hipErrorNotFound, &text));
  assert_string_equal(text, "hipErrorNotFound");
  f = named("hipDeviceSetLimit"), memcpy(&set_limit, &f, sizeof f);
  check(set_limit(hipLimitMallocHeapSize, 1 << 20));
  f = named("hipExtHostAlloc"), memcpy(&host_alloc, &f, sizeof f);
  check(host_alloc(&p, 64, 0));
  check(h.hipFree(p));
  assert_int_equal(proc("hipNothing", &f, 0, 0, &status), hipErrorNotFound);
  assert_int_equal(status, 1);
  dlclose(library);
}

/* --- user objects --------------------------------------------------------- */

static int destroyed;

static void destroy(void *of)
{
  destroyed += *(int *)of;
}

static void test_objects(void **state)
{
  hipError_t (*create)(void **, void *, hipHostFn_t, unsigned, unsigned);
  hipError_t (*hold)(hipGraph_t, void *, unsigned, unsigned);
  hipError_t (*release)(void *, unsigned);
  hipError_t (*graph)(hipGraph_t *, unsigned);
  hipError_t (*clone)(hipGraph_t *, hipGraph_t);
  hipError_t (*end)(hipGraph_t);
  const struct { const char *name; void *at; } functions[] = {
      {"hipUserObjectCreate", &create}, {"hipUserObjectRelease", &release},
      {"hipGraphRetainUserObject", &hold}, {"hipGraphCreate", &graph},
      {"hipGraphClone", &clone}, {"hipGraphDestroy", &end}};
  hipGraph_t g, copy;
  void *object;
  int of = 1;
  (void)state;
  for (size_t n = 0; n < sizeof functions / sizeof *functions; n++) {
    void *f = named(functions[n].name);
    memcpy(functions[n].at, &f, sizeof f);
  }
  check(graph(&g, 0));
  check(create(&object, &of, destroy, 1, 1));
  check(hold(g, object, 1, 1)); /* hipGraphUserObjectMove */
  check(clone(&copy, g));
  check(end(g));
  assert_int_equal(destroyed, 0);
  check(end(copy));
  assert_int_equal(destroyed, 1);
  assert_int_equal(release(object, 1), hipErrorInvalidValue);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_default), cmocka_unit_test(test_pool),
      cmocka_unit_test(test_attributes), cmocka_unit_test(test_by_name),
      cmocka_unit_test(test_objects),
  };
  return cmocka_run_group_tests(tests, setup, NULL);
}
