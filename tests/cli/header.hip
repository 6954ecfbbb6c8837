// header.hip - products by the headers of `tune emit --header`, and nothing else of
// ours, against sums of doubles over the weights as ggml defines them.
//
//     header TYPE M N K...     prints how many products were served; fails on a
//                              wrong one. Random blocks and activations.
// SPDX-License-Identifier: MIT
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

#include "mmq.cuh"
#include "mmvq.cuh"

static uint32_t state = 1;
static uint32_t draw()
{
  state = state * 1664525 + 1013904223;
  return state >> 8;
}

static float widen(const uint8_t *at)
{
  uint16_t bits = (uint16_t)(at[0] | at[1] << 8);
  _Float16 x;
  memcpy(&x, &bits, sizeof x);
  return (float)x;
}

// Number e of a block: q4_0 is d (q - 8), q8_0 is d q, q4_K d s q - dmin m.
static double number(const char *type, const uint8_t *b, int e)
{
  double d = widen(b);
  if (!strcmp(type, "q8_0"))
    return d * (int8_t)b[2 + e];
  if (!strcmp(type, "q4_0"))
    return d * ((e < 16 ? b[2 + e] & 15 : b[2 + e - 16] >> 4) - 8);
  int g = e / 32, q = b[16 + g / 2 * 32 + e % 32] >> g % 2 * 4 & 15;
  const uint8_t *s = b + 4;
  int scale = g < 4 ? s[g] & 63 : (s[g + 4] & 15) | s[g - 4] >> 6 << 4;
  int least = g < 4 ? s[g + 4] & 63 : s[g + 4] >> 4 | s[g] >> 6 << 4;
  return d * scale * q - widen(b + 2) * least;
}

template <class Problem, class Kernel, class Buffers>
static int launch(const Kernel *k, const Problem &p, Buffers b)
{
  char *scratch;
  size_t bytes = k->scratch(p);
  if (hipMalloc((void **)&scratch, bytes + 256) != hipSuccess)
    return 1;
  memset(scratch, 0x7f, bytes + 256); // the simulator's memory is the host's
  int wrong = k->launch(p, b, scratch, NULL) != hipSuccess ||
              hipDeviceSynchronize() != hipSuccess;
  for (int i = 0; i < 256; i++)
    wrong |= scratch[bytes + i] != 0x7f; // it took no more
  return wrong | (hipFree(scratch) != hipSuccess);
}

// 1: served; 0: no kernel; -1: failed.
static int multiply(const char *type, long long m, long long n, long long k,
                    void *w, void *x, void *c)
{
  if (n <= 8) {
    mmvq_gfx906::problem p = {m, n, k, type, "f32", 0};
    const mmvq_gfx906::kernel *found = mmvq_gfx906::find(p);
    mmvq_gfx906::buffers b = {};
    b.w = w, b.x = x, b.c = c;
    return !found ? 0 : launch(found, p, b) ? -1 : 1;
  }
  mmq_gfx906::problem p = {m, n, k, type, "f32", 0, 8, "zipf"};
  const mmq_gfx906::kernel *found = mmq_gfx906::find(p);
  mmq_gfx906::buffers b = {};
  b.w = w, b.x = x, b.c = c;
  return !found ? 0 : launch(found, p, b) ? -1 : 1;
}

static int check(const char *type, int m, int n, int k)
{
  int each = strcmp(type, "q4_K") ? 32 : 256;
  int size = each == 256 ? 144 : strcmp(type, "q8_0") ? 18 : 34;
  size_t blocks = (size_t)m * k / each;
  uint8_t *w;
  float *x, *c;
  if (hipMalloc((void **)&w, blocks * size) || hipMalloc((void **)&x, 4u * n * k) ||
      hipMalloc((void **)&c, 4u * m * n + 4))
    return -1;
  for (size_t i = 0; i < blocks * size; i++)
    w[i] = (uint8_t)draw();
  for (size_t i = 0; i < blocks; i++) { // scales about 1 / 64
    w[i * size + 1] = 0x24;
    if (each == 256)
      w[i * size + 3] = 0x24;
  }
  for (int i = 0; i < n * k; i++)
    x[i] = (float)draw() / (1 << 23) - 1;
  memset(c, 0xff, 4u * m * n + 4);
  int served = multiply(type, m, n, k, w, x, c);
  double off = 0, all = 0;
  for (int i = 0; served > 0 && i < n; i++)
    for (int j = 0; j < m; j++) {
      double sum = 0, difference;
      for (int l = 0; l < k; l++)
        sum += number(type, w + ((size_t)j * k + l) / each * size, l % each) *
               x[(size_t)i * k + l];
      difference = c[(size_t)i * m + j] - sum;
      off += difference * difference;
      all += sum * sum;
    }
  // ggml's own bound; a NaN is no less
  int right = served <= 0 || (off <= 5e-4 * all && ((uint32_t *)c)[m * n] == ~0u);
  if (!right || served < 0)
    printf("%s %d %d %d: wrong, NMSE %g\n", type, m, n, k, off / all);
  return right && hipFree(w) == 0 && hipFree(x) == 0 && hipFree(c) == 0 ? served : -1;
}

int main(int argc, char **argv)
{
  int served = 0, asked = 0, failed = 0;
  for (int i = 1; i + 3 < argc; i += 4, asked++) {
    int is = check(argv[i], atoi(argv[i + 1]), atoi(argv[i + 2]), atoi(argv[i + 3]));
    served += is > 0;
    failed += is < 0;
  }
  printf("%d of %d served, %d wrong\n", served, asked, failed);
  return failed > 0;
}
