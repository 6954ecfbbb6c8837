@ -- matrix_tile.hip - an operand's k tile for the matrix cores: from memory into
@ -- LDS, and from there to the lanes.
@ -- SPDX-License-Identifier: MIT
@
@ local loop <const> = include "parts/loop.hip"
@ local size <const>, fill <const> = ... -- of an element; must the end of k be zeros?
@ local tile <const> = {}
@
@ -- The row's bits that move its chunks, in bytes, and an offset that they move.
@ local function turn(x, row)
@   local from <const> = x.xor.shift > 0 and row .. " >> " .. x.xor.shift or row
@   return "(" .. from .. " & " .. x.xor.mask .. ") * 16"
@ end
@ local function moved(x, row) return x.xor and " ^ " .. turn(x, row) or "" end
@
@ function tile.constants(x)
@   local name <const> = x.name
// $(x.names.NAME)'s k tile: $(x.turned and "k of " .. x.rows .. " rows" or x.row // size .. " elements of " .. x.rows .. " k"), and bytes from row to row in LDS.
constexpr int $(name)_rows = $(x.rows), $(name)_stride = $(x.stride);
constexpr int $(name)_width = $(x.width); // bytes of a load
constexpr int $(name)_vectors = $(x.vectors); // loads of a row
@   if x.loads > 1 then
constexpr int $(name)_loads = $(x.loads); // of a thread
@   end
@   if x.blocks > 1 then
constexpr int $(name)_blocks = $(x.blocks); // matrix instructions along a wave's part
@   end
@ end
@
@ -- How many of something, as the text says it: its name, or 1.
@ function tile.count(x, what) return x[what] > 1 and x.name .. "_" .. what or "1" end
@
@ -- Where a thread's loads come from. What is past the edge of C is not needed: the
@ -- last row, or vector of a row, is loaded again instead.
@ function tile.place(x)
@   local name <const>, ld <const> = x.name, x.names.ld

// Bytes from the corner of $(x.names.NAME)'s tile that this thread's loads begin at; `left`
// $(x.turned and "rows" or "elements of a row") from there on are inside of $(x.names.NAME).
static __device__ inline void place_$name(offset *at, int thread, int left,
                                      int $ld)
{
@   loop.block("i", x.loads, name .. "_loads", function (i, step)
    int vector = thread$(step("threads")), row = vector / $(name)_vectors;
    int column = vector % $(name)_vectors * $(name)_width$(moved(x, "row"));
@     if x.turned then
    row = row < left ? row : left - 1;
@     else
    int last = left$(size > 1 and " * " .. size or "") - $(name)_width;
    column = column < last ? column : last;
@     end
    at[$i] = (offset)row * $ld$(size > 1 and " * " .. size or "") + column;
@   end)
}
@ end
@
@ -- A loop over a thread's loads: those of step s of `by`.
@ local shared <const> = schedule == "interleave"
@ local function loads(x, body)
@   if not shared then
@     return loop.block("i", x.loads, x.name .. "_loads", body)
@   end
@   local one <const> = x.loads == 1
@   if one then
  if (s == 0) {
@   else
#pragma unroll
  for (int i = s; i < $(x.name)_loads; i += by) {
@   end
@   body(one and "0" or "i", function (step) return one and "" or " + i * " .. step end)
  }
@ end
@ local function share()
@   if shared then
                                     int s, int by,
@   end
@ end
@
@ -- Through registers into LDS.
@ function tile.through(x)
@   local name <const>, width <const> = x.name, x.width
@   local type <const> = width == 1 and "unsigned char" or width == 2 and "unsigned short" or
@                        width == 4 and "unsigned" or "vec<unsigned, " .. width // 4 .. ">"

typedef $type $(name)_load;

@   if fill then
// Load this thread's part of a k tile; past k, which is `left` away, zeros.
static __device__ inline void load_$name($(name)_load *to, const char *$name,
@     share()
                                     const offset *at, int thread, int left)
@   else
// Load this thread's part of a k tile.
static __device__ inline void load_$name($(name)_load *to, const char *$name,
@     share()
                                     const offset *at)
@   end
{
@   if fill then
@     loads(x, function (i, step)
    int vector = thread$(step("threads")), row = vector / $(name)_vectors;
@       if x.turned then
    int column = vector % $(name)_vectors * $(name)_width$(moved(x, "row"));
@       end
    to[$i] = $(name)_load{};
    if ($(x.turned and (size > 1 and "column / " .. size or "column") or "row") < left)
      to[$i] = *(const $(name)_load *)($name + at[$i]);
@     end)
@   else
@     loads(x, function (i)
    to[$i] = *(const $(name)_load *)($name + at[$i]);
@     end)
@   end
}

static __device__ inline void store_$name(char *tile, const $(name)_load *from,
                                      int thread)
{
@   loop.block("i", x.loads, name .. "_loads", function (i, step)
    int vector = thread$(step("threads")), row = vector / $(name)_vectors;
    int column = vector % $(name)_vectors * $(name)_width;
    *($(name)_load *)(tile + row * $(name)_stride + column) = from[$i];
@   end)
}
@ end
@
@ -- Past the registers: a wave fills `lanes` vectors that follow one another.
@ function tile.past(x)
@   local name <const> = x.name

static __device__ inline void copy_$name(char *tile, const char *$name,
@   share()
                                     const offset *at, int wave)
{
@   loads(x, function (i, step)
    char *to = tile + $(x.loads > 1 and "(wave * lanes" .. step("threads") .. ")" or "wave * lanes") * $(name)_width;
    copy<$(name)_width>(to, $name + at[$i]);
@   end)
}
@ end
@
@ -- k of a part, of which a lane reads one at a time, as the text multiplies it.
@ local several <const> = read // size > 1 and " * " .. read // size or ""
@
@ -- Rows of the tile run along k.
@ local function along(x, name)
@   if x.xor then
  int turn = $(turn(x, "row"));
@   end
@   loop.block("i", x.blocks, name .. "_blocks", function (i, step)
@     local row <const> = x.blocks > 1 and "(row" .. step("shape") .. ")" or "row"
    const char *from = tile + $row * $(name)_stride;
    to[$i] = *(const fragment *)(from + $(x.xor and "(part * read ^ turn)" or "part * read"));
@   end)
@ end
@
@ -- They run along C: element by element.
@ local function gather(x, name)
@   local elements <const> = read // size
  typedef vec<element, $elements> elements;
@   loop.block("i", x.blocks, name .. "_blocks", function (i, step)
@     local column <const> = x.blocks > 1 and "(row" .. step("shape") .. ")" or "row"
    elements own;
@     indent(2, loop.block, "e", elements, tostring(elements), function (e)
    int k = part$several$(elements > 1 and " + e" or "");
    int column = $column * $size$(moved(x, "k"));
    own[$e] = *(const element *)(tile + k * $(name)_stride + column);
@     end)
    to[$i] = __builtin_bit_cast(fragment, own);
@   end)
@ end
@
@ -- 16 lanes give the addresses of 8 bytes each of `deep` rows of 16 elements, and a
@ -- lane receives a column of that.
@ local function transposing(x, name)
@   local deep <const>, across <const> = 8 // size, 2 * size -- k of a read; lanes of a row
@   local reads <const> = read // 8
@   local type <const> = size == 2 and "vec<short, 4>" or "vec<int, 2>"
@   local builtin <const> = size == 2 and "tr16_b64_v4i16" or "tr8_b64_v2i32"
  typedef $type eight;
  typedef __attribute__((address_space(3))) eight in_lds;
  int lane = row % 16, first = row - lane; // of 16 lanes and columns
@   loop.block("i", x.blocks, name .. "_blocks", function (i, step)
@     local first <const> = x.blocks > 1 and "(first" .. step("shape") .. ")" or "first"
@     indent(2, loop.block, "e", reads, tostring(reads), function (e)
    int k = part$several$(reads > 1 and " + e * " .. deep or "") + lane / $across;
    int column = $first * $size + lane % $across * 8;
@       if x.xor then
    column ^= $(turn(x, "k"));
@       end
    in_lds *from = (in_lds *)(tile + k * $(name)_stride + column);
    eight own = __builtin_amdgcn_ds_read_$builtin(from);
@       if reads == 1 then
    to[$i] = __builtin_bit_cast(fragment, own);
@       else
    vec<unsigned, 2> words = __builtin_bit_cast(vec<unsigned, 2>, own);
    to[$i][2 * e] = words[0];
    to[$i][2 * e + 1] = words[1];
@       end
@     end)
@   end)
@ end
@
@ function tile.read(x)
@   local name <const> = x.name

// Of each block of this wave's part of $(x.names.NAME): what a lane multiplies of a part of
// k. row: the lane's $(x.turned and "row" or "column") of the first block.
static __device__ inline void read_$name(fragment *to, const char *tile, int row,
                                     int part)
{
@   if x.turned then
@     along(x, name)
@   elseif transpose == 1 then
@     transposing(x, name)
@   else
@     gather(x, name)
@   end
}
@ end
@
@ return tile
