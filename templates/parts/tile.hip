@ -- tile.hip - the k tile of an operand on its way from memory through LDS to a
@ -- thread's registers.
@ -- SPDX-License-Identifier: MIT
@
@ -- Each function writes one function of the kernel, or constants, for an
@ -- operand x: the numbers of operand.lua.
@ local tile <const> = {}
@ local loop <const> = include "parts/loop.hip"
@ local T <const> = include("parts/types.lua").text(problem, arch)
@
@ function tile.constants(x)
@   local name <const>, of <const> = x.names.name, x.names

// $(of.NAME) on its way: floats of a load, loads of a row in memory, loads of a thread.
constexpr int $(of.load) = $(x.load);
constexpr int $(name)_across = $(x.turned and x.rows or of.tile) / $(of.load);
constexpr int $(name)_loads = $(of.tile) * $(x.rows) / ($(x.threads) * $(of.load));
@   if x.loads > 1 and x.even then
constexpr int $(name)_step = $(x.threads) / $(name)_across; // rows from load to load
@   end
// In LDS: floats from row to row, and of a read.
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
@ -- Where element i of a thread's is in the tile, from its first on.
@ function tile.element(x, i)
@   if x.reads == 1 then return i end
@   local name <const> = x.names.name
@   if x.width == 1 then return i .. " * " .. name .. "_apart" end
@   return i .. " / " .. name .. "_width * " .. name .. "_apart + " .. i .. " % " ..
@          name .. "_width"
@ end
@
@ -- Row and column in memory of load i of a thread. Where a row has no even part of
@ -- the threads, each load has a column of its own.
@ local function row(x, step)
@   local across <const> = x.names.name .. "_across"
@   if not x.even then return "(thread" .. step(x.threads) .. ") / " .. across end
@   return "thread / " .. across .. step(x.names.name .. "_step")
@ end
@ local function column(x, step)
@   local times <const> = x.load > 1 and " * " .. x.names.load or ""
@   local thread <const> = x.even and "thread" or "(thread" .. step(x.threads) .. ")"
@   return thread .. " % " .. x.names.name .. "_across" .. times
@ end
@
@ function tile.place(x)
@   local name <const>, of <const> = x.names.name, x.names
@   local rows <const> = x.turned

// Where the vectors of $(of.NAME) are that this thread loads of each k tile. Past the
// edge, which is `left` away, it loads the last again: C keeps nothing of what
// comes of it.
static __device__ inline void place_$name(offset *at, int thread, int left,
                                      int $(of.ld))
{
@   loop.block("i", x.loads, name .. "_loads", function (i, step)
    int row = $(row(x, step));
    int column = $(column(x, step));
@     if rows then
    row = row < left ? row : left - 1;
@     else
    column = column < left ? column : left - $(of.load);
@     end
    at[$i] = ((offset)row * $(of.ld) + column) * sizeof(float);
@   end)
}
@ end
@
@ -- The registers of what a thread loads, and what else its loads depend on.
@ function tile.held(x, turn)
@   local name <const> = x.names.name
  vec<float, $(x.names.load)> $(name)_in$turn[$(name)_loads];
@ end
@ function tile.with() return "" end
@ function tile.at(offset) return offset end
@
@ function tile.load(x, ragged)
@   local name <const>, of <const> = x.names.name, x.names
@   local function from(i)
@     return "*(const vec<float, " .. of.load .. "> *)((const char *)tile + at[" .. i .. "])"
@   end

@   if ragged then
// Load this thread's part of a k tile. Where k ends in it, `left` on, zeros
// follow.
static __device__ inline void load_$(name)_tile(vec<float, $(of.load)> *to,
                                          const float *tile, const offset *at,
                                          int thread, int left)
{
  if (left < $(x.rows)) {
@     indent(2, loop.block, "i", x.loads, name .. "_loads", function (i, step)
    int k = $(x.turned and column(x) or row(x, step));
    to[$i] = vec<float, $(of.load)>{};
    if (k < left)
      to[$i] = $(from(i));
@     end)
    return;
  }
@   else
// Load this thread's part of a k tile.
static __device__ inline void load_$(name)_tile(vec<float, $(of.load)> *to,
                                          const float *tile, const offset *at)
{
@   end
@   loop.line("i", x.loads, name .. "_loads", function (i)
    to[$i] = $(from(i));
@   end)
}
@ end
@
@ -- Columns move where they depend on k, in parts of the banks.
@ local function swizzle(x, k)
@   local unit <const> = T.plain and x.names.load or x.words
@   local times <const> = x.words > 1 and " / " .. unit or ""
@   return "column ^= (" .. k .. times .. " & " .. x.names.xor .. ") * " .. x.names.name ..
@          "_unit;"
@ end
@
@ local function store_turned(x)
@   local name <const>, of <const> = x.names.name, x.names

// Put it into LDS transposed, so that a row holds one k.
static __device__ inline void store_$(name)_tile(float *tile,
                                           const vec<float, $(of.load)> *from,
                                           int thread)
{
  int k = $(column(x));
@   loop.block("i", x.loads, name .. "_loads", function (i, step)
    int column = $(row(x, step));
@     if x.xor > 0 then
    $(swizzle(x, "k")) // a few banks would take all else
@     end
    vec<float, $(of.load)> v = from[$i];
@     indent(2, loop.line, "e", x.load, of.load, function (e)
    tile[$(e == "0" and "k" or "(k + e)") * $(name)_stride + column] = v[$e];
@     end)
@   end)
}
@ end
@
@ local function store_straight(x)
@   local name <const>, of <const> = x.names.name, x.names

// Put it into LDS as it is: a row holds one k.
static __device__ inline void store_$(name)_tile(float *tile,
                                           const vec<float, $(of.load)> *from,
                                           int thread)
{
@   if x.even then
  int column = $(column(x));
@   end
@   loop.block("i", x.loads, name .. "_loads", function (i, step)
    int k = $(row(x, step));
@     if not x.even then
    int column = $(column(x, step));
@     end
    *(vec<float, $(of.load)> *)(tile + k * $(name)_stride + column) = from[$i];
@   end)
}
@ end
@
@ function tile.store(x)
@   if x.turned then store_turned(x) else store_straight(x) end
@ end
@
@ -- Past the registers: copy() is async.hip's.
@ function tile.copy(x, ragged)
@   local name <const>, of <const> = x.names.name, x.names
@   local left <const> = ragged and ", int left" or ""
@   local function real(k) return ragged and ", " .. k .. " < left" or "" end

// Copy this thread's part of a k tile into LDS, where a row holds one k.
static __device__ inline void
copy_$(name)_tile(float *to, const float *tile, const offset *at,
    int thread$left)
{
@   loop.block("i", x.loads, name .. "_loads", function (i, step)
@     if x.turned then
    int k = $(column(x)), column = $(row(x, step));
@       if x.xor > 0 then
    $(swizzle(x, "k")) // a few banks would take all else
@       end
@     else
    int k = $(row(x, step));
    int column = $(column(x, step));
@     end
    const float *from = (const float *)((const char *)tile + at[$i]);
    copy<$(of.load)>(to + k * $(name)_stride + column, from$(real("k")));
@   end)
}
@ end
@
@ function tile.read(x)
@   local name <const>, of <const> = x.names.name, x.names

// Read this thread's $(cfg[of.thread]) elements of row k.
static __device__ inline void read_$name($(T.word) *to, const $(T.word) *tile, int k,
                                     int column)
{
@   if x.xor > 0 then
  $(swizzle(x, "k"))
@   end
@   local reads <const> = of.thread .. " / " .. name .. "_width"
@   loop.block("r", x.reads, reads, function (r, step)
    int fixed = k * $(name)_stride$(step(name .. "_apart")); // LDS instructions add it
@     if x.width == 1 then
    to[$r] = tile[column + fixed];
@       return
@     end
    typedef vec<$(T.word), $(name)_width> vector;
    vector v = *(const vector *)(tile + column + fixed);
#pragma unroll
    for (int e = 0; e < $(name)_width; e++)
      to[$(r == "0" and "e" or "r * " .. name .. "_width + e")] = v[e];
@   end)
}
@ end
@
@ return tile
