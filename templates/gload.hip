@ local loop <const> = include "parts/loop.hip"
@ local row <const> = 1024 -- words
@ local vectors <const> = row // (threads * width) -- of a row, a thread
@ local all <const> = vectors * depth -- of a tile, a thread
@ local turn <const> = math.max(vectors, ahead) -- vectors in a turn of the loop
@ local reads <const>, writes <const> = op ~= "write", op ~= "read"
@ local from <const> = reads and "const int *x, " or ""
@ local key <const> = reads and "" or ", int key"
@ if op == "read" then
// Tiles of $depth rows of $row words are read. A row is left of each: the sums
// of its columns.
@ elseif op == "write" then
// Tiles of $depth rows of $row words are written: word i is i ^ key.
@ else
// Tiles of $depth rows of $row words are copied.
@ end
@ if stride > 1 then
// Of every $stride pieces of 16 bytes the first is used.
@ end

@ -- An address and what is added to it, in parentheses where something is.
@ local function at(base, step) return step == "" and base or "(" .. base .. step .. ")" end
@
@ include "parts/vec.hip"
constexpr int row = $row, depth = $depth; // words of a row, rows of a tile
constexpr int threads = $threads, width = $width; // words of an access
@ if stride > 1 then
constexpr int stride = $stride; // pieces of 16 bytes
@ end
constexpr int vectors = row / (threads * width); // of a row, a thread
@ if reads then
constexpr int ahead = $ahead; // loads in flight
@ end
// Words from a thread's vector to its next.
constexpr int apart = threads * width$(stride > 1 and " * stride" or "");
typedef vec<unsigned, width> vector;

// Where in memory this thread begins with a tile.
static __device__ inline long long start(long long tile, int thread)
{
@ if stride > 1 then
  long long word = tile * (row * depth) + thread * width;
  return word / 4 * (4 * stride) + word % 4;
@ else
  return tile * (row * depth) + thread * width;
@ end
}

@ -- The loop over a tile, `step` vectors of a thread at a time, which the text
@ -- calls `name`; one that is over at once is no loop.
@ local function over_tile(step, name, body)
@   if all == step then return indent(-2, body, false) end
#pragma unroll 1
  for (int i = 0; i < vectors * depth; i += $name) {
@   body(true)
  }
@ end
@
@ if not reads then
static __device__ inline void move(int *y, long long tile, int thread, int key)
{
  unsigned word = tile * (row * depth) + thread * width;
  y += start(tile, thread);
@   over_tile(turn, "vectors", function (again)
@     indent(2, loop.block, "j", vectors, "vectors", function (j, step)
    vector v;
@       indent(2, loop.line, "e", width, "width", function (e, one)
    v[$e] = word$(step("(threads * width)"))$(e == "0" and "" or " + e") ^ key;
@       end)
    *(vector *)$(at("y", step("apart"))) = v;
@     end)
@     if again then
    word += row;
    y += vectors * apart;
@     end
@   end)
}
@ else
@   local word <const> = width == 1 and "*(unsigned *)&" or "" -- no register takes
@   local list = ""                                         -- a vector of one
@   for i = 0, ahead - 1 do
@     local between <const> = i == 0 and "" or i % 2 == 0 and ",\n                 " or ", "
@     list = list .. between .. string.format('"+v"(%sv[%d])', word, i)
@   end
// Start $(ahead > 1 and ahead .. " loads, and wait for them" or "a load, and wait for it").
static __device__ inline void load(vector *v, const int *x)
{
@   loop.line("i", ahead, "ahead", function (i, step)
    v[$i] = *(const vector *)$(at("x", step("apart")));
@   end)
#ifdef __HIP__ // else the compiler, to save registers, would load them later
  asm volatile(""
               : $list
               : : "memory");
#endif
}

@   if op == "copy" then
static __device__ inline void move(const int *x, int *y, long long tile,
                                   int thread)
{
  x += start(tile, thread);
  y += start(tile, thread);
@     over_tile(ahead, "ahead", function (again)
    vector v[ahead];
    load(v, x);
@       indent(2, loop.line, "j", ahead, "ahead", function (j, step)
    *(vector *)$(at("y", step("apart"))) = v[$j];
@       end)
@       if again then
    x += ahead * apart;
    y += ahead * apart;
@       end
@     end)
}
@   else
static __device__ inline void move(const int *x, int *y, long long tile,
                                   int thread)
{
  vector sum[vectors] = {};
  x += start(tile, thread);
@     -- Add what was loaded to the sums from `first` on.
@     local function add(first)
    vector v[ahead];
    load(v, x$(first and " + j * apart" or ""));
@       indent(2, loop.line, "a", ahead, "ahead", function (a, step)
@         local at <const> = first and first .. (a == "0" and "" or " + " .. a) or
@                            ahead == vectors and a or vectors == 1 and "0" or a .. " % vectors"
@         indent(2, loop.line, "e", width, "width", function (e)
    sum[$at][$e] += v[$a][$e];
@         end)
@       end)
@     end
@     over_tile(turn, turn == vectors and "vectors" or "ahead", function (again)
@       if ahead < vectors then
#pragma unroll
    for (int j = 0; j < vectors; j += ahead) {
@         indent(2, add, "j")
    }
@       else
@         add()
@       end
@       if again then
    x += $(turn == vectors and "vectors" or "ahead") * apart;
@       end
@     end)
  y += tile * row + thread * width;
@     loop.line("i", vectors, "vectors", function (i, step)
    *(vector *)$(at("y", step("(threads * width)"))) = sum[$i];
@     end)
}
@   end
@ end

extern "C" __global__ void __launch_bounds__(threads)
gload($(from)int *y, int tiles$(groups > 0 and ", int groups" or "")$key)
{
@ local passed <const> = (reads and "x, " or "") .. "y, tile, threadIdx.x" ..
@                        (reads and "" or ", key")
@ if groups == 0 then
  int tile = blockIdx.x;
  if (tile < tiles)
    move($passed);
@ else
  for (int tile = blockIdx.x; tile < tiles; tile += groups)
    move($passed);
@ end
}
