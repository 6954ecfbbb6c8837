/* hip_stream.c - streams and contexts through the HIP API. */
// SPDX-License-Identifier: MIT
#define CALLS(X) \
  X(hipGetErrorName) X(hipsimError) X(hipMalloc) X(hipFree) \
  X(hipGetLastError) X(hipSetDevice) X(hipHostMalloc) X(hipHostFree) \
  X(hipStreamCreate) X(hipStreamDestroy) X(hipStreamWriteValue32) \
  X(hipStreamWriteValue64) X(hipStreamWaitValue32) X(hipStreamWaitValue64) \
  X(hipExtStreamCreateWithCUMask) X(hipExtStreamGetCUMask) \
  X(hipGetStreamDeviceId) X(hipStreamGetCaptureInfo) \
  X(hipStreamGetCaptureInfo_v2) X(hipThreadExchangeStreamCaptureMode) \
  X(hipCtxCreate) X(hipCtxGetApiVersion) X(hipCtxGetFlags) \
  X(hipCtxGetCacheConfig) X(hipCtxSetCacheConfig) \
  X(hipCtxGetSharedMemConfig) X(hipCtxSetSharedMemConfig) \
  X(hipCtxEnablePeerAccess) X(hipCtxDisablePeerAccess) \
  X(hipDeviceGetP2PAttribute) X(hipExtGetLinkTypeAndHopCount) X(hipApiName)

/* Which HIP's header says of all contexts. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#include "tests/sim/library.h"

#include <hip/amd_detail/hip_prof_str.h>

/* Never made by anyone. */
static const hipStream_t stray = (hipStream_t)&h;

static int setup(void **state)
{
  (void)state;
  return library_open();
}

/* --- numbers in memory ---------------------------------------------------- */

static void test_write(void **state)
{
  const uint64_t fives = 0x5555555555555555, ones = ~(uint64_t)0;
  uint64_t *at;
  hipStream_t s;
  (void)state;
  check(h.hipHostMalloc((void **)&at, 24, 0));
  check(h.hipStreamCreate(&s));
  at[0] = at[1] = at[2] = ones;
  check(h.hipStreamWriteValue64(s, at + 1, fives, 0));
  check(h.hipStreamWriteValue32(NULL, at, 7, 0));
  assert_true(at[0] == (ones ^ 0xffffffff) + 7);
  assert_true(at[1] == fives && at[2] == ones);
  assert_int_equal(h.hipStreamWriteValue64(s, (char *)at + 17, 1, 0),
                   hipErrorInvalidValue);
  assert_int_equal(h.hipStreamWriteValue32(s, NULL, 1, 0),
                   hipErrorInvalidValue);
  assert_int_equal(h.hipStreamWriteValue32(s, &s, 1, 0),
                   hipErrorInvalidValue);
  assert_non_null(strstr(h.hipsimError(), "hipStreamWriteValue32"));
  assert_int_equal(h.hipStreamWriteValue32(stray, at, 1, 0),
                   hipErrorInvalidHandle);
  check(h.hipStreamDestroy(s));
  check(h.hipHostFree(at));
}

/* The conditions as HIP's header says them; one that is not met is an error,
 * and no hang. */
static void test_wait(void **state)
{
  enum { GTE = hipStreamWaitValueGte, EQ = hipStreamWaitValueEq,
         AND = hipStreamWaitValueAnd, NOR = hipStreamWaitValueNor };
  const uint64_t all = ~(uint64_t)0, high = (uint64_t)1 << 40;
  const struct {
    uint64_t now, value;
    unsigned how;
    uint64_t mask;
    int met;
  } waits[] = {
      {5, 5, GTE, all, 1},     {5, 6, GTE, all, 0},
      {13, 6, GTE, 7, 0},      {high, 6, GTE, all, 1},
      {5, 5, EQ, all, 1},      {5, 4, EQ, all, 0},
      {0xf5, 5, EQ, 0xf, 1},   {high, 0, EQ, all, 0},
      {6, 4, AND, all, 1},     {6, 1, AND, all, 0},
      {6, 4, AND, 3, 0},       {high, high, AND, all, 1},
      {6, 4, NOR, all, 1},     {6, ~(uint64_t)6, NOR, all, 0},
      {6, 1, NOR, 7, 0},       {2, 1, NOR, 7, 1},
  };
  uint64_t *at;
  (void)state;
  at = device_alloc(sizeof *at);
  for (size_t n = 0; n < sizeof waits / sizeof *waits; n++) {
    check(h.hipStreamWriteValue64(NULL, at, waits[n].now, 0));
    hipError_t result = h.hipStreamWaitValue64(NULL, at, waits[n].value,
                                               waits[n].how, waits[n].mask);
    assert_int_equal(result,
                     waits[n].met ? hipSuccess : hipErrorNotSupported);
    if (result)
      assert_non_null(strstr(h.hipsimError(), "would never end"));
  }
  check(h.hipStreamWriteValue64(NULL, at, high + 3, 0));
  check(h.hipStreamWaitValue32(NULL, at, 3, EQ, UINT32_MAX));
  check(h.hipStreamWaitValue32(NULL, (char *)at + 4, 256, EQ, UINT32_MAX));
  assert_int_equal(h.hipStreamWaitValue32(NULL, at, 4, GTE, UINT32_MAX),
                   hipErrorNotSupported);
  assert_int_equal(h.hipStreamWaitValue32(NULL, at, 3, 4, UINT32_MAX),
                   hipErrorInvalidValue);
  assert_int_equal(h.hipStreamWaitValue64(NULL, (char *)at + 4, 3, GTE, all),
                   hipErrorInvalidValue);
  assert_int_equal(h.hipStreamWaitValue64(stray, at, 3, GTE, all),
                   hipErrorInvalidHandle);
  check(h.hipFree(at));
}

/* --- what a stream is ----------------------------------------------------- */

/* The device has 60 CUs. */
static void test_masks(void **state)
{
  const struct {
    uint32_t n, asked[3], told[2];
  } masks[] = {
      {2, {0xf0, 3}, {0xf0, 3}},
      {1, {5}, {5, 0}},
      {3, {1, ~(uint32_t)0, 1}, {1, 0x0fffffff}},
      {2, {0, 0}, {~(uint32_t)0, 0x0fffffff}},
      {2, {0, 0xf0000000}, {~(uint32_t)0, 0x0fffffff}},
  };
  uint32_t told[3];
  hipStream_t s;
  (void)state;
  for (size_t n = 0; n < sizeof masks / sizeof *masks; n++) {
    check(h.hipExtStreamCreateWithCUMask(&s, masks[n].n, masks[n].asked));
    told[2] = 0x5a5a;
    check(h.hipExtStreamGetCUMask(s, 3, told));
    assert_memory_equal(told, masks[n].told, sizeof masks[n].told);
    assert_int_equal(told[2], 0x5a5a);
    check(h.hipStreamDestroy(s));
  }
  check(h.hipExtStreamGetCUMask(NULL, 2, told));
  assert_int_equal(told[0], ~(uint32_t)0);
  assert_int_equal(told[1], 0x0fffffff);
  assert_int_equal(h.hipExtStreamGetCUMask(NULL, 1, told),
                   hipErrorInvalidValue);
  assert_int_equal(h.hipExtStreamGetCUMask(NULL, 2, NULL),
                   hipErrorInvalidValue);
  assert_int_equal(h.hipExtStreamGetCUMask(stray, 2, told),
                   hipErrorInvalidHandle);
  assert_int_equal(h.hipExtStreamCreateWithCUMask(&s, 0, told),
                   hipErrorInvalidValue);
  assert_int_equal(h.hipExtStreamCreateWithCUMask(&s, 1, NULL),
                   hipErrorInvalidValue);
}

static void test_capture(void **state)
{
  hipStreamCaptureStatus status = hipStreamCaptureStatusActive;
  hipStreamCaptureMode mode = hipStreamCaptureModeRelaxed;
  unsigned long long id = 7;
  hipStream_t s;
  (void)state;
  check(h.hipStreamCreate(&s));
  check(h.hipStreamGetCaptureInfo(s, &status, &id));
  assert_int_equal(status, hipStreamCaptureStatusNone);
  status = hipStreamCaptureStatusActive;
  check(h.hipStreamGetCaptureInfo_v2(s, &status, &id, NULL, NULL, NULL));
  assert_int_equal(status, hipStreamCaptureStatusNone);
  assert_int_equal(h.hipStreamGetCaptureInfo(s, NULL, &id),
                   hipErrorInvalidValue);
  check(h.hipStreamDestroy(s));
  check(h.hipThreadExchangeStreamCaptureMode(&mode));
  assert_int_equal(mode, hipStreamCaptureModeGlobal);
  check(h.hipThreadExchangeStreamCaptureMode(&mode));
  assert_int_equal(mode, hipStreamCaptureModeRelaxed);
  mode = (hipStreamCaptureMode)3;
  assert_int_equal(h.hipThreadExchangeStreamCaptureMode(&mode),
                   hipErrorInvalidValue);
}

/* Where no error is returned, the last one stays. */
static void test_names(void **state)
{
  hipStream_t s;
  (void)state;
  check(h.hipStreamCreate(&s));
  assert_int_equal(h.hipSetDevice(1), hipErrorInvalidDevice);
  assert_int_equal(h.hipGetStreamDeviceId(NULL), 0);
  assert_int_equal(h.hipGetStreamDeviceId(s), 0);
  assert_int_equal(h.hipGetStreamDeviceId(stray), -1);
  assert_string_equal(h.hipApiName(HIP_API_ID_hipMalloc), "hipMalloc");
  assert_int_equal(h.hipGetLastError(), hipErrorInvalidDevice);
  check(h.hipStreamDestroy(s));
}

/* --- contexts, and other devices ------------------------------------------ */

static void test_context(void **state)
{
  hipCtx_t c;
  int version = 0;
  unsigned flags = 7;
  hipFuncCache_t cache = hipFuncCachePreferL1;
  hipSharedMemConfig banks = hipSharedMemBankSizeEightByte;
  (void)state;
  check(h.hipCtxCreate(&c, 0, 0));
  /* of int in ROCm 5, of unsigned in 7 */
  check(h.hipCtxGetApiVersion(c, (void *)&version));
  assert_int_equal(version, 4);
  check(h.hipCtxGetFlags(&flags));
  assert_int_equal(flags, 0);
  check(h.hipCtxSetCacheConfig(hipFuncCachePreferShared));
  check(h.hipCtxGetCacheConfig(&cache));
  assert_int_equal(cache, hipFuncCachePreferNone);
  check(h.hipCtxSetSharedMemConfig(hipSharedMemBankSizeEightByte));
  check(h.hipCtxGetSharedMemConfig(&banks));
  assert_int_equal(banks, hipSharedMemBankSizeFourByte);
  check(h.hipCtxEnablePeerAccess(c, 0));
  check(h.hipCtxDisablePeerAccess(c));
  assert_int_equal(h.hipCtxEnablePeerAccess(c, 1), hipErrorInvalidValue);
  assert_int_equal(h.hipCtxEnablePeerAccess((hipCtx_t)&h, 0),
                   hipErrorInvalidContext);
  assert_int_equal(h.hipCtxGetApiVersion((hipCtx_t)&h, (void *)&version),
                   hipErrorInvalidContext);
  assert_int_equal(h.hipCtxGetFlags(NULL), hipErrorInvalidValue);
}

/* A device has no link to itself. */
static void test_peers(void **state)
{
  const hipDeviceP2PAttr rank = hipDevP2PAttrPerformanceRank;
  int value;
  uint32_t type, hops;
  (void)state;
  assert_int_equal(h.hipDeviceGetP2PAttribute(&value, rank, 0, 0),
                   hipErrorInvalidDevice);
  assert_int_equal(h.hipDeviceGetP2PAttribute(&value, rank, 0, 1),
                   hipErrorInvalidDevice);
  assert_int_equal(h.hipDeviceGetP2PAttribute(NULL, rank, 0, 1),
                   hipErrorInvalidValue);
  assert_int_equal(h.hipExtGetLinkTypeAndHopCount(0, 0, &type, &hops),
                   hipErrorInvalidValue);
  assert_int_equal(h.hipExtGetLinkTypeAndHopCount(0, 1, &type, &hops),
                   hipErrorInvalidDevice);
  assert_int_equal(h.hipExtGetLinkTypeAndHopCount(0, 1, NULL, &hops),
                   hipErrorInvalidValue);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_write),   cmocka_unit_test(test_wait),
      cmocka_unit_test(test_masks),   cmocka_unit_test(test_capture),
      cmocka_unit_test(test_names),   cmocka_unit_test(test_context),
      cmocka_unit_test(test_peers),
  };
  return cmocka_run_group_tests(tests, setup, NULL);
}
