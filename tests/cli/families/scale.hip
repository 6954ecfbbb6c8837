@ local loop <const> = include "parts/loop.hip"
constexpr int threads = $threads, each = $each;

extern "C" __global__ void __launch_bounds__(threads)
scale(const float *x, float *y, int n, float a)
{
  int first = blockIdx.x * threads$(each > 1 and " * each" or "") + threadIdx.x;
@ loop.block("i", each, "each", function (i, step)
    int at = first$(step("threads"));
    if (at < n)
      y[at] = a * x[at];
@ end)
}
