@ local loop <const> = include "parts/loop.hip"
@ local row <const> = 1024 -- words
@ local threads <const> = arch.wave * waves
@ local vectors <const> = row // (threads * width) -- of a row, a thread
@ local size <const> = x * y
@ local shared <const> = path == "lds"
@ local multicast <const> = load == "multicast"
@ local bits <const> = 32 * width
@ local type <const> = width == 1 and "int" or "vector"
@
@ -- Who shares a load, a bit each, and the first of them. Bit 16: nobody waits long.
@ local early_bit <const> = early == 1 and " | 1 << 16" or ""
@ local function number(mask) return string.format("0x%x", mask | early << 16) end
@ local masks <const> = {
@   all = { number((1 << size) - 1) },
@   self = { "1 << rank" .. early_bit },
@   zero = { "0" },
@   even = { "rank % 2 ? 0 : " .. number(0x5555 & (1 << size) - 1), "rank % 2 ? rank : 0" },
@   pairs = { "3 << rank / 2 * 2" .. early_bit, "rank / 2 * 2" },
@ }
@ local who <const>, first <const> = masks[mask][1], masks[mask][2]
@ -- By this mask some share nothing: a 0 has them load for themselves.
@ local some <const> = mask == "even" and multicast
@
@ -- A vector of this number in LDS.
@ local function slot(at) return stride == 1 and at or "stride * (" .. at .. ")" end
@
@ local mask_arg <const> = multicast and ", int mask" or ""
@ local passed <const> = multicast and ", mask" or ""
@
@ local whose <const> = first and "its own or the one that its mask shares" or
@                       "which all of a cluster have in common"
// Clusters of $x by $y workgroups: each adds up $depth rows of $row words of a
// stream, $whose, through $(shared and "LDS" or "registers").

constexpr int row = $row, depth = $depth; // words of a row, rows of a stream
constexpr int threads = $threads, width = $width; // words of a load
constexpr int vectors = row / (threads * width); // of a row, a thread
constexpr int size = $size; // workgroups of a cluster
@ if stride > 1 then
constexpr int stride = $stride; // of LDS, in vectors
@ end
@ if width > 1 then
typedef int vector __attribute__((ext_vector_type($width)));
@ end
typedef __attribute__((address_space(1))) $type device_word;
@ if shared then
typedef __attribute__((address_space(3))) $type lds_word;
@ end

@ if shared then
// Start a load of one vector into LDS.
static __device__ inline void fetch(const $type *from, lds_word *to$mask_arg)
{
  device_word *at = (device_word *)from;
@   if some then
  if (!mask) {
    __builtin_amdgcn_global_load_async_to_lds_b$bits(at, to, 0, 0);
    return;
  }
@   end
@   if multicast then
  __builtin_amdgcn_cluster_load_async_to_lds_b$bits(at, to, 0, 0, mask);
@   else
  __builtin_amdgcn_global_load_async_to_lds_b$bits(at, to, 0, 0);
@   end
}

// Start loading a row: each thread what another wave adds.
static __device__ inline void start(const $type *from, lds_word *to$mask_arg)
{
  int other = (threadIdx.x + $(arch.wave)) % threads;
@   loop.block("j", vectors, "vectors", function (j, step)
    int at = other$(step("threads"));
    fetch(from + at, to + $(stride > 1 and "stride * " or "")at$passed);
@   end)
}

// All of the workgroup have a row when all waves' loads but so many are done.
#define ARRIVE(left) \
  (__builtin_amdgcn_s_wait_asynccnt(left), __syncthreads())
@ else
static __device__ inline $type fetch(const $type *from$mask_arg)
{
@   if some then
  if (!mask)
    return *from;
@   end
@   if multicast then
  return __builtin_amdgcn_cluster_load_b$bits((device_word *)from, 0, mask);
@   else
  return *(device_word *)from;
@   end
}
@ end

extern "C" __global__ void __launch_bounds__(threads)
__attribute__((cluster_dims($x, $y, 1)))
multicast(const int *in, int *out)
{
@ if shared then
  __shared__ $type tile[$stages][$(stride > 1 and "stride * " or "")vectors * threads];
@ end
  int rank = __builtin_amdgcn_cluster_workgroup_flat_id();
  int cluster = __builtin_amdgcn_cluster_id_x();
@ if multicast then
  int mask = $who;
@ end
  long long first = cluster * size$(first and " + (" .. first .. ")" or "");
  const $type *stream = (const $type *)in + first * (depth * row / width);
  $type *to = ($type *)out + (cluster * size + rank) * (row / width);
  $type sum[vectors] = {};
@ local function over_rows(body)
@   if depth == 1 then return indent(-2, body) end
#pragma unroll 1
  for (int d = 0; d < depth; d++) {
@   body()
  }
@ end
@ local row_at <const> = depth == 1 and "stream" or "stream + d * (row / width)"
@ local function add(tile)
@   indent(2, loop.line, "j", vectors, "vectors", function (j, step)
    sum[$j] += $tile[$(slot("threadIdx.x" .. step("threads")))];
@   end)
@ end
@ if shared and stages == 2 then
  start(stream, (lds_word *)tile[0]$passed);
#pragma unroll 1
  for (int d = 0; d < depth; d++) {
    if (d + 1 < depth) {
      lds_word *next = (lds_word *)tile[(d + 1) % 2];
      start(stream + (d + 1) * (row / width), next$passed);
      ARRIVE($vectors);
    } else {
      ARRIVE(0);
    }
@   add("tile[d % 2]")
    __syncthreads();
  }
@ elseif shared then
@   over_rows(function ()
    start($row_at, (lds_word *)tile[0]$passed);
    ARRIVE(0);
@     add("tile[0]")
    __syncthreads();
@   end)
@ else
@   over_rows(function ()
    const $type *from = $row_at + threadIdx.x;
@     indent(2, loop.line, "j", vectors, "vectors", function (j, step)
    sum[$j] += fetch(from$(step("threads"))$passed);
@     end)
@   end)
@ end
@ loop.line("j", vectors, "vectors", function (j, step)
    to[threadIdx.x$(step("threads"))] = sum[$j];
@ end)
}
