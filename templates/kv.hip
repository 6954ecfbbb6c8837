@ local hsd <const> = layout == "hsd"
@ local dims <const>, some <const> = hsd and width or 1, hsd and 1 or width -- of a vector
@ local across <const> = dim // dims -- vectors of a token
@ local by_dims <const> = dims > 1 and " * " .. dims or ""
@ local element <const> = ({ f32 = "float", f16 = "_Float16", i8 = "signed char" })[cache]
@ local quantised <const> = cache == "i8"
@ local sharers <const> = span == "dim" and across or 1 -- threads of a dot product
@ local near <const> = math.min(sharers, arch.wave) -- of them, those of one wave
@ local waves <const> = threads // arch.wave
@ local scale <const> = quantised and " / 127" or ""
// A cache of $cache, $(hsd and "[head][seq][dim]" or "[head][dim][seq]"), for heads of $dim.
@ if quantised then
// An element of 127 stands for 1.
@ end

// Elements that move in one instruction.
#ifdef __clang__
template <class T, int n> using vec = T __attribute__((ext_vector_type(n)));
#else
template <class T, int n> struct alignas(n * sizeof(T)) vec {
  T e[n];
  __device__ T &operator[](int i) { return e[i]; }
};
#endif
typedef $element element;
typedef vec<element, $width> vector;

// Where an element is.
static __device__ inline long long place(int head, int token, int at, int seq)
{
@ if hsd then
  return ((long long)head * seq + token) * $dim + at;
@ else
  return ((long long)head * $dim + at) * seq + token;
@ end
}
@ if op == "write" then

static __device__ inline element pack(float x)
{
@   if quantised then
  return (int)(127 * x + (x < 0 ? -0.5f : 0.5f));
@   else
  return x;
@   end
}

// Store the values of new tokens, [token][head][dim], as the last of the cache.
extern "C" __global__ void __launch_bounds__($threads)
kv(const float *__restrict__ fresh, element *__restrict__ cache, int heads, int seq, int tokens)
{
  int i = blockIdx.x * $threads + threadIdx.x;
@   if span == "dim" then
  int at = i % $across$by_dims, head = i / $across, token = blockIdx.y * $some;
  if (head >= heads)
    return;
@   else
  int token = i * $some, at = blockIdx.y * $dims, head = blockIdx.z;
  if (token >= tokens)
    return;
@   end
  const float *from = fresh + ((long long)token * heads + head) * $dim + at;
  vector v;
@   if hsd then
  vec<float, $width> x = *(const vec<float, $width> *)from;
#pragma unroll
  for (int e = 0; e < $width; e++)
    v[e] = pack(x[e]);
@   else
#pragma unroll
  for (int e = 0; e < $width; e++)
    v[e] = pack(from[(long long)e * heads * $dim]);
@   end
  *(vector *)(cache + place(head, seq - tokens + token, at, seq)) = v;
}
@ elseif op == "read_dot" and span == "dim" then
@   local rows <const> = threads // sharers -- vectors of tokens side by side

@   if near > 1 then
// The sum of x over the $near lanes around this one.
static __device__ inline float sum(float x, int lane)
{
#pragma unroll
  for (int mask = 1; mask < $near; mask *= 2) {
    union {
      float x;
      int bits;
    } other = { x };
    other.bits = __builtin_amdgcn_ds_bpermute(4 * (lane ^ mask), other.bits);
    x += other.x;
  }
  return x;
}
@   end

// The products of keys with their head's query. $sharers threads share one.
extern "C" __global__ void __launch_bounds__($threads)
kv(const float *__restrict__ query, const element *__restrict__ cache,
   float *__restrict__ scores, int seq)
{
@   if sharers > near then
  __shared__ float sums[$(ahead * some)][$waves];
@   end
  int thread = threadIdx.x, at = thread % $sharers$by_dims, head = blockIdx.y;
  int token = (blockIdx.x * $(rows * ahead) + thread / $sharers) * $some;
  const element *from = cache + place(head, token, at, seq);
  vec<float, $dims> q = *(const vec<float, $dims> *)(query + head * $dim + at);
  vector v[$ahead];
#pragma unroll
  for (int a = 0; a < $ahead; a++)
    v[a] = *(const vector *)(from + a * $(hsd and rows * dim or rows * some));
  float score[$(ahead * some)] = {};
#pragma unroll
  for (int a = 0; a < $ahead; a++)
#pragma unroll
    for (int e = 0; e < $width; e++)
@   if hsd then
      score[a] += q[e] * (float)v[a][e];
@   else
      score[a * $width + e] += q[0] * (float)v[a][e];
@   end
@   if near > 1 then
#pragma unroll
  for (int i = 0; i < $(ahead * some); i++)
    score[i] = sum(score[i], thread % $(arch.wave));
@   end
@   if sharers > near then
#pragma unroll
  for (int i = 0; i < $(ahead * some); i++)
    if (thread % $near == 0)
      sums[i][thread / $near] = score[i];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < $(ahead * some); i++) {
    score[i] = 0;
#pragma unroll
    for (int wave = 0; wave < $(sharers // near); wave++)
      score[i] += sums[i][thread / $sharers * $(sharers // near) + wave];
  }
@   end
  if (thread % $sharers != 0)
    return;
#pragma unroll
  for (int a = 0; a < $ahead; a++)
#pragma unroll
    for (int e = 0; e < $some; e++)
      scores[head * seq + token + a * $(rows * some) + e] = score[a * $some + e]$scale;
}
@ elseif op == "read_dot" then

// The products of keys with their head's query. A thread makes whole ones.
extern "C" __global__ void __launch_bounds__($threads)
kv(const float *__restrict__ query, const element *__restrict__ cache,
   float *__restrict__ scores, int seq)
{
  int token = (blockIdx.x * $threads + threadIdx.x) * $some, head = blockIdx.y;
  const element *from = cache + place(head, token, 0, seq);
  query += head * $dim;
  float score[$some] = {};
#pragma unroll 1
  for (int at = 0; at < $dim; at += $(ahead * dims)) {
    vector v[$ahead];
#pragma unroll
    for (int a = 0; a < $ahead; a++)
      v[a] = *(const vector *)(from + $(hsd and "a * " .. dims or "(long long)a * seq"));
#pragma unroll
    for (int a = 0; a < $ahead; a++)
#pragma unroll
      for (int e = 0; e < $width; e++)
@   if hsd then
        score[0] += query[at + a * $dims + e] * (float)v[a][e];
@   else
        score[e] += query[at + a] * (float)v[a][e];
@   end
    from += $(hsd and ahead * dims or ahead .. "ll * seq");
  }
#pragma unroll
  for (int e = 0; e < $some; e++)
    scores[head * seq + token + e] = score[e]$scale;
}
@ else

// The sum of the values of all tokens. A thread keeps $dims of dim.
@   if split > 1 then
// This is one of $split slices of the tokens.
@   end
extern "C" __global__ void __launch_bounds__($threads)
kv(const element *__restrict__ cache, float *__restrict__ total, int heads, int seq)
{
  int i = blockIdx.x * $threads + threadIdx.x;
  int at = i % $across$by_dims, head = i / $across, slice = blockIdx.y;
  if (head >= heads)
    return;
  int part = seq / $split;
  const element *from = cache + place(head, slice * part, at, seq);
  float sum[$width] = {};
#pragma unroll 1
  for (int token = 0; token < part; token += $(ahead * some)) {
    vector v[$ahead];
#pragma unroll
    for (int a = 0; a < $ahead; a++)
      v[a] = *(const vector *)(from + a * $(hsd and dim or some));
#pragma unroll
    for (int a = 0; a < $ahead; a++)
#pragma unroll
      for (int e = 0; e < $width; e++)
        sum[e] += (float)v[a][e];
    from += $(hsd and ahead * dim or ahead * some);
  }
  total += ((long long)slice * heads + head) * $dim + at;
@   if hsd then
#pragma unroll
  for (int e = 0; e < $width; e++)
    total[e] = sum[e]$scale;
@   else
#pragma unroll
  for (int e = 1; e < $width; e++)
    sum[0] += sum[e];
  *total = sum[0]$scale;
@   end
}
@   if split > 1 then

// Add the sums of the $split slices up.
extern "C" __global__ void __launch_bounds__(256)
add(const float *__restrict__ sums, float *__restrict__ total, int size)
{
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= size)
    return;
  float sum = 0;
#pragma unroll
  for (int slice = 0; slice < $split; slice++)
    sum += sums[(long long)slice * size + i];
  total[i] = sum;
}
@   end
@ end
