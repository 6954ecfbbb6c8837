/* hip_pointer.c - what the HIP API says of a pointer, and of advice on it. */
// SPDX-License-Identifier: MIT
#define CALLS(X) \
  X(hipGetErrorName) X(hipsimError) X(hipMalloc) X(hipFree) \
  X(hipHostMalloc) X(hipHostFree) X(hipMallocManaged) X(hipHostRegister) \
  X(hipHostUnregister) X(hipPointerGetAttribute) \
  X(hipDrvPointerGetAttributes) X(hipMemAdvise) X(hipMemPrefetchAsync) \
  X(hipMemRangeGetAttribute) X(hipMemRangeGetAttributes)

#include "tests/sim/library.h"

enum {BYTES = 5000, AT = 1234};

/* Of each kind of memory, and of the host's own, which the device knows
 * nothing of. */
static struct {
  char *device, *pinned, *managed, *registered, *host;
} memory;
static char own[2][BYTES];

static int setup(void **state)
{
  (void)state;
  if (library_open())
    return -1;
  memory.device = device_alloc(BYTES);
  check(h.hipHostMalloc((void **)&memory.pinned, BYTES, 0));
  check(h.hipMallocManaged((void **)&memory.managed, BYTES,
                           hipMemAttachGlobal));
  memory.registered = own[0], memory.host = own[1];
  check(h.hipHostRegister(memory.registered, BYTES, 0));
  return 0;
}

static int teardown(void **state)
{
  (void)state;
  check(h.hipHostUnregister(memory.registered));
  check(h.hipFree(memory.managed));
  check(h.hipHostFree(memory.pinned));
  check(h.hipFree(memory.device));
  return 0;
}

/* --- one attribute -------------------------------------------------------- */

/* What is asked for has so many bytes; those behind stay. */
static uint64_t ask(hipPointer_attribute id, void *p, size_t bytes,
                    hipError_t error)
{
  unsigned char data[16];
  uint64_t value = 0;
  memset(data, 0x5a, sizeof data);
  assert_int_equal(h.hipPointerGetAttribute(data, id, p), error);
  for (size_t n = bytes; n < sizeof data; n++)
    assert_int_equal(data[n], 0x5a);
  memcpy(&value, data, bytes);
  return value;
}

#define ASK(name, p, type, error) \
  (type)ask(HIP_POINTER_ATTRIBUTE_##name, p, sizeof(type), error)

/* From HIP 6 on managed memory has a type of its own. */
enum {MANAGED = HIP_VERSION_MAJOR >= 6 ? 3 : hipMemoryTypeDevice};

static void test_place(void **state)
{
  const struct {
    char *at;
    uint32_t type;
    int host, managed;
  } of[] = {
      {memory.device, hipMemoryTypeDevice, 0, 0},
      {memory.pinned, hipMemoryTypeHost, 1, 0},
      {memory.managed, MANAGED, 1, 1},
      {memory.registered, hipMemoryTypeHost, 1, 0},
  };
  (void)state;
  for (size_t n = 0; n < sizeof of / sizeof *of; n++) {
    char *p = of[n].at + AT;
    assert_int_equal(ASK(MEMORY_TYPE, p, uint32_t, 0), of[n].type);
    assert_ptr_equal(ASK(DEVICE_POINTER, p, uintptr_t, 0), p);
    assert_ptr_equal(ASK(HOST_POINTER, p, uintptr_t,
                         of[n].host ? hipSuccess : hipErrorInvalidValue),
                     of[n].host ? p : NULL);
    assert_int_equal(ASK(IS_MANAGED, p, uint8_t, 0), of[n].managed);
    assert_int_equal(ASK(DEVICE_ORDINAL, p, int, 0), 0);
    assert_ptr_equal(ASK(RANGE_START_ADDR, p, uintptr_t, 0), of[n].at);
    assert_int_equal(ASK(RANGE_SIZE, p, uint32_t, 0), BYTES);
    assert_int_equal(ASK(MAPPED, p, uint8_t, 0), 1);
    assert_int_equal(ASK(SYNC_MEMOPS, p, uint8_t, 0), 1);
    assert_int_equal(ASK(BUFFER_ID, p, uint32_t, 0),
                     ASK(BUFFER_ID, of[n].at, uint32_t, 0));
    for (size_t k = 0; k < n; k++)
      assert_int_not_equal(ASK(BUFFER_ID, p, uint32_t, 0),
                           ASK(BUFFER_ID, of[k].at, uint32_t, 0));
  }
}

static void test_unknown(void **state)
{
  const hipError_t bad = hipErrorInvalidValue;
  int value;
  (void)state;
  assert_int_equal(ASK(MEMORY_TYPE, memory.host, uint32_t, bad), 0);
  assert_int_equal(ASK(DEVICE_POINTER, memory.host, uintptr_t, bad), 0);
  assert_int_equal(ASK(DEVICE_ORDINAL, memory.host, int, bad), -2);
  assert_int_equal(ASK(RANGE_SIZE, memory.host, uint32_t, bad), 0);
  assert_int_equal(ASK(MAPPED, memory.device + BYTES, uint8_t, bad), 0);
  ask(HIP_POINTER_ATTRIBUTE_CONTEXT, memory.device, 0, hipErrorNotSupported);
  ask(HIP_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, memory.device, 0,
      hipErrorNotSupported);
  ask((hipPointer_attribute)99, memory.device, 0, bad);
  assert_int_equal(h.hipPointerGetAttribute(
                       NULL, HIP_POINTER_ATTRIBUTE_MAPPED, memory.device),
                   bad);
  assert_int_equal(h.hipPointerGetAttribute(
                       &value, HIP_POINTER_ATTRIBUTE_MAPPED, NULL), bad);
}

/* Many at once succeed always: what is unknown is told by their values. */
static void test_many(void **state)
{
  hipPointer_attribute ids[] = {HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
                                HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR};
  int ordinal = 7;
  void *begin = NULL, *data[] = {&ordinal, &begin};
  (void)state;
  check(h.hipDrvPointerGetAttributes(2, ids, data, memory.pinned + AT));
  assert_int_equal(ordinal, 0);
  assert_ptr_equal(begin, memory.pinned);
  check(h.hipDrvPointerGetAttributes(2, ids, data, memory.host));
  assert_int_equal(ordinal, -2);
  assert_null(begin);
  assert_int_equal(h.hipDrvPointerGetAttributes(0, ids, data, memory.pinned),
                   hipErrorInvalidValue);
  assert_int_equal(h.hipDrvPointerGetAttributes(2, ids, data, NULL),
                   hipErrorInvalidValue);
}

/* --- advice --------------------------------------------------------------- */

static int told(hipMemRangeAttribute id)
{
  int value = 77;
  check(h.hipMemRangeGetAttribute(&value, sizeof value, id,
                                  memory.managed + AT, 100));
  return value;
}

static void test_advice(void **state)
{
  const int none = hipInvalidDeviceId;
  const struct {
    hipMemoryAdvise set, unset;
    hipMemRangeAttribute id;
    int before, after; /* for device 0 */
  } kinds[] = {
      {hipMemAdviseSetReadMostly, hipMemAdviseUnsetReadMostly,
       hipMemRangeAttributeReadMostly, 0, 1},
      {hipMemAdviseSetPreferredLocation, hipMemAdviseUnsetPreferredLocation,
       hipMemRangeAttributePreferredLocation, none, 0},
      {hipMemAdviseSetAccessedBy, hipMemAdviseUnsetAccessedBy,
       hipMemRangeAttributeAccessedBy, none, 0},
      {hipMemAdviseSetCoarseGrain, hipMemAdviseUnsetCoarseGrain,
       hipMemRangeAttributeCoherencyMode, hipMemRangeCoherencyModeFineGrain,
       hipMemRangeCoherencyModeCoarseGrain},
  };
  (void)state;
  for (size_t n = 0; n < sizeof kinds / sizeof *kinds; n++) {
    assert_int_equal(told(kinds[n].id), kinds[n].before);
    check(h.hipMemAdvise(memory.managed, BYTES, kinds[n].set, 0));
    assert_int_equal(told(kinds[n].id), kinds[n].after);
    check(h.hipMemAdvise(memory.managed, BYTES, kinds[n].unset, 0));
    assert_int_equal(told(kinds[n].id), kinds[n].before);
  }
  assert_int_equal(told(hipMemRangeAttributeLastPrefetchLocation), none);
  check(h.hipMemPrefetchAsync(memory.managed, BYTES, hipCpuDeviceId, NULL));
  assert_int_equal(told(hipMemRangeAttributeLastPrefetchLocation),
                   hipCpuDeviceId);
  assert_int_equal(h.hipMemAdvise(memory.managed, BYTES,
                                  hipMemAdviseSetReadMostly, 1),
                   hipErrorInvalidDevice);
  assert_int_equal(h.hipMemAdvise(memory.managed, BYTES + 1,
                                  hipMemAdviseSetReadMostly, 0),
                   hipErrorInvalidValue);
}

static void test_ranges(void **state)
{
  int mostly = 7, by[3] = {7, 7, 7};
  void *data[] = {&mostly, by};
  size_t bytes[] = {sizeof mostly, sizeof by};
  hipMemRangeAttribute ids[] = {hipMemRangeAttributeReadMostly,
                                hipMemRangeAttributeAccessedBy};
  (void)state;
  check(h.hipMemAdvise(memory.managed, BYTES, hipMemAdviseSetAccessedBy, 0));
  check(h.hipMemRangeGetAttributes(data, bytes, ids, 2, memory.managed,
                                   BYTES));
  assert_int_equal(mostly, 0);
  assert_int_equal(by[0], 0);
  assert_int_equal(by[1], hipInvalidDeviceId);
  assert_int_equal(by[2], hipInvalidDeviceId);
#define BAD(...) \
  assert_int_equal(h.hipMemRangeGetAttribute(__VA_ARGS__), \
                   hipErrorInvalidValue)
  BAD(NULL, 4, ids[0], memory.managed, BYTES);
  BAD(&mostly, 2, ids[0], memory.managed, BYTES);
  BAD(by, 8, ids[0], memory.managed, BYTES);
  BAD(by, 6, ids[1], memory.managed, BYTES);
  BAD(&mostly, 4, ids[0], memory.managed, BYTES + 1);
  BAD(&mostly, 4, ids[0], memory.managed, 0);
  BAD(&mostly, 4, ids[0], memory.host, 8);
  BAD(&mostly, 4, (hipMemRangeAttribute)9, memory.managed, BYTES);
  assert_int_equal(h.hipMemRangeGetAttributes(data, bytes, ids, 0,
                                              memory.managed, BYTES),
                   hipErrorInvalidValue);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_place),
      cmocka_unit_test(test_unknown),
      cmocka_unit_test(test_many),
      cmocka_unit_test(test_advice),
      cmocka_unit_test(test_ranges),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
