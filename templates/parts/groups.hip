@ -- groups.hip - which group a workgroup works for, and on which of its rows.
@ -- SPDX-License-Identifier: MIT
@
@ -- tile: the constant that says how many rows a tile has.
@ local tile <const> = ...

// Where the rows of a workgroup are: the group's number, the first of them, and
// the end of the group's.
struct place {
  int group, first, end;
};

// Tiles of a group whose rows begin and end there. Offsets that fall give none,
// and those past all rows end there: nothing outside of matrices is touched.
static __device__ inline int tiles_of(int begin, int end)
{
  return end > begin ? (end - begin - 1) / $tile + 1 : 0;
}

// Tile number `tile` of those that groups have, counted from the first group
// on. Each wave adds up the tiles of as many groups as it has lanes; the first
// keeps what it finds. Is there such a tile?
static __device__ inline bool find_place(place *found, const int *offsets,
                                         int products, int rows, int tile)
{
  int lane = threadIdx.x % lanes, before = 0;
  for (int first = 0; first < products; first += lanes) {
    int group = first + lane, last = group < products ? group : products - 1;
    int begin = offsets[last], end = offsets[last + 1];
    begin = begin > 0 ? begin : 0;
    end = end < rows ? end : rows;
    int own = group < products ? tiles_of(begin, end) : 0, sum = own;
#pragma unroll
    for (int down = 1; down < lanes; down *= 2) {
      int other = __builtin_amdgcn_ds_bpermute(4 * (lane - down), sum);
      sum += lane >= down ? other : 0;
    }
    int inside = tile - before - (sum - own);
    if (inside >= 0 && inside < own && threadIdx.x < lanes)
      *found = {group, begin + inside * $tile, end};
    before += __builtin_amdgcn_readlane(sum, lanes - 1);
  }
  return tile < before;
}
