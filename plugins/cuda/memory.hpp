// Memory of the device and of the computer, and the way between them.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "steps/failure.hpp"
#include "steps/matrix.hpp"

namespace lc {

inline void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  cudaGetLastError();  // not to be met again
  throw Failure(error == cudaErrorMemoryAllocation ? LC_OUT_OF_MEMORY : LC_LOST,
                cudaGetErrorString(error));
}

namespace gpu {

// Memory that goes when its owner goes.
template <class T>
struct OnDevice {
  explicit OnDevice(long count) { check(cudaMalloc(&data, sizeof(T) * bytes(count))); }
  ~OnDevice() { cudaFree(data); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;
  static std::size_t bytes(long count) { return static_cast<std::size_t>(count > 0 ? count : 1); }
  T* data = nullptr;
};
template <class T>
struct Pinned {
  explicit Pinned(long count) {
    check(cudaMallocHost(&data, sizeof(T) * OnDevice<T>::bytes(count)));
  }
  ~Pinned() { cudaFreeHost(data); }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
  T* data = nullptr;
};
struct Stream {
  Stream() { check(cudaStreamCreateWithFlags(&is, cudaStreamNonBlocking)); }
  ~Stream() { cudaStreamDestroy(is); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  cudaStream_t is = nullptr;
};

// job(i) for i < count by a few threads, each of them at least `each`: copying is as much work for
// one as computing for the GPU.
template <class Job>
void in_parallel(long count, long each, const Job& job) {
  constexpr long most = 8;
  const long cores = static_cast<long>(std::thread::hardware_concurrency());
  const long threads = std::clamp(count / each, 1L, std::clamp(cores, 1L, most));
  const auto part = [&](long k) {
    for (long i = count * k / threads; i < count * (k + 1) / threads; ++i) job(i);
  };
  std::vector<std::thread> others;
  for (long k = 1; k < threads; ++k) others.emplace_back(part, k);
  part(0);
  for (std::thread& one : others) one.join();
}

// Large matrices go through two pieces of pinned memory that take turns: a few threads fill one
// while the other one travels. What a program owns the device reaches much more slowly.
class Staging {
 public:
  // Smaller ones are not worth it.
  static bool pays(long rows, long cols) { return rows * cols >= (1L << 17); }

  void upload(const double* values, const Matrix& A, cudaStream_t on) {
    walk(A, [&](Piece& piece, long first, long cols) {
      check(cudaEventSynchronize(piece.done));
      copy(piece.memory.data, values + first * A.rows, cols * A.rows);
      check(cudaMemcpy2DAsync(&A(0, first), bytes(A.step), piece.memory.data, bytes(A.rows),
                              bytes(A.rows), static_cast<std::size_t>(cols), cudaMemcpyHostToDevice,
                              on));
      check(cudaEventRecord(piece.done, on));
    });
  }
  void download(const Matrix& A, double* values, cudaStream_t on) {
    long waiting_first = 0, waiting_cols = 0;
    Piece* waiting = nullptr;
    const auto take = [&] {
      if (!waiting) return;
      check(cudaEventSynchronize(waiting->done));
      copy(values + waiting_first * A.rows, waiting->memory.data, waiting_cols * A.rows);
    };
    walk(A, [&](Piece& piece, long first, long cols) {
      check(cudaMemcpy2DAsync(piece.memory.data, bytes(A.rows), &A(0, first), bytes(A.step),
                              bytes(A.rows), static_cast<std::size_t>(cols), cudaMemcpyDeviceToHost,
                              on));
      check(cudaEventRecord(piece.done, on));
      take();
      waiting = &piece;
      waiting_first = first;
      waiting_cols = cols;
    });
    take();
  }

 private:
  static constexpr long piece_size = 1L << 21;  // numbers
  struct Piece {
    explicit Piece(long size) : memory(size) {
      check(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
    }
    ~Piece() { cudaEventDestroy(done); }
    Piece(const Piece&) = delete;
    Piece& operator=(const Piece&) = delete;
    Pinned<double> memory;
    cudaEvent_t done = nullptr;
  };

  static std::size_t bytes(long count) { return sizeof(double) * static_cast<std::size_t>(count); }
  static void copy(double* to, const double* from, long count) {
    constexpr long stretch = 1L << 15;
    in_parallel((count + stretch - 1) / stretch, 8, [&](long k) {
      const long begin = k * stretch;
      std::memcpy(to + begin, from + begin, bytes(std::min(stretch, count - begin)));
    });
  }
  template <class Job>
  void walk(const Matrix& A, const Job& job) {
    const long size = std::max(piece_size, A.rows), step = size / A.rows;
    if (size > size_) {
      for (auto& piece : pieces_) piece = std::make_unique<Piece>(size);
      size_ = size;
    }
    int turn = 0;
    for (long first = 0; first < A.cols; first += step, turn = 1 - turn)
      job(*pieces_[turn], first, std::min(step, A.cols - first));
  }

  std::unique_ptr<Piece> pieces_[2];
  long size_ = 0;
};

}  // namespace gpu
}  // namespace lc
