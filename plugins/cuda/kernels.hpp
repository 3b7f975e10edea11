// How a GPU runs what plugins/steps says of one entry. Sums are added in an order that depends on
// the sizes alone: each thread its stretch, then a tree over the threads, then a tree over the
// blocks.
#pragma once

#include "steps/matrix.hpp"

namespace lc::gpu {

constexpr int block_rows = 32, block_cols = 8, cols_per_thread = 4;  // of kernels over entries
constexpr int threads = 256;                                         // of the others
constexpr long stretch = 4096;                                       // of a long sum, for one block
constexpr long one_block = 8192;  // shorter sums need no second step
constexpr long row_chunk = 128;   // columns that one block adds to a row's sum
constexpr int tile = 32;
constexpr int panel = 64;  // of a Cholesky factor

template <class Kernel>
__global__ void each(long rows, long cols, Kernel kernel) {
  const long i = static_cast<long>(blockIdx.x) * block_rows + threadIdx.x;
  if (i >= rows) return;
  const long first = static_cast<long>(blockIdx.y) * (block_cols * cols_per_thread) + threadIdx.y;
  for (int k = 0; k < cols_per_thread; ++k) {
    const long j = first + k * block_cols;
    if (j < cols) kernel(i, j);
  }
}

template <class Kernel>
__global__ void along(long size, Kernel kernel) {
  const long i = static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < size) kernel(i);
}
template <class Kernel>
__global__ void along_row(long size, Kernel kernel) {
  const long j = static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (j < size) kernel(0, j);
}

struct Sum {
  static __device__ double of(double a, double b) { return a + b; }
};
struct Largest {  // NaN stays
  static __device__ double of(double a, double b) { return a > b || a != a ? a : b; }
};

// The values of all threads of a block, in thread 0. `shared`: one number per warp.
template <class Rule>
__device__ double combine(double value, double* shared) {
  for (int step = 16; step > 0; step /= 2)
    value = Rule::of(value, __shfl_down_sync(0xffffffffu, value, step));
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  __syncthreads();
  if (lane == 0) shared[warp] = value;
  __syncthreads();
  const int warps = blockDim.x / 32;
  if (warp == 0) {
    value = lane < warps ? shared[lane] : 0.0;
    for (int step = 16; step > 0; step /= 2)
      value = Rule::of(value, __shfl_down_sync(0xffffffffu, value, step));
  }
  return value;
}

// One block for each column.
template <int K, class Kernel>
__global__ void columns(long rows, long cols, Kernel kernel, double* out) {
  __shared__ double shared[32];
  const long j = blockIdx.x;
  double s[K] = {};
  for (long i = threadIdx.x; i < rows; i += blockDim.x) kernel(i, j, s);
  for (int k = 0; k < K; ++k) {
    const double total = combine<Sum>(s[k], shared);
    if (threadIdx.x == 0) out[k * cols + j] = total;
  }
}

template <class Number>
__global__ void columns_largest(Matrix A, Number* out) {
  __shared__ double shared[32];
  const long j = blockIdx.x;
  double value = 0;
  for (long i = threadIdx.x; i < A.rows; i += blockDim.x) value = Largest::of(value, fabs(A(i, j)));
  value = combine<Largest>(value, shared);
  if (threadIdx.x == 0) out[j] = value;
}

template <class Number>
__global__ void largest(Array x, Number* out) {
  __shared__ double shared[32];
  double value = 0;
  for (long i = threadIdx.x; i < x.size; i += blockDim.x) value = Largest::of(value, x[i]);
  value = combine<Largest>(value, shared);
  if (threadIdx.x == 0) *out = value;
}

// Sums along rows, a chunk of columns at a time, then over the chunks.
template <int K, class Kernel>
__global__ void rows_of_chunks(long rows, long cols, Kernel kernel, double* parts) {
  __shared__ double shared[K][block_cols][block_rows];
  const long i = static_cast<long>(blockIdx.x) * block_rows + threadIdx.x;
  const long begin = static_cast<long>(blockIdx.y) * row_chunk;
  const long end = begin + row_chunk < cols ? begin + row_chunk : cols;
  double s[K] = {};
  if (i < rows)
    for (long j = begin + threadIdx.y; j < end; j += block_cols) kernel(i, j, s);
  for (int k = 0; k < K; ++k) shared[k][threadIdx.y][threadIdx.x] = s[k];
  __syncthreads();
  if (threadIdx.y != 0 || i >= rows) return;
  for (int k = 0; k < K; ++k) {
    double sum = 0;
    for (int y = 0; y < block_cols; ++y) sum += shared[k][y][threadIdx.x];
    parts[(k * static_cast<long>(gridDim.y) + blockIdx.y) * rows + i] = sum;
  }
}
template <class Number>
__global__ void rows_of_parts(long rows, long chunks, int count, const Number* parts, Number* out) {
  const long i = static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= rows) return;
  for (int k = 0; k < count; ++k) {
    double sum = 0;
    for (long c = 0; c < chunks; ++c) sum += parts[(k * chunks + c) * rows + i];
    out[k * rows + i] = sum;
  }
}

// Block b adds its stretch; sums[k * gridDim.x + b].
template <int K, class Kernel>
__global__ void sums(long size, long length, Kernel kernel, double* out) {
  __shared__ double shared[32];
  const long begin = static_cast<long>(blockIdx.x) * length;
  const long end = begin + length < size ? begin + length : size;
  double s[K] = {};
  for (long i = begin + threadIdx.x; i < end; i += blockDim.x) kernel(i, s);
  for (int k = 0; k < K; ++k) {
    const double total = combine<Sum>(s[k], shared);
    if (threadIdx.x == 0) out[k * static_cast<long>(gridDim.x) + blockIdx.x] = total;
  }
}
// One block for each of several sums of `count` numbers.
template <class Number>
__global__ void sum_of_parts(long count, const Number* parts, Number* out) {
  __shared__ double shared[32];
  double sum = 0;
  for (long i = threadIdx.x; i < count; i += blockDim.x) sum += parts[blockIdx.x * count + i];
  sum = combine<Sum>(sum, shared);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

// The part of sum_ij X_ij Y_ji of one tile; of X = Y the tiles above the diagonal count twice.
template <class Number>
__global__ void trace(Matrix X, Matrix Y, bool same, Number* parts) {
  __shared__ double turned[tile][tile + 1];
  __shared__ double shared[32];
  const long row = static_cast<long>(blockIdx.x) * tile, col = static_cast<long>(blockIdx.y) * tile;
  const int x = threadIdx.x % tile, y = threadIdx.x / tile, height = threads / tile;
  double sum = 0;
  if (!same || blockIdx.x <= blockIdx.y) {
    for (int k = y; k < tile; k += height)  // Y(col + x, row + k)
      turned[k][x] = col + x < Y.rows && row + k < Y.cols ? Y(col + x, row + k) : 0.0;
    __syncthreads();
    for (int k = y; k < tile; k += height)
      if (row + x < X.rows && col + k < X.cols) sum += X(row + x, col + k) * turned[x][k];
    if (same && blockIdx.x < blockIdx.y) sum *= 2;
  }
  sum = combine<Sum>(sum, shared);
  if (threadIdx.x == 0) parts[blockIdx.y * static_cast<long>(gridDim.x) + blockIdx.x] = sum;
}

// The lower factor of a block on the diagonal, in place. `failed` where a pivot is not positive.
template <class Flag>
__global__ void factor_block(Matrix A, long at, int size, Flag* failed) {
  __shared__ double L[panel][panel + 1];
  for (int k = threadIdx.x; k < size * size; k += blockDim.x)
    L[k % size][k / size] = A(at + k % size, at + k / size);
  for (int j = 0; j < size; ++j) {
    __syncthreads();
    const double pivot = L[j][j];
    if (!(pivot > 0)) {
      if (threadIdx.x == 0) *failed = 1;
      return;
    }
    __syncthreads();
    const double root = sqrt(pivot);
    if (threadIdx.x == 0) L[j][j] = root;
    for (int i = j + 1 + threadIdx.x; i < size; i += blockDim.x) L[i][j] /= root;
    __syncthreads();
    const int left = size - j - 1;
    for (int k = threadIdx.x; k < left * left; k += blockDim.x) {
      const int i = j + 1 + k % left, c = j + 1 + k / left;
      if (i >= c) L[i][c] -= L[i][j] * L[c][j];
    }
  }
  __syncthreads();
  for (int k = threadIdx.x; k < size * size; k += blockDim.x)
    if (k % size >= k / size) A(at + k % size, at + k / size) = L[k % size][k / size];
}

}  // namespace lc::gpu
