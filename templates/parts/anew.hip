
// The same value: what is computed of it is computed where it is needed, and
// takes no registers all along.
template <class T>
static __device__ inline T anew(T x)
{
#ifdef __HIP__
  asm volatile("" : "+v"(x));
#endif
  return x;
}
