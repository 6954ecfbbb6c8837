@ -- packed.hip - the k tile of an operand whose elements are no words, on its way
@ -- from memory into LDS. The functions of tile.hip, for elements of 4 to 16 bits.
@ -- SPDX-License-Identifier: MIT
@
@ -- Where k runs along memory, a load brings words as they are, or parts of one.
@ -- Where it does not, a thread loads a vector from each k of a word, and turns
@ -- squares of elements in registers: as many k as a word holds, by as many
@ -- columns.
@ local packed <const> = {}
@ local loop <const> = include "parts/loop.hip"
@ local types <const> = include "parts/types.lua"
@ local T <const> = types.text(problem, arch)
@ local pack <const>, bits <const> = T.pack, T.bits
@ local packs <const> = pack > 1
@
@ -- Bits that a load brings, and words of a register that they take.
@ local function brought(x) return x.load * bits end
@ local function dwords(x) return math.max(brought(x) // 32, 1) end
@
@ -- An offset in elements, as one of the pointers' type.
@ function packed.at(offset) return bits == 4 and "(" .. offset .. ") / 2" or offset end
@ local function bytes(n) return bits == 4 and n .. " / 2" or n .. " * sizeof(element)" end
@
@ -- k that an address stands for.
@ local function group_k(x) return math.max(x.load, pack) end
@
@ -- How wide a load is, by its bits.
@ local wide <const> = {
@   [8] = "unsigned char", [16] = "unsigned short", [32] = "unsigned",
@   [64] = "vec<unsigned, 2>", [128] = "vec<unsigned, 4>",
@ }
@
@ function packed.constants(x)
@   local name <const>, of <const> = x.names.name, x.names

// $(of.NAME) on its way: elements of a load, loads of an address, addresses of a row in
// memory, and of a thread.
constexpr int $(of.load) = $(x.load), $(name)_pieces = $(x.pieces);
constexpr int $(name)_across = $(x.across), $(name)_loads = $(x.loads);
@   if x.loads > 1 and x.even then
constexpr int $(name)_step = $(x.threads) / $(name)_across; // rows from address to address
@   end
typedef $(wide[brought(x)]) $(name)_piece; // a load
// In LDS: words from row to row, and of a read.
constexpr int $(of.pad) = $(cfg[of.pad]), $(name)_stride = $(of.tile) + $(of.pad);
@   if x.xor > 0 then
constexpr int $(of.xor) = $(x.xor), $(name)_unit = $(arch.lds_banks) / ($(of.xor) + 1); // banks
@   end
constexpr int $(name)_width = $(x.width);
@   if x.reads > 1 then
constexpr int $(name)_apart = $(of.tile) / $(of.thread) * $(name)_width; // read to read
@   end
@ end
@
@ function packed.helpers(operands)
@   local turns = false

// What is so many bytes behind a place in memory.
template <class T>
static __device__ inline T fetch(const element *from, offset at)
{
  return *(const T *)((const char *)from + at);
}
@   for _, x in ipairs(operands) do turns = turns or packs and not x.turned end
@   if turns then include("parts/turn.hip", pack) end
@ end
@
@ -- Row and column of address i of a thread: of a turned operand rows are those
@ -- in memory, of the others those of LDS. Where a row has no even part of the
@ -- threads, each address has a column of its own.
@ local function row(x, step)
@   local across <const> = x.names.name .. "_across"
@   if not x.even then return "(thread" .. step(x.threads) .. ") / " .. across end
@   return "thread / " .. across .. step(x.names.name .. "_step")
@ end
@ local function column(x, step)
@   local unit <const> = x.turned and group_k(x) or x.load
@   local thread <const> = x.even and "thread" or "(thread" .. step(x.threads) .. ")"
@   return thread .. " % " .. x.names.name .. "_across" .. (unit > 1 and " * " .. unit or "")
@ end
@ -- The same row in elements of memory.
@ local function memory_row(x, step)
@   local text <const> = row(x, step)
@   if x.turned or not packs then return text end
@   return x.loads > 1 and "(" .. text .. ") * pack" or text .. " * pack"
@ end
@
@ function packed.place(x)
@   local name <const>, of <const> = x.names.name, x.names

// Where the vectors of $(of.NAME) are that this thread loads of each k tile. Past the
// edge, which is `left` away, it loads the last again: C keeps nothing of what
// comes of it.
static __device__ inline void place_$name(offset *at, int thread, int left,
                                      int $(of.ld))
{
@   loop.block("i", x.loads, name .. "_loads", function (i, step)
    int row = $(memory_row(x, step));
    int column = $(column(x, step));
@     if x.turned then
    row = row < left ? row : left - 1;
@     else
    column = column < left ? column : left - $(of.load);
@     end
    at[$i] = $(bytes("((offset)row * " .. of.ld .. " + column)"));
@   end)
}
@ end
@
@ -- The registers of what a thread loads, and what its loads depend on.
@ function packed.held(x, turn)
@   local name <const> = x.names.name
  $(name)_piece $(name)_in$turn[$(name)_loads][$(name)_pieces];
@ end
@ function packed.with(x) return x.turned and "" or ", " .. x.names.ld end
@
@ function packed.load(x, ragged)
@   local name <const>, of <const> = x.names.name, x.names
@   local ld <const> = x.turned and "" or ", int " .. of.ld
@   local function piece(i, p, real)
@     local several <const> = x.pieces > 1
@     local along <const> = x.load > 1 and p .. " * " .. of.load or p
@     local apart <const> = x.turned and along or "(long long)" .. p .. " * " .. of.ld
@     local from <const> = several and "tile + " .. packed.at(apart) or "tile"
@     local k <const> = several and "k + " .. (x.turned and along or p) or "k"
@     if real then
    to[$i][$p] = $(name)_piece{};
    if ($k < left)
      to[$i][$p] = fetch<$(name)_piece>($from, at[$i]);
@     else
    to[$i][$p] = fetch<$(name)_piece>($from, at[$i]);
@     end
@   end
@   local function body(real)
@     loop.block("i", x.loads, name .. "_loads", function (i, step)
@       if real then
    int k = $(x.turned and column(x) or memory_row(x, step));
@       end
@       indent(2, real and loop.block or loop.line, "p", x.pieces, name .. "_pieces",
@              function (p) piece(i, p, real) end)
@     end)
@   end

@   if ragged then
// Load this thread's part of a k tile. Where k ends in it, `left` on, zeros
// follow.
static __device__ inline void
load_$(name)_tile($(name)_piece (*to)[$(name)_pieces], const element *tile,
            const offset *at$ld, int thread, int left)
{
  if (left < $(x.span)) {
@     indent(2, body, true)
    return;
  }
@   else
// Load this thread's part of a k tile.
static __device__ inline void
load_$(name)_tile($(name)_piece (*to)[$(name)_pieces], const element *tile,
            const offset *at$ld)
{
@   end
@   body(false)
}
@ end
@
@ -- Columns move where they depend on k, in parts of the banks.
@ local function swizzle(x, k)
@   local times <const> = x.words > 1 and " / " .. x.words or ""
@   return "column ^= (" .. k .. times .. " & " .. x.names.xor .. ") * " .. x.names.name ..
@          "_unit;"
@ end
@
@ -- Word e of what piece p of an address brought.
@ local function word_of(x, p, e)
@   return dwords(x) > 1 and p .. "[" .. e .. "]" or p
@ end
@
@ -- Element e of a piece, widened to a word.
@ local function widened(x, p, e)
@   local each <const> = 32 // bits
@   local from <const> = word_of(x, p, e // each)
@   local shift <const> = e % each * bits
@   local shifted <const> = shift > 0 and from .. " >> " .. shift or from
@   return "widen(" .. shifted .. ")"
@ end
@
@ -- The words of LDS that address i of a turned operand fills, from k on.
@ local function word_turned(x, i, e)
@   if not packs then return widened(x, "from[" .. i .. "][0]", e) end
@   if x.pieces == 1 then return word_of(x, "from[" .. i .. "][0]", e) end
@   local list <const> = {}
@   for p = 0, x.pieces - 1 do
@     local shift <const> = p * brought(x)
@     list[#list + 1] = "(word)from[" .. i .. "][" .. p .. "]" ..
@                       (shift > 0 and " << " .. shift or "")
@   end
@   return table.concat(list, " |\n        ")
@ end
@
@ local function store_turned(x)
@   local name <const>, of <const> = x.names.name, x.names

// Put it into LDS transposed, so that a row holds one $(packs and "word" or "k").
static __device__ inline void
store_$(name)_tile($(T.word) *tile, $(name)_piece (*from)[$(name)_pieces], int thread)
{
  int k = thread % $(name)_across$(x.words > 1 and " * " .. x.words or "");
@   loop.block("i", x.loads, name .. "_loads", function (i, step)
    int column = $(row(x, step));
@     if x.xor > 0 then
    $(swizzle(x, "k")) // a few banks would take all else
@     end
@     for e = 0, x.words - 1 do
    tile[$(e == 0 and "k" or "(k + " .. e .. ")") * $(name)_stride + column] =
        $(word_turned(x, i, e));
@     end
@   end)
}
@ end
@
@ local function store_straight(x)
@   local name <const>, of <const> = x.names.name, x.names
@   local each <const> = math.min(x.load, 32 // bits) -- columns of a word of a piece
@   local most <const> = x.vector

// Put it into LDS, where a row holds one $(packs and "word" or "k").
static __device__ inline void
store_$(name)_tile($(T.word) *tile, $(name)_piece (*from)[$(name)_pieces], int thread)
{
@   if x.even then
  int column = $(column(x));
@   end
@   loop.block("i", x.loads, name .. "_loads", function (i, step)
    int k = $(row(x, step));
@     if not x.even then
    int column = $(column(x, step));
@     end
    vec<$(T.word), $most> *to = (vec<$(T.word), $most> *)(tile + k * $(name)_stride + column);
@     for d = 0, dwords(x) - 1 do
@       if packs then
    word v$d[$pack];
@         for p = 0, pack - 1 do
    v$d[$p] = $(word_of(x, "from[" .. i .. "][" .. p .. "]", d));
@         end
    turn(v$d);
@       end
@     end
@     for first = 0, x.load - 1, most do
    to[$(first // most)] = vec<$(T.word), $most>{
@       for e = first, first + most - 1 do
@         local value <const> = packs and "v" .. e // each .. "[" .. e % each .. "]"
@                               or widened(x, "from[" .. i .. "][0]", e)
        $value$(e < first + most - 1 and "," or "};")
@       end
@     end
@   end)
}
@ end
@
@ function packed.store(x)
@   if x.turned then store_turned(x) else store_straight(x) end
@ end
@
@ return packed
