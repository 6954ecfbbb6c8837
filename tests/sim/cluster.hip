// cluster.hip - multicast loads of gfx1250: what cluster.c runs, by clang-22.
//
// The groups of Composable Kernel's tests of multicast loads, as kernels of our
// own: what is loaded by whom for whom, into registers or into LDS. A mask has a
// bit for each workgroup of the cluster; each writes what it got behind the
// others', by its rank.
// SPDX-License-Identifier: MIT
#define KERNEL extern "C" __attribute__((global)) void
#define DEVICE static __attribute__((device)) inline
#define SHARED __attribute__((shared))
#define GLOBAL __attribute__((address_space(1)))
#define LDS __attribute__((address_space(3)))

typedef unsigned u32;
typedef int i32;
typedef i32 i32x2 __attribute__((ext_vector_type(2)));
typedef i32 i32x4 __attribute__((ext_vector_type(4)));

DEVICE u32 lane() { return __builtin_amdgcn_workitem_id_x() % 32; }
DEVICE u32 wave() { return __builtin_amdgcn_workitem_id_x() / 32; }
DEVICE u32 rank() { return __builtin_amdgcn_cluster_workgroup_flat_id(); }

// By width: a type, and the loads of it.
#define WIDTH(bits, type)                                                      \
  DEVICE type load(const type *from, u32 mask)                                 \
  {                                                                            \
    return __builtin_amdgcn_cluster_load_b##bits((GLOBAL type *)from, 0, mask); \
  }                                                                            \
  DEVICE void fetch(const type *from, LDS type *to, u32 mask)                  \
  {                                                                            \
    __builtin_amdgcn_cluster_load_async_to_lds_b##bits((GLOBAL type *)from, to, \
                                                       0, 0, mask);            \
  }                                                                            \
  DEVICE void fetch_own(const type *from, LDS type *to)                        \
  {                                                                            \
    __builtin_amdgcn_global_load_async_to_lds_b##bits((GLOBAL type *)from, to, \
                                                      0, 0);                   \
  }                                                                            \
  DEVICE void put(type *to, LDS type *from)                                    \
  {                                                                            \
    __builtin_amdgcn_global_store_async_from_lds_b##bits((GLOBAL type *)to,    \
                                                         from, 0, 0);          \
  }
WIDTH(32, i32)
WIDTH(64, i32x2)
WIDTH(128, i32x4)

#define WAIT(n) __builtin_amdgcn_s_wait_asynccnt(n)
#define LOCAL(p) ((LDS __typeof__(*(p)) *)(p))

DEVICE void barrier()
{
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

// Into registers: those whose rank is in `mask` load together.
#define REGISTERS(bits, type)                                                  \
  KERNEL load_b##bits(type *out, const type *in, u32 mask)                     \
  {                                                                            \
    out[32 * rank() + lane()] = load(in + lane(), mask);                       \
  }
REGISTERS(32, i32)
REGISTERS(64, i32x2)
REGISTERS(128, i32x4)

// Others do an ordinary load, of what is at their own place.
KERNEL load_partial(i32 *out, const i32 *in, u32 mask)
{
  const u32 at = 32 * rank() + lane();
  if (mask >> rank() & 1)
    out[at] = load(in + lane(), mask);
  else
    out[at] = in[at];
}

// Two halves of a cluster of four, each with a mask and data of its own.
KERNEL load_pairs(i32 *out, const i32 *in)
{
  const u32 pair = rank() / 2;
  out[32 * rank() + lane()] = load(in + 32 * pair + lane(), 3u << 2 * pair);
}

// Into LDS, by the first wave; all read it.
#define TO_LDS(bits, type)                                                     \
  KERNEL fetch_b##bits(type *out, const type *in, u32 mask)                    \
  {                                                                            \
    SHARED type tile[32];                                                      \
    const u32 waves = __builtin_amdgcn_workgroup_size_x() / 32;                \
    if (!wave()) {                                                             \
      fetch(in + lane(), LOCAL(tile + lane()), mask);                          \
      WAIT(0);                                                                 \
    }                                                                          \
    barrier();                                                                 \
    out[32 * (waves * rank() + wave()) + lane()] = tile[lane()];               \
  }
TO_LDS(32, i32)
TO_LDS(64, i32x2)
TO_LDS(128, i32x4)

// Eight words apart, zeros between them.
KERNEL fetch_strided(i32 *out, const i32 *in)
{
  SHARED i32 tile[256];
  for (u32 n = lane(); n < 256; n += 32)
    tile[n] = 0;
  barrier();
  fetch(in + lane(), LOCAL(tile + 8 * lane()), 1);
  WAIT(0);
  for (u32 n = lane(); n < 256; n += 32)
    out[n] = tile[n];
}

// Multicast and ordinary loads share a counter.
KERNEL fetch_both(i32 *out, const i32 *in)
{
  SHARED i32 tile[64];
  fetch(in + lane(), LOCAL(tile + lane()), 1);
  fetch_own(in + 32 + lane(), LOCAL(tile + 32 + lane()));
  WAIT(0);
  out[lane()] = tile[lane()];
  out[32 + lane()] = tile[32 + lane()];
}

// The older is there when one is left.
KERNEL fetch_in_order(i32 *out, const i32 *in)
{
  SHARED i32 tile[64];
  fetch(in + lane(), LOCAL(tile + lane()), 1);
  fetch_own(in + 32 + lane(), LOCAL(tile + 32 + lane()));
  WAIT(1);
  out[lane()] = tile[lane()];
  WAIT(0);
  out[32 + lane()] = tile[32 + lane()];
}

KERNEL fetch_partial(i32 *out, const i32 *in, u32 mask)
{
  SHARED i32 tile[32];
  const u32 at = 32 * rank() + lane();
  if (mask >> rank() & 1)
    fetch(in + lane(), LOCAL(tile + lane()), mask);
  else
    fetch_own(in + at, LOCAL(tile + lane()));
  WAIT(0);
  out[at] = tile[lane()];
}

KERNEL fetch_pairs(i32 *out, const i32 *in)
{
  SHARED i32 tile[32];
  const u32 pair = rank() / 2;
  fetch(in + 32 * pair + lane(), LOCAL(tile + lane()), 3u << 2 * pair);
  WAIT(0);
  out[32 * rank() + lane()] = tile[lane()];
}

// The instruction's offset of 4 bytes moves both addresses.
KERNEL fetch_offset(i32 *out, const i32 *in)
{
  SHARED i32 tile[66];
  for (u32 n = lane(); n < 66; n += 32)
    tile[n] = -1;
  barrier();
  __builtin_amdgcn_cluster_load_async_to_lds_b32(
      (GLOBAL i32 *)in + lane(), LOCAL(tile + 2 * lane()), 4, 0, 1);
  WAIT(0);
  for (u32 n = lane(); n < 66; n += 32)
    out[n] = tile[n];
}

// From LDS to memory.
KERNEL put_b128(i32x4 *out, const i32x4 *in)
{
  SHARED i32x4 tile[32];
  tile[lane()] = in[lane()] + 1;
  barrier();
  put(out + lane(), LOCAL(tile + lane()));
  WAIT(0);
}

// After the cluster's barrier each sees what the next workgroup wrote.
KERNEL meet(i32 *out, i32 *in, u32 size)
{
  if (!lane())
    in[rank()] = 100 + rank();
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "");
  __builtin_amdgcn_s_cluster_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "");
  if (!lane())
    out[rank()] = ((volatile i32 *)in)[(rank() + 1) % size];
}

// Which workgroup of which cluster each is; clusters may be two-dimensional.
KERNEL places(i32 *out)
{
  const u32 x = __builtin_amdgcn_workgroup_id_x();
  const u32 y = __builtin_amdgcn_workgroup_id_y();
  const u32 at = 4 * (x + 4 * y);
  out[at] = __builtin_amdgcn_cluster_id_x();
  out[at + 1] = __builtin_amdgcn_cluster_id_y();
  out[at + 2] = __builtin_amdgcn_cluster_workgroup_id_x() +
                16 * __builtin_amdgcn_cluster_workgroup_id_y();
  out[at + 3] = rank();
}

// Compiled for clusters of two.
KERNEL __attribute__((cluster_dims(2, 1, 1)))
fixed(i32 *out, const i32 *in, u32 mask)
{
  out[32 * __builtin_amdgcn_workgroup_id_x() + lane()] =
      load(in + lane(), mask) + 1000 * rank();
}

// A constant that looks like v_dual_mov_b32 :: v_dual_add_nc_u32, and what follows it.
KERNEL lookalike(u32 *out)
{
  u32 x;
  asm volatile("s_mov_b32 %0, 0xca200108\n"
               "s_add_co_u32 %0, %0, 1"
               : "=s"(x) : : "scc");
  out[lane()] = x;
}

// --- broken on purpose ------------------------------------------------------

KERNEL no_wait(i32 *out, const i32 *in)
{
  SHARED i32 tile[32];
  fetch(in + lane(), LOCAL(tile + lane()), 1);
  out[lane()] = ((volatile LDS i32 *)tile)[lane()];
}

// A tile of 8 rows of 32 words out of rows of 64, by the tensor mover, which one wave
// asks; then to the same place of `out`. `wait` 0: nobody waits for it.
typedef i32 i32x8 __attribute__((ext_vector_type(8)));
typedef unsigned long u64;

DEVICE void tensor(i32 *out, const i32 *in, u32 mask, int wait)
{
  SHARED i32 tile[8 * 32];
  const u64 from = (u64)in, to = (u64)out;
  const i32x8 shape = {(i32)(mask | 2 << 16), 32 << 16, 8 << 16, 32 << 16, 8, 64};
  const i32x4 load = {1, (i32)(u64)LOCAL(tile), (i32)from,
                      (i32)(from >> 32 | 1u << 31)};
  const i32x4 store = {1, load.y, (i32)to, (i32)(to >> 32 | 1u << 31)};
  const i32x4 none = {};
  __builtin_amdgcn_tensor_load_to_lds_d2(load, shape, 0);
  if (wait)
    __builtin_amdgcn_s_wait_tensorcnt(0);
  __builtin_amdgcn_tensor_store_from_lds(store, shape, none, none, 0);
}

KERNEL tensor_tile(i32 *out, const i32 *in, u32 mask) { tensor(out, in, mask, 1); }
KERNEL tensor_no_wait(i32 *out, const i32 *in) { tensor(out, in, 0, 0); }

// Its own bit is not in the mask.
KERNEL not_mine(i32 *out, const i32 *in, u32 mask)
{
  SHARED i32 tile[32];
  tile[lane()] = -1;
  barrier();
  fetch(in + lane(), LOCAL(tile + lane()), mask);
  WAIT(0);
  out[32 * rank() + lane()] = tile[lane()];
}

// One workgroup of the cluster waits for a word that another writes behind the
// barrier at which all must be.
KERNEL nobody_comes(i32 *out, i32 *in)
{
  if (rank() == 1)
    while (!((volatile i32 *)out)[64])
      ;
  __builtin_amdgcn_s_cluster_barrier();
  if (!rank())
    out[64] = 1;
}
