/* product.c - C = alpha A B in f32, by a kernel out of a pack.
 *
 *     tune gemm --arch gfx906 --m 512 --n 512 --k 512
 *     tune pack
 *     product wavetune.pack gfx906 512 384 256
 *
 * Behind the sizes may stand the layout of A and B: n as is, t transposed.
 */
/* SPDX-License-Identifier: MIT */
#include <hip/hip_runtime_api.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <tuned.h>

static const float alpha = 0.5f;

static int fail(const char *what, const char *why)
{
  fprintf(stderr, "product: %s: %s\n", what, why);
  return 1;
}

/* Numbers from -1 to 1 that are always the same. */
static float *fill(size_t n, unsigned seed)
{
  float *a = malloc(n * sizeof *a);
  for (size_t i = 0; a && i < n; i++) {
    seed = seed * 1664525u + 1013904223u;
    a[i] = (float)(seed >> 8) / (1 << 23) - 1;
  }
  return a;
}

/* How far c is off the product, relative to the length of the sums. */
static double worst(const float *a, const float *b, const float *c, int m,
                    int n, int k, const char *layout)
{
  int at = layout[0] == 't', bt = layout[1] == 't';
  double most = 0;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int l = 0; l < k; l++)
        sum += (double)a[at ? l * m + i : i * k + l] *
               b[bt ? j * k + l : l * n + j];
      most = fmax(most, fabs(alpha * sum - c[(size_t)i * n + j]) / k);
    }
  return most;
}

/* A copy of the matrix on the device. */
static void *upload(const float *from, size_t n)
{
  void *to = NULL;
  if (hipMalloc(&to, n * sizeof *from) != hipSuccess ||
      hipMemcpy(to, from, n * sizeof *from, hipMemcpyHostToDevice))
    return NULL;
  return to;
}

static int multiply(tuned *t, int m, int n, int k, const char *layout)
{
  const struct tuned_key keys[] = {
    TUNED_WHOLE("m", m),         TUNED_WHOLE("n", n),
    TUNED_WHOLE("k", k),         TUNED_WORD("layout", layout),
    TUNED_WORD("dtype", "f32"),  TUNED_NUMBER("alpha", alpha),
  };
  size_t na = (size_t)m * k, nb = (size_t)k * n, nc = (size_t)m * n;
  float *a = fill(na, 1), *b = fill(nb, 2), *c = fill(nc, 3);
  void *scratch = NULL;
  struct tuned_found f;
  int code = tuned_find(t, "gemm", keys, 6, TUNED_FITTED, &f);
  if (!code)
    code = tuned_load(t, &f);
  if (code)
    return fail("finding a kernel", tuned_reason(code));
  void *buffers[] = {upload(a, na), upload(b, nb), upload(c, nc)};
  if (f.scratch && hipMalloc(&scratch, f.scratch) != hipSuccess)
    return fail("hipMalloc", "no scratch");
  code = tuned_launch(t, &f, buffers, 3, scratch, NULL);
  if (code || hipDeviceSynchronize() != hipSuccess ||
      hipMemcpy(c, buffers[2], nc * sizeof *c, hipMemcpyDeviceToHost))
    return fail("launching", tuned_reason(code));
  double error = worst(a, b, c, m, n, k, layout);
  printf("%d x %d x %d: %s, %.1f us %s, loss %.2f, %zu bytes of scratch, "
         "error %.1e\n", m, n, k, f.how == TUNED_EXACT ? "exact" : "fitted",
         f.us, f.modelled ? "modelled" : "measured", f.loss, f.scratch, error);
  return error < 1e-6 ? 0 : fail("the product", "it is wrong");
}

int main(int argc, char **argv)
{
  const struct tuned_hip hip = TUNED_HIP;
  char why[256];
  tuned *t;
  if (argc < 6)
    return fail("usage", "product PACK ARCH M N K [LAYOUT]");
  if (hipSetDevice(0) != hipSuccess)
    return fail("hipSetDevice", "there is no device");
  if (tuned_open(&t, argv[1], argv[2], &hip, why))
    return fail("opening the pack", why);
  int failed = multiply(t, atoi(argv[3]), atoi(argv[4]), atoi(argv[5]),
                        argc > 6 ? argv[6] : "nn");
  tuned_close(t);
  return failed;
}
