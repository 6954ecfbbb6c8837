@ local loop <const> = include "parts/loop.hip"
@ local hsd <const> = layout == "hsd"
@ local dims <const>, some <const> = hsd and width or 1, hsd and 1 or width -- of a vector
@ local across <const> = dim // dims -- vectors of a token
@ local by_dims <const> = dims > 1 and " * dims" or ""
@ local by_some <const> = some > 1 and " * some" or ""
@ local element <const> = ({ f32 = "float", f16 = "_Float16", i8 = "signed char" })[cache]
@ local quantised <const> = cache == "i8"
@ local sharers <const> = span == "dim" and across or 1 -- threads of a dot product
@ local near <const> = math.min(sharers, arch.wave) -- of them, those of one wave
@ local scale <const> = quantised and " / 127" or ""
// A cache of $cache, $(hsd and "[head][seq][dim]" or "[head][dim][seq]"), for heads of $dim.
@ if quantised then
// An element of 127 stands for 1.
@ end

@ include "parts/vec.hip"
constexpr int dim = $dim, width = $width; // elements of a head, of an access
constexpr int dims = $(hsd and "width" or "1"), some = $(hsd and "1" or "width"); // of it, along dim and along tokens
constexpr int across = dim / dims; // vectors of a token
constexpr int threads = $threads, ahead = $ahead; // loads in flight
typedef $element element;
typedef vec<element, width> vector;

// Where an element is.
static __device__ inline long long offset(int head, int token, int at, int seq)
{
@ if hsd then
  return ((long long)head * seq + token) * dim + at;
@ else
  return ((long long)head * dim + at) * seq + token;
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
extern "C" __global__ void __launch_bounds__(threads)
kv(const float *__restrict__ fresh, element *__restrict__ cache,
   int heads, int seq, int tokens)
{
  int i = blockIdx.x * threads + threadIdx.x;
@   if span == "dim" then
  int at = i % across$by_dims, head = i / across;
  int token = blockIdx.y$by_some;
  if (head >= heads)
    return;
@   else
  int token = i$by_some, at = blockIdx.y$by_dims, head = blockIdx.z;
  if (token >= tokens)
    return;
@   end
  const float *from = fresh + ((long long)token * heads + head) * dim + at;
  vector v;
@   if hsd then
  vec<float, width> x = *(const vec<float, width> *)from;
@     loop.line("e", width, "width", function (e)
    v[$e] = pack(x[$e]);
@     end)
@   else
@     loop.line("e", width, "width", function (e)
@       local at <const> = e == "0" and "0" or "(long long)e * heads * dim"
    v[$e] = pack(from[$at]);
@     end)
@   end
  *(vector *)(cache + offset(head, seq - tokens + token, at, seq)) = v;
}
@ elseif op == "read_dot" and span == "dim" then

constexpr int sharers = $(sharers > 1 and "across" or "1"); // threads of a dot product
constexpr int rows = threads / sharers; // vectors of tokens side by side
@   if near > 1 then
constexpr int near = $near; // of the sharers, those of one wave
@   end
@   if sharers > near then
constexpr int waves = threads / $(arch.wave), parts = sharers / near; // of a product
@   end

@   if near > 1 then
// The sum of x over the lanes around this one that share a dot product.
static __device__ inline float sum(float x, int lane)
{
#pragma unroll
  for (int mask = 1; mask < near; mask *= 2) {
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

// The products of keys with their head's query.
extern "C" __global__ void __launch_bounds__(threads)
kv(const float *__restrict__ query, const element *__restrict__ cache,
   float *__restrict__ scores, int seq)
{
@   if sharers > near then
  __shared__ float sums[ahead * some][waves];
@   end
  int thread = threadIdx.x, head = blockIdx.y;
  int at = thread % sharers$by_dims;
  int token = (blockIdx.x * (rows * ahead) + thread / sharers)$by_some;
  const element *from = cache + offset(head, token, at, seq);
  vec<float, dims> q = *(const vec<float, dims> *)(query + head * dim + at);
  vector v[ahead];
@   loop.line("a", ahead, "ahead", function (a, step)
@     local to <const> = step(hsd and "(rows * dim)" or "(rows * some)")
    v[$a] = *(const vector *)$(to == "" and "from" or "(from" .. to .. ")");
@   end)
  float score[ahead * some] = {};
@   loop.line("a", ahead, "ahead", function (a)
@     indent(2, loop.line, "e", width, "width", function (e)
@       if hsd then
    score[$a] += q[$e] * (float)v[$a][$e];
@       else
@         local at <const> = a == "0" and e or width == 1 and a or a .. " * width + " .. e
    score[$at] += q[0] * (float)v[$a][$e];
@       end
@     end)
@   end)
@   if near > 1 then
@     loop.line("i", ahead * some, "ahead * some", function (i)
    score[$i] = sum(score[$i], thread % $(arch.wave));
@     end)
@   end
@   if sharers > near then
@     loop.line("i", ahead * some, "ahead * some", function (i)
    if (thread % near == 0)
      sums[$i][thread / near] = score[$i];
@     end)
  __syncthreads();
@     loop.block("i", ahead * some, "ahead * some", function (i)
    score[$i] = 0;
#pragma unroll
    for (int wave = 0; wave < parts; wave++)
      score[$i] += sums[$i][thread / sharers * parts + wave];
@     end)
@   end
@   if sharers > 1 then
  if (thread % sharers != 0)
    return;
@   end
@   loop.line("a", ahead, "ahead", function (a, step)
@     indent(2, loop.line, "e", some, "some", function (e)
@       local to <const> = step("(rows * some)") .. (e == "0" and "" or " + e")
@       local i <const> = a == "0" and e or some == 1 and a or a .. " * some + " .. e
    scores[head * seq + token$to] = score[$i]$scale;
@     end)
@   end)
}
@ elseif op == "read_dot" then

// The products of keys with their head's query. A thread makes whole ones.
extern "C" __global__ void __launch_bounds__(threads)
kv(const float *__restrict__ query, const element *__restrict__ cache,
   float *__restrict__ scores, int seq)
{
  int token = (blockIdx.x * threads + threadIdx.x)$by_some, head = blockIdx.y;
  const element *from = cache + offset(head, token, 0, seq);
  query += head * dim;
  float score[some] = {};
@   local step_name <const> = dims == 1 and "ahead" or ahead == 1 and "dims" or "ahead * dims"
#pragma unroll 1
  for (int at = 0; at < dim; $(ahead * dims > 1 and "at += " .. step_name or "at++")) {
    vector v[ahead];
@   indent(2, loop.line, "a", ahead, "ahead", function (a)
@     local to <const> = a == "0" and "from" or
@                        hsd and "(from + a" .. by_dims .. ")" or "(from + (long long)a * seq)"
    v[$a] = *(const vector *)$to;
@   end)
@   indent(2, loop.line, "a", ahead, "ahead", function (a)
@     local q <const> = a == "0" and "at" or "at + a" .. by_dims
@     indent(2, loop.line, "e", width, "width", function (e)
@       if hsd then
    score[0] += query[$q$(e == "0" and "" or " + e")] * (float)v[$a][$e];
@       else
    score[$e] += query[$q] * (float)v[$a][$e];
@       end
@     end)
@   end)
    from += $(hsd and step_name or ahead == 1 and "seq" or "(long long)ahead * seq");
  }
@   loop.line("e", some, "some", function (e)
    scores[head * seq + token$(e == "0" and "" or " + e")] = score[$e]$scale;
@   end)
}
@ else

// The sum of the values of all tokens. A thread keeps $dims of dim.
@   if split > 1 then
// This is one of several slices of the tokens.
constexpr int split = $split;

@   end
extern "C" __global__ void __launch_bounds__(threads)
kv(const element *__restrict__ cache, float *__restrict__ total, int heads,
   int seq)
{
  int i = blockIdx.x * threads + threadIdx.x;
  int at = i % across$by_dims, head = i / across, slice = blockIdx.y;
  if (head >= heads)
    return;
  int part = seq$(split > 1 and " / split" or "");
  const element *from = cache + offset(head, slice * part, at, seq);
  float sum[width] = {};
@   local step_name <const> = some == 1 and "ahead" or ahead == 1 and "some" or "ahead * some"
#pragma unroll 1
  for (int token = 0; token < part; $(ahead * some > 1 and "token += " .. step_name or "token++")) {
    vector v[ahead];
@   indent(2, loop.line, "a", ahead, "ahead", function (a)
    v[$a] = *(const vector *)$(a == "0" and "from" or "(from + a * " .. (hsd and "dim" or "some") .. ")");
@   end)
@   indent(2, loop.line, "a", ahead, "ahead", function (a)
@     indent(2, loop.line, "e", width, "width", function (e)
    sum[$e] += (float)v[$a][$e];
@     end)
@   end)
    from += $(hsd and (ahead == 1 and "dim" or "ahead * dim") or step_name);
  }
  total += ((long long)slice * heads + head) * dim + at;
@   if hsd then
@     loop.line("e", width, "width", function (e)
    total[$e] = sum[$e]$scale;
@     end)
@   else
@     if width > 1 then
#pragma unroll
  for (int e = 1; e < width; e++)
    sum[0] += sum[e];
@     end
  *total = sum[0]$scale;
@   end
}
@   if split > 1 then

// Add the sums of the slices up.
extern "C" __global__ void __launch_bounds__(256)
add(const float *__restrict__ sums, float *__restrict__ total, int size)
{
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= size)
    return;
  float sum = 0;
#pragma unroll
  for (int slice = 0; slice < split; slice++)
    sum += sums[(long long)slice * size + i];
  total[i] = sum;
}
@   end
@ end
