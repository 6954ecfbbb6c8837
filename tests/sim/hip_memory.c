/* hip_memory.c - allocations, copies and fills through the HIP API. */
// SPDX-License-Identifier: MIT
#define CALLS(X) \
  X(hipGetErrorName) X(hipsimError) X(hipMalloc) X(hipFree) \
  X(hipHostMalloc) X(hipHostFree) X(hipHostRegister) X(hipHostUnregister) \
  X(hipMemGetInfo) X(hipMemcpy) X(hipMemcpyAsync) X(hipMemcpyHtoD) \
  X(hipMemcpyDtoH) X(hipMemcpyDtoD) X(hipMemcpy2D) X(hipMemcpy3D) \
  X(hipMemcpyParam2D) X(hipDrvMemcpy2DUnaligned) X(hipDrvMemcpy3D) \
  X(hipDrvMemcpy3DAsync) X(hipMemset) X(hipMemsetD8) X(hipMemsetD16) \
  X(hipMemsetD32)

#include "tests/sim/library.h"

static int setup(void **state)
{
  (void)state;
  return library_open();
}

static void test_memory(void **state)
{
  uint32_t host[64], back[64];
  (void)state;
  for (uint32_t n = 0; n < 64; n++)
    host[n] = n * n;
  char *a = device_alloc(256), *b = device_alloc(256);
  check(h.hipMemcpyHtoD(a, host, 256));
  check(h.hipMemcpyDtoD(b, a, 256));
  check(h.hipMemcpyDtoH(back, b, 256));
  assert_memory_equal(host, back, 256);
  check(h.hipMemsetD32(b, 0x12345678, 60));
  check(h.hipMemset(b + 252, 0xab, 4));
  check(h.hipMemcpy(back, b, 256, hipMemcpyDeviceToHost));
  assert_int_equal(back[59], 0x12345678);
  assert_int_equal(back[60], 3600);
  assert_int_equal(back[63], 0xabababab);
  assert_int_equal(h.hipMemcpyHtoD(a, host, 257), hipErrorInvalidValue);
  assert_int_equal(h.hipMemset(a + 8, 0, 256), hipErrorInvalidValue);
  assert_int_equal(h.hipFree(a + 8), hipErrorInvalidValue);
  check(h.hipFree(a));
  check(h.hipFree(b));
  check(h.hipFree(NULL));
  assert_int_equal(h.hipFree(b), hipErrorInvalidValue);
  void *p;
  assert_int_equal(h.hipMalloc(&p, (size_t)1 << 40), hipErrorOutOfMemory);
  assert_null(p);
  assert_non_null(strstr(h.hipsimError(), "are free"));
}

/* Memory that the device knows is checked at both ends, whatever the kind. */
static void test_copy_ends(void **state)
{
  enum {N = 4096};
  static char host[2 * N], registered[2 * N];
  void *pinned;
  (void)state;
  char *a = device_alloc(N), *b = device_alloc(2 * N);
  char *freed = device_alloc(N);
  check(h.hipHostMalloc(&pinned, N, 0));
  check(h.hipHostRegister(registered, N, 0));
  check(h.hipFree(freed));
  const struct {
    void *to;
    const void *from;
    size_t n;
    hipMemcpyKind kind;
    const char *words; /* NULL: it succeeds */
  } copies[] = {
      {a, host, N, hipMemcpyDefault, NULL},
      {a + N - 96, host, 96, hipMemcpyDefault, NULL},
      {a, registered, N, hipMemcpyHostToDevice, NULL},
      {pinned, a, N, hipMemcpyDeviceToHost, NULL},
      {host + N, host, N, hipMemcpyHostToHost, NULL},
      {host, NULL, 0, hipMemcpyDefault, NULL},
      {a, host, 2 * N, hipMemcpyDefault, "copy to the 8192 bytes at"},
      {a + N - 96, host, 97, hipMemcpyDefault, "ends before"},
      {host, a, 2 * N, hipMemcpyDefault, "copy from the 8192 bytes at"},
      {host, a, (size_t)64 << 20, hipMemcpyDefault, "ends before"},
      {host, a, SIZE_MAX, hipMemcpyHostToHost, "ends before"},
      {pinned, host, 2 * N, hipMemcpyHostToHost, "copy to"},
      {host, pinned, 2 * N, hipMemcpyHostToHost, "copy from"},
      {pinned, b, 2 * N, hipMemcpyDeviceToHost, "copy to"},
      {b, pinned, 2 * N, hipMemcpyHostToDevice, "copy from"},
      {registered, b, 2 * N, hipMemcpyDeviceToHost, "copy to"},
      {host, freed, 100, hipMemcpyDefault, "no allocation"},
      {freed, host, 100, hipMemcpyHostToHost, "no allocation"},
      {host, a, 8, hipMemcpyHostToDevice, NULL}, /* kinds bind nobody */
      {a, host, 8, hipMemcpyDeviceToDevice, NULL},
      {a, b, 8, (hipMemcpyKind)1024, NULL}, /* DeviceToDeviceNoCU of HIP 6 */
      {a, NULL, 8, hipMemcpyDefault, "null"},
  };
  for (size_t k = 0; k < sizeof copies / sizeof *copies; k++) {
    hipError_t result = h.hipMemcpy(copies[k].to, copies[k].from, copies[k].n,
                                    copies[k].kind);
    assert_int_equal(result,
                     copies[k].words ? hipErrorInvalidValue : hipSuccess);
    if (copies[k].words)
      assert_non_null(strstr(h.hipsimError(), copies[k].words));
    assert_int_equal(h.hipMemcpyAsync(copies[k].to, copies[k].from,
                                      copies[k].n, copies[k].kind, NULL),
                     result);
  }
  check(h.hipHostUnregister(registered));
  check(h.hipHostFree(pinned));
  check(h.hipFree(a)), check(h.hipFree(b));
}

/* Rows are one range: from the first byte of the first to the last's last. */
enum {PITCH = 1024, WIDTH = 512, ROWS = 4};
enum {IN_ROWS = (ROWS - 1) * PITCH + WIDTH};

/* Were the rows copied, and nothing between them? Before the next copy they
 * are as before this one. */
static void copied(char *a)
{
  for (int n = 0; n < IN_ROWS; n++)
    assert_int_equal(a[n], n % PITCH < WIDTH ? 1 : 7);
  check(h.hipMemset(a, 7, IN_ROWS));
}

static void test_copy_rows(void **state)
{
  static char host[8 * PITCH];
  (void)state;
  char *a = device_alloc(IN_ROWS);
  hip_Memcpy2D p = {
      .srcMemoryType = hipMemoryTypeHost, .srcHost = host, .srcPitch = PITCH,
      .dstMemoryType = hipMemoryTypeDevice, .dstDevice = a, .dstPitch = PITCH,
      .WidthInBytes = WIDTH, .Height = ROWS};
  struct hipMemcpy3DParms box = {
      .srcPtr = {host, PITCH, WIDTH, 2}, .dstPtr = {a, PITCH, WIDTH, 2},
      .extent = {WIDTH, 2, ROWS / 2}, .kind = hipMemcpyDefault};
  memset(host, 1, sizeof host);
  check(h.hipMemset(a, 7, IN_ROWS));
#define COPY(rows) \
  h.hipMemcpy2D(a, PITCH, host, PITCH, WIDTH, rows, hipMemcpyDefault)
  check(COPY(0));
  check(COPY(ROWS)), copied(a);
  check(h.hipMemcpyParam2D(&p)), copied(a);
  check(h.hipDrvMemcpy2DUnaligned(&p)), copied(a);
  p.srcMemoryType = hipMemoryTypeUnified, p.srcDevice = host;
  check(h.hipMemcpyParam2D(&p)), copied(a);
  check(h.hipMemcpy3D(&box)), copied(a);
  assert_int_equal(COPY(ROWS + 1), hipErrorInvalidValue);
  assert_int_equal(COPY(SIZE_MAX / 8), hipErrorInvalidValue);
  p.Height = 8;
  assert_int_equal(h.hipMemcpyParam2D(&p), hipErrorInvalidValue);
  p.Height = 1, p.dstDevice = host; /* not the device's */
  assert_int_equal(h.hipMemcpyParam2D(&p), hipErrorInvalidValue);
  box.extent.depth++;
  assert_int_equal(h.hipMemcpy3D(&box), hipErrorInvalidValue);
  for (int n = 0; n < IN_ROWS; n++) /* what is refused copies nothing */
    assert_int_equal(a[n], 7);
  check(h.hipFree(a));
}

/* A box of 5 x 3 x 2 bytes from one place of a volume to another of one with
 * other rows; `place` of both, where the n-th byte of the box lies. */
enum {BOX = 5 * 3 * 2, ROOM = 4096};

static size_t place(const size_t at[3], size_t pitch, size_t height, int n)
{
  return at[0] + (size_t)n % 5 +
         ((at[2] + (size_t)n / 15) * height + at[1] + (size_t)n / 5 % 3) *
             pitch;
}

static void test_copy_boxes(void **state)
{
  static char host[ROOM], back[ROOM], want[ROOM];
  const size_t from[3] = {3, 1, 2}, to[3] = {7, 4, 1};
  (void)state;
  char *a = device_alloc(ROOM);
  HIP_MEMCPY3D p = {
      .srcXInBytes = 3, .srcY = 1, .srcZ = 2, .srcPitch = 20, .srcHeight = 6,
      .srcMemoryType = hipMemoryTypeHost, .srcHost = host,
      .dstXInBytes = 7, .dstY = 4, .dstZ = 1, .dstPitch = 33, .dstHeight = 9,
      .dstMemoryType = hipMemoryTypeDevice, .dstDevice = a,
      .WidthInBytes = 5, .Height = 3, .Depth = 2};
  for (int n = 0; n < ROOM; n++)
    host[n] = (char)(n * 7);
  for (int n = 0; n < BOX; n++)
    want[place(to, 33, 9, n)] = host[place(from, 20, 6, n)];
  for (int k = 0; k < 2; k++) {
    check(h.hipMemset(a, 0, ROOM));
    check(k ? h.hipDrvMemcpy3DAsync(&p, NULL) : h.hipDrvMemcpy3D(&p));
    check(h.hipMemcpyDtoH(back, a, ROOM));
    assert_memory_equal(back, want, ROOM);
  }
  assert_int_equal(h.hipDrvMemcpy3D(NULL), hipErrorInvalidValue);
  p.dstZ = 20; /* behind the end */
  assert_int_equal(h.hipDrvMemcpy3D(&p), hipErrorInvalidValue);
  p.dstMemoryType = hipMemoryTypeArray;
  assert_int_equal(h.hipDrvMemcpy3D(&p), hipErrorNotSupported);
  check(h.hipFree(a));
}

/* Without pitch and height rows and slices follow each other closely. */
static void test_copy_close(void **state)
{
  char host[24], back[24];
  (void)state;
  for (int n = 0; n < 24; n++)
    host[n] = (char)n;
  char *a = device_alloc(24);
  HIP_MEMCPY3D p = {
      .srcMemoryType = hipMemoryTypeHost, .srcHost = host,
      .dstMemoryType = hipMemoryTypeDevice, .dstDevice = a,
      .WidthInBytes = 4, .Height = 3, .Depth = 2};
  check(h.hipDrvMemcpy3D(&p));
  check(h.hipMemcpyDtoH(back, a, 24));
  assert_memory_equal(back, host, 24);
  check(h.hipFree(a));
}

/* What is wrong with a fill's place: where it is, or how it is aligned. */
static void test_fill_place(void **state)
{
  (void)state;
  char *a = device_alloc(64);
  check(h.hipMemsetD16(a + 2, 1, 31));
  check(h.hipMemsetD32(a + 4, 1, 15));
  check(h.hipMemsetD8(a + 1, 1, 63));
  assert_int_equal(h.hipMemsetD16(a + 1, 1, 8), hipErrorInvalidValue);
  assert_non_null(strstr(h.hipsimError(), "not a multiple of 2"));
  assert_int_equal(h.hipMemsetD32(a + 2, 1, 8), hipErrorInvalidValue);
  assert_non_null(strstr(h.hipsimError(), "not a multiple of 4"));
  assert_int_equal(h.hipMemsetD16(a + 1, 1, 32), hipErrorInvalidValue);
  assert_non_null(strstr(h.hipsimError(), "not inside"));
  check(h.hipFree(a));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_memory),
      cmocka_unit_test(test_copy_ends),
      cmocka_unit_test(test_copy_rows),
      cmocka_unit_test(test_copy_boxes),
      cmocka_unit_test(test_copy_close),
      cmocka_unit_test(test_fill_place),
  };
  return cmocka_run_group_tests(tests, setup, NULL);
}
