@ -- k_loop.hip - the loop over the k tiles of a tile of C.
@ -- SPDX-License-Identifier: MIT
@
@ -- move: how an operand's k tile goes from memory into LDS, tile.hip or packed.hip.
@ local both <const>, move <const>, element <const>, ragged <const> = ...
@ local A <const>, B <const> = both[1], both[2]
@ local T <const> = include("parts/types.lua").text(problem, arch)
@ local sliced <const>, span <const> = slice_k > 1, T.span
@ local turns <const> = math.max(load_ahead, 1) -- k tiles held in registers
@ local own <const> = slice_loads == 1 -- each slice loads its rows
@ local barrier <const> = (load_ahead > 1 or own) and "barrier" or "__syncthreads"
@
@ -- An operand's k tile in a stage of LDS, and the rows of it that a slice multiplies.
@ local function whole(x, stage) return x.names.name .. "_tile[" .. stage .. "]" end
@ local function slice(x, stage)
@   return whole(x, stage) .. (sliced and " + " .. x.names.name .. "_slice" or "")
@ end
@ local filled <const> = own and slice or whole -- where a thread's loads go
@
// Add the product of k rows, from a and b on, to the sums of this thread.
// Beyond left_m rows and left_n columns C ends.
static __device__ __forceinline__ void
accumulate($(T.sum) sum[thread_m][thread_n],
           $(T.word) (*a_tile)[tile_k * a_stride],
           $(T.word) (*b_tile)[tile_k * b_stride],
           const $element *a, const $element *b,
           int left_m, int left_n, int k,
           int lda, int ldb, int thread,
           int row, int column$(sliced and ", int slice" or ""))
{
@ if sliced then
  // Where this slice's rows of a k tile are.
  int a_slice = slice * slice_rows * a_stride;
  int b_slice = slice * slice_rows * b_stride;
@ end
@ if own then
  // It loads them itself.
@   for _, x in ipairs(both) do
@     local ld <const> = x.turned and "" or " * (long long)" .. x.names.ld
  $(x.names.name) += $(move.at("slice * " .. x.span .. ld));
@   end
@   if ragged then
  int k_left = k - slice * $(A.span);
@   end
@ end
@ for _, x in ipairs(both) do
@   local name <const>, of <const> = x.names.name, x.names
  offset $(name)_at[$(name)_loads];
  place_$name($(name)_at, thread, left_$(of.edge), $(of.ld));
  long long $(name)_next = $(move.at(x.turned and span or "(long long)" .. span .. " * " .. of.ld));
@ end

  int tiles = (k - 1) / $span + 1;
@ local function multiply(stage)
    multiply(sum, $(slice(A, stage)),
             $(slice(B, stage)), row, column);
@ end
@
@ -- What is left of k from this tile on, as an argument, where it matters.
@ local function left(tile)
@   local all <const> = own and "k_left" or "k"
@   return not ragged and "" or ", " .. all .. (tile == 0 and "" or " - " .. tile .. " * " .. span)
@ end
@ local function advance()
    a += a_next;
    b += b_next;
@ end
@ if read_ahead == 2 then
@   include("parts/k_overlap.hip", both, move, ragged, left, filled, slice)
@ elseif async == 1 then
@   local function copy(stage, tile)
    copy_a_tile(a_tile[$stage], a, a_at, thread$(left(tile)));
    copy_b_tile(b_tile[$stage], b, b_at, thread$(left(tile)));
@     advance()
@   end
@   for stage = 0, stages - 2 do
  if (tiles > $stage) {
@     copy(stage, stage)
  }
  end_copies();
@   end
  for (int t = 0; t < tiles; t++) {
    await_copies();
    __syncthreads();
    int next = t + stages - 1; // goes where all have read tile t - 1
    if (next < tiles) {
@   indent(2, copy, "next % stages", "next")
    }
    end_copies();
@   multiply("t % stages")
  }
@ else
@   local function load(turn, tile)
@     local rest <const> = ragged and ", thread" .. left(tile) or ""
    load_a_tile(a_in$turn, a, a_at$(move.with(A))$rest);
    load_b_tile(b_in$turn, b, b_at$(move.with(B))$rest);
@     advance()
@   end
@   for turn = 0, turns - 1 do
@     move.held(A, turn)
@     move.held(B, turn)
@   end
@   if load_ahead > 0 then
@     indent(-2, load, 0, 0)
@   end
@   for turn = 1, load_ahead - 1 do
  if (tiles > $turn) {
@     load(turn, turn)
  }
@   end
  for (int t = 0; t < tiles; $(turns > 1 and "t += " .. turns or "t++")) {
@   for turn = 0, turns - 1 do
@     local stage <const> = stages == 1 and 0 or turns == 2 and turn or "t % stages"
@     local next <const> = "t + " .. turn + load_ahead
@     if turn > 0 then
    if (t + $turn == tiles)
      break;
@     end
@     if load_ahead == 0 then
@       load(turn, "t")
@     end
    store_a_tile($(filled(A, stage)), a_in$turn, thread);
    store_b_tile($(filled(B, stage)), b_in$turn, thread);
    $barrier();
@     if load_ahead > 0 then
    if ($next < tiles) {
@       indent(2, load, turn, "(" .. next .. ")")
    }
@     end
@     multiply(stage)
@     if stages == 1 then
    $barrier();
@     end
@   end
  }
@ end
}
