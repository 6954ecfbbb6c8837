@ local loop <const> = include "parts/loop.hip"
@ local W <const> = arch.wave
@ local inside <const> = math.min(row, W) -- lanes of a row in one wave
@ local by_lds <const> = path == "lds" or path == "lds_wave"
@ local total <const> = op == "sum"
@ local indexed <const> = not total and (path == "bpermute" or by_lds) -- a source lane at run time
@ local beyond <const> = total and row > W and path ~= "lds" -- wave sums meet in LDS
@
@ local function hex(x) return string.format("0x%x", x) end
@
@ -- Bits of DPP's control word (LLVM AMDGPU: "DPP control").
@ local row_shr <const>, row_ror <const> = 0x110, 0x120
@ local row_mirror <const>, row_half_mirror <const> = 0x140, 0x141
@ local function quad(mask) -- quad_perm whose lane i takes from i ^ mask
@   local control = 0
@   for i = 0, 3 do control = control | (i ~ mask) << 2 * i end
@   return control
@ end
@
@ -- The moves that take every lane i of 16 from lane i ^ mask: a rotation by 8 is
@ -- ^ 8, the mirrors are ^ 15 and ^ 7, and quads do the rest.
@ local function dpp_xor(mask)
@   local list <const> = {}
@   local function add(control, part)
@     list[#list + 1], mask = hex(control), mask ~ part
@   end
@   if mask >= 12 then add(row_mirror, 15) elseif mask >= 8 then add(row_ror + 8, 8) end
@   if mask >= 4 then add(row_half_mirror, 7) end
@   if mask > 0 then add(quad(mask), mask) end
@   return list
@ end
@
@ -- ds_swizzle's pattern: lane i of 32 takes from ((i & keep) | set) ^ flip.
@ local function masks(keep, set, flip) return hex(keep | set << 5 | flip << 10) end
@ -- Its rotation leaves the bits `keep` of a lane's number alone.
@ local function turn(right, keep) return hex(0xc000 | 1 << 10 | right << 5 | keep) end
// Values go from lane to lane, round after round:
//
@ if total then
//   x = sum of x over the $row lanes of a row, + own
@ else
//   x = the x of another lane of the row of $row, + own
@ end
//
// `own` is the value that the lane started with, so that what comes out tells
// which lanes a value passed through.

constexpr int group = $group, row = $row; // threads of a workgroup, of a row
constexpr int ilp = $ilp; // values of a thread
@ if total or indexed then
constexpr int wave_size = $W;
@ end

@ if indexed then
@   if op == "permute" then
// The lane of the row that this one takes from: the rank of its key.
static __device__ inline unsigned source(unsigned lane, const int *keys)
{
  unsigned rank = 0;
  for (unsigned other = 0; other < row; other++)
    rank += keys[other] < keys[lane] ||
            (keys[other] == keys[lane] && other < lane);
  return rank;
}
@   else
// The lane of the row that this one takes from.
static __device__ inline unsigned source(unsigned lane)
{
@     if op == "shift" then
  return lane < $by ? lane : lane - $by;
@     elseif op == "rotate" then
  return (lane - $by) & (row - 1);
@     elseif op == "xor" then
  return lane ^ $by;
@     else
  return $by;
@     end
}
@   end
@ end
@
@ if by_lds then

@   if path == "lds" then
#define barrier() __syncthreads()
@   else
// The lanes of a wave take their turns at LDS together and in order: only the
// compiler has to be held back.
#define barrier() \
  (__builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront"), \
   __builtin_amdgcn_wave_barrier(), \
   __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront"))
@   end

// Put the values down for all lanes to see, and pick up those of thread `from`.
static __device__ inline void exchange(unsigned *out, const unsigned *x,
                                       unsigned (*lds)[group],
                                       unsigned thread, unsigned from)
{
@   loop.line("i", ilp, "ilp", function (i)
    lds[$i][thread] = x[$i];
@   end)
  barrier();
@   loop.line("i", ilp, "ilp", function (i)
    out[$i] = lds[$i][from];
@   end)
  barrier();
}
@ elseif not total then

// The x of another lane.
@   if path == "bpermute" then
static __device__ inline unsigned exchange(unsigned x, unsigned from)
{
  return __builtin_amdgcn_ds_bpermute(4 * from, x);
}
@   else
static __device__ inline unsigned exchange(unsigned x)
{
@     if path == "dpp" and op == "shift" then
  // row_shr:$by
  return __builtin_amdgcn_update_dpp(x, x, $(hex(row_shr + by)), 0xf, 0xf, false);
@     elseif path == "dpp_copy" then
  unsigned to = x;
  asm("" : "+v"(to)); // a register of its own, set in every round
  // row_shr:$by
  return __builtin_amdgcn_update_dpp(to, x, $(hex(row_shr + by)), 0xf, 0xf, false);
@     elseif path == "dpp" and op == "rotate" then
  // row_ror:$by
  return __builtin_amdgcn_update_dpp(0, x, $(hex(row_ror + by)), 0xf, 0xf, true);
@     elseif path == "dpp" then
@       for _, control in ipairs(dpp_xor(by)) do
  x = __builtin_amdgcn_update_dpp(0, x, $control, 0xf, 0xf, true);
@       end
  return x;
@     elseif path == "readlane" then
  return __builtin_amdgcn_readlane(x, $by);
@     elseif op == "rotate" then
  return __builtin_amdgcn_ds_swizzle(x, $(turn(by, 32 - row)));
@     elseif op == "xor" then
  return __builtin_amdgcn_ds_swizzle(x, $(masks(31, 0, by)));
@     else
  return __builtin_amdgcn_ds_swizzle(x, $(masks(32 - row, by, 0)));
@     end
}
@   end
@ end
@ if total then
@   local reach <const> = by_lds and (path == "lds" and row or inside) or inside
@   local known <const> = path == "dpp" and math.min(inside, 16) or path == "swizzle" and
@                         math.min(inside, 32) or reach

@   if by_lds then
// Replace each value by the sum over the $reach lanes around it.
static __device__ inline void sum(unsigned *x, unsigned (*lds)[group],
                                  unsigned thread)
{
  unsigned other[ilp];
#pragma unroll
  for (unsigned mask = 1; mask < $reach; mask *= 2) {
    exchange(other, x, lds, thread, thread ^ mask);
@     indent(2, loop.line, "i", ilp, "ilp", function (i)
    x[$i] += other[$i];
@     end)
  }
}
@   else
// The sum of x over the $inside lanes around this one.
static __device__ inline unsigned sum(unsigned x, unsigned lane)
{
@     if path == "bpermute" then
#pragma unroll
  for (unsigned mask = 1; mask < $inside; mask *= 2)
    x += __builtin_amdgcn_ds_bpermute(4 * (lane ^ mask), x);
@     elseif path == "dpp" then
  // Neighbours, pairs, fours and eights.
@       for _, control in ipairs { quad(1), quad(2), row_half_mirror, row_mirror } do
  x += __builtin_amdgcn_update_dpp(0, x, $(hex(control)), 0xf, 0xf, true);
@       end
@     else
@       for step = 0, 4 do
@         if 1 << step < known then
  x += __builtin_amdgcn_ds_swizzle(x, $(masks(31, 0, 1 << step)));
@         end
@       end
@     end
@     if known < inside then
@       local function ends(first) -- sums of `known` lanes each, from lane `first` on
@         local list <const> = {}
@         for at = first, first + inside - 1, known do
@           list[#list + 1] = "__builtin_amdgcn_readlane(x, " .. at .. ")"
@         end
@         return table.concat(list, " +\n         ")
@       end
@       if inside == W then
  return $(ends(0));
@       else
  unsigned low = $(ends(0));
  unsigned high = $(ends(inside));
  return lane < $inside ? low : high;
@       end
@     else
  return x;
@     end
}
@   end
@ end
@ if beyond then

constexpr int waves = group / wave_size; // of the workgroup
constexpr int row_waves = row / wave_size;

// Add up the sums of the waves of a row.
static __device__ inline void join(unsigned *x, unsigned (*sums)[waves],
                                   unsigned thread)
{
  unsigned wave = thread / wave_size, first = wave / row_waves * row_waves;
@   loop.line("i", ilp, "ilp", function (i)
    if (thread % wave_size == 0)
      sums[$i][wave] = x[$i];
@   end)
  __syncthreads();
@   loop.block("i", ilp, "ilp", function (i)
    x[$i] = 0;
#pragma unroll
    for (int other = 0; other < row_waves; other++)
      x[$i] += sums[$i][first + other];
@   end)
  __syncthreads();
}
@ end

@
@ -- One round. An unrolled one is written as an inner loop of fixed length: LLVM
@ -- does not unroll others that hold exchanges.
@ local function round()
@   if total and by_lds then
    sum(x, lds, thread);
@   elseif by_lds then
    exchange(x, x, lds, thread, from);
@   elseif beyond then
@     indent(2, loop.line, "i", ilp, "ilp", function (i)
    x[$i] = sum(x[$i], thread % wave_size);
@     end)
@   end
@   if beyond then
    join(x, sums, thread);
@   end
@   indent(2, loop.line, "i", ilp, "ilp", function (i)
@     local x <const> = "x[" .. i .. "]"
@     local moved <const> = (by_lds or beyond) and x
@                           or total and "sum(" .. x .. ", thread % wave_size)"
@                           or path == "bpermute" and "exchange(" .. x .. ", from)"
@                           or "exchange(" .. x .. ")"
    $x = $moved + own[$i];
@   end)
@ end

extern "C" __global__ void __launch_bounds__(group)
lane(const int *__restrict__ in, int *__restrict__ out, int rounds$(op == "permute" and ",\n     const int *__restrict__ keys" or ""))
{
@ if by_lds then
  __shared__ unsigned lds[ilp][group];
@ end
@ if beyond then
  __shared__ unsigned sums[ilp][waves];
@ end
  unsigned thread = threadIdx.x;
  unsigned first = blockIdx.x * $(ilp > 1 and "(ilp * group)" or "group") + thread;
  unsigned own[ilp], x[ilp];
@ loop.line("i", ilp, "ilp", function (i, step)
    own[$i] = x[$i] = in[first$(step("group"))];
@ end)
@ if indexed then
@   local space <const> = by_lds and "group" or "wave_size"
  unsigned lane = thread % $space, slot = thread % row;
  unsigned from = lane - slot + source(slot$(op == "permute" and ", keys" or ""));
@ end

@ if unroll > 1 then
  constexpr int unroll = $unroll;
  for (int round = 0; round < rounds; round += unroll) {
#pragma unroll
    for (int turn = 0; turn < unroll; turn++) {
@   indent(2, round)
    }
@ else
  for (int round = 0; round < rounds; round++) {
@   round()
@ end
  }
@ loop.line("i", ilp, "ilp", function (i, step)
    out[first$(step("group"))] = x[$i];
@ end)
}
