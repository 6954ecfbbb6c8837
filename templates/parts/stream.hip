@ -- stream.hip - workgroups that share the k tiles of all tiles of C evenly.
@ -- SPDX-License-Identifier: MIT
@
@ local stream <const> = {}
@ local T <const> = include("parts/types.lua").text(problem, arch)
@
@ function stream.share()

// How workgroups share the k tiles of all tiles of C. In rounds each of them
// takes one tile of C; the k tiles of those that are left over, fewer than two
// each, are one row, which they cut up evenly.
struct share {
  unsigned rounds, groups;
  int k_tiles;     // of a tile of C
  long long total; // k tiles in the row
};

static __device__ inline share share_out(int m, int n, int k, unsigned groups)
{
  unsigned all = tiles(m, tile_m) * tiles(n, tile_n);
  share s;
  s.groups = groups;
  s.rounds = all / groups;
  if (all % groups != 0 && s.rounds > 0)
    s.rounds--;
  s.k_tiles = (k - 1) / $(T.span) + 1;
  s.total = (long long)(all - s.rounds * groups) * s.k_tiles;
  return s;
}

// Where in the row a workgroup begins, and the one before it ends.
static __device__ inline long long begin(share s, unsigned group)
{
  return s.total * group / s.groups;
}
@ end
@
@ -- The kernel that adds the parts up: `write` is what becomes of a sum, after what
@ -- `take` writes.
@ function stream.join(factors, write, take)

// Add the parts of tiles of C up, each tile by the group that began it.
extern "C" __global__ void __launch_bounds__(256)
join(const $(T.sum) *__restrict__ parts, $(T.c_element) *__restrict__ c,
     int m, int n, int k, int ldc$factors,
     int groups)
{
  unsigned group = blockIdx.x, i = blockIdx.z * 256u + threadIdx.x;
  share s = share_out(m, n, k, groups);
  long long end = begin(s, group + 1), first = end / s.k_tiles * s.k_tiles;
  if (end == first || begin(s, group) > first)
    return; // no tile is begun and left to others
  int first_m, first_n;
  place_tile(s.rounds * s.groups + (unsigned)(first / s.k_tiles), m, n,
             &first_m, &first_n);
  int y = first_m + i / tile_n, x = first_n + i % tile_n;
  if (i >= tile_m * tile_n || y >= m || x >= n)
    return;
  $(T.sum) sum = parts[2ull * group * (tile_m * tile_n) + i];
  while (begin(s, ++group) < first + s.k_tiles)
    if (begin(s, group) < begin(s, group + 1)) // it has a part
      sum += parts[(2ull * group + 1) * (tile_m * tile_n) + i];
@   take()
  $(T.c_element) *to = c + (long long)y * ldc + x;
  *to = $write;
}
@ end
@
@ return stream
