@ -- stream.hip - workgroups that share the k tiles of all tiles of C evenly.
@ -- SPDX-License-Identifier: MIT
@
@ local loop <const> = include "parts/loop.hip"
@ local stream <const> = {}
@ local T <const> = include("parts/types.lua").text(problem, arch)
@
@ -- What is the same in all lanes, where compilers do not see it.
@ local function uniform(x)
@   return arch.amdgcn == 1 and "__builtin_amdgcn_readfirstlane(" .. x .. ")" or x
@ end
@ stream.uniform = uniform
@
@ function stream.share()

// How workgroups share the k tiles of all tiles of C. In rounds each of them
// takes one tile of C; the k tiles of those that are left over, fewer than two
// each, are one row, which they cut up evenly.
struct share {
  unsigned rounds, groups;
  int k_tiles;      // of a tile of C
  int each, longer; // k tiles of a workgroup in the row; so many have one more
};

static __device__ inline share share_out(int m, int n, int k, unsigned groups)
{
  unsigned all = tiles(m, tile_m) * tiles(n, tile_n);
  share s;
@   if arch.amdgcn == 1 then
  // Quotients are the same in all lanes, which compilers do not see.
@   end
  s.groups = groups;
  s.rounds = $(uniform("all / groups"));
  if (all != s.rounds * groups && s.rounds > 0)
    s.rounds--;
  s.k_tiles = (k - 1) / $(T.span) + 1;
  unsigned total = (all - s.rounds * groups) * s.k_tiles;
  s.each = $(uniform("total / groups"));
  s.longer = total - s.each * groups;
  return s;
}

// Where in the row a workgroup begins, and the one before it ends.
static __device__ inline int begin(share s, int group)
{
  return group * s.each + (group < s.longer ? group : s.longer);
}
@ end
@
@ -- Elements of a tile of C that a thread of `join` adds up, at most.
@ stream.each = 4
@
@ -- The kernel that adds the parts up: `write` is what becomes of a sum, after what
@ -- `take` writes.
@ function stream.join(factors, write, take)
@   local each <const> = math.min(stream.each, math.max(tile_m * tile_n // 256, 1))
@   local all <const> = tile_m * tile_n % (256 * each) == 0

// Elements of a tile of C that a thread adds up: where the tile's parts are is
// found once for all of them.
constexpr int each = $each;

// Add the parts of tiles of C up, each tile by the group that began it.
extern "C" __global__ void __launch_bounds__(256)
join(const $(T.sum) *__restrict__ parts, $(T.c_element) *__restrict__ c,
     int m, int n, int k, int ldc$factors,
     int groups)
{
  unsigned group = blockIdx.x, at = blockIdx.z * (256u * each) + threadIdx.x;
  share s = share_out(m, n, k, groups);
  int end = begin(s, group + 1);
  int before = $(uniform("end / s.k_tiles")); // tiles of C
  int first = before * s.k_tiles;
  if (end == first || begin(s, group) > first)
    return; // no tile is begun and left to others
  int first_m, first_n;
  place_tile(s.rounds * s.groups + before, m, n, &first_m, &first_n);
  $(T.sum) sum[each] = {};
@ -- A single element's place stays known.
@ local function add(part, again)
@   loop.block("e", each, "each", function (e, step)
@     if each > 1 or not again then
    unsigned i = at$(step("256"));
@     end
@     if all then
    sum[$e] += $part;
@     else
    if (i < tile_m * tile_n)
      sum[$e] += $part;
@     end
@   end)
@ end
@   add("parts[2ull * group * (tile_m * tile_n) + i]")
  while (begin(s, ++group) < first + s.k_tiles) {
@   indent(2, add, "parts[(2ull * group + 1) * (tile_m * tile_n) + i]", true)
  }
@   take()
@   loop.block("e", each, "each", function (e, step)
@     if each > 1 then
    unsigned i = at$(step("256"));
@     end
    int y = first_m + i / tile_n, x = first_n + i % tile_n;
    if ($(all and "" or "i < tile_m * tile_n && ")y < m && x < n) {
      $(T.c_element) *to = c + (long long)y * ldc + x;
      *to = $(write("sum[" .. e .. "]"));
    }
@   end)
}
@ end
@
@ return stream
