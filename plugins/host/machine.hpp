// A machine for tests: this computer's processor runs the kernels, one entry after the other, in
// memory full of NaN. What LOOPCERT_HOST_DEVICE names goes wrong: "absent", "memory=BYTES" (no more
// than that), "lost=COUNT" (from that call on), "lanes=COUNT" (of small
// problems).
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "many.hpp"
#include "steps/cut.hpp"
#include "steps/failure.hpp"

namespace lc {

class HostMachine {
 public:
  HostMachine() : results_memory_(1) {
    const char* wish = std::getenv("LOOPCERT_HOST_DEVICE");
    const std::string text = wish ? wish : "";
    if (text == "absent") throw Failure(LC_NO_DEVICE, "no device, as the test wishes");
    if (text.rfind("memory=", 0) == 0) memory_ = std::stod(text.substr(7));
    if (text.rfind("lost=", 0) == 0) calls_left_ = std::stol(text.substr(5));
    if (text.rfind("lanes=", 0) == 0) lanes_ = std::clamp(std::stoi(text.substr(6)), 1, 16);
    if (text.rfind("surprise=", 0) == 0) surprise_ = std::stod(text.substr(9));
  }

  Panels panels() const { return {1, 2, 1, 4}; }  // so that small problems are cut as well

  void describe(lc_device_info& info) const {
    std::snprintf(info.name, sizeof info.name, "a processor that poses as another device");
    info.memory_bytes = memory_;
    info.free_bytes = memory_ - used_;
  }

  void* take(std::size_t bytes) {
    call();
    const double least = std::min(memory_, surprise_);  // a surprise was not announced
    if (used_ + static_cast<double>(bytes) > least)
      throw Failure(LC_OUT_OF_MEMORY, "out of device memory");
    void* memory = std::malloc(bytes);
    if (!memory) throw std::bad_alloc();
    used_ += static_cast<double>(bytes);
    sizes_[memory] = static_cast<double>(bytes);
    std::fill_n(static_cast<double*>(memory), bytes / sizeof(double),
                std::numeric_limits<double>::quiet_NaN());
    return memory;
  }
  void release(void* memory) {
    used_ -= sizes_[memory];
    sizes_.erase(memory);
    std::free(memory);
  }

  void upload(const double* values, const Matrix& A) {
    call();
    for (long j = 0; j < A.cols; ++j) std::copy_n(values + j * A.rows, A.rows, &A(0, j));
  }
  void upload(const double* values, const Array& x) { std::copy_n(values, x.size, x.data); }
  void upload(const std::vector<long>& values, const Indices& x) {
    std::copy(values.begin(), values.end(), x.data);
  }
  void download(const Matrix& A, double* values) {
    call();
    for (long j = 0; j < A.cols; ++j) std::copy_n(&A(0, j), A.rows, values + j * A.rows);
  }
  void download(const Array& x, double* values, long count) { std::copy_n(x.data, count, values); }
  void start_download(const Array& x, long count) { underway_.assign(x.data, x.data + count); }
  void end_download(double* values, long count) { std::copy_n(underway_.data(), count, values); }
  Array results() { return {results_memory_.data(), 1}; }
  double result() const { return results_memory_[0]; }

  template <class Kernel>
  void each(long rows, long cols, const Kernel& kernel) {
    call();
    for (long j = 0; j < cols; ++j)
      for (long i = 0; i < rows; ++i) kernel(i, j);
  }
  template <class Kernel>
  void along(long size, const Kernel& kernel) {
    call();
    for (long i = 0; i < size; ++i) kernel(i);
  }
  template <int K, class Kernel>
  void columns(long rows, long cols, const Kernel& kernel, const Array& out) {
    call();
    for (long j = 0; j < cols; ++j) {
      double s[K] = {};
      for (long i = 0; i < rows; ++i) kernel(i, j, s);
      for (int k = 0; k < K; ++k) out[k * cols + j] = s[k];
    }
  }
  template <int K, class Kernel>
  void rows(long count, long cols, const Kernel& kernel, const Array& out) {
    call();
    for (long i = 0; i < count; ++i) {
      double s[K] = {};
      for (long j = 0; j < cols; ++j) kernel(i, j, s);
      for (int k = 0; k < K; ++k) out[k * count + i] = s[k];
    }
  }
  template <int K, class Kernel>
  void sums(long size, const Kernel& kernel, const Array& out, long to) {
    call();
    double s[K] = {};
    for (long i = 0; i < size; ++i) kernel(i, s);
    for (int k = 0; k < K; ++k) out[to + k] = s[k];
  }
  void columns_largest(const Matrix& A, const Array& out) {
    for (long j = 0; j < A.cols; ++j) {
      out[j] = 0;
      for (long i = 0; i < A.rows; ++i) out[j] = std::max(out[j], std::abs(A(i, j)));
    }
  }
  void largest(const Array& x, const Array& out, long to) {
    out[to] = *std::max_element(x.data, x.data + x.size);
  }
  // sum_ij X_ij Y_ji
  void trace(const Matrix& X, const Matrix& Y, const Array& out, long to) {
    call();
    out[to] = 0;
    for (long j = 0; j < X.cols; ++j)
      for (long i = 0; i < X.rows; ++i) out[to] += X(i, j) * Y(j, i);
  }

  void start_products(const Tasks& list) { products(list); }
  void end_products() {}
  void products(const Tasks& list) {
    call();
    for (const Task& task : list) {
      bool add = task.add;
      for (const Task::Term& term : task.terms) {
        multiply(term, task.C, add);
        add = true;
      }
    }
  }

  // The lower factor in place; false where a pivot is not positive.
  bool cholesky(const Matrix& A) {
    call();
    for (long j = 0; j < A.cols; ++j) {
      double pivot = A(j, j);
      for (long k = 0; k < j; ++k) pivot -= A(j, k) * A(j, k);
      if (!(pivot > 0)) return false;
      A(j, j) = std::sqrt(pivot);
      for (long i = j + 1; i < A.rows; ++i) {
        double sum = A(i, j);
        for (long k = 0; k < j; ++k) sum -= A(i, k) * A(j, k);
        A(i, j) = sum / A(j, j);
      }
    }
    return true;
  }
  void invert_lower(const Matrix& L, const Matrix& inverse) {
    call();
    for (long j = 0; j < L.cols; ++j)
      for (long i = 0; i < L.rows; ++i) {
        double sum = i == j ? 1.0 : 0.0;
        for (long k = j; k < i; ++k) sum -= L(i, k) * inverse(k, j);
        inverse(i, j) = i < j ? 0.0 : sum / L(i, i);
      }
  }

  // Whole small problems, each by one lane.
  void learn_many(const lc_many_setting& setting, long count, const lc_many_data* data,
                  lc_many_result* results) {
    call();
    const ManyBatch batch(setting);
    const ManyForm form = batch.form(batch.numbers.data(), batch.indices.data());
    std::vector<double> packed(static_cast<std::size_t>(batch.data_doubles()));
    for (long i = 0; i < count; ++i) {
      batch.pack(data[i], packed.data());
      learn_by(lanes_, batch, form, packed.data(), data[i].numbers, results[i]);
    }
  }

  template <class Work>
  double seconds(const Work& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

 private:
  static void multiply(const Task::Term& term, const Matrix& C, bool add) {
    const auto entry = [](const Factor& X, long i, long j) {
      return X.transposed ? X.matrix(j, i) : X.matrix(i, j);
    };
    const auto& [rows, cols, inner] = term.piece;
    for (long j = cols.begin; j < cols.end; ++j)
      for (long i = rows.begin; i < rows.end; ++i) {
        double sum = add ? C(i, j) : 0.0;
        for (long k = inner.begin; k < inner.end; ++k)
          sum += entry(term.product.A, i, k) * entry(term.product.B, k, j);
        C(i, j) = sum;
      }
  }
  void call() {
    if (calls_left_ >= 0 && calls_left_-- == 0) {
      calls_left_ = 0;
      throw Failure(LC_LOST, "the device is gone, as the test wishes");
    }
  }

  std::vector<double> results_memory_, underway_;
  double memory_ = 1e9, used_ = 0, surprise_ = 1e18;
  long calls_left_ = -1;
  int lanes_ = 1;
  std::map<void*, double> sizes_;
};

}  // namespace lc
