// Products of large matrices, for ERM and ridge: by the device that the thread may use where they
// are large enough for it and fit, else by the processor, which also goes on where a device fails.
#pragma once

#include <memory>
#include <string>

#include "learning/backend.hpp"

namespace loopcert {

class LargeProducts {
 public:
  // Throws InputError: a GPU was asked for, and there is none or the matrices do not fit.
  explicit LargeProducts(const CausalPattern& pattern);

  bool on_device() const { return device_ != nullptr; }
  Matrix operator()(const Matrix& A, const Matrix& B);
  const std::string& left_device() const { return left_; }  // why it was left; empty: it was not

 private:
  std::unique_ptr<Backend> device_;
  std::string left_;
};

// The causal factorization (factorization.hpp) by products alone: it has the inverses of its
// factors. For matrices that are far from singular.
class FactorInverses {
 public:
  // Not definite, or close to it: the processor's factorization knows more.
  static std::unique_ptr<FactorInverses> of(const CausalPattern& pattern, const Matrix& R,
                                            const Matrix& block, LargeProducts& products);
  Matrix solve(const Matrix& B) const;

 private:
  FactorInverses(const CausalPattern& pattern, LargeProducts& products)
      : pattern_(pattern), products_(products) {}

  const CausalPattern& pattern_;
  LargeProducts& products_;
  Matrix R_, R_turned_, L_, L_turned_;  // inverses
};

}  // namespace loopcert
