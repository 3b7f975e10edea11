// A * B as one call that returns a matrix. Eigen makes a type, loops and kernels for every pair of
// expressions that are multiplied: half of the time that a file with matrices took to compile.
// CMake puts this in front of the sources of rooms that are not hot (cmake/compile_time.cmake); no
// file includes it, and all compile without it.
#pragma once

#include <Eigen/Core>
#include <concepts>

#include "core/factors.hpp"

namespace loopcert {
namespace plain_products {

template <class T>
concept Real =
    std::derived_from<T, Eigen::MatrixBase<T>> && std::same_as<typename T::Scalar, double>;

constexpr bool one_or_many(int size) { return size == 1 || size == Eigen::Dynamic; }

// Products of fixed size, inner products among them, stay with Eigen.
template <class A, class B>
concept Pair = Real<A> && Real<B> && one_or_many(A::RowsAtCompileTime) &&
    one_or_many(A::ColsAtCompileTime) && one_or_many(B::RowsAtCompileTime) &&
    one_or_many(B::ColsAtCompileTime) &&(A::RowsAtCompileTime != 1 || B::ColsAtCompileTime != 1);

template <int rows, int cols>
using Plain =
    Eigen::Matrix<double, rows, cols, rows == 1 && cols != 1 ? Eigen::RowMajor : Eigen::ColMajor>;

template <class T>
constexpr bool in_memory = (int(T::Flags) & Eigen::DirectAccessBit) != 0 &&
                           int(T::InnerStrideAtCompileTime) == 1;

template <Real T>
DenseFactor factor(const T& x) {
  if constexpr (bool(T::IsRowMajor))
    return {x.data(), x.cols(), x.rows(), x.outerStride(), true};
  else
    return {x.data(), x.rows(), x.cols(), x.outerStride(), false};
}

}  // namespace plain_products

template <class A, class B>
requires plain_products::Pair<A, B>
    plain_products::Plain<A::RowsAtCompileTime, B::ColsAtCompileTime>
operator*(const A& a, const B& b) {
  using namespace plain_products;
  if constexpr (!in_memory<A>) {
    return Plain<A::RowsAtCompileTime, A::ColsAtCompileTime>(a) * b;
  } else if constexpr (!in_memory<B>) {
    return a * Plain<B::RowsAtCompileTime, B::ColsAtCompileTime>(b);
  } else {
    eigen_assert(a.cols() == b.rows());
    Plain<A::RowsAtCompileTime, B::ColsAtCompileTime> c(a.rows(), b.cols());
    multiply(factor(a), factor(b), c.data());
    return c;
  }
}

}  // namespace loopcert
