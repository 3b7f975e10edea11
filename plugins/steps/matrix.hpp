// A matrix in a device's memory, as kernels see it: copied by value, owned by an Arena.
#pragma once

#include <cstddef>
#include <vector>

#ifdef __CUDACC__
#define LC_DEVICE __host__ __device__
#define LC_KERNEL __device__  // of a lambda that a machine runs for every entry
#else
#define LC_DEVICE
#define LC_KERNEL
#endif

#ifdef __CUDA_ARCH__  // how often a loop is written out
#define LC_UNROLL(times) _Pragma(LC_TEXT(unroll times))
#define LC_TEXT(x) #x
#else
#define LC_UNROLL(times)
#endif

namespace lc {

struct Matrix {
  double* data = nullptr;
  long rows = 0, cols = 0, step = 0;  // from column to column

  LC_DEVICE double& operator()(long i, long j) const { return data[i + j * step]; }
  bool empty() const { return data == nullptr; }
};

struct Array {
  double* data = nullptr;
  long size = 0;

  LC_DEVICE double& operator[](long i) const { return data[i]; }
};

struct Indices {
  long* data = nullptr;

  LC_DEVICE long operator[](long i) const { return data[i]; }
};

// Memory of a machine, given back all at once.
template <class Machine>
class Arena {
 public:
  explicit Arena(Machine& machine) : machine_(machine) {}
  ~Arena() {
    for (void* one : taken_) machine_.release(one);
  }
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  Matrix matrix(long rows, long cols) {
    const long step = (rows + 15) / 16 * 16;  // columns begin where the memory likes it
    return {take<double>(step * cols), rows, cols, step};
  }
  Matrix copy(const double* values, long rows, long cols) {
    const Matrix A = matrix(rows, cols);
    machine_.upload(values, A);
    return A;
  }
  Array array(long size) { return {take<double>(size), size}; }
  Array copy(const double* values, long size) {
    const Array x = array(size);
    machine_.upload(values, x);
    return x;
  }
  Indices copy(const std::vector<long>& values) {
    const Indices x{take<long>(static_cast<long>(values.size()))};
    machine_.upload(values, x);
    return x;
  }

 private:
  template <class T>
  T* take(long count) {
    taken_.reserve(taken_.size() + 1);
    void* memory = machine_.take(sizeof(T) * static_cast<std::size_t>(count > 0 ? count : 1));
    taken_.push_back(memory);
    return static_cast<T*>(memory);
  }

  Machine& machine_;
  std::vector<void*> taken_;
};

}  // namespace lc
