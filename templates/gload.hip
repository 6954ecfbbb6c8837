@ local row <const> = 1024 -- words
@ local vectors <const> = row // (threads * width) -- of a row, a thread
@ local all <const> = vectors * depth -- of a tile, a thread
@ local turn <const> = math.max(vectors, ahead) -- vectors in a turn of the loop
@ local apart <const> = threads * width * stride -- words from a thread's vector to its next
@ local from <const> = op ~= "write" and "const int *x, " or ""
@ local key <const> = op == "write" and ", int key" or ""
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

// Words that move in one instruction.
#ifdef __clang__
template <int n> using vec = unsigned __attribute__((ext_vector_type(n)));
#else
template <int n> struct alignas(n * sizeof(unsigned)) vec {
  unsigned e[n];
  __device__ unsigned &operator[](int i) { return e[i]; }
};
#endif
typedef vec<$width> vector;

// Where in memory this thread begins with a tile.
static __device__ inline long long start(long long tile, int thread)
{
  long long word = tile * $(row * depth) + thread * $width;
@ if stride > 1 then
  return word / 4 * $(4 * stride) + word % 4;
@ else
  return word;
@ end
}

@ if op == "write" then
static __device__ inline void move(int *y, long long tile, int thread, int key)
{
  unsigned word = tile * $(row * depth) + thread * $width;
  y += start(tile, thread);
#pragma unroll 1
  for (int i = 0; i < $all; i += $turn) {
#pragma unroll
    for (int j = 0; j < $turn; j++) {
      vector v;
#pragma unroll
      for (int e = 0; e < $width; e++)
        v[e] = word + j * $(threads * width) + e ^ key;
      *(vector *)(y + j * $apart) = v;
    }
    word += $(turn * threads * width);
    y += $(turn * apart);
  }
}
@ else
@   local word <const> = width == 1 and "*(unsigned *)&" or "" -- no register takes a vector of one
@   local list <const> = {}
@   for i = 0, ahead - 1 do list[i + 1] = string.format('"+v"(%sv[%d])', word, i) end
// Start $ahead loads, and wait for them.
static __device__ inline void load(vector *v, const int *x)
{
#pragma unroll
  for (int i = 0; i < $ahead; i++)
    v[i] = *(const vector *)(x + i * $apart);
#ifdef __HIP__ // a compiler that would save registers brings them closer to their use
  asm volatile("" : $(table.concat(list, ", ")) : : "memory");
#endif
}

@   if op == "copy" then
static __device__ inline void move(const int *x, int *y, long long tile, int thread)
{
  x += start(tile, thread);
  y += start(tile, thread);
#pragma unroll 1
  for (int i = 0; i < $all; i += $ahead) {
    vector v[$ahead];
    load(v, x);
#pragma unroll
    for (int j = 0; j < $ahead; j++)
      *(vector *)(y + j * $apart) = v[j];
    x += $(ahead * apart);
    y += $(ahead * apart);
  }
}
@   else
static __device__ inline void move(const int *x, int *y, long long tile, int thread)
{
  vector sum[$vectors] = {};
  x += start(tile, thread);
#pragma unroll 1
  for (int i = 0; i < $all; i += $turn) {
#pragma unroll
    for (int j = 0; j < $turn; j += $ahead) {
      vector v[$ahead];
      load(v, x + j * $apart);
#pragma unroll
      for (int a = 0; a < $ahead; a++)
#pragma unroll
        for (int e = 0; e < $width; e++)
          sum[(j + a) % $vectors][e] += v[a][e];
    }
    x += $(turn * apart);
  }
  y += tile * $row + thread * $width;
#pragma unroll
  for (int i = 0; i < $vectors; i++)
    *(vector *)(y + i * $(threads * width)) = sum[i];
}
@   end
@ end

extern "C" __global__ void __launch_bounds__($threads)
gload($(from)int *y, int tiles$(groups > 0 and ", int groups" or "")$key)
{
@ local passed <const> = (op ~= "write" and "x, " or "") .. "y, tile, threadIdx.x" ..
@                        (op == "write" and ", key" or "")
@ if groups == 0 then
  int tile = blockIdx.x;
  if (tile < tiles)
    move($passed);
@ else
  for (int tile = blockIdx.x; tile < tiles; tile += groups)
    move($passed);
@ end
}
