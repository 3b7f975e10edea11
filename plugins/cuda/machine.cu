#include "machine.hpp"

#include <cstdint>
#include <cstdlib>

namespace lc {
namespace {

// Hopper's cuBLAS wants 32 MiB; given by us, so that bits do not depend on what else runs.
constexpr std::size_t workspace_bytes = std::size_t{32} << 20;

constexpr int oldest = 8;  // major compute capability with products of doubles in hardware

std::string cuda(int version) {
  return "CUDA " + std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string why_none(cudaError_t error) {
  int driver = 0;
  if (error == cudaSuccess || error == cudaErrorNoDevice) return "this machine has no NVIDIA GPU";
  if (error != cudaErrorInsufficientDriver || cudaDriverGetVersion(&driver) != cudaSuccess)
    return std::string("CUDA: ") + cudaGetErrorString(error);
  if (driver == 0) return "this machine has no driver for NVIDIA GPUs";
  return "the driver is too old: it knows " + cuda(driver) + ", the plugin is made with " +
         cuda(CUDART_VERSION);
}

}  // namespace

CudaMachine::CudaMachine() {
  int count = 0;
  const cudaError_t found = cudaGetDeviceCount(&count);
  if (found != cudaSuccess || count == 0) {
    cudaGetLastError();
    throw Failure(LC_NO_DEVICE, why_none(found));
  }
  cudaDeviceProp device{};
  check(cudaGetDeviceProperties(&device, 0));
  if (device.major < oldest)
    throw Failure(LC_NO_DEVICE, std::string(device.name) +
                                    " is too old: compute capability 8.0 or newer is needed");
  // For bench/gpu: other numbers of streams, and of panels (work, least, unit, most).
  if (const char* lanes = std::getenv("LOOPCERT_GPU_STREAMS"))
    lanes_used_ = std::clamp(std::atoi(lanes), 1, most_lanes - 1);
  if (const char* cut = std::getenv("LOOPCERT_GPU_PANELS")) {
    Panels wish;
    if (std::sscanf(cut, "%lf,%ld,%ld,%ld", &wish.work, &wish.least, &wish.unit, &wish.most) == 4 &&
        wish.work > 0 && wish.least > 0 && wish.unit > 0)
      panels_ = wish;
  }
  trace_ = std::getenv("LOOPCERT_GPU_TRACE") != nullptr;
  if (trace_) {  // of the first machine, which a program keeps to its end
    static const CudaMachine* const first = this;
    if (first == this) std::atexit([] { first->tell_trace(); });
  }
  try {
    check(cudaSetDevice(0));
    cudaMemPool_t pool = nullptr;  // memory that is given back stays with us
    check(cudaDeviceGetDefaultMemPool(&pool, 0));
    std::uint64_t keep = ~std::uint64_t{0};
    check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
    int lowest = 0, highest = 0;
    check(cudaDeviceGetStreamPriorityRange(&lowest, &highest));
    for (Lane& lane : lanes_) {
      // Kernels that run beside products go first: they are short, and others wait for them.
      check(cudaStreamCreateWithPriority(&lane.stream, cudaStreamNonBlocking,
                                         &lane == &lanes_[0] ? highest : lowest));
      check(cudaEventCreateWithFlags(&lane.done, cudaEventDisableTiming));
      check(cublasCreate(&lane.blas));
      check(cublasSetStream(lane.blas, lane.stream));
      check(cudaMalloc(&lane.workspace, workspace_bytes));
      check(cublasSetWorkspace(lane.blas, lane.workspace, workspace_bytes));
    }
    check(cudaStreamCreateWithFlags(&back_, cudaStreamNonBlocking));
    check(cudaEventCreateWithFlags(&ready_, cudaEventDisableTiming));
    check(cudaEventCreate(&begin_));
    check(cudaEventCreate(&end_));
    check(cudaMalloc(reinterpret_cast<void**>(&results_), sizeof(double) * few_numbers));
    check(cudaMalloc(reinterpret_cast<void**>(&failed_), sizeof(int)));
    check(cudaMallocHost(reinterpret_cast<void**>(&near_), sizeof(double) * few_numbers));
  } catch (...) {
    close();
    throw;
  }
}

CudaMachine::~CudaMachine() { close(); }

void CudaMachine::close() {
  cudaDeviceSynchronize();
  for (Lane& lane : lanes_) {
    if (lane.blas) cublasDestroy(lane.blas);
    if (lane.workspace) cudaFree(lane.workspace);
    if (lane.done) cudaEventDestroy(lane.done);
    if (lane.stream) cudaStreamDestroy(lane.stream);
  }
  if (back_) cudaStreamDestroy(back_);
  for (cudaEvent_t event : {ready_, begin_, end_})
    if (event) cudaEventDestroy(event);
  for (double* memory : {results_, scratch_[0], scratch_[1]})
    if (memory) cudaFree(memory);
  if (failed_) cudaFree(failed_);
  if (near_) cudaFreeHost(near_);
  cudaGetLastError();
}

void CudaMachine::describe(lc_device_info& info) const {
  cudaDeviceProp device{};
  check(cudaGetDeviceProperties(&device, 0));
  std::snprintf(info.name, sizeof info.name, "%.127s", device.name);
  std::size_t free = 0, all = 0;
  check(cudaMemGetInfo(&free, &all));
  // What the pool holds and does not use is free for us.
  cudaMemPool_t pool = nullptr;
  check(cudaDeviceGetDefaultMemPool(&pool, 0));
  std::uint64_t held = 0, used = 0;
  check(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &held));
  check(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
  info.memory_bytes = static_cast<double>(all);
  info.free_bytes = static_cast<double>(free) + static_cast<double>(held - used);
}

double* CudaMachine::scratch(int which, long count) {
  const auto k = static_cast<std::size_t>(which);
  if (count > scratch_size_[k]) {
    check(cudaStreamSynchronize(main()));
    if (scratch_[k]) check(cudaFree(scratch_[k]));
    scratch_[k] = nullptr;
    scratch_size_[k] = 0;
    check(cudaMalloc(reinterpret_cast<void**>(&scratch_[k]), sizeof(double) * size_of(count)));
    scratch_size_[k] = count;
  }
  return scratch_[k];
}

void CudaMachine::columns_largest(const Matrix& A, const Array& out) {
  kernel("largest", A.rows, A.cols, [&] {
    gpu::columns_largest<<<blocks(A.cols, 1), gpu::threads, 0, main()>>>(A, out.data);
  });
}

void CudaMachine::largest(const Array& x, const Array& out, long to) {
  kernel("largest", 1, x.size,
         [&] { gpu::largest<<<1, 2 * gpu::threads, 0, main()>>>(x, out.data + to); });
}

void CudaMachine::trace(const Matrix& X, const Matrix& Y, const Array& out, long to) {
  const unsigned tiles = blocks(X.rows, gpu::tile);
  const long count = static_cast<long>(tiles) * tiles;
  double* parts = scratch(0, count);
  kernel("trace", X.rows, X.cols, [&] {
    gpu::trace<<<dim3(tiles, tiles), gpu::threads, 0, main()>>>(X, Y, X.data == Y.data, parts);
    gpu::sum_of_parts<<<1, 2 * gpu::threads, 0, main()>>>(count, parts, out.data + to);
  });
}

void CudaMachine::multiply(Lane& lane, const Task::Term& term, const Matrix& C, bool add) {
  const auto& [A, B] = term.product;
  const auto [rows, cols, inner] = term.piece;
  const double one = 1, keep = add ? 1 : 0;
  const double* a = A.transposed ? &A.matrix(inner.begin, rows.begin)
                                 : &A.matrix(rows.begin, inner.begin);
  const double* b = B.transposed ? &B.matrix(cols.begin, inner.begin)
                                 : &B.matrix(inner.begin, cols.begin);
  check(cublasDgemm(lane.blas, A.transposed ? CUBLAS_OP_T : CUBLAS_OP_N,
                    B.transposed ? CUBLAS_OP_T : CUBLAS_OP_N, static_cast<int>(rows.size()),
                    static_cast<int>(cols.size()), static_cast<int>(inner.size()), &one, a,
                    static_cast<int>(A.matrix.step), b, static_cast<int>(B.matrix.step), &keep,
                    &C(rows.begin, cols.begin), static_cast<int>(C.step)));
}

void CudaMachine::run(Lane& lane, const Task& task) {
  const auto& [rows, cols, all] = task.terms.front().piece;
  if (rows.size() == 0 || cols.size() == 0) return;
  bool add = task.add;
  for (const Task::Term& term : task.terms)
    if (term.piece.inner.size() > 0) {
      multiply(lane, term, task.C, add);
      add = true;
    }
  if (!add)
    check(cudaMemset2DAsync(&task.C(rows.begin, cols.begin), sizeof(double) * size_of(task.C.step),
                            0, sizeof(double) * size_of(rows.size()), size_of(cols.size()),
                            lane.stream));
}

// The largest first, each to the stream that has least to do. What a task computes does not depend
// on where.
void CudaMachine::start(const Tasks& list) {
  std::vector<const Task*> order;
  for (const Task& task : list) order.push_back(&task);
  std::stable_sort(order.begin(), order.end(),
                   [](const Task* a, const Task* b) { return a->work() > b->work(); });
  lanes_started_ = std::min(static_cast<int>(order.size()), lanes_used_);
  check(cudaEventRecord(ready_, main()));
  for (int k = 1; k <= lanes_started_; ++k)
    check(cudaStreamWaitEvent(lanes_[size_of(k)].stream, ready_, 0));
  std::array<double, most_lanes> load = {};
  for (const Task* task : order) {
    const auto least = std::min_element(load.begin() + 1, load.begin() + 1 + lanes_started_);
    run(lanes_[size_of(least - load.begin())], *task);
    *least += task->work();
  }
  for (int k = 1; k <= lanes_started_; ++k)
    check(cudaEventRecord(lanes_[size_of(k)].done, lanes_[size_of(k)].stream));
}
void CudaMachine::wait() {  // does not throw; a lost device shows at the next call
  for (int k = 1; k <= lanes_started_; ++k)
    cudaStreamWaitEvent(main(), lanes_[size_of(k)].done, 0);
  lanes_started_ = 0;
}

void CudaMachine::start_products(const Tasks& list) {
  if (trace_) return products(list);
  start(list);
}
void CudaMachine::end_products() { wait(); }

void CudaMachine::products(const Tasks& list) {
  const auto all = [&] {
    if (list.size() == 1) return run(lanes_[0], list.front());
    start(list);
    wait();
  };
  if (!trace_) return all();
  const auto shape = [](const Factor& X) {
    const char* names[] = {"full", "causal", "lower", "upper"};
    return std::string(names[static_cast<int>(X.shape)]) + (X.transposed ? "'" : "");
  };
  std::string what = "products";
  const double* before = nullptr;
  for (const Task& task : list) {  // of each result the first task's
    if (task.C.data == before) continue;
    before = task.C.data;
    for (const auto& [product, piece] : task.terms)
      what += " " + std::to_string(product.A.rows()) + "x" + std::to_string(product.A.cols()) + "x" +
              std::to_string(product.B.cols()) + " " + shape(product.A) + " " + shape(product.B) +
              (task.terms.size() > 1 ? " +" : "");
    what += ",";
  }
  traced(what + " in " + std::to_string(list.size()), operations(list), all);
}

void CudaMachine::tell_trace() const {
  for (const auto& [what, spent] : spent_)
    std::fprintf(stderr, "%-100s %6ld times %10.1f us each %8.2f TFLOP/s\n", what.c_str(),
                 spent.count, 1e6 * spent.seconds / static_cast<double>(spent.count),
                 spent.operations / spent.seconds * 1e-12);
}

// By panels: a block on the diagonal, what is below it, what is left.
bool CudaMachine::cholesky(const Matrix& A) {
  Lane& lane = lanes_[0];
  check(cudaMemsetAsync(failed_, 0, sizeof(int), lane.stream));
  const double one = 1, minus = -1;
  const int step = static_cast<int>(A.step);
  for (long k = 0; k < A.cols; k += gpu::panel) {
    const int size = static_cast<int>(std::min<long>(gpu::panel, A.cols - k));
    gpu::factor_block<<<1, gpu::threads, 0, lane.stream>>>(A, k, size, failed_);
    check(cudaGetLastError());
    const int left = static_cast<int>(A.cols - k) - size;
    if (left == 0) break;
    double* below = &A(k + size, k);
    check(cublasDtrsm(lane.blas, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T,
                      CUBLAS_DIAG_NON_UNIT, left, size, &one, &A(k, k), step, below, step));
    check(cublasDsyrk(lane.blas, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, left, size, &minus, below,
                      step, &one, &A(k + size, k + size), step));
  }
  int failed = 0;
  check(cudaMemcpyAsync(&failed, failed_, sizeof(int), cudaMemcpyDeviceToHost, lane.stream));
  check(cudaStreamSynchronize(lane.stream));
  return failed == 0;
}

void CudaMachine::invert_lower(const Matrix& L, const Matrix& inverse) {
  const Matrix X = inverse;
  each(X.rows, X.cols, [=] LC_KERNEL(long i, long j) { X(i, j) = i == j ? 1.0 : 0.0; });
  const double one = 1;
  check(cublasDtrsm(lanes_[0].blas, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                    CUBLAS_DIAG_NON_UNIT, static_cast<int>(X.rows), static_cast<int>(X.cols), &one,
                    L.data, static_cast<int>(L.step), X.data, static_cast<int>(X.step)));
  each(X.rows, X.cols, [=] LC_KERNEL(long i, long j) {
    if (i < j) X(i, j) = 0;
  });
}

}  // namespace lc
