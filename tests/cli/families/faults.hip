// A thread makes one element of C. Candidate $serial, $fault.

@ if fault == "rtc_hang" then
// Twice as many types a level: no compiler gets to the end.
template <int n, unsigned long long path> struct tree {
  static constexpr int value = tree<n - 1, 2 * path>::value + tree<n - 1, 2 * path + 1>::value;
};
template <unsigned long long path> struct tree<0, path> {
  static constexpr int value = 1;
};

@ elseif fault == "rtc_crash" then
#ifdef __clang__
#pragma clang __debug crash
#else
#pragma crash // which tests/cuda/fake_nvrtc.c does
#endif

@ end
extern "C" __global__ void __launch_bounds__(64)
faults(const float *a, const float *b, float *c, int m, int n, int k, float alpha)
{
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= m * n)
    return;
  float sum = 0;
  for (int x = 0; x < k; x++)
    sum += a[i / n * k + x] * b[x * n + i % n];
@ if fault == "hang" then
  while (m > 0)
    asm volatile("");
@ elseif fault == "fault" then
  c[1ll << 40] = sum;
@ elseif fault == "guard" then
  c[-1 - i] = sum;
@ elseif fault == "input" then
  ((float *)a)[i % 8] = $serial;
@ elseif fault == "wrong" then
  sum *= 1.01f;
@ elseif fault == "rtc_hang" then
  sum += tree<50, 1>::value;
@ end
  c[i] = alpha * sum;
}
