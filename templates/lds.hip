@ local loop <const> = include "parts/loop.hip"
@ local wave <const> = arch.wave
@ local row <const> = columns * ({ f32 = 4, f16 = 2, i8 = 1 })[dtype] // 4 -- words
@ local alone <const>, turned <const> = owner == "wave", pattern == "transpose"
@ local widest <const> = math.max(turned and 1 or write_width, read_width)
@ local sharers <const> = alone and wave or threads -- threads that share a tile
@ local writes <const> = rows * row // (sharers * write_width)
@ local reads <const> = rows * row // (sharers * read_width)
@ local across <const> = wave // down
@ local shared <const> = pattern == "row" or pattern == "broadcast"
@ local kept <const> = write_ahead * (writes // ilp) -- reads summed up later
@ local barrier <const> = alone and "wave_barrier" or "__syncthreads"
@
@ -- x * y, x / y and x % y, where y can be 1.
@ local function times(x, y, name) return y == 1 and x or x .. " * " .. name end
@ local function over(x, y, name) return y == 1 and x or x .. " / " .. name end
@ local function rest(x, y, name) return y == 1 and "0" or x .. " % " .. name end
@
// A tile of $rows rows of $row words is written into LDS and read again, pass
// after pass. $sharers threads share it, and have $ilp accesses each in flight.
//
@ if turned then
//   written  down the columns, each thread $write_width words of one
@ else
//   written  along the rows, $write_width words at a time
@ end
@ if pattern == "column" then
@   local and_across <const> = across > 1 and " and " .. across .. " across" or ""
//   read     by each wave down $down rows$and_across, $read_width words at a time
@ elseif shared then
//   read     along the rows, $read_width words at a time, $down lanes the same
@ else
//   read     along the rows, $read_width words at a time
@ end
//
// Every fourth word of the tile grows by one each pass. At the end the tile and
// the sum of all that was read tell whether each word was where it should be,
// each time.
@ if kept > 0 then
//
// What was read last is not summed up before the next writes are on their way:
// $write_ahead vectors between those and the barrier that waits for them.
@ end

@ include "parts/vec.hip"
constexpr int threads = $threads, sharers = $sharers; // of a workgroup, of a tile
constexpr int rows = $rows, row = $row; // of the tile, and the words of one
constexpr int pad = $pad, stride = row + pad; // words from row to row in LDS
constexpr int write_width = $write_width, read_width = $read_width; // words of an access
constexpr int ilp = $ilp; // accesses in flight
constexpr int writes = rows * row / (sharers * write_width); // of a thread
constexpr int reads = rows * row / (sharers * read_width);
@ if kept > 0 then
// Reads of a pass that are summed up in the next, before each of its barriers.
constexpr int write_ahead = $write_ahead, kept = write_ahead * writes / ilp;
@ end
@ if xor > 0 then
// The XOR: chunks of a row move by row & mask.
constexpr int xor_mask = $xor, chunk = $(unit * widest); // words
@ end
@ if pattern == "column" or shared then
constexpr int lanes = $wave, down = $down, across = lanes / down; // of a wave
@ end
typedef vec<unsigned, read_width> read_vector;
typedef vec<unsigned, write_width> write_vector;
@ if alone then

// LDS serves a wave in order: it is enough that the compiler keeps the order.
static __device__ inline void wave_barrier()
{
#ifdef __HIP__
  asm volatile("" : : : "memory");
  __builtin_amdgcn_wave_barrier();
#else
  __syncwarp();
#endif
}
@ end

// Nothing uses v sooner than here, and no access to LDS passes this place.
static __device__ inline void hold(read_vector &v)
{
#ifdef __HIP__
@ if read_width > 1 then
  asm volatile("" : "+v"(v) : : "memory");
@ else
  unsigned word = v[0];
  asm volatile("" : "+v"(word) : : "memory");
  v[0] = word;
@ end
#endif
}

// Let all of these be on their way before the first is waited for.
static __device__ inline void take(read_vector *v)
{
@ loop.line("i", ilp, "ilp", function (i)
    hold(v[$i]);
@ end)
}

static __device__ inline unsigned total(read_vector v)
{
  unsigned sum = 0;
@ loop.line("e", read_width, "read_width", function (e)
    sum += v[$e];
@ end)
  return sum;
}
@ if kept > 0 then

// Add up what was read before, while writes are on their way.
static __device__ inline void meanwhile(unsigned &sum, read_vector *last)
{
@   loop.line("i", write_ahead, "write_ahead", function (i)
    hold(last[$i]);
@   end)
@   loop.line("i", write_ahead, "write_ahead", function (i)
    sum += total(last[$i]);
@   end)
#ifdef __HIP__
  asm volatile("" : "+v"(sum) : : "memory"); // now, not behind the barrier
#endif
}
@ end

struct position {
  int row, column;
};

// Where in LDS that is.
static __device__ inline int offset(position at)
{
@ if xor > 0 then
  return at.row * stride + (at.column ^ (at.row & xor_mask) * chunk);
@ else
  return at.row * stride + at.column;
@ end
}

// What a thread reads with its access i.
static __device__ inline position read_at(int thread, int i)
{
@ if pattern == "column" then
  int lane = thread % lanes, n = (i * sharers + thread) / lanes;
@   if rows == down then
  int column = $(times("n", across, "across")) + $(over("lane", down, "down"));
  return { $(rest("lane", down, "down")), $(times("column", read_width, "read_width")) };
@   else
  constexpr int blocks = rows / down;
  int column = $(times("n / blocks", across, "across")) + $(over("lane", down, "down"));
  return { n % blocks * down + $(rest("lane", down, "down")),
           $(times("column", read_width, "read_width")) };
@   end
@ elseif shared then
  int lane = thread % lanes, n = (i * sharers + thread) / lanes;
  int word = (n * across + lane / down) * read_width;
  return { word / row, word % row };
@ else
  int word = $(times("(i * sharers + thread)", read_width, "read_width"));
  return { word / row, word % row };
@ end
}

// What it writes, the first of write_width words$(turned and " down a column" or "").
static __device__ inline position write_at(int thread, int i)
{
  int n = i * sharers + thread;
@ if turned then
@   local all <const> = rows // write_width
  return { $(times(rest("n", all, "(rows / write_width)"), write_width, "write_width")),
           $(over("n", all, "(rows / write_width)")) };
@ else
@   local word <const> = times("n", write_width, "write_width")
  return { $word / row, $word % row };
@ end
}

// By how much that word grows each pass.
static __device__ inline unsigned grows(position at)
{
  return (at.row * row + at.column) % 4 == 0;
}

extern "C" __global__ void __launch_bounds__(threads)
lds(const unsigned *__restrict__ from, unsigned *__restrict__ to,
    unsigned *__restrict__ sums, int passes)
{
  constexpr int here = threads / sharers; // tiles
  alignas(16) __shared__ unsigned tiles[here][rows * stride];

  int thread = threadIdx.x % sharers;
  unsigned *tile = tiles[threadIdx.x / sharers];
  unsigned number = blockIdx.x * here + threadIdx.x / sharers;
  from += (unsigned long long)number * (rows * row);
  to += (unsigned long long)number * (rows * row);

  write_vector own[writes];
@ loop.block("i", writes, "writes", function (i)
    position at = write_at(thread, $i);
@   if turned then
@     indent(2, loop.line, "e", write_width, "write_width", function (e)
    own[$i][$e] = from[$(e == "0" and "at.row" or "(at.row + e)") * row + at.column];
@     end)
@   else
    own[$i] = *(const write_vector *)(from + at.row * row + at.column);
@   end
@ end)

  unsigned sum = 0;
@ if kept > 0 then
  read_vector last[kept] = {}; // of the pass before
@ end
  for (int pass = 0; pass < passes; pass++) {
@ local function right(e) return e == "0" and "at" or "{ at.row, at.column + e }" end
@ local function below(e) return e == "0" and "at" or "{ at.row + e, at.column }" end
@ indent(2, loop.block, "i", writes, "writes", function (i)
    position at = write_at(thread, $i);
@   if turned then
@     indent(2, loop.block, "e", write_width, "write_width", function (e)
    tile[offset($(below(e)))] = own[$i][$e];
    own[$i][$e] += grows($(below(e)));
@     end)
@   else
    *(write_vector *)(tile + offset(at)) = own[$i];
@     indent(2, loop.line, "e", write_width, "write_width", function (e)
    own[$i][$e] += grows($(right(e)));
@     end)
@   end
@   local group <const> = writes == ilp and "" or
@                         ilp == 1 and " + " .. i or " + i / ilp"
@   local ahead <const> = write_ahead > 1 and group ~= "" and " * write_ahead" or ""
@   local some <const> = ilp > 1
@   if some then
@     local last_one <const> = writes > ilp and "(i + 1) % ilp == 0" or "i + 1 == ilp"
    if ($last_one)$(kept > 0 and " {" or "")
@   end
@   indent(some and 2 or 0, function ()
@     if kept > 0 then
    meanwhile(sum, last$group$ahead);
@     end
    $barrier();
@   end)
@   if some and kept > 0 then
    }
@   end
@ end)
@ -- Reads of all ilp accesses from `base` on, which is nil if these are all.
@ local function read_some(base)
    read_vector v[ilp];
@   indent(2, loop.line, "i", ilp, "ilp", function (i)
@     local at <const> = not base and i or i == "0" and base or base .. " + " .. i
    v[$i] = *(const read_vector *)(tile + offset(read_at(thread, $at)));
@   end)
    take(v);
    $barrier();
@   indent(2, loop.block, "i", ilp, "ilp", function (i)
@     local at <const> = not base and i or i == "0" and base or base .. " + " .. i
@     local early <const> = reads - kept
@     if kept > 0 and early > 0 then
    if ($at >= reads - kept)
      last[$at - (reads - kept)] = v[$i];
    else
      sum += total(v[$i]);
@     elseif kept > 0 then
    last[$at] = v[$i];
@     else
    sum += total(v[$i]);
@     end
@   end)
@ end
@ if reads == ilp then
@   read_some()
@ else
#pragma unroll
    for (int base = 0; base < reads; $(ilp > 1 and "base += ilp" or "base++")) {
@   indent(2, read_some, "base")
    }
@ end
  }
@ if kept > 0 then
@   loop.line("i", kept, "kept", function (i)
    sum += total(last[$i]);
@   end)
@ end

@ loop.block("i", reads, "reads", function (i, step)
@   if shared then
@     local n <const> = times(i == "0" and "thread" or "(i * sharers + thread)", read_width,
@                            "read_width")
    int word = $n;
    position where = { word / row, word % row };
@   else
    position where = read_at(thread, $i);
@   end
    read_vector v = *(const read_vector *)(tile + offset(where));
    *(read_vector *)(to + where.row * row + where.column) = v;
@ end)

  __syncthreads();
  tile[thread] = sum;
  for (int half = sharers / 2; half > 0; half /= 2) {
    __syncthreads();
    if (thread < half)
      tile[thread] += tile[thread + half];
  }
  if (thread == 0)
    sums[number] = tile[0];
}
