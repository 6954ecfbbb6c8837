// program.hip - small programs: several of the above at once
// SPDX-License-Identifier: MIT

KERNEL(matrix_product, float, float)
{
  __shared__ float a[16][16], b[16][17];
  const int x = threadIdx.x, y = threadIdx.y, size = 48;
  const int row = 16 * blockIdx.y + y, column = 16 * blockIdx.x + x;
  float sum = 0;
  for (int k = 0; k < size; k += 16) {
    a[y][x] = in[row * size + k + x];
    b[y][x] = in[size * size + (k + y) * size + column];
    __syncthreads();
    for (int i = 0; i < 16; i++)
      sum += a[y][i] * b[i][x];
    __syncthreads();
  }
  out[row * size + column] = sum;
}

KERNEL(mandelbrot, u32, u32)
{
  const double x0 = GLOBAL_ID % 64 / 24.0 - 2, y0 = GLOBAL_ID / 64 / 16.0 - 1;
  double x = 0, y = 0;
  u32 count = 0;
  while (x * x + y * y < 4 && count < 100) {
    const double next = x * x - y * y + x0;
    y = 2 * x * y + y0;
    x = next;
    count++;
  }
  out[GLOBAL_ID] = count;
}

KERNEL(crc32, u32, u8)
{
  __shared__ u32 table[256];
  for (u32 i = threadIdx.x; i < 256; i += blockDim.x) {
    u32 x = i;
    for (int bit = 0; bit < 8; bit++)
      x = x & 1 ? x >> 1 ^ 0xedb88320 : x >> 1;
    table[i] = x;
  }
  __syncthreads();
  u32 crc = ~0u;
  for (int i = 0; i < 40; i++)
    crc = crc >> 8 ^ table[(crc ^ in[40 * GLOBAL_ID + i]) & 255];
  out[GLOBAL_ID] = ~crc;
}

// Conway's rules on a torus of 32 by 32, five generations.
KERNEL(life, u32, u32)
{
  __shared__ u8 cells[2][32][32];
  const int x = threadIdx.x % 32, y = threadIdx.x / 32;
  cells[0][y][x] = in[threadIdx.x] >> 9 & 1;
  __syncthreads();
  for (int g = 0; g < 5; g++) {
    int near = 0;
    for (int dy = -1; dy <= 1; dy++)
      for (int dx = -1; dx <= 1; dx++)
        if (dx || dy)
          near += cells[g & 1][(y + dy) & 31][(x + dx) & 31];
    cells[~g & 1][y][x] = near == 3 || (near == 2 && cells[g & 1][y][x]);
    __syncthreads();
  }
  out[threadIdx.x] = cells[1][y][x];
}

// The editing distance of two words of twelve letters out of four.
KERNEL(distance, u32, u32)
{
  const u32 a = in[2 * GLOBAL_ID], b = in[2 * GLOBAL_ID + 1];
  u8 row[13];
  for (int i = 0; i <= 12; i++)
    row[i] = i;
  for (int i = 1; i <= 12; i++) {
    u8 corner = row[0];
    row[0] = i;
    for (int k = 1; k <= 12; k++) {
      const u8 up = row[k];
      const u8 change = corner + ((a >> 2 * i & 3) != (b >> 2 * k & 3));
      row[k] = min((int)change, min(up, row[k - 1]) + 1);
      corner = up;
    }
  }
  out[GLOBAL_ID] = row[12];
}

__device__ int place(int size, int row, u32 columns, u32 left, u32 right)
{
  int count = 0;
  if (row == size)
    return 1;
  for (int x = 0; x < size; x++)
    if (!((columns >> x | left >> (x + row) | right >> (x - row + size)) & 1))
      count += place(size, row + 1, columns | 1 << x, left | 1 << (x + row),
                     right | 1 << (x - row + size));
  return count;
}

KERNEL(queens, u32, u32)
{
  out[threadIdx.x] = place(threadIdx.x % 6 + 1, 0, 0, 0, 0);
}

KERNEL(fourier, float2, float2)
{
  __shared__ float2 x[64];
  const int t = threadIdx.x;
  x[__brev(t) >> 26] = in[t];
  for (int half = 1; half < 64; half *= 2) {
    __syncthreads();
    const int low = t & ~half, high = t | half;
    float s, c;
    sincosf(-3.14159265f * (t & (half - 1)) / half, &s, &c);
    const float2 a = x[low], b = x[high];
    const float2 turned = {b.x * c - b.y * s, b.x * s + b.y * c};
    __syncthreads();
    x[t] = t & half ? a - turned : a + turned;
  }
  __syncthreads();
  out[t] = x[t];
}

KERNEL(search, int, int)
{
  int low = 0, high = n;
  const int wanted = (in[GLOBAL_ID % n] & 0xff) * 40;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (middle * middle < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  out[GLOBAL_ID] = low;
}

KERNEL(random_walk, u32, u32)
{
  u64 state = in[GLOBAL_ID] | 1;
  int x = 0, furthest = 0;
  for (int i = 0; i < 200; i++) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    x += state >> 33 & 1 ? 1 : -1;
    furthest = max(furthest, abs(x));
  }
  out[GLOBAL_ID] = furthest << 16 | (x & 0xffff);
}

KERNEL(determinant, double, double)
{
  double m[6][6], product = 1;
  for (int i = 0; i < 36; i++)
    m[i / 6][i % 6] = in[36 * GLOBAL_ID + i];
  for (int k = 0; k < 6; k++) {
    int best = k;
    for (int i = k + 1; i < 6; i++)
      if (fabs(m[i][k]) > fabs(m[best][k]))
        best = i;
    if (best != k)
      product = -product;
    for (int i = 0; i < 6; i++) {
      const double swap = m[k][i];
      m[k][i] = m[best][i];
      m[best][i] = swap;
    }
    product *= m[k][k];
    for (int i = k + 1; i < 6; i++)
      for (int j = 5; j >= k; j--)
        m[i][j] -= m[i][k] / m[k][k] * m[k][j];
  }
  out[GLOBAL_ID] = product;
}

KERNEL(convolve, float, float)
{
  __shared__ float tile[256 + 8];
  const int t = threadIdx.x, at = GLOBAL_ID;
  for (int i = t; i < 264; i += 256) {
    const int from = (int)(blockIdx.x * 256) + i - 4;
    tile[i] = from >= 0 && from < n ? in[from] : 0;
  }
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 9; i++)
    sum += tile[t + i] * (float)((i < 5 ? i : 8 - i) + 1);
  if (at < n)
    out[at] = sum / 25;
}
