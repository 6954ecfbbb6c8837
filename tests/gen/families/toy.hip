@ local tile <const> = threads * each
extern "C" __global__ void __launch_bounds__($threads)
toy(const float *x, float *y, int n, float a)
{
  int first = blockIdx.x * $tile + threadIdx.x;
@ for i = 0, each - 1 do
  int i$i = first + $(i * threads);
  if (i$i < n)
@   if order == "down" then
    y[i$i] += a * x[n - 1 - i$i];
@   else
    y[i$i] += a * x[i$i * $stride];
@   end
@ end
}
