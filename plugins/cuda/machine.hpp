// An NVIDIA GPU: kernels on one stream, products by cuBLAS on several, memory from a pool.
#pragma once

#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "kernels.hpp"
#include "memory.hpp"
#include "steps/cut.hpp"
#include "steps/failure.hpp"

namespace lc {

struct CudaMany;

inline void check(cublasStatus_t status) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw Failure(status == CUBLAS_STATUS_ALLOC_FAILED ? LC_OUT_OF_MEMORY : LC_LOST,
                std::string("cuBLAS: ") + cublasGetStatusString(status));
}

class CudaMachine {
 public:
  CudaMachine();
  ~CudaMachine();
  CudaMachine(const CudaMachine&) = delete;
  CudaMachine& operator=(const CudaMachine&) = delete;

  Panels panels() const { return panels_; }

  void describe(lc_device_info& info) const;

  void* take(std::size_t bytes) {
    void* memory = nullptr;
    check(cudaMallocAsync(&memory, bytes, main()));
    return memory;
  }
  void release(void* memory) {
    if (lanes_started_ > 0) wait();  // something failed before the end of products
    cudaFreeAsync(memory, main());
  }

  void upload(const double* values, const Matrix& A) {
    if (A.rows == 0 || A.cols == 0) return;
    if (gpu::Staging::pays(A.rows, A.cols)) return staging_.upload(values, A, main());
    check(cudaMemcpy2DAsync(A.data, sizeof(double) * size_of(A.step), values,
                            sizeof(double) * size_of(A.rows), sizeof(double) * size_of(A.rows),
                            size_of(A.cols), cudaMemcpyHostToDevice, main()));
    check(cudaStreamSynchronize(main()));  // the caller's memory may go
  }
  void upload(const double* values, const Array& x) { send(x.data, values, x.size); }
  void upload(const std::vector<long>& values, const Indices& x) {
    send(x.data, values.data(), static_cast<long>(values.size()));
  }
  void download(const Matrix& A, double* values) {
    if (A.rows == 0 || A.cols == 0) return;
    if (gpu::Staging::pays(A.rows, A.cols)) return staging_.download(A, values, main());
    check(cudaMemcpy2DAsync(values, sizeof(double) * size_of(A.rows), A.data,
                            sizeof(double) * size_of(A.step), sizeof(double) * size_of(A.rows),
                            size_of(A.cols), cudaMemcpyDeviceToHost, main()));
    check(cudaStreamSynchronize(main()));
  }
  // A few numbers by way of memory that the device reaches directly, many without it.
  void download(const Array& x, double* values, long count) {
    const bool few = count <= few_numbers;
    check(cudaMemcpyAsync(few ? near_ : values, x.data, sizeof(double) * size_of(count),
                          cudaMemcpyDeviceToHost, main()));
    check(cudaStreamSynchronize(main()));
    if (few) std::copy_n(near_, count, values);
  }
  // The same of a few numbers while the device goes on: nothing may be downloaded in between.
  void start_download(const Array& x, long count) {
    check(cudaEventRecord(ready_, main()));
    check(cudaStreamWaitEvent(back_, ready_, 0));
    check(cudaMemcpyAsync(near_, x.data, sizeof(double) * size_of(count), cudaMemcpyDeviceToHost,
                          back_));
  }
  void end_download(double* values, long count) {
    check(cudaStreamSynchronize(back_));
    std::copy_n(near_, count, values);
  }
  // One number that a kernel leaves for the program.
  Array results() { return {results_, few_numbers}; }
  double result() {
    double value = 0;
    download(results(), &value, 1);
    return value;
  }

  template <class Kernel>
  void each(long rows, long cols, const Kernel& one) {
    if (rows == 0 || cols == 0) return;
    kernel("each", rows, cols, [&] {
      if (rows == 1)
        return gpu::along_row<<<blocks(cols, gpu::threads), gpu::threads, 0, main()>>>(cols, one);
      const dim3 grid(blocks(rows, gpu::block_rows),
                      blocks(cols, gpu::block_cols * gpu::cols_per_thread));
      gpu::each<<<grid, dim3(gpu::block_rows, gpu::block_cols), 0, main()>>>(rows, cols, one);
    });
  }
  template <class Kernel>
  void along(long size, const Kernel& one) {
    if (size == 0) return;
    kernel("along", 1, size,
           [&] { gpu::along<<<blocks(size, gpu::threads), gpu::threads, 0, main()>>>(size, one); });
  }
  template <int K, class Kernel>
  void columns(long rows, long cols, const Kernel& one, const Array& out) {
    if (cols == 0) return;
    kernel("columns", rows, cols, [&] {
      gpu::columns<K><<<blocks(cols, 1), gpu::threads, 0, main()>>>(rows, cols, one, out.data);
    });
  }
  template <int K, class Kernel>
  void rows(long count, long cols, const Kernel& one, const Array& out) {
    if (count == 0) return;
    const unsigned chunks = std::max(1u, blocks(cols, gpu::row_chunk));
    double* parts = scratch(0, K * static_cast<long>(chunks) * count);
    kernel("rows", count, cols, [&] {
      gpu::rows_of_chunks<K>
          <<<dim3(blocks(count, gpu::block_rows), chunks), dim3(gpu::block_rows, gpu::block_cols),
             0, main()>>>(count, cols, one, parts);
      gpu::rows_of_parts<<<blocks(count, gpu::threads), gpu::threads, 0, main()>>>(
          count, static_cast<long>(chunks), K, parts, out.data);
    });
  }
  template <int K, class Kernel>
  void sums(long size, const Kernel& one, const Array& out, long to) {
    const unsigned parts = size <= gpu::one_block ? 1 : blocks(size, gpu::stretch);
    double* part = parts == 1 ? nullptr : scratch(1, K * static_cast<long>(parts));
    kernel("sums", 1, size, [&] {
      if (parts == 1)
        return gpu::sums<K><<<1, 2 * gpu::threads, 0, main()>>>(size, size, one, out.data + to);
      gpu::sums<K><<<parts, gpu::threads, 0, main()>>>(size, gpu::stretch, one, part);
      gpu::sum_of_parts<<<K, 2 * gpu::threads, 0, main()>>>(static_cast<long>(parts), part,
                                                            out.data + to);
    });
  }
  void columns_largest(const Matrix& A, const Array& out);
  void largest(const Array& x, const Array& out, long to);
  void trace(const Matrix& X, const Matrix& Y, const Array& out, long to);

  // Side by side: none may need what another one makes.
  void products(const Tasks& list);
  // The same beside what the program asks for before the end: of what they make it may touch
  // nothing, of what they need it may change nothing.
  void start_products(const Tasks& list);
  void end_products();
  bool cholesky(const Matrix& A);
  void invert_lower(const Matrix& L, const Matrix& inverse);

  // many.cu
  void learn_many(const lc_many_setting& setting, long count, const lc_many_data* data,
                  lc_many_result* results);

  template <class Work>
  double seconds(const Work& work) {
    check(cudaEventRecord(begin_, main()));
    work();
    check(cudaEventRecord(end_, main()));
    check(cudaEventSynchronize(end_));
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin_, end_));
    return 1e-3 * static_cast<double>(milliseconds);
  }

 private:
  static constexpr long few_numbers = 64;
  static constexpr int most_lanes = 9;  // the first for kernels, the others for products
  struct Lane {
    cudaStream_t stream = nullptr;
    cublasHandle_t blas = nullptr;
    void* workspace = nullptr;
    cudaEvent_t done = nullptr;
  };

  // With LOOPCERT_GPU_TRACE: what every kind of work takes by itself, on stderr at the end.
  struct Spent {
    long count = 0;
    double seconds = 0, operations = 0;
  };
  template <class Work>
  void traced(const std::string& what, double operations, const Work& work) {
    Spent& spent = spent_[what];
    spent.seconds += seconds(work);
    spent.operations += operations;
    ++spent.count;
  }
  template <class Work>
  void kernel(const char* what, long rows, long cols, const Work& work) {
    if (trace_)
      traced(std::string(what) + " " + std::to_string(rows) + " x " + std::to_string(cols), 0,
             work);
    else
      work();
    check(cudaGetLastError());
  }
  void tell_trace() const;

  static std::size_t size_of(long count) { return static_cast<std::size_t>(count); }
  static unsigned blocks(long size, long each_block) {
    return static_cast<unsigned>((size + each_block - 1) / each_block);
  }
  cudaStream_t main() const { return lanes_[0].stream; }

  template <class T>
  void send(T* to, const T* from, long count) {
    if (count == 0) return;
    check(cudaMemcpyAsync(to, from, sizeof(T) * size_of(count), cudaMemcpyHostToDevice, main()));
    check(cudaStreamSynchronize(main()));
  }
  double* scratch(int which, long count);
  void start(const Tasks& list);
  void wait();
  static void run(Lane& lane, const Task& task);
  static void multiply(Lane& lane, const Task::Term& term, const Matrix& C, bool add);
  void close();

  std::array<Lane, most_lanes> lanes_;
  int lanes_used_ = most_lanes - 1, lanes_started_ = 0;  // for products
  Panels panels_;
  gpu::Staging staging_;
  bool trace_ = false;
  std::map<std::string, Spent> spent_;
  std::shared_ptr<CudaMany> many_;
  cudaStream_t back_ = nullptr;  // what goes to the program while the device goes on
  cudaEvent_t ready_ = nullptr, begin_ = nullptr, end_ = nullptr;
  double* results_ = nullptr;
  int* failed_ = nullptr;
  double* near_ = nullptr;  // in the computer's memory, pinned
  std::array<double*, 2> scratch_ = {};
  std::array<long, 2> scratch_size_ = {};
};

}  // namespace lc
