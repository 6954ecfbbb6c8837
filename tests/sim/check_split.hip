// check_split.hip - kernels of gfx1250 with one mistake each, and some without; as
// planted.hip, by clang-22. 2 workgroups of 256 threads, those of `clusters` in one.
// SPDX-License-Identifier: MIT
#define DEVICE static __attribute__((device)) inline
#define SHARED __attribute__((shared))
#define GLOBAL __attribute__((address_space(1)))
#define LDS __attribute__((address_space(3)))
#define KERNEL(name)                                                           \
  extern "C" __attribute__((global))                                           \
  __attribute__((amdgpu_flat_work_group_size(1, 1024))) void                   \
  name(u32 *out, const u32 *in)
#define PLANTED(name) KERNEL(name)
#define SOUND(name) KERNEL(name)
#define T __builtin_amdgcn_workitem_id_x()
#define G __builtin_amdgcn_workgroup_id_x()
#define I (G * 256 + T)

typedef unsigned u32;
typedef unsigned long u64;
typedef int i32x4 __attribute__((ext_vector_type(4)));
typedef int i32x8 __attribute__((ext_vector_type(8)));

DEVICE void barrier()
{
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

DEVICE u32 local(const void *p) { return (u32)(u64)(LDS const char *)p; }

PLANTED(no_barrier)
{
  SHARED u32 x[256];
  x[T] = in[I];
  out[I] = x[255 - T]; //! race
}

// Of 1024 threads.
KERNEL(many_waves)
{
  SHARED u32 x[1024];
  x[T] = in[T];
  out[T] = x[1023 - T];
}

SOUND(with_barrier)
{
  SHARED u32 x[256];
  x[T] = in[I];
  barrier();
  out[I] = x[255 - T];
}

PLANTED(overwritten_too_early)
{
  SHARED u32 x[256];
  x[T] = in[I];
  barrier();
  const u32 y = x[255 - T];
  x[T] = y + 1; //! race
  barrier();
  out[I] = x[T];
}

SOUND(tree)
{
  SHARED u32 x[256];
  x[T] = in[I];
  for (u32 n = 128; n; n /= 2) {
    barrier();
    if (T < n)
      x[T] += x[T + n];
  }
  if (!T)
    out[G] = x[0];
}

PLANTED(write_not_waited_for)
{
  SHARED u32 x[256];
  u32 y;
  asm volatile("ds_store_b32 %0, %1\n"
               "s_barrier_signal -1\n"
               "s_barrier_wait -1" :: "v"(local(x + T)), "v"(T));
  asm volatile("ds_load_b32 %0, %1\n s_wait_dscnt 0" //! race
               : "=v"(y) : "v"(local(x + (255 - T))));
  out[I] = y;
}

PLANTED(load_not_waited_for)
{
  u32 x, y;
  asm volatile("global_load_b32 %0, %1, off" : "=v"(x) : "v"(in + I));
  asm volatile("v_add_nc_u32 %0, 1, %1" : "=v"(y) : "v"(x)); //! wait
  asm volatile("s_wait_loadcnt 0");
  out[I] = y;
}

PLANTED(other_counter)
{
  u32 x, y;
  asm volatile("global_load_b32 %0, %1, off" : "=v"(x) : "v"(in + I));
  asm volatile("s_wait_dscnt 0\n s_wait_storecnt 0\n s_wait_kmcnt 0");
  asm volatile("v_add_nc_u32 %0, 1, %1" : "=v"(y) : "v"(x)); //! wait
  asm volatile("s_wait_loadcnt 0");
  out[I] = y;
}

SOUND(older_load_waited_for)
{
  u32 x, y, z;
  asm volatile("global_load_b32 %0, %1, off" : "=&v"(x) : "v"(in + I));
  asm volatile("global_load_b32 %0, %1, off" : "=&v"(y) : "v"(in + I + 1));
  asm volatile("s_wait_loadcnt 1");
  asm volatile("v_add_nc_u32 %0, 1, %1" : "=&v"(z) : "v"(x));
  asm volatile("s_wait_loadcnt_dscnt 0" : "+v"(y));
  out[I] = z + y;
}

// A store is not among the loads that s_wait_loadcnt counts.
PLANTED(stores_do_not_count)
{
  u32 x, y;
  asm volatile("global_load_b32 %0, %1, off" : "=&v"(x) : "v"(in + I));
  asm volatile("global_store_b32 %0, %1, off" :: "v"(out + I), "v"(T));
  asm volatile("s_wait_loadcnt 1");
  asm volatile("v_add_nc_u32 %0, 1, %1" : "=v"(y) : "v"(x)); //! wait
  asm volatile("s_wait_loadcnt 0\n s_wait_storecnt 0");
  out[I] = y;
}

PLANTED(lds_not_waited_for)
{
  SHARED u32 x[256];
  u32 y, z;
  x[T] = T;
  asm volatile("s_wait_dscnt 0" ::: "memory");
  asm volatile("ds_load_b32 %0, %1" : "=&v"(y) : "v"(local(x + T)) : "memory");
  asm volatile("v_add_nc_u32 %0, 1, %1" : "=v"(z) : "v"(y)); //! wait
  asm volatile("s_wait_dscnt 0");
  out[I] = z;
}

PLANTED(scalar_not_waited_for)
{
  u32 x, y;
  asm volatile("s_load_b32 %0, %1, 0" : "=&s"(x) : "s"(in));
  asm volatile("s_add_co_i32 %0, %1, 1" : "=s"(y) : "s"(x)); //! wait
  asm volatile("s_wait_kmcnt 0");
  out[I] = y;
}

PLANTED(some_leave)
{
  if (T >= 128)
    return;
  __builtin_amdgcn_s_barrier(); //! barrier
  out[I] = T;
}

PLANTED(two_barriers)
{
  if (T < 128)
    __builtin_amdgcn_s_barrier();
  else
    __builtin_amdgcn_s_barrier(); //! barrier
  out[I] = T;
}

PLANTED(never_written)
{
  const u32 n = out[(1 << 15) + T]; // the second half is nobody's
  if (n > 5) //! init
    out[I] = 7;
}

PLANTED(lds_never_written)
{
  SHARED u32 x[256];
  out[I] = ((volatile LDS u32 *)x)[T] + 1; //! init
}

SOUND(gaps_are_copied)
{
  ((volatile i32x4 *)out)[I] = ((const volatile i32x4 *)(out + (1 << 15)))[T];
}

PLANTED(two_groups)
{
  out[T] = I; //! race
}

SOUND(atomics)
{
  __hip_atomic_fetch_add(out + T % 7, 1u, __ATOMIC_RELAXED, 4);
}

// The second group waits for the first one's flag.
SOUND(handed_over)
{
  u32 *const flag = out + 8000;
  if (!G) {
    out[T] = T;
    barrier();
    if (!T)
      __hip_atomic_store(flag, 1u, __ATOMIC_RELEASE, 4);
  } else {
    while (!__hip_atomic_load(flag, __ATOMIC_ACQUIRE, 4))
      ;
    out[I] = out[255 - T];
  }
}

PLANTED(too_far)
{
  out[I + (1u << 26)] = 1; //! bounds
}

// --- what goes to LDS behind the wave's back ---------------------------------

DEVICE void fetch(const u32 *from, u32 *to)
{
  __builtin_amdgcn_global_load_async_to_lds_b32((GLOBAL int *)from, (LDS int *)to, 0, 0);
}

SOUND(fetched)
{
  SHARED u32 x[256];
  fetch(in + I, x + T);
  __builtin_amdgcn_s_wait_asynccnt(0);
  barrier();
  out[I] = x[255 - T];
}

PLANTED(fetched_without_barrier)
{
  SHARED u32 x[256];
  fetch(in + I, x + T);
  __builtin_amdgcn_s_wait_asynccnt(0);
  out[I] = ((volatile LDS u32 *)x)[255 - T]; //! race
}

SOUND(tensor)
{
  SHARED u32 x[256];
  const u64 from = (u64)(in + 256 * G);
  const i32x4 tile = {1, (int)local(x), (int)from, (int)(from >> 32 | 1u << 31)};
  const i32x8 shape = {2 << 16, 256 << 16, 0, 256 << 16};
  if (T < 32) {
    __builtin_amdgcn_tensor_load_to_lds_d2(tile, shape, 0);
    __builtin_amdgcn_s_wait_tensorcnt(0);
  }
  barrier();
  out[I] = ((volatile LDS u32 *)x)[255 - T] + 1;
}

PLANTED(tensor_without_barrier)
{
  SHARED u32 x[256];
  const u64 from = (u64)(in + 256 * G);
  const i32x4 tile = {1, (int)local(x), (int)from, (int)(from >> 32 | 1u << 31)};
  const i32x8 shape = {2 << 16, 256 << 16, 0, 256 << 16};
  if (T < 32) {
    __builtin_amdgcn_tensor_load_to_lds_d2(tile, shape, 0);
    __builtin_amdgcn_s_wait_tensorcnt(0);
  }
  out[I] = ((volatile LDS u32 *)x)[255 - T]; //! race
}

// --- clusters ----------------------------------------------------------------

DEVICE void meet()
{
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent");
  if (__builtin_amdgcn_s_barrier_signal_isfirst(-1))
    ;
  __builtin_amdgcn_s_barrier_wait(-1);
  if (T < 32)
    __builtin_amdgcn_s_barrier_signal(-3);
  __builtin_amdgcn_s_barrier_wait(-3);
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent");
}

SOUND(clusters_meet)
{
  out[I] = T;
  meet();
  out[1024 + I] = out[511 - I];
}

PLANTED(clusters_do_not_meet)
{
  out[I] = T;
  out[1024 + I] = out[511 - I]; //! race
}

// --- registers and private memory, as in planted.hip, of 32 lanes ------------

PLANTED(register_never_written)
{
  u32 x;
  asm volatile("v_add_nc_u32 %0, v40, %1" : "=v"(x) : "v"(in[I]) : "v40");
  out[I] = x; //! init
}

// The branch that gives it a value is for half of the lanes.
PLANTED(register_of_other_lanes)
{
  u32 x = in[I];
  asm volatile("s_mov_b32 s20, exec_lo\n"
               "s_mov_b32 exec_lo, 0xffff\n"
               "v_mov_b32 v40, 3\n"
               "s_mov_b32 exec_lo, s20\n"
               "v_add_nc_u32 %0, v40, %0" : "+v"(x) :: "v40", "s20");
  out[I] = x; //! init
}

// Each half of a dual instruction is followed by itself.
PLANTED(second_half_of_two)
{
  u32 x = in[I];
  asm volatile("v_mov_b32 v41, 1\n"
               "v_dual_mov_b32 v42, v41 :: v_dual_add_nc_u32 v43, v40, v41\n"
               "v_add3_u32 %0, v42, v43, %0" : "+v"(x) :: "v40", "v41", "v42", "v43");
  out[I] = x; //! init
}

SOUND(both_halves)
{
  u32 x = in[I];
  asm volatile("v_dual_mov_b32 v40, 1 :: v_dual_mov_b32 v41, 2\n"
               "v_dual_mov_b32 v42, v41 :: v_dual_add_nc_u32 v43, v40, v41\n"
               "v_add3_u32 %0, v42, v43, %0" : "+v"(x) :: "v40", "v41", "v42", "v43");
  out[I] = x;
}

PLANTED(scalar_register_compared)
{
  u32 x = in[I];
  asm volatile("s_cmp_eq_u32 s60, 0" ::: "s60", "scc"); //! init
  out[I] = x;
}

// As compilers put together which lanes have left a loop: one SGPR is enough.
SOUND(mask_of_parts)
{
  u32 x = in[I];
  asm volatile("s_and_not1_b32 s60, s60, exec_lo\n"
               "v_cmp_lt_u32 vcc_lo, 5, %0\n"
               "s_and_b32 s62, vcc_lo, exec_lo\n"
               "s_or_b32 s60, s60, s62\n"
               "v_cndmask_b32 %0, 1, %0, s60"
               : "+v"(x) :: "s60", "s62", "vcc", "scc");
  out[I] = x;
}

// What the hardware says of the wave is written there.
SOUND(asks_the_hardware)
{
  u32 x;
  asm volatile("s_getreg_b32 s60, hwreg(HW_REG_MODE)\n"
               "s_add_co_u32 %0, s60, 1" : "=s"(x) :: "s60", "scc");
  out[I] = in[I] + x;
}

PLANTED(got_by_dpp8)
{
  u32 x = in[I];
  asm volatile("s_mov_b32 s20, exec_lo\n"
               "s_mov_b32 exec_lo, 0x55555555\n"
               "v_mov_b32 v40, 3\n"
               "s_mov_b32 exec_lo, s20\n"
               "v_mov_b32_dpp v41, v40 dpp8:[1,0,3,2,5,4,7,6]\n"
               "v_add_nc_u32 %0, v41, %0" : "+v"(x) :: "v40", "v41", "s20");
  out[I] = x; //! init
}

PLANTED(private_never_written)
{
  volatile u32 x[8];
  x[in[I] & 3] = T;
  out[I] = x[4 + (in[I] & 3)] + 1; //! init
}

SOUND(private_written)
{
  volatile u32 x[8];
  for (u32 k = 0; k < 8; k++)
    x[k] = in[I] + k;
  out[I] = x[in[I] & 7] + 1;
}
