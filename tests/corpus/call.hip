// call.hip - functions, and arguments that are more than words
// SPDX-License-Identifier: MIT

__device__ __attribute__((noinline)) u32 mix(u32 a, u32 b, u32 c)
{
  a -= c;
  a ^= c << 4 | c >> 28;
  return a * 3 + b;
}

KERNEL(noinline, u32, u32)
{
  u32 x = in[GLOBAL_ID];
  for (int i = 0; i < 10; i++)
    x = x % 3 ? mix(x, i, in[i]) : mix(i, x, x >> 7);
  out[GLOBAL_ID] = x;
}

__device__ u32 ackermann(u32 m, u32 k)
{
  if (!m)
    return k + 1;
  return k ? ackermann(m - 1, ackermann(m, k - 1)) : ackermann(m - 1, 1);
}

KERNEL(recursion, u32, u32)
{
  out[GLOBAL_ID] = ackermann(in[GLOBAL_ID] % 3, in[GLOBAL_ID] / 8 % 4);
}

__device__ u32 half_of_it(u32 x)
{
  return x / 2;
}

__device__ u32 double_it(u32 x)
{
  return 2 * x + 1;
}

__device__ u32 square_it(u32 x)
{
  u32 digits[8]; // a frame of its own
  for (int i = 0; i < 8; i++)
    digits[i] = x >> 4 * i & 15;
  return x * x + digits[x % 8];
}

typedef u32 (*step)(u32);
__device__ step steps[3] = {half_of_it, double_it, square_it};

KERNEL(pointers, u32, u32)
{
  u32 x = in[GLOBAL_ID];
  for (int i = 0; i < 5; i++)
    x = steps[x % 3](x);
  out[GLOBAL_ID] = x;
}

struct vector3 {
  double x, y, z;
};

__device__ __attribute__((noinline)) vector3 cross(vector3 a, vector3 b)
{
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

KERNEL(structs, vector3, vector3)
{
  const int i = GLOBAL_ID, m = n / 6;
  out[i] = cross(in[i], cross(in[m - 1 - i], in[i]));
}

struct settings {
  u64 offset;
  u8 bytes[5];
  u16 scale;
  float factors[6];
  i8 sign;
};

extern "C" __global__ void by_value(float *out, const u32 *in, int n,
                                    settings s, u8 last, double wide)
{
  const int i = GLOBAL_ID;
  out[i] = (float)(in[i] % s.scale) * s.factors[in[i] % 6] * s.sign +
           s.bytes[i % 5] + (float)(s.offset >> 32) + last + (float)wide;
}

struct shape {
  __device__ virtual u32 area() const = 0;
};
struct square : shape {
  u32 side;
  __device__ square(u32 side) : side(side) {}
  __device__ u32 area() const override { return side * side; }
};
struct oblong : shape {
  u32 a, b;
  __device__ oblong(u32 a, u32 b) : a(a), b(b) {}
  __device__ u32 area() const override { return a * b; }
};

KERNEL(virtuals, u32, u32)
{
  const u32 x = in[GLOBAL_ID];
  square s(x & 0xff);
  oblong o(x >> 8 & 0xff, x >> 16 & 0xff);
  const shape *which = x >> 31 ? (const shape *)&s : &o;
  out[GLOBAL_ID] = which->area();
}

template <int N, typename T> __device__ T power(T x)
{
  return N ? x * power<(N ? N - 1 : 0)>(x) : 1;
}

KERNEL(templates, u64, u64)
{
  const auto twice = [=](u64 x) { return 2 * x + in[0]; };
  out[GLOBAL_ID] = twice(power<5>(in[GLOBAL_ID])) + power<3>(7);
}
