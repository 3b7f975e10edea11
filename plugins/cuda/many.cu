// Many small problems on a GPU: one block for each, its matrices in the block's fast memory. Blocks
// take the next problem when they are done, so a slow one holds up nobody. Two halves of the memory
// take turns: one is packed and sent while the other is computed.
#include <chrono>
#include <cstdlib>
#include <memory>

#include "machine.hpp"
#include "steps/many_batch.hpp"

namespace lc {
namespace gpu {

// 128 threads for a problem, four problems on a multiprocessor: the fastest on an H200.
constexpr int many_threads = 128, many_blocks = 4, most_threads = 256;
constexpr int most_warps = most_threads / 32;
constexpr int most_sums = 10;

// The threads of a block. Sums: a tree over the lanes of each warp, then warp after warp.
template <bool Fast>
struct BlockLanes {
  double (*shared)[most_warps][most_sums];  // two of them take turns: one barrier a sum
  double *slow, *pairs_at;
  int turn = 0;

  // Said here, so that the compiler knows which kind of memory it is.
  __device__ double* memory() const {
    extern __shared__ double fast[];
    return Fast ? fast : slow;
  }
  __device__ double* pairs() const { return pairs_at; }
  __device__ int lane() const { return static_cast<int>(threadIdx.x); }
  __device__ int count() const { return static_cast<int>(blockDim.x); }
  __device__ void sync() const { __syncthreads(); }

  template <int K>
  __device__ void sum(double (&x)[K]) {
    static_assert(K <= most_sums);
    for (int k = 0; k < K; ++k)
      for (int step = 16; step > 0; step /= 2) x[k] += __shfl_xor_sync(0xffffffffu, x[k], step);
    const int warp = static_cast<int>(threadIdx.x) / 32;
    double(*mine)[most_sums] = shared[turn];
    if (threadIdx.x % 32 == 0)
      for (int k = 0; k < K; ++k) mine[warp][k] = x[k];
    __syncthreads();
    for (int k = 0; k < K; ++k) {
      x[k] = mine[0][k];
      for (int w = 1; w < static_cast<int>(blockDim.x) / 32; ++w) x[k] += mine[w][k];
    }
    turn = 1 - turn;
  }
  __device__ double largest(double value) {
    for (int step = 16; step > 0; step /= 2)
      value = Largest::of(value, __shfl_xor_sync(0xffffffffu, value, step));
    double(*mine)[most_sums] = shared[turn];
    if (threadIdx.x % 32 == 0) mine[threadIdx.x / 32][0] = value;
    __syncthreads();
    value = mine[0][0];
    for (int w = 1; w < static_cast<int>(blockDim.x) / 32; ++w)
      value = Largest::of(value, mine[w][0]);
    turn = 1 - turn;
    return value;
  }
};

struct ManyOutcome {
  lc_values values;
  ManyEnd end;
};

// Fast: numbers in the block's memory; where pairs fit there too, their place is in it.
template <bool Fast, bool With_B>
__global__ void __launch_bounds__(most_threads, 2)
    learn_many(const __grid_constant__ ManyForm form, int count, const double* data,
               const lc_many_numbers* numbers, double* slow, bool fast_pairs, int* next,
               double* posteriors, ManyOutcome* outcomes) {
  __shared__ double sums[2][most_warps][most_sums];
  __shared__ int problem;
  double* const own =
      slow + static_cast<long>(blockIdx.x) * (form.at.size + form.at.pairs_size);
  BlockLanes<Fast> lanes{sums, own, own + form.at.size};
  if (fast_pairs) lanes.pairs_at = lanes.memory() + form.at.size;
  while (true) {
    __syncthreads();
    if (threadIdx.x == 0) problem = atomicAdd(next, 1);
    __syncthreads();
    const int i = problem;
    if (i >= count) return;
    lc_values values = {};
    const ManyEnd end =
        learn_one<With_B>(lanes, form, data + static_cast<long>(i) * form.data_size, numbers[i],
                          posteriors + static_cast<long>(i) * 2 * form.count, values);
    if (threadIdx.x == 0) outcomes[i] = {values, end};
  }
}

// How many threads and blocks, and which memory.
struct ManyLaunch {
  explicit ManyLaunch(const ManyForm& form) {
    int wanted = many_blocks;
    if (const char* wish = std::getenv("LOOPCERT_GPU_MANY"))  // for bench/gpu
      if (std::sscanf(wish, "%d,%d", &threads, &wanted) < 1) threads = many_threads;
    threads = std::clamp(threads / 32, 1, most_warps) * 32;
    const auto attribute = [](cudaDeviceAttr which) {
      int value = 0;
      check(cudaDeviceGetAttribute(&value, which, 0));
      return value;
    };
    const long all = attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor),
               most = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
    const long numbers = static_cast<long>(sizeof(double)) * form.at.size,
               pairs = static_cast<long>(sizeof(double)) * form.at.pairs_size;
    bool fast = false;
    for (int each = std::clamp(wanted, 1, 16); each > 0 && !fast; --each) {
      const long share = std::min(all / each, most) - reserve;
      fast = numbers <= share;
      fast_pairs = numbers + pairs <= share;
    }
    if (fast) bytes = static_cast<std::size_t>(fast_pairs ? numbers + pairs : numbers);
    kernel = form.with_B ? (fast ? learn_many<true, true> : learn_many<false, true>)
                         : (fast ? learn_many<true, false> : learn_many<false, false>);
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(bytes)));
    int resident = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads, bytes));
    if (!fast) resident = std::min(resident, wanted);
    blocks = std::max(1, resident) * attribute(cudaDevAttrMultiProcessorCount);
  }
  static constexpr long reserve =
      1024 + 64 + static_cast<long>(sizeof(double)) * 2 * most_warps * most_sums;

  decltype(&learn_many<true, true>) kernel = nullptr;
  int threads = many_threads, blocks = 1;
  std::size_t bytes = 0;
  bool fast_pairs = false;
};

}  // namespace gpu

namespace {

double now() {
  const auto since = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(since).count();
}

}  // namespace

// What batches need, kept for the next one where it is large enough.
struct CudaMany {
  CudaMany(const ManyBatch& batch, long chunk_, int blocks_, long slow_)
      : chunk(chunk_),
        blocks(blocks_),
        slow_size(slow_),
        data_size(batch.data_doubles()),
        p(batch.p) {
    for (auto& half : halves) half = std::make_unique<Half>(*this);
  }
  struct Half {
    explicit Half(const CudaMany& all)
        : data(all.chunk * all.data_size),
          far_data(all.chunk * all.data_size),
          posteriors(all.chunk * 2 * all.p),
          far_posteriors(all.chunk * 2 * all.p),
          numbers(all.chunk),
          far_numbers(all.chunk),
          outcomes(all.chunk),
          far_outcomes(all.chunk),
          next(1),
          slow(all.blocks * all.slow_size) {}
    gpu::Stream stream;
    gpu::Pinned<double> data;
    gpu::OnDevice<double> far_data;
    gpu::Pinned<double> posteriors;
    gpu::OnDevice<double> far_posteriors;
    gpu::Pinned<lc_many_numbers> numbers;
    gpu::OnDevice<lc_many_numbers> far_numbers;
    gpu::Pinned<gpu::ManyOutcome> outcomes;
    gpu::OnDevice<gpu::ManyOutcome> far_outcomes;
    gpu::OnDevice<int> next;
    gpu::OnDevice<double> slow;
    long first = 0, count = 0;  // what it works on
  };
  bool fits(const ManyBatch& batch, long wanted, long slow) const {
    return chunk >= wanted && slow_size >= slow && data_size == batch.data_doubles() &&
           p == batch.p;
  }
  long chunk;
  int blocks;
  long slow_size, data_size, p;
  std::unique_ptr<Half> halves[2];
};

void CudaMachine::learn_many(const lc_many_setting& setting, long count, const lc_many_data* data,
                             lc_many_result* results) {
  if (count == 0) return;
  const ManyBatch batch(setting);
  gpu::OnDevice<double> numbers(static_cast<long>(batch.numbers.size()));
  gpu::OnDevice<int> indices(static_cast<long>(batch.indices.size()));
  send(numbers.data, batch.numbers.data(), static_cast<long>(batch.numbers.size()));
  send(indices.data, batch.indices.data(), static_cast<long>(batch.indices.size()));
  const ManyForm form = batch.form(numbers.data, indices.data);
  const gpu::ManyLaunch launch(form);
  const long chunk = std::min<long>(count, 8L * launch.blocks);
  const long slow = static_cast<long>(form.at.size) + form.at.pairs_size;
  if (!many_ || !many_->fits(batch, chunk, slow) || many_->blocks < launch.blocks) {
    many_.reset();
    many_ = std::make_shared<CudaMany>(batch, chunk, launch.blocks, slow);
  }

  double packing = 0, waiting = 0, handing = 0;
  const auto begin = [&](CudaMany::Half& half, long first) {
    half.first = first;
    half.count = std::min(chunk, count - first);
    const double start = now();
    gpu::in_parallel(half.count, 256, [&](long i) {
      batch.pack(data[first + i], half.data.data + i * many_->data_size);
      half.numbers.data[i] = data[first + i].numbers;
    });
    packing += now() - start;
    const cudaStream_t on = half.stream.is;
    const auto n = size_of(half.count);
    check(cudaMemsetAsync(half.next.data, 0, sizeof(int), on));
    check(cudaMemcpyAsync(half.far_data.data, half.data.data,
                          sizeof(double) * n * size_of(many_->data_size), cudaMemcpyHostToDevice,
                          on));
    check(cudaMemcpyAsync(half.far_numbers.data, half.numbers.data, sizeof(lc_many_numbers) * n,
                          cudaMemcpyHostToDevice, on));
    const auto grid = static_cast<unsigned>(std::min<long>(launch.blocks, half.count));
    launch.kernel<<<grid, static_cast<unsigned>(launch.threads), launch.bytes, on>>>(
        form, static_cast<int>(half.count), half.far_data.data, half.far_numbers.data,
        half.slow.data, launch.fast_pairs, half.next.data, half.far_posteriors.data,
        half.far_outcomes.data);
    check(cudaGetLastError());
    check(cudaMemcpyAsync(half.posteriors.data, half.far_posteriors.data,
                          sizeof(double) * n * 2 * size_of(batch.p), cudaMemcpyDeviceToHost, on));
    check(cudaMemcpyAsync(half.outcomes.data, half.far_outcomes.data, sizeof(gpu::ManyOutcome) * n,
                          cudaMemcpyDeviceToHost, on));
  };
  const auto finish = [&](CudaMany::Half& half) {
    const double start = now();
    check(cudaStreamSynchronize(half.stream.is));
    const double came = now();
    gpu::in_parallel(half.count, 256, [&](long i) {
      const gpu::ManyOutcome& outcome = half.outcomes.data[i];
      lc_many_result& result = results[half.first + i];
      result.values = outcome.values;
      batch.hand_over(outcome.end, half.posteriors.data + i * 2 * batch.p, result);
    });
    half.count = 0;
    waiting += came - start;
    handing += now() - came;
  };
  try {
    int turn = 0;
    for (long first = 0; first < count; first += chunk, turn = 1 - turn) {
      CudaMany::Half& half = *many_->halves[turn];
      if (half.count > 0) finish(half);
      begin(half, first);
    }
    for (int k = 0; k < 2; ++k, turn = 1 - turn)
      if (many_->halves[turn]->count > 0) finish(*many_->halves[turn]);
    if (trace_)
      std::fprintf(stderr,
                   "many: %ld, %d threads, %d blocks, %zu bytes fast, pairs %s; packed %.4f s, "
                   "waited %.4f s, handed over %.4f s\n",
                   count, launch.threads, launch.blocks, launch.bytes,
                   launch.fast_pairs ? "too" : "not", packing, waiting, handing);
  } catch (...) {
    cudaDeviceSynchronize();
    cudaGetLastError();
    many_.reset();
    throw;
  }
}

}  // namespace lc
