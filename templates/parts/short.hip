@ -- short.hip - the short operand x of a thin product: in LDS, all of it or a
@ -- panel at a time, or loaded by each thread.
@ -- SPDX-License-Identifier: MIT
@
@ local loop <const> = include "parts/loop.hip"
@ local piece <const> = include "parts/piece.hip"
@ local terms <const> = include "parts/terms.lua"
@ local thin <const> = include "parts/thin.lua"
@ local T <const> = include("parts/types.lua").text(problem, arch)
@ local o <const>, ragged <const> = ...
@ local element <const> = T.plain and "float" or "element"
@ local chunk <const> = o.chunk
@ local chunks <const> = depth // chunk
@ local kept <const>, panels <const> = x_in == "lds", panel > 0
@ local x_width <const> = thin.x_width(cfg, problem, arch)
@ local x_pieces <const> = chunk // x_width
@ local all <const> = columns * o.kept_k // x_width -- loads of a panel
@ local x_loads <const> = (all + o.threads - 1) // o.threads
@ local short <const> = { kept = kept, panels = panels }
@
@ function short.constants()
// Words of x a read, and reads of a chunk.
constexpr int read = $(o.read), reads = chunk / (read * $(T.pack));
typedef vec<$(T.word), read> x_vector;
constexpr int x_width = $x_width; // elements of x a load
typedef $(piece.type(x_width)) x_piece;
@   if not kept then
constexpr int x_pieces = chunk / x_width;
@     return
@   end
// Of x in LDS: k at a time, and words from column to column.
@   if panels then
// Steps that come and go at a time, and those there.
constexpr int panel = $panel, slots = 2 * panel;
constexpr int x_k = panel * step_k, x_stride = slots * step_k / $(T.pack);
@   else
constexpr int x_k = $(o.kept_k), x_stride = x_k / $(T.pack);
@   end
constexpr int x_loads = $x_loads; // of a thread
@ end
@
@ local even <const> = all % o.threads == 0
@ local batch <const> = math.min(x_loads, 8) -- loads on their way at a time
@ -- The loads of a thread of what of x is kept in LDS: bodies for load i, of so many
@ -- from load `first` on.
@ local function each_load(count, name, first, body)
@   loop.block("j", count, name, function (j, step)
    unsigned i = thread$(first)$(step("threads"));
@     body("from[" .. j .. "]")
@   end)
@ end
@ local function where()
@   if o.x_turned then
    int s = i / (x_k / x_width);
    int at = i % (x_k / x_width)$(x_width > 1 and " * x_width" or "");
@   else
    int s = i % (columns / x_width)$(x_width > 1 and " * x_width" or "");
    int at = i / (columns / x_width);
@   end
@ end
@ local function bring(v)
@   local from <const> = o.x_turned and "s * ldx + at" or "at * ldx + s"
@   if ragged then
    $v = x_piece{};
    if (at < k && s < columns_x)
      $v = *(const x_piece *)(x + (long long)$from);
@   elseif panels and split_k == 1 then -- there are more steps than a panel has
    bool own = s < columns_x; // or else C has no such column, and any will do
    $v = *(const x_piece *)(x + (own ? (long long)$from : 0));
@   else
    bool inside = at < k && s < columns_x;
    $v = *(const x_piece *)(x + (inside ? (long long)$from : 0));
@   end
@ end
@ -- Steps are in a ring, of k or of slots.
@ local function round_to(first, all)
    at += $first * step_k;
    at = at < $all * step_k ? at : at - $all * step_k;
@ end
@ local function put(v)
@   local held <const> = T.pack > 1 and "element" or "float"
@   local stride <const> = T.pack > 1 and "x_stride * pack" or "x_stride"
@   if o.x_turned and (T.plain or T.pack > 1) then
    $held *row = ($held *)to + s * ($stride);
    *(x_piece *)(row + at) = $v;
@     return
@   end
    $held *row = ($held *)to + s * ($stride);
@   indent(2, loop.line, "e", x_width, "x_width", function (e)
@     local to <const> = o.x_turned and terms.plus("at", e) or
@                        terms.plus(terms.times(e, "(" .. stride .. ")"), "at")
    row[$to] = $(piece.element(v, e, x_width));
@   end)
@ end
@
@ local function place(v)
@   if even then return put(v) end
    if (i < columns * x_k / x_width) {
@   indent(2, put, v)
    }
@ end
@
@ -- So many loads from load `first` on, and then what they bring.
@ local function keep_some(count, name, first)
@   if count == 1 then
@     return each_load(count, name, first, function ()
    x_piece v;
@       where()
@       bring("v")
@       place("v")
@     end)
@   end
  x_piece from[$name];
@   each_load(count, name, first, function (v)
@     where()
@     bring(v)
@   end)
@   each_load(count, name, first, function (v)
@     where()
@     place(v)
@   end)
@ end
@
@ function short.keep()
@   if not panels then
@     local rounds <const>, rest <const> = x_loads // batch, x_loads % batch

@     if ragged then
// Bring k of x into LDS, column by column; past the last, and past k, zeros.
@     else
// Bring k of x into LDS, column by column; past the last, and past k, junk.
@     end
static __device__ inline void keep_x($(T.word) *to, const $element *x,
                                     int thread, int columns_x, int k, int ldx)
{
@     if rounds > 1 then
#pragma unroll 1
  for (int done = 0; done < $(rounds * batch); done += $batch) {
@       indent(2, keep_some, batch, tostring(batch), " + done * threads")
  }
@     else
@       keep_some(batch, batch == x_loads and "x_loads" or tostring(batch), "")
@     end
@     if rest > 0 then
  {
@       indent(2, keep_some, rest, tostring(rest), " + " .. rounds * batch .. " * threads")
  }
@     end
}
@   else

// Load this thread's part of a panel of x, which begins at step `first`; past
// the last column, and past k, $(ragged and "zeros" or "something").
static __device__ inline void load_x(x_piece *from, const $element *x,
                                     int thread, int columns_x, int k, int ldx,
                                     int first, int steps)
{
@     each_load(x_loads, "x_loads", "", function (v)
@       where()
@       round_to("first", "steps")
@       bring(v)
@     end)
}

// Put it into LDS, column by column.
static __device__ inline void keep_x($(T.word) *to, x_piece *from, int thread,
                                     int slot)
{
@     each_load(x_loads, "x_loads", "", function (v)
@       where()
@       round_to("slot", "slots")
@       place(v)
@     end)
}
@   end

// A barrier for LDS alone: __syncthreads() would also wait for the loads from
// memory, which are to stay in flight.
static __device__ inline void barrier()
{
#if defined __HIP__ && !defined __GFX12__ // which has other instructions for it
  asm volatile("s_waitcnt lgkmcnt(0)\n\ts_barrier" ::: "memory");
#else
  __syncthreads();
#endif
}
@ end
@
@ function short.load()

// Load this thread's k of a step, for all columns; where C has no more, the
// last again.
static __device__ inline void load_x(x_piece (*to)[chunks][x_pieces],
                                     const $element *x, int columns_x,
                                     int ldx$(ragged and ", int left" or ""))
{
@   loop.block("s", columns, "columns", function (s)
@     if s == "0" then
    const $element *from = x;
@     else
    int column = s < columns_x ? s : columns_x - 1;
    const $element *from = x + (long long)column * ldx;
@     end
@     indent(2, loop.block, "c", chunks, "chunks", function (c)
@       indent(2, loop.block, "p", x_pieces, "x_pieces", function (p)
@         local on <const> = terms.plus(terms.times(c, "(lanes_k * chunk)"),
@                                       terms.times(p, "x_width", x_width))
    x_piece v = {};
@         if ragged then
    if ($on < left)
      v = *(const x_piece *)$(terms.wrap(terms.plus("from", on)));
@         else
    v = *(const x_piece *)$(terms.wrap(terms.plus("from", on)));
@         end
    to[$s][$c][$p] = v;
@       end)
@     end)
@   end)
}
@ end
@
@ -- Where read i of chunk c is in LDS, for column s.
@ local function kept_at(s, c, i)
@   local apart <const> = "(lanes_k * chunk" .. (T.pack > 1 and " / pack" or "") .. ")"
@   return terms.plus(terms.times(s, "x_stride"),
@                     terms.plus(terms.times(c, apart), terms.times(i, "read")))
@ end
@
@ -- Registers of x that are on their way from LDS: columns at a time. Reads that the
@ -- compiler may move freely come first, all of them, and take too many.
@ local group <const> = math.max(4 // o.read, 1)
@ short.held = kept and columns > group and arch.amdgcn == 1
@
@ function short.hold()

// Let what is read from here on wait for a sum.
static __device__ inline void hold(int *at, $(T.sum) *sum)
{
#ifdef __HIP__
  asm volatile("" : "+v"(*at), "+v"(*sum));
#endif
}
@ end
@
@ -- v: read i of chunk c, for all columns or, where they are held, the first.
@ function short.begin(c, i)
    x_vector v[columns];
@   local first <const> = short.held and group or columns
@   indent(2, loop.block, "s", first, tostring(first == columns and "columns" or first), function (s)
@     if kept then
    const $(T.word) *from = x + $(terms.plus("at", kept_at(s, c, i)));
    v[$s] = *(const x_vector *)from;
@     else
@       indent(2, loop.block, "e", o.read, "read", function (e)
@         local composed <const> = i ~= "0" and e ~= "0"
@         local word <const> = composed and "k" or terms.plus(terms.times(i, "read"), e)
@         if composed then
    int k = i * read + e;
@         end
    v[$s][$e] =
        $(piece.word("x[" .. s .. "][" .. c .. "]", word, x_width, "x_width", chunk));
@       end)
@     end
@   end)
@ end
@
@ -- Before column s is multiplied.
@ function short.go_on(s, c, i)
@   if not short.held then return end
    if (s % $group == 0) {
      hold(&at, sum + (s > 0 ? s - 1 : 0));
#pragma unroll
      for (int j = s + $group; j < s + $(2 * group) && j < columns; j++) {
        const $(T.word) *from = x + $(terms.plus("at", kept_at("j", c, i)));
        v[j] = *(const x_vector *)from;
      }
    }
@ end
@
@ return short
