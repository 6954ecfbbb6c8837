@ local loop <const> = include "parts/loop.hip"
@ local terms <const> = include "parts/terms.lua"
@ local thin <const> = include "parts/thin.lua"
@ local store <const> = include "parts/store.hip"
@ local epilogue <const> = include "parts/epilogue.hip"
@ local T <const> = include("parts/types.lua").text(problem, arch)
@
@ local o <const> = thin.numbers(cfg, problem, arch)
@ local shared <const> = o.lanes_c > 1 -- columns by lanes
@ o.own = shared and "own_columns" or "columns" -- a thread's, by name
@ local side <const>, turned <const>, split <const> = o.side, o.turned, split_k > 1
@ local ragged <const> = k % o.step_k ~= 0
@ local long <const> = include("parts/long.hip", o, ragged)
@ local short <const> = include("parts/short.hip", o, ragged)
@ local kept <const>, panels <const> = short.kept, short.panels
@ local turns <const> = ahead + 1 -- steps held in registers
@ local stagger <const> = thin.stagger(cfg, problem, arch)
@ local whole <const> = math.max(turns, stagger) -- power of two that divides the steps
@ local element <const> = T.plain and "float" or "element"
@ local blanks <const> = (" "):rep(7) -- before a line of parameters
@ local batched <const>, entry <const> = batch ~= 0, include("parts/batch.hip", blanks)
@ local empty <const> = include("parts/product.lua").empty(problem) -- no sum counts
@ local several <const> = per_cu > 0 -- blocks, one after the other
@ local factors <const> = ", float alpha" .. (beta ~= 0 and ", float beta" or "") ..
@                         epilogue.params(blanks)
@ local plus <const>, wrap <const> = terms.plus, terms.wrap
@ include("parts/thin_head.hip", o, long, short, ragged, whole)
@ include "parts/vec.hip"
@ if not T.plain then
@   include("parts/convert.hip", false, epilogue.some)

@ end
// Of C: what a thread has of the short side and of the long one.
@ if shared then
constexpr int columns = $columns, rows = $rows;
constexpr int lanes_c = $(o.lanes_c), own_columns = columns / lanes_c; // share columns
constexpr int sums = rows * own_columns;
@ else
constexpr int columns = $columns, rows = $rows, sums = rows * columns;
@ end
// Lanes of a wave, and waves of the workgroup, that share a row of w.
constexpr int lanes = $(arch.wave), lanes_k = $lanes_k;
constexpr int lanes_r = lanes / lanes_k$(shared and " / lanes_c" or "");
constexpr int waves_k = $waves_k, waves_r = $waves_r;
constexpr int threads = lanes * waves_k * waves_r;
constexpr int block = waves_r * lanes_r * rows; // of a workgroup at a time
// What a thread takes of k at a step, and what all do.
constexpr int depth = $depth, step_k = waves_k * lanes_k * depth;
constexpr unsigned step_bytes = step_k * sizeof($element);
@ long.constants()
@ short.constants()
@ if split then
constexpr int split_k = $split_k; // parts of k
@ end
@ if stagger > 1 then
constexpr int stagger = $stagger; // steps whose order differs by lanes' rows
@ end
@ if o.parts > 1 then
constexpr int parts = $(o.parts); // of a sum, that meet in LDS
@ end
@ if width < T.pack or not kept and thin.x_width(cfg, problem, arch) < T.pack then
@   include("parts/piece.hip").join()
@ end
@ long.place()
@ long.load()
@ long.take()
@ local own <const> = turned and lanes_k > 1
@ local settled <const> = panels or turns > 1 -- at the end of a step
@ if own or settled then
@   include "parts/anew.hip"
@ end
@ if kept then
@   short.keep()
@ else
@   short.load()
@ end
@ if short.held then
@   short.hold()
@ end

// Add the products of a step to this thread's sums.
static __device__ __forceinline__ void
multiply($(T.sum) *sum, w_piece $(long.pointer),
@ if kept then
         const $(T.word) *x, int at)
@ else
         x_piece (*x)[chunks][x_pieces])
@ end
{
@ loop.block("c", depth // o.chunk, "chunks", function (c)
@   indent(2, loop.block, "i", o.reads, "reads", function (i)
    $(T.word) y[rows][read];
    take_w(y, w, $c, $i);
@     short.begin(c, i)
@     indent(2, loop.block, "s", o.columns, o.own, function (s)
@       short.go_on(s, c, i)
@       indent(2, loop.block, "e", o.read, "read", function (e)
@         indent(2, loop.line, "r", rows, "rows", function (r)
@           local sum <const> = "sum[" .. terms.index(r, o.columns, o.own, s) .. "]"
@           if T.pack > 1 then
    $sum = dot(y[$r][$e], v[$s][$e], $sum);
@           else
    $sum += y[$r][$e] * v[$s][$e];
@           end
@         end)
@       end)
@     end)
@   end)
@ end)
@ if settled then
#pragma unroll
  for (int i = 0; i < sums; i++)
    sum[i] = anew(sum[i]); // or compilers add up behind the next branch
@ end
}
@ local count <const> = own and include("parts/share.hip", o.columns) or rows * o.columns
@ epilogue.define()

@ local strides <const> = entry.strides({ "w", "x", not split and "c" or nil }, "\n" .. blanks)
@ local last <const> = (split and "" or factors) .. strides
@ if waves > 1 and arch.amdgcn == 1 then
extern "C" __global__ void __launch_bounds__(threads)
__attribute__((amdgpu_waves_per_eu($waves)))
@ else
extern "C" __global__ void __launch_bounds__(threads)
@ end
skinny($(entry.matrix("const " .. element, "w")),$(entry.gap)$(entry.matrix("const " .. element, "x")),
       $(split and T.sum .. " *__restrict__ c" or entry.matrix(T.c_element, "c")),$(entry.gap)int rows_w, int columns_x,
       int k, int ldw, int ldx, int ldc, int groups$last)
{
@ if kept then
  alignas(16) __shared__ $(T.word) x_kept[columns * x_stride];
@ end
@ if o.parts > 1 then
  __shared__ $(T.sum) meet[parts][block * columns];
@ end
@ if not split then epilogue.take() end
  int thread = threadIdx.x, lane = thread % lanes;
  int wave = __builtin_amdgcn_readfirstlane(thread / lanes); // known to be one
@ if shared then
  int lane_k = lane % lanes_k, lane_r = lane / (lanes_k * lanes_c);
  int first_column = lane / lanes_k % lanes_c * own_columns;
@ elseif turned then
  int lane_k = lane % lanes_k, lane_r = lane / lanes_k;
@ else
  int lane_k = lane / lanes_r, lane_r = lane % lanes_r;
@ end
  int wave_k = wave % waves_k, wave_r = wave / waves_k;
  // The first of a block, and of a step.
  int row = wave_r * (lanes_r * rows) + lane_r$(turned and "" or " * width");
  int first_k = wave_k * (lanes_k * depth) + lane_k * chunk;
@ if batched then

  // The matrices of product y of the batch.
@   entry.go("const " .. element, "w")
@   entry.go("const " .. element, "x")
@   if split then
  c += (long long)blockIdx.y * split_k * rows_w * columns_x;
@   else
@     entry.go(T.c_element, "c")
@   end
@ end
@ if split then

  // Part z of k; its sums are plane z of c.
  int part = ((k - 1) / (step_k * split_k) + 1) * step_k;
  int from_k = blockIdx.z * part;
  k = k - from_k < part ? k - from_k : part;
  w += $(turned and "from_k" or "(long long)from_k * ldw");
  x += $(o.x_turned and "from_k" or "(long long)from_k * ldx");
  c += (long long)blockIdx.z * rows_w * columns_x;
@ end

  // Rows that lie far apart in memory are on the same channels at the same k.
  // So they begin at different steps, and come round to them at the end.
  int steps = (k - 1) / step_k + 1;
  int other = $(panels and "blockIdx.x" or "blockIdx.x * waves_r + wave_r");
@ if stagger > 1 then
  // Those of a load do the same, `stagger` steps at a time.
  int turn = lane_r % stagger, first = ((other & 15) * steps >> 4) & -stagger;
@ else
  int first = (other & 15) * steps >> 4;
@ end
  int step = first; // that is loaded next
@ if panels then
  int slot = 0; // in LDS of x for it
@ end

  // A block of w that is loaded, and its steps so far.
@ if several then
  unsigned blocks = (rows_w + block - 1u) / block, at_block = blockIdx.x;
  int begun = 0;
@ end
  int left = rows_w - blockIdx.x * block;
  w += $(turned and "(long long)blockIdx.x * block * ldw" or "blockIdx.x * block");
  offset at[$(turned and "rows" or "vectors")];
  place(at, row, first_k, left, ldw);

@ for u = 0, turns - 1 do
  w_piece w$u$(long.array);
@   if kept then
  int x$u;
@   else
  x_piece x$u[columns][chunks][x_pieces];
@   end
@ end
@ local bytes <const> = "sizeof(" .. T.word .. ")" .. (T.pack > 1 and " / pack" or "")
@ local of_column <const> = shared and
@   " +\n         first_column * (x_stride * (int)sizeof(" .. T.word .. "))" or ""
@ local left_k <const> = ragged and ",\n           k - first_k - step * step_k" or ""
@ local function taken(step) return stagger > 1 and "(" .. step .. " ^ turn)" or step end
@ local function load(u)
    load_w(w$u, w, at, (offset)$(taken("step")) * $(turned and "step_bytes" or "ldw * step_bytes, ldw")$left_k);
@   if panels then
    x$u = (first_k + $(taken("slot")) * step_k) * $bytes$of_column;
    slot = slot + 1 == slots ? 0 : slot + 1;
@   elseif kept then
    x$u = (first_k + $(taken("step")) * step_k) * $bytes$of_column;
@   else
    load_x(x$u, x + first_k + step * step_k, columns_x, ldx$left_k);
@   end
    step = step + 1 == steps ? 0 : step + 1;
@   if several then
    if (++begun == steps) {
      begun = 0;
      if (at_block + groups < blocks) { // else some are loaded in vain
        at_block += groups;
        left -= groups * block;
        w += $(turned and "(long long)groups * block * ldw" or "groups * block");
        place(at, row, first_k, left, ldw);
      }
    }
@   end
@ end
@ local begin <const> = o.x_turned and "next * step_k" or "(long long)next * step_k * ldx"
@ local function load_short(to, thread)
@   if ragged then
    load_x($to, x + $begin, x_begin,
           $thread, k - next * step_k);
@   else
    load_x($to, x + $begin, x_begin);
@   end
    next = next + 1 == steps ? 0 : next + 1;
@ end
@ if panels then
  // Of x, a panel is in LDS at first, and the step after it on its way.
  int next = first, fill = panel;
  x_offset x_begin[x_loads];
  place_x(x_begin, thread, columns_x, ldx);
  x_piece x_in[x_loads];
@   local some <const> = math.min(panel, 4)
  for (int p = 0; p < panel; p += $some) {
    x_piece some[$some][x_loads];
#pragma unroll
    for (int i = 0; i < $some; i++) {
@   indent(2, load_short, "some[i]", "thread")
    }
#pragma unroll
    for (int i = 0; i < $some; i++)
      keep_x(x_kept, some[i], thread, p + i);
  }
@   indent(-2, load_short, "x_in", "thread")
@ end
@ for u = 0, ahead - 1 do
@   indent(-2, load, u)
@ end
@ if kept then
@   if not panels then
  keep_x(x_kept, x, thread, columns_x, k, ldx);
@   end
  barrier();
@ end

@ if several then
  for (unsigned b = blockIdx.x; b < blocks; b += groups) {
@ else
  {
    unsigned b = blockIdx.x;
@ end
    $(T.sum) sum[sums] = {};
@ local function multiply_turns()
@   for u = 0, turns - 1 do
@     if panels then
      keep_x(x_kept, x_in, anew(thread), fill);
      fill = fill + 1 == slots ? 0 : fill + 1;
@       indent(2, load_short, "x_in", "anew(thread)")
@     end
@     indent(2, load, (u + ahead) % turns)
      multiply(sum, w$u, $(kept and "x_kept, " or "")x$u);
@   end
@ end
@ if panels then
    for (int p = 0; p < steps; p += panel) {
      int count = steps - p < panel ? steps - p : panel, t = 0;
      do {
@   indent(2, multiply_turns)
        t += $turns;
      } while (t < count);
      barrier(); // all have read what the next panel takes the place of
    }
@ else
    for (int t = 0; t < steps; $(turns > 1 and "t += " .. turns or "t++")) {
@   multiply_turns()
    }
@ end
@ if own then
    int begin = share_out(sum, anew(lane));
    if (begin >= 0) {
@ end
@ local function each(body)
@   indent(own and 4 or 2, loop.block, "i", count, tostring(count), function (i)
@     local at <const> = own and plus("begin", i) or i
@     local one <const> = columns == 1
@     local r <const> = one and at or at == "0" and "0" or wrap(at) .. " / " .. o.own
@     local s <const> = (one or at == "0") and "0" or wrap(at) .. " % " .. o.own
    int r = $r, s = $s$(shared and " + first_column" or "");
@     if turned then
    int y = row + r * lanes_r;
@     else
    int y = row + r / width * (lanes_r * width) + r % width;
@     end
@     body(i)
@   end)
@ end
@ local function put(total)
@   local y <const>, x <const> = table.unpack(side.columns == "m" and { "s", "y" } or { "y", "s" })
@   local to <const> = "(long long)" .. y .. " * ldc + " .. x
@   if split then
        c[$to] = $(empty and "0" or total);
@   elseif beta ~= 0 then
      {
        $(T.c_element) *to = c + ($to);
        *to = $(store.scaled(not empty and total or nil, "*to", epilogue, y, x));
      }
@   else
        c[$to] = $(store.scaled(not empty and total or nil, nil, epilogue, y, x));
@   end
@ end
@ if o.parts > 1 then
@   local part <const> = turned and "wave_k" or "wave_k * lanes_k + lane_k"
@   each(function (i)
    meet[$part][s * block + y] = sum[$i];
@   end)
@   if own then
    }
@   end
    $(kept and "barrier" or "__syncthreads")();
    for (int i = thread; i < block * columns; i += threads) {
      $(T.sum) whole = meet[0][i];
@   if o.parts == 2 then
      whole += meet[1][i];
@   else
#pragma unroll
      for (int p = 1; p < parts; p++)
        whole += meet[p][i];
@   end
      int s = i / block, y = b * block + i % block;
      if (y < rows_w && s < columns_x)
@   put("whole")
    }
    $(kept and "barrier" or "__syncthreads")();
@ else
@   each(function (i)
    y += b * block;
    if (y < rows_w && s < columns_x)
@     indent(-2, put, "sum[" .. i .. "]")
@   end)
@   if own then
    }
@   end
@ end
  }
}
@ if split then
@   include("parts/reduce.hip", factors, batched, entry, epilogue)
@ end
