// planted.hip - kernels with one mistake each, and some without.
//
// PLANTED(name) has a mistake: the line that ends in `//! KIND` is named by a
// finding of that kind. SOUND(name) has none. All are launched as 2 workgroups of
// 256 threads, with 2^16 words of `in` and of `out`.
// SPDX-License-Identifier: MIT
typedef unsigned u32;
#define PLANTED(name) \
  extern "C" __global__ void __launch_bounds__(256) name(u32 *out, const u32 *in)
#define SOUND(name) PLANTED(name)
#define T threadIdx.x
#define I (blockIdx.x * 256 + threadIdx.x)

// --- LDS, between waves ------------------------------------------------------

PLANTED(no_barrier)
{
  __shared__ u32 x[256];
  x[T] = in[I];
  out[I] = x[255 - T]; //! race
}

SOUND(with_barrier)
{
  __shared__ u32 x[256];
  x[T] = in[I];
  __syncthreads();
  out[I] = x[255 - T];
}

PLANTED(overwritten_too_early)
{
  __shared__ u32 x[256];
  x[T] = in[I];
  __syncthreads();
  const u32 y = x[255 - T];
  x[T] = y + 1; //! race
  __syncthreads();
  out[I] = x[T];
}

PLANTED(tree_without_barriers)
{
  __shared__ u32 x[256];
  x[T] = in[I];
  __syncthreads();
  for (u32 n = 128; n; n /= 2)
    if (T < n)
      x[T] += x[T + n]; //! race
  out[I] = x[0];
}

SOUND(tree)
{
  __shared__ u32 x[256];
  x[T] = in[I];
  for (u32 n = 128; n; n /= 2) {
    __syncthreads();
    if (T < n)
      x[T] += x[T + n];
  }
  __syncthreads();
  out[I] = x[0];
}

PLANTED(two_values)
{
  __shared__ u32 x[64];
  x[T % 64] = T; //! race
  __syncthreads();
  out[I] = x[T % 64];
}

SOUND(one_value)
{
  __shared__ u32 found;
  if (T == 0)
    found = 0;
  __syncthreads();
  if (in[I] != 12345)
    found = 1;
  __syncthreads();
  out[I] = found;
}

PLANTED(bytes)
{
  __shared__ unsigned char x[256];
  x[T] = (unsigned char)in[I];
  out[I] = x[T ^ 128]; //! race
}

SOUND(bytes_side_by_side)
{
  __shared__ volatile unsigned char x[1024];
  x[T % 64 * 4 + T / 64] = (unsigned char)in[I];
  out[I] = x[T % 64 * 4 + T / 64];
}

PLANTED(halves)
{
  __shared__ unsigned short x[256];
  x[T] = (unsigned short)in[I];
  out[I] = x[255 - T]; //! race
}

PLANTED(zeroed_late)
{
  __shared__ u32 count;
  if (T == 0)
    count = 0; //! race
  atomicAdd(&count, in[I] & 1);
  __syncthreads();
  out[I] = count;
}

PLANTED(counted_too_early)
{
  __shared__ u32 count;
  if (T == 0)
    count = 0;
  __syncthreads();
  atomicAdd(&count, in[I] & 1);
  out[I] = count; //! race
}

SOUND(histogram)
{
  __shared__ u32 count[16];
  if (T < 16)
    count[T] = 0;
  __syncthreads();
  atomicAdd(&count[in[I] % 16], 1u);
  __syncthreads();
  out[I] = count[T % 16];
}

PLANTED(waves_of_128)
{
  __shared__ volatile u32 x[256];
  x[T] = 0;
  __syncthreads();
  x[T] = in[I];
  x[T] = x[T] + x[T ^ 64]; //! race
  out[I] = x[T];
}

SOUND(within_a_wave)
{
  __shared__ volatile u32 x[256];
  x[T] = in[I];
  const u32 y = x[T ^ 32];
  x[T] = y + 1;
  out[I] = x[T ^ 1];
}

PLANTED(one_buffer_for_two_steps)
{
  __shared__ u32 x[256];
  u32 sum = 0;
  for (int k = 0; k < 4; k++) {
    x[T] = in[I + 256 * k]; //! race
    __syncthreads();
    sum += x[255 - T];
  }
  out[I] = sum;
}

PLANTED(transposed)
{
  __shared__ u32 x[16][17];
  x[T / 16][T % 16] = in[I];
  out[I] = x[T % 16][T / 16]; //! race
}

PLANTED(scan_in_place)
{
  __shared__ u32 x[256];
  x[T] = in[I];
  for (u32 n = 1; n < 256; n *= 2) {
    __syncthreads();
    if (T >= n)
      x[T] += x[T - n]; //! race
  }
  __syncthreads();
  out[I] = x[T];
}

PLANTED(barrier_before_the_write)
{
  __shared__ u32 x[256];
  const u32 at = (u32)(unsigned long)(__attribute__((address_space(3))) u32 *)x;
  const u32 y = in[I];
  asm volatile("ds_write_b32 %0, %1\n s_barrier" :: "v"(at + T * 4), "v"(y));
  u32 z;
  asm volatile("ds_read_b32 %0, %1\n s_waitcnt lgkmcnt(0)" //! race
               : "=v"(z) : "v"(at + (255 - T) * 4));
  out[I] = z + x[T] * 0;
}

// --- memory, between waves and workgroups ------------------------------------

PLANTED(neighbours)
{
  out[I] = in[I];
  if (blockIdx.x)
    out[1024 + I] = out[I - 256]; //! race
}

PLANTED(other_wave)
{
  out[I] = in[I];
  out[1024 + I] = out[I ^ 64]; //! race
}

SOUND(other_wave_after_a_barrier)
{
  out[I] = in[I];
  __syncthreads();
  out[1024 + I] = out[I ^ 64];
}

// Four dwords a lane, read one dword further on: by the next wave's last lane.
PLANTED(one_further)
{
  typedef u32 u32x4 __attribute__((ext_vector_type(4)));
  ((u32x4 *)out)[I] = ((const u32x4 *)in)[I];
  out[4096 + I] = out[4 * I + 4]; //! race
}

SOUND(one_further_within_a_lane)
{
  typedef u32 u32x4 __attribute__((ext_vector_type(4)));
  ((volatile u32x4 *)out)[I] = ((const u32x4 *)in)[I];
  out[4096 + I] = ((volatile u32 *)out)[4 * I + 1];
}

PLANTED(byte_of_another_wave)
{
  out[I] = in[I];
  out[1024 + I] = ((unsigned char *)out)[(4 * I + 257) % 2048]; //! race
}

PLANTED(both_groups_write)
{
  out[T] = I; //! race
}

PLANTED(count_without_atomics)
{
  if (T == 0)
    out[0] = out[0] + 1; //! race
}

// The last workgroup adds up what all have stored.
PLANTED(no_fence)
{
  __shared__ u32 last;
  out[I] = in[I];
  if (T == 0)
    last = atomicAdd(out + 1024, 1u);
  __syncthreads();
  if (last == 1)
    out[2048 + T] = out[T] + out[T + 256]; //! race
}

SOUND(with_fence)
{
  __shared__ u32 last;
  out[I] = in[I];
  __threadfence();
  __syncthreads();
  if (T == 0)
    last = atomicAdd(out + 1024, 1u);
  __syncthreads();
  __threadfence();
  if (last == 1)
    out[2048 + T] = out[T] + out[T + 256];
}

SOUND(flag)
{
  volatile u32 *ready = out + 1024;
  if (blockIdx.x == 0) {
    out[T] = in[T];
    __threadfence();
    __syncthreads();
    if (T == 0)
      *ready = 7;
  } else {
    while (*ready != 7)
      ;
    __threadfence();
    out[256 + T] = out[T];
  }
}

// --- waiting -----------------------------------------------------------------

PLANTED(load_used_at_once)
{
  u32 x, y;
  asm volatile("global_load_dword %0, %1, off" : "=v"(x) : "v"(in + I));
  asm volatile("v_add_u32 %0, 1, %1" : "=v"(y) : "v"(x)); //! wait
  asm volatile("s_waitcnt vmcnt(0)");
  out[I] = y;
}

SOUND(load_waited_for)
{
  u32 x, y;
  asm volatile("global_load_dword %0, %1, off" : "=v"(x) : "v"(in + I));
  asm volatile("s_waitcnt vmcnt(0)");
  asm volatile("v_add_u32 %0, 1, %1" : "=v"(y) : "v"(x));
  out[I] = y;
}

PLANTED(one_load_too_few)
{
  u32 x, y, z;
  asm volatile("global_load_dword %0, %1, off" : "=&v"(x) : "v"(in + I));
  asm volatile("global_load_dword %0, %1, off" : "=&v"(y) : "v"(in + I + 1));
  asm volatile("s_waitcnt vmcnt(1)");
  asm volatile("v_add_u32 %0, %1, %2" : "=v"(z) : "v"(x), "v"(y)); //! wait
  asm volatile("s_waitcnt vmcnt(0)");
  out[I] = z;
}

// Of 17 reads at most 15 are under way behind any s_waitcnt: the counter has 4 bits.
#define READS_17                                                               \
  "ds_read_b32 v40, %1\n ds_read_b32 v41, %1\n ds_read_b32 v42, %1\n"         \
  ".rept 14\n ds_read_b32 v43, %1\n .endr\n"                                  \
  "s_waitcnt lgkmcnt(15)\n"

SOUND(beyond_the_counter)
{
  __shared__ u32 y[256];
  const u32 at = (u32)(unsigned long)(__attribute__((address_space(3))) u32 *)y;
  u32 x;
  y[T] = T;
  asm volatile("s_waitcnt lgkmcnt(0)\n" READS_17 "v_mov_b32 %0, v41\n"
               "s_waitcnt lgkmcnt(0)"
               : "=&v"(x) : "v"(at + 4 * T)
               : "v40", "v41", "v42", "v43", "memory");
  out[I] = x;
}

PLANTED(within_the_counter)
{
  __shared__ u32 y[256];
  const u32 at = (u32)(unsigned long)(__attribute__((address_space(3))) u32 *)y;
  u32 x;
  y[T] = T;
  asm volatile("s_waitcnt lgkmcnt(0)\n" READS_17 "v_mov_b32 %0, v42\n" //! wait
               "s_waitcnt lgkmcnt(0)"
               : "=&v"(x) : "v"(at + 4 * T)
               : "v40", "v41", "v42", "v43", "memory");
  out[I] = x;
}

SOUND(the_first_of_two)
{
  u32 x, y, z;
  asm volatile("global_load_dword %0, %1, off" : "=&v"(x) : "v"(in + I));
  asm volatile("global_load_dword %0, %1, off" : "=&v"(y) : "v"(in + I + 1));
  asm volatile("s_waitcnt vmcnt(1)");
  asm volatile("v_add_u32 %0, 1, %1" : "=&v"(z) : "v"(x));
  asm volatile("s_waitcnt vmcnt(0)" : "+v"(y));
  out[I] = y + z;
}

PLANTED(other_counter)
{
  u32 x;
  asm volatile("global_load_dword %0, %1, off" : "=v"(x) : "v"(in + I));
  asm volatile("s_waitcnt lgkmcnt(0)");
  asm volatile("global_store_dword %0, %1, off" :: "v"(out + I), "v"(x)); //! wait
  asm volatile("s_waitcnt vmcnt(0)");
}

PLANTED(address_under_way)
{
  u32 *at = out + 2 * I, x, *y;
  asm volatile("global_store_dwordx2 %0, %0, off" :: "v"(at));
  asm volatile("s_waitcnt vmcnt(0)");
  asm volatile("global_load_dwordx2 %0, %1, off" : "=&v"(y) : "v"(at));
  asm volatile("global_load_dword %0, %1, off" : "=&v"(x) : "v"(y)); //! wait
  asm volatile("s_waitcnt vmcnt(0)");
  out[4096 + I] = x;
}

PLANTED(overwritten_by_the_load)
{
  u32 x;
  asm volatile("global_load_dword %0, %1, off" : "=&v"(x) : "v"(in + I));
  asm volatile("v_mov_b32 %0, 5" : "+v"(x)); //! wait
  asm volatile("s_waitcnt vmcnt(0)");
  out[I] = x;
}

PLANTED(lds_read_under_way)
{
  __shared__ u32 x[256];
  const u32 at = (u32)(unsigned long)(__attribute__((address_space(3))) u32 *)x;
  x[T] = in[I];
  __syncthreads();
  u32 y, z;
  asm volatile("ds_read_b32 %0, %1" : "=v"(y) : "v"(at + T * 4));
  asm volatile("v_xor_b32 %0, 3, %1" : "=v"(z) : "v"(y)); //! wait
  asm volatile("s_waitcnt lgkmcnt(0)");
  out[I] = z;
}

PLANTED(scalar_load_under_way)
{
  u32 x, y;
  asm volatile("s_load_dword %0, %1, 0x0" : "=s"(x) : "s"(in));
  asm volatile("v_mov_b32 %0, %1" : "=v"(y) : "s"(x)); //! wait
  asm volatile("s_waitcnt lgkmcnt(0)");
  out[I] = y;
}

// Scalar loads do not come back in order.
PLANTED(first_of_two_scalar_loads)
{
  u32 x, y, z;
  asm volatile("s_load_dword %0, %1, 0x0" : "=&s"(x) : "s"(in));
  asm volatile("s_load_dword %0, %1, 0x4" : "=&s"(y) : "s"(in));
  asm volatile("s_waitcnt lgkmcnt(1)");
  asm volatile("s_add_u32 %0, %1, 1" : "=&s"(z) : "s"(x) : "scc"); //! wait
  asm volatile("s_waitcnt lgkmcnt(0)");
  out[I] = y + z;
}

PLANTED(flat_load_under_way)
{
  u32 x, y;
  asm volatile("flat_load_dword %0, %1" : "=v"(x) : "v"(in + I));
  asm volatile("s_waitcnt lgkmcnt(0)");
  asm volatile("v_not_b32 %0, %1" : "=v"(y) : "v"(x)); //! wait
  asm volatile("s_waitcnt vmcnt(0) lgkmcnt(0)");
  out[I] = y;
}

PLANTED(permuted)
{
  u32 x, y;
  asm volatile("ds_bpermute_b32 %0, %1, %2" : "=v"(x) : "v"((u32)T * 4), "v"((u32)T));
  asm volatile("v_not_b32 %0, %1" : "=v"(y) : "v"(x)); //! wait
  asm volatile("s_waitcnt lgkmcnt(0)");
  out[I] = y;
}

PLANTED(old_value_of_an_atomic)
{
  u32 x, y;
  asm volatile("global_atomic_add %0, %1, %2, off glc"
               : "=v"(x) : "v"(out), "v"(1));
  asm volatile("v_not_b32 %0, %1" : "=v"(y) : "v"(x)); //! wait
  asm volatile("s_waitcnt vmcnt(0)");
  out[1024 + I] = y;
}

// Nothing is wrong where other lanes use the register.
SOUND(other_lanes)
{
  u32 x = T;
  asm volatile("s_mov_b64 s[20:21], exec\n"
               "s_mov_b64 exec, 0xff\n"
               "global_load_dword %0, %1, off\n"
               "s_not_b64 exec, exec\n"
               "v_add_u32 %0, 1, %0\n"
               "s_mov_b64 exec, s[20:21]\n"
               "s_waitcnt vmcnt(0)"
               : "+v"(x) : "v"(in + I) : "s20", "s21");
  out[I] = x;
}

// --- barriers ----------------------------------------------------------------

PLANTED(half_of_the_waves)
{
  __shared__ u32 x[128];
  if (T < 128) {
    x[T] = in[I];
    __builtin_amdgcn_s_barrier(); //! barrier
    out[I] = x[T ^ 1];
  }
}

PLANTED(left_early)
{
  __shared__ u32 x[256];
  x[T] = in[I];
  if (T >= 192)
    return;
  __builtin_amdgcn_s_barrier(); //! barrier
  out[I] = x[T ^ 1];
}

PLANTED(one_barrier_each)
{
  __shared__ u32 x[256];
  x[T] = in[I];
  if (T < 64) {
    asm volatile("s_barrier ; for one wave"); //! barrier
    out[I] = x[T] + 1;
  } else {
    asm volatile("s_barrier ; for the others");
    out[I] = x[T] * 5;
  }
}

SOUND(left_behind_the_barrier)
{
  __shared__ u32 x[256];
  x[T] = in[I];
  __syncthreads();
  if (T >= 128)
    return;
  out[I] = x[255 - T];
}

SOUND(as_often_each)
{
  __shared__ u32 x[256];
  u32 sum = 0;
  for (u32 k = 0; k < 3 + in[0] % 1; k++) {
    x[T] = in[I + k];
    __syncthreads();
    sum += x[255 - T];
    __syncthreads();
  }
  out[I] = sum;
}

// --- what nobody wrote -------------------------------------------------------
// Of `in` and `out` all was written but the second half of `out`.
enum { NEVER = 1 << 15 };

PLANTED(never_written)
{
  out[I] = out[NEVER + I] + 1; //! init
}

PLANTED(one_element_too_far)
{
  out[NEVER + I] = in[I];
  __syncthreads();
  if (blockIdx.x)
    out[I] = out[NEVER + I + 1] * 3; //! init
}

PLANTED(never_written_byte)
{
  unsigned char *bytes = (unsigned char *)(out + NEVER + 2 * I);
  bytes[0] = (unsigned char)in[I];
  out[I] = bytes[0] + bytes[1] * 2u; //! init
}

PLANTED(condition_that_nobody_wrote)
{
  if (out[NEVER + I] > 5) //! init
    out[I] = in[I];
}

PLANTED(address_that_nobody_wrote)
{
  out[I] = in[out[NEVER + I] & 255]; //! init
}

PLANTED(counter_not_zeroed)
{
  __atomic_fetch_add(out + NEVER, in[I] & 1, __ATOMIC_RELAXED); //! init
}

PLANTED(copied_first)
{
  __shared__ u32 x[256];
  x[T] = out[NEVER + I];
  __syncthreads();
  out[I] = x[255 - T] + 1; //! init
}

PLANTED(lds_never_written)
{
  __shared__ u32 x[256];
  if (T < 128)
    x[T] = in[I];
  __syncthreads();
  out[I] = x[T] + 1; //! init
}

PLANTED(lds_half_never_written)
{
  __shared__ volatile unsigned short x[512];
  x[2 * T] = (unsigned short)in[I];
  __syncthreads();
  out[I] = x[2 * T + 1] + 7u; //! init
}

PLANTED(lds_counter_not_zeroed)
{
  __shared__ u32 count[64];
  __atomic_fetch_add(&count[in[I] % 64], 1u, __ATOMIC_RELAXED); //! init
  __syncthreads();
  out[I] = in[I];
}

PLANTED(scalar_never_written)
{
  out[I] = in[I] + out[NEVER + blockIdx.x]; //! init
}

SOUND(padding_is_copied)
{
  struct four { unsigned char a; u32 b; };
  __shared__ struct four x[256];
  struct four *far = (struct four *)(out + NEVER);
  far[I].a = (unsigned char)in[I];
  far[I].b = in[I];
  x[T] = far[I];
  __syncthreads();
  const struct four y = x[T ^ 1];
  far[1024 + I] = y;
  out[I] = y.a + y.b;
}

SOUND(loaded_and_not_used)
{
  typedef u32 u32x4 __attribute__((ext_vector_type(4)));
  u32 *far = out + NEVER + 4 * I;
  far[0] = in[I];
  far[2] = in[I + 1];
  __syncthreads();
  const u32x4 y = *(volatile u32x4 *)far;
  out[I] = y[0] + y[2];
}

SOUND(one_side_of_a_choice)
{
  const u32 y = out[NEVER + I], x = in[I];
  out[I] = x + 1 ? x : y;
}

SOUND(result_that_nobody_wants)
{
  __shared__ volatile u32 x[256];
  if (T < 128)
    x[T] = in[I];
  __syncthreads();
  const u32 y = x[T] * 3 + in[I];
  if (T < 128)
    out[I] = y;
}

SOUND(written_by_the_kernel)
{
  for (u32 k = 0; k < 4; k++)
    out[NEVER + 4 * I + k] = in[I] + k;
  out[I] = out[NEVER + 4 * I + 3] - out[NEVER + 4 * I];
}

// --- registers and private memory --------------------------------------------

PLANTED(register_never_written)
{
  u32 x;
  asm volatile("v_add_u32 %0, v40, %1" : "=v"(x) : "v"(in[I]) : "v40");
  out[I] = x; //! init
}

// The branch that gives it a value is for half of the lanes.
PLANTED(register_of_other_lanes)
{
  u32 x = in[I];
  asm volatile("s_mov_b64 s[20:21], exec\n"
               "s_mov_b32 exec_hi, 0\n"
               "v_mov_b32 v40, 3\n"
               "s_mov_b64 exec, s[20:21]\n"
               "v_add_u32 %0, v40, %0" : "+v"(x) :: "v40", "s20", "s21");
  out[I] = x; //! init
}

PLANTED(register_as_an_address)
{
  __shared__ u32 y[256];
  y[T] = in[I];
  __syncthreads();
  u32 x;
  asm volatile("v_and_b32 %0, 60, v40" : "=v"(x) :: "v40");
  asm volatile("ds_read_b32 %0, %0" : "+v"(x)); //! init
  asm volatile("s_waitcnt lgkmcnt(0)" : "+v"(x));
  out[I] = x + y[T];
}

// Compilers compare first, and ask then in which lanes that counts.
SOUND(register_compared)
{
  u32 x = in[I];
  asm volatile("v_cmp_lt_u32 vcc, v40, %0\n"
               "s_mov_b64 s[20:21], 0\n"
               "s_and_b64 vcc, vcc, s[20:21]\n"
               "v_cndmask_b32 %0, %0, 1, vcc"
               : "+v"(x) :: "v40", "vcc", "scc", "s20", "s21");
  out[I] = x;
}

// A load is named, not the register that other lanes never wrote.
PLANTED(loaded_beside_a_register)
{
  u32 x = in[I], y;
  asm volatile("s_mov_b64 s[20:21], exec\n" //! init
               "s_mov_b32 exec_hi, 0\n"
               "v_mov_b32 v40, 3\n"
               "global_load_dword v41, %2, off\n"
               "s_waitcnt vmcnt(0)\n"
               "v_mad_u32_u24 %1, v41, v40, v40\n"
               "global_store_dword %3, %1, off\n"
               "s_waitcnt vmcnt(0)\n"
               "s_mov_b64 exec, s[20:21]"
               : "+v"(x), "=&v"(y) : "v"(out + NEVER + I), "v"(out + I)
               : "v40", "v41", "s20", "s21");
  out[I] = x;
}

PLANTED(scalar_register_never_written)
{
  u32 x;
  asm volatile("s_add_u32 %0, s60, 1" : "=s"(x) :: "s60", "scc");
  out[I] = in[I] + x; //! init
}

PLANTED(scalar_register_compared)
{
  u32 x = in[I];
  asm volatile("s_cmp_eq_u32 s60, 0" ::: "s60", "scc"); //! init
  out[I] = x;
}

PLANTED(private_never_written)
{
  volatile u32 x[8];
  x[in[I] & 3] = T;
  out[I] = x[4 + (in[I] & 3)] + 1; //! init
}

PLANTED(private_of_another_step)
{
  volatile u32 x[8];
  for (u32 k = 0; k < 4; k++)
    x[k] = in[I] + k;
  u32 sum = 0;
  for (u32 k = 0; k <= 4; k++)
    sum += x[k];
  out[I] = sum; //! init
}

// A register that nobody wrote may be kept, moved and thrown away.
SOUND(register_kept)
{
  u32 x = in[I];
  asm volatile("v_mov_b32 v41, v40\n"
               "v_mul_u32_u24 v42, 3, v41\n"
               "v_cndmask_b32 v41, v41, %0, vcc\n"
               "v_mov_b32 v40, %0\n"
               "v_add_u32 %0, v40, %0" : "+v"(x) :: "v40", "v41", "v42", "vcc");
  out[I] = x;
}

SOUND(register_of_these_lanes)
{
  u32 x = in[I];
  asm volatile("s_mov_b64 s[20:21], exec\n"
               "s_mov_b32 exec_hi, 0\n"
               "v_mov_b32 v40, 3\n"
               "v_add_u32 %0, v40, %0\n"
               "s_mov_b64 exec, s[20:21]" : "+v"(x) :: "v40", "s20", "s21");
  out[I] = x;
}

// As compilers put together which lanes have left a loop.
SOUND(mask_of_parts)
{
  u32 x = in[I];
  asm volatile("s_andn2_b64 s[60:61], s[60:61], exec\n"
               "v_cmp_lt_u32 vcc, 5, %0\n"
               "s_and_b64 s[62:63], vcc, exec\n"
               "s_or_b64 s[60:61], s[60:61], s[62:63]\n"
               "v_cndmask_b32 %0, 1, %0, s[60:61]"
               : "+v"(x) :: "s60", "s61", "s62", "s63", "vcc", "scc");
  out[I] = x;
}

// Launched one after the other by check.c: the first leaves in v0, which the hardware
// sets, what nobody wrote; the second has v0 beside a register of which some lanes
// are unknown.
SOUND(leaves_unknown)
{
  out[I] = in[I];
  asm volatile("global_load_dword v0, %0, off\n"
               "s_waitcnt vmcnt(0)" :: "v"(out + NEVER) : "v0");
}

SOUND(begins_afresh)
{
  asm volatile("s_mov_b64 s[20:21], exec\n"
               "s_mov_b32 exec_hi, 0\n"
               "v_mov_b32 v40, 3\n"
               "v_cmp_lt_u32 vcc, v40, v0\n"
               "s_mov_b64 exec, s[20:21]" ::: "v40", "s20", "s21", "vcc");
  out[I] = in[I];
}

SOUND(private_written)
{
  volatile u32 x[8];
  for (u32 k = 0; k < 8; k++)
    x[k] = in[I] + k;
  out[I] = x[in[I] & 7] + 1;
}

SOUND(private_half_of_it)
{
  volatile u32 x[8];
  x[2 * (in[I] & 3)] = T;
  out[I] = x[2 * (in[I] & 3)] + 1;
}

SOUND(register_kept_in_private_memory)
{
  u32 x = in[I];
  volatile u32 y;
  asm volatile("v_mul_u32_u24 %0, 3, v40" : "=v"(x) :: "v40");
  y = x;
  y = T;
  out[I] = y;
}

// --- what lanes get of each other --------------------------------------------

PLANTED(got_by_dpp)
{
  const u32 x = out[NEVER + I];
  const u32 y = (u32)__builtin_amdgcn_mov_dpp((int)x, 0x111, 15, 15, true); // row_shr:1
  out[I] = y + 1; //! init
}

PLANTED(got_by_bpermute)
{
  const u32 x = out[NEVER + I];
  out[I] = 1 + (u32)__builtin_amdgcn_ds_bpermute(4 * (T ^ 1), (int)x); //! init
}

PLANTED(got_by_permute)
{
  const u32 x = out[NEVER + I];
  out[I] = 1 + (u32)__builtin_amdgcn_ds_permute(4 * (T ^ 1), (int)x); //! init
}

PLANTED(got_by_swizzle)
{
  const u32 x = out[NEVER + I];
  out[I] = 1 + (u32)__builtin_amdgcn_ds_swizzle((int)x, 0x041f); //! init
}

PLANTED(lane_that_nobody_wrote)
{
  const u32 x = out[NEVER + I];
  out[I] = in[I] + (u32)__builtin_amdgcn_ds_bpermute((int)x, (int)T); //! init
}

PLANTED(got_by_readlane)
{
  const u32 x = out[NEVER + I];
  out[I] = in[I] + (u32)__builtin_amdgcn_readlane((int)x, 5); //! init
}

PLANTED(got_by_readfirstlane)
{
  const u32 x = out[NEVER + I];
  out[I] = in[I] + (u32)__builtin_amdgcn_readfirstlane((int)x); //! init
}

// Lanes of odd numbers have what nobody wrote, and nobody gets it.
SOUND(got_of_lanes_that_wrote)
{
  const int x = (int)(T & 1 ? out[NEVER + I] : in[I]);
  u32 sum = (u32)__builtin_amdgcn_mov_dpp(x, 0xa0, 15, 15, true); // 0, 0, 2, 2
  sum += (u32)__builtin_amdgcn_ds_bpermute(4 * (int)(T & ~1u), x);
  sum += (u32)__builtin_amdgcn_ds_swizzle(x, 0x001e); // lane & 30
  sum += (u32)__builtin_amdgcn_readlane(x, 4);
  sum += (u32)__builtin_amdgcn_readfirstlane(x);
  out[I] = sum;
}

// A sum over the wave by DPP: the lanes at the ends of rows get what does not count.
SOUND(sum_by_dpp)
{
  int x = (int)in[I];
  x += __builtin_amdgcn_update_dpp(0, x, 0x111, 15, 15, false);
  x += __builtin_amdgcn_update_dpp(0, x, 0x112, 15, 15, false);
  x += __builtin_amdgcn_mov_dpp(x, 0x114, 15, 15, false);
  x += __builtin_amdgcn_mov_dpp(x, 0x118, 15, 15, false);
  if (T % 16 == 15)
    out[I] = (u32)x;
}

PLANTED(vcc_never_written)
{
  u32 x;
  asm volatile("v_cndmask_b32 %0, 0, 1, vcc" : "=v"(x));
  out[I] = in[I + x]; //! init
}

// --- bounds ------------------------------------------------------------------
// A third buffer of 2^16 words lies 2^18 words behind `out`; the last two words of
// `in` are its address.

PLANTED(behind_the_end)
{
  out[65536 + I] = in[I]; //! bounds
}

PLANTED(before_the_beginning)
{
  out[I] = in[(int)I - 300]; //! bounds
}

PLANTED(null_pointer)
{
  const u32 *p = (const u32 *)(unsigned long)(in[I] & 1020);
  out[I] = p[T]; //! bounds
}

PLANTED(over_the_end)
{
  typedef unsigned long long u64;
  typedef u64 __attribute__((aligned(4))) odd;
  out[I] = (u32)*(const volatile odd *)(in + 65535 + I * 0); //! bounds
}

PLANTED(another_buffer)
{
  out[(1 << 18) + I] = in[I]; //! bounds
}

PLANTED(lds_behind_the_end)
{
  __shared__ u32 x[256];
  x[T] = in[I];
  __syncthreads();
  out[I] = x[T + (in[I] | 1024) % 2048] + 1; //! bounds
}

PLANTED(lds_behind_the_end_as_on_a_card)
{
  __shared__ u32 x[256];
  x[T] = in[I];
  __syncthreads();
  out[I] = x[T + (in[I] | 1024) % 2048]; //! bounds
}

SOUND(the_last_element)
{
  out[65535 - I] = in[65533 - I];
}

SOUND(pointer_from_memory)
{
  const u32 *p = *(const u32 *const *)(in + 65534);
  out[I] = p[I];
}

// --- banks -------------------------------------------------------------------
// Neither is a mistake: 32 rows of 32 dwords all begin in bank 0; of 33 dwords in
// 32 banks.

SOUND(in_one_bank)
{
  __shared__ u32 x[64 * 32];
  for (u32 k = T; k < 64 * 32; k += 256)
    x[k] = in[k];
  __syncthreads();
  out[I] = x[T % 64 * 32];
}

SOUND(in_all_banks)
{
  __shared__ u32 x[64 * 33];
  for (u32 k = T; k < 64 * 33; k += 256)
    x[k] = in[k];
  __syncthreads();
  out[I] = x[T % 64 * 33];
}
