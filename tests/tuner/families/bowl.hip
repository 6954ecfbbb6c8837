extern "C" __global__ void bowl(float *x)
{
  x[threadIdx.x] = $(t0 + t1);
}
