#include "loopcert/core/product.hpp"

#include <algorithm>

#include "loopcert/core/parallel.hpp"

namespace loopcert {
namespace {

// Eight panels serve 1, 2, 4 and 8 threads evenly; below some megaflops threads cost more than they
// bring, and one panel is used whatever their number.
constexpr Index panels = 8;
constexpr double least_work = 4e6;

template <class Left>
void multiply_panels(const Left& A, const Matrix& B, Matrix& C, int threads) {
  C.resize(A.rows(), B.cols());
  const double work = 2.0 * static_cast<double>(A.rows()) * static_cast<double>(A.cols()) *
                      static_cast<double>(B.cols());
  if (work < least_work) {
    C.noalias() = A * B;
    return;
  }
  const Index width = (B.cols() + panels - 1) / panels;
  parallel_for(panels, threads, [&](Index panel) {
    const Index first = std::min(panel * width, B.cols());
    const Index count = std::min(width, B.cols() - first);
    if (count > 0) C.middleCols(first, count).noalias() = A * B.middleCols(first, count);
  });
}

}  // namespace

void multiply(const Matrix& A, const Matrix& B, Matrix& C, int threads) {
  multiply_panels(A, B, C, threads);
}

void multiply_transposed(const Matrix& A, const Matrix& B, Matrix& C, int threads) {
  multiply_panels(A.transpose(), B, C, threads);
}

}  // namespace loopcert
