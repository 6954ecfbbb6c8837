@ local wave <const> = arch.wave
@ local row <const> = columns * ({ f32 = 4, f16 = 2, i8 = 1 })[dtype] // 4 -- words
@ local words <const> = rows * row
@ local stride <const> = row + pad
@ local alone <const>, turned <const> = owner == "wave", pattern == "transpose"
@ local chunk <const> = unit * math.max(turned and 1 or write_width, read_width) -- of the XOR
@ local sharers <const> = alone and wave or threads -- threads that share a tile
@ local here <const> = threads // sharers -- tiles of a workgroup
@ local writes <const> = words // (sharers * write_width)
@ local reads <const> = words // (sharers * read_width)
@ local across <const> = wave // down
@ local shared <const> = pattern == "row" or pattern == "broadcast"
@ local barrier <const> = alone and "wave_barrier" or "__syncthreads"
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

// Words that move in one instruction.
#ifdef __clang__
template <int n> using vec = unsigned __attribute__((ext_vector_type(n)));
#else
template <int n> struct alignas(n * sizeof(unsigned)) vec {
  unsigned e[n];
  __device__ unsigned &operator[](int i) { return e[i]; }
};
#endif

// Let all of these be on their way before the first is waited for.
static __device__ inline void take(vec<$read_width> *v)
{
#ifdef __HIP__
  asm volatile("" : : : "memory"); // which the reads cannot pass
#pragma unroll
@ if read_width > 1 then
  for (int i = 0; i < $ilp; i++)
    asm volatile("" : "+v"(v[i]));
@ else
  for (int i = 0; i < $ilp; i++) {
    unsigned word = v[i][0];
    asm volatile("" : "+v"(word));
    v[i][0] = word;
  }
@ end
#endif
}

struct position {
  int row, column;
};

// Where in LDS that is.
static __device__ inline int place(position at)
{
@ if xor > 0 then
  return at.row * $stride + (at.column ^ (at.row & $xor) * $chunk);
@ else
  return at.row * $stride + at.column;
@ end
}

// What a thread reads with its access i.
static __device__ inline position read_at(int thread, int i)
{
@ if pattern == "column" then
@   local blocks <const> = rows // down
  int lane = thread % $wave, n = (i * $sharers + thread) / $wave;
  int column = n / $blocks * $across + lane / $down;
  return { n % $blocks * $down + lane % $down, column * $read_width };
@ elseif shared then
  int lane = thread % $wave, n = (i * $sharers + thread) / $wave;
  int word = (n * $across + lane / $down) * $read_width;
  return { word / $row, word % $row };
@ else
  int word = (i * $sharers + thread) * $read_width;
  return { word / $row, word % $row };
@ end
}

// What it writes, the first of $write_width words$(turned and " down a column" or "").
static __device__ inline position write_at(int thread, int i)
{
  int n = i * $sharers + thread;
@ if turned then
  return { n % $(rows // write_width) * $write_width, n / $(rows // write_width) };
@ else
  return { n * $write_width / $row, n * $write_width % $row };
@ end
}

// By how much that word grows each pass.
static __device__ inline unsigned grows(position at)
{
  return (at.row * $row + at.column) % 4 == 0;
}

extern "C" __global__ void __launch_bounds__($threads)
lds(const unsigned *__restrict__ from, unsigned *__restrict__ to, unsigned *__restrict__ sums,
    int passes)
{
  alignas(16) __shared__ unsigned tiles[$here][$(rows * stride)];

  int thread = threadIdx.x % $sharers;
  unsigned *tile = tiles[threadIdx.x / $sharers];
  unsigned number = blockIdx.x * $here + threadIdx.x / $sharers;
  from += (unsigned long long)number * $words;
  to += (unsigned long long)number * $words;

  vec<$write_width> own[$writes];
#pragma unroll
  for (int i = 0; i < $writes; i++) {
    position at = write_at(thread, i);
@ if turned then
#pragma unroll
    for (int e = 0; e < $write_width; e++)
      own[i][e] = from[(at.row + e) * $row + at.column];
@ else
    own[i] = *(const vec<$write_width> *)(from + at.row * $row + at.column);
@ end
  }

  unsigned sum = 0;
  for (int pass = 0; pass < passes; pass++) {
#pragma unroll
    for (int i = 0; i < $writes; i++) {
      position at = write_at(thread, i);
@ if turned then
#pragma unroll
      for (int e = 0; e < $write_width; e++) {
        tile[place({ at.row + e, at.column })] = own[i][e];
        own[i][e] += grows({ at.row + e, at.column });
      }
@ else
      *(vec<$write_width> *)(tile + place(at)) = own[i];
#pragma unroll
      for (int e = 0; e < $write_width; e++)
        own[i][e] += grows({ at.row, at.column + e });
@ end
      if ((i + 1) % $ilp == 0)
        $barrier();
    }
#pragma unroll
    for (int first = 0; first < $reads; first += $ilp) {
      vec<$read_width> v[$ilp];
#pragma unroll
      for (int i = 0; i < $ilp; i++)
        v[i] = *(const vec<$read_width> *)(tile + place(read_at(thread, first + i)));
      take(v);
      $barrier();
#pragma unroll
      for (int i = 0; i < $ilp; i++)
#pragma unroll
        for (int e = 0; e < $read_width; e++)
          sum += v[i][e];
    }
  }

#pragma unroll
  for (int i = 0; i < $reads; i++) {
@ if shared then
    position at = { (i * $sharers + thread) * $read_width / $row,
                    (i * $sharers + thread) * $read_width % $row };
@ else
    position at = read_at(thread, i);
@ end
    vec<$read_width> v = *(const vec<$read_width> *)(tile + place(at));
    *(vec<$read_width> *)(to + at.row * $row + at.column) = v;
  }

  __syncthreads();
  tile[thread] = sum;
  for (int half = $(sharers // 2); half > 0; half /= 2) {
    __syncthreads();
    if (thread < half)
      tile[thread] += tile[thread + half];
  }
  if (thread == 0)
    sums[number] = tile[0];
}
