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
@ local k_name <const> = panels and "step_k" or "x_k" -- k of x that come at a time
@ local all <const> = columns * (panels and o.step_k or o.kept_k) // x_width -- in loads
@ local x_loads <const> = (all + o.threads - 1) // o.threads
@ local short <const> = { kept = kept, panels = panels }
@ short.far = (o.x_turned and columns or o.step_k) * problem[o.side.ldx] * T.bits // 8 >= 1 << 32
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
@   if panels then
// Of x in LDS: steps from barrier to barrier, and those there.
constexpr int panel = $panel, slots = 2 * panel;
constexpr int x_stride = slots * step_k / $(T.pack); // words, a column
typedef unsigned $(short.far and "long long " or "")x_offset; // bytes, in a step of x
@   else
// Of x in LDS: k, and words from column to column.
constexpr int x_k = $(o.kept_k), x_stride = x_k / $(T.pack);
@   end
constexpr int x_loads = $x_loads; // of a thread$(panels and ", of a step" or "")
@ end
@
@ local even <const> = all % o.threads == 0
@ local batch <const> = math.min(x_loads, 8) -- loads on their way at a time
@ -- The loads of a thread of what of x is kept in LDS: bodies for load i, of so many
@ -- from load `first` on.
@ local function each_load(count, name, first, body)
@   loop.block("j", count, name, function (j, step)
    unsigned i = thread$(first)$(step("threads"));
@     body("from[" .. j .. "]", j)
@   end)
@ end
@ local function where()
@   if o.x_turned then
    int s = i / ($k_name / x_width);
    int at = i % ($k_name / x_width)$(x_width > 1 and " * x_width" or "");
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
@   else
    bool inside = at < k && s < columns_x;
    $v = *(const x_piece *)(x + (inside ? (long long)$from : 0));
@   end
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
@ -- What a thread does for a load that is there.
@ local function own(body, ...)
@   if even then return body(...) end
    if (i < columns * $k_name / x_width) {
@   indent(2, body, ...)
    }
@ end
@ local function load_piece(v, j)
    $v = *(const x_piece *)((const char *)x + begin[$j]);
@ end
@
@ -- So many loads from load `first` on, and then what they bring.
@ local function keep_some(count, name, first)
@   if count == 1 then
@     return each_load(count, name, first, function ()
    x_piece v;
@       where()
@       bring("v")
@       own(put, "v")
@     end)
@   end
  x_piece from[$name];
@   each_load(count, name, first, function (v)
@     where()
@     bring(v)
@   end)
@   each_load(count, name, first, function (v)
@     where()
@     own(put, v)
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

// Where this thread's loads of a step of x begin, in bytes. Where there is none
// for it, or C has no such column, it loads others again, so that all threads
// have as many on their way.
static __device__ inline void place_x(x_offset *from, int thread, int columns_x,
                                      int ldx)
{
@     each_load(x_loads, "x_loads", "", function (from)
@       if not even then
    i = i < columns * step_k / x_width ? i : 0;
@       end
@       where()
    s = s < columns_x ? s : 0;
@       local at <const> = o.x_turned and "(x_offset)s * ldx + at" or "(x_offset)at * ldx + s"
    $from = ($at) * sizeof($element);
@     end)
}

// Load this thread's part of a step of x$(ragged and "; past k, `left` away, zeros" or "").
static __device__ inline void load_x(x_piece *from, const $element *x,
                                     const x_offset *begin$(ragged and "," or ")")
@     if ragged then
                                     int thread, int left)
@     end
{
@     if ragged then
@       each_load(x_loads, "x_loads", "", function (v, j)
@         where()
    $v = x_piece{};
    if (at < left)
@         indent(2, load_piece, v, j)
@       end)
@     else
@       loop.line("j", x_loads, "x_loads", function (j)
@         load_piece("from[" .. j .. "]", j)
@       end)
@     end
}

// Put it into LDS, column by column.
static __device__ inline void keep_x($(T.word) *to, x_piece *from, int thread,
                                     int slot)
{
@     each_load(x_loads, "x_loads", "", function (v)
@       where()
    at += slot * step_k;
@       if not even and x_width * T.bits >= 32 then
    $v[0] = anew($v[0]); // or compilers would load it in here
@       end
@       own(put, v)
@     end)
}
@   end

// The word of x at so many bytes. (An index would be made bytes each time.)
static __device__ inline const $(T.word) *column(const $(T.word) *x, int at)
{
  return (const $(T.word) *)((const char *)x + at);
}

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
@ short.held = kept and o.columns > group and arch.amdgcn == 1
@
@ function short.hold()

// Let what is read from here on wait for a sum.
static __device__ __forceinline__ void
hold(int *at, $(T.sum) *sum)
{
#ifdef __HIP__
  asm volatile("" : "+v"(*at), "+v"(*sum));
#endif
}
@ end
@
@ -- v: read i of chunk c, for all columns or, where they are held, the first.
@ function short.begin(c, i)
    x_vector v[$(o.own)];
@   local first <const> = short.held and group or o.columns
@   local name <const> = first == o.columns and o.own or tostring(first)
@   indent(2, loop.block, "s", first, name, function (s)
@     if kept then
    const $(T.word) *from = $(terms.plus("column(x, at)", kept_at(s, c, i)));
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
      for (int j = s + $group; j < s + $(2 * group) && j < $(o.own); j++) {
        const $(T.word) *from = $(terms.plus("column(x, at)", kept_at("j", c, i)));
        v[j] = *(const x_vector *)from;
      }
    }
@ end
@
@ return short
