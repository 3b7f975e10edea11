#include "learning/learn_many.hpp"

#include <algorithm>
#include <cmath>

#include "core/linalg.hpp"
#include "core/parallel.hpp"
#include "learning/device_bound.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

// One block of threads does one problem: beyond this size a problem can use the whole device.
constexpr Index many_up_to_p = 2000;
constexpr Index few = 1000;  // results that one thread puts together

SolverStatus status_of(int status) {
  switch (status) {
    case LC_MANY_CONVERGED:
      return SolverStatus::converged;
    case LC_MANY_ITERATION_LIMIT:
      return SolverStatus::iteration_limit;
    default:
      return SolverStatus::stalled;
  }
}

int psi_of(Psi psi) {
  return psi == Psi::cross        ? LC_PSI_CROSS
         : psi == Psi::rank_aware ? LC_PSI_RANK_AWARE
                                  : LC_PSI_QUADRATIC;
}

// One batch holds bounds of one kind: the same terms, other numbers.
bool same_kind(const BoundInputs& a, const BoundInputs& b) {
  return a.psi == b.psi && a.rank == b.rank && a.B.size() == b.B.size() &&
         a.spread.size() == b.spread.size() && (a.mean_radius > 0) == (b.mean_radius > 0) &&
         a.Sigma_hat.size() == b.Sigma_hat.size();
}

lc_many_data data_of(const BoundInputs& in) {
  const double n = static_cast<double>(in.n), weight = weight_of(in);
  return {in.Sigma_hat.data(),
          in.U.data(),
          in.B.size() > 0 ? in.B.data() : nullptr,
          in.spread.size() > 0 ? in.spread.data() : nullptr,
          in.mean_radius > 0 ? in.mean_hat.data() : nullptr,
          {weight, std::log(n / (n - weight) / in.delta), in.scale, in.lambda.value_or(0.0),
           in.mean_radius}};
}

Matrix inverse_of_upper(const Matrix& R) {
  Matrix inverse = Matrix::Identity(R.rows(), R.cols());
  R.triangularView<Eigen::Upper>().solveInPlace(inverse);
  return inverse;
}

// Nothing where the processor must say what is wrong.
std::optional<PacBayesResult> result_of(const lc_many_result& one, const QuadraticForm& form,
                                        const BoundInputs& inputs, const VectorView& mean,
                                        const VectorView& variance) {
  if (one.status == LC_MANY_REFUSED) return std::nullopt;
  PacBayesResult result;
  try {
    result.bound = bound_of(one.values, form, inputs);
  } catch (const NumericsError&) {
    return std::nullopt;
  }
  result.posterior = {unpack(form.pattern, mean), unpack(form.pattern, variance), nullptr};
  result.gradient_norm = one.gradient_norm;
  result.iterations = one.iterations;
  result.evaluations = one.evaluations;
  result.status = status_of(one.status);
  return result;
}

// Bounds of one kind.
struct Batch {
  std::vector<size_t> place;
  std::vector<lc_many_data> data;
};

}  // namespace

bool fits_many(const QuadraticForm& form, const Prior& prior, const PacBayesOptions& options) {
  return !options.frame && !prior.shape && !options.backend && !options.on_step &&
         form.error <= 1e-9 && form.p() > 0 && form.p() <= many_up_to_p;
}

std::vector<std::optional<PacBayesResult>> learn_on_device(
    Device& device, const QuadraticForm& form, const std::vector<const BoundInputs*>& inputs,
    const Prior& prior, const PacBayesOptions& options) {
  std::vector<std::optional<PacBayesResult>> results(inputs.size());
  if (!fits_many(form, prior, options)) return results;
  check_prior(prior, form.pattern);
  std::vector<Batch> batches;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const BoundInputs& in = *inputs[i];
    if (in.n < 2 || !(in.delta > 0 && in.delta < 1)) continue;  // the processor says so
    auto batch = std::find_if(batches.begin(), batches.end(), [&](const Batch& known) {
      return same_kind(*inputs[known.place.front()], in);
    });
    if (batch == batches.end()) batch = batches.insert(batch, Batch{});
    batch->place.push_back(i);
    batch->data.push_back(data_of(in));
  }
  const PlainPattern pattern(form.pattern);
  const Matrix R_inverse = inverse_of_upper(upper_cholesky(form.P));
  const Index p = form.p();
  for (const Batch& batch : batches) {
    const BoundInputs& first = *inputs[batch.place.front()];
    const lc_many_setting setting = {pattern.view(),
                                     form.P.data(),
                                     form.N_0.data(),
                                     form.K_0.data(),
                                     R_inverse.data(),
                                     prior.center.data(),
                                     prior.scale,
                                     first.B.size() > 0,
                                     first.mean_radius > 0,
                                     first.spread.size() > 0,
                                     psi_of(first.psi),
                                     first.rank,
                                     options.gradient_tolerance,
                                     options.max_iterations};
    const auto count = static_cast<Index>(batch.data.size());
    Matrix mean(p, count), variance(p, count);
    std::vector<lc_many_result> found(batch.data.size());
    for (Index i = 0; i < count; ++i) {
      found[static_cast<size_t>(i)].mean = mean.col(i).data();
      found[static_cast<size_t>(i)].variance = variance.col(i).data();
    }
    device.check(device.call().learn_many(device.handle(), &setting, count, batch.data.data(),
                                          found.data()));
    parallel_for(count, count < few ? 1 : default_threads(), [&](Index i) {
      const auto k = static_cast<size_t>(i);
      results[batch.place[k]] =
          result_of(found[k], form, *inputs[batch.place[k]], mean.col(i), variance.col(i));
    });
  }
  return results;
}

std::vector<PacBayesResult> learn_many(const QuadraticForm& form,
                                       const std::vector<const BoundInputs*>& inputs,
                                       const Prior& prior, const PacBayesOptions& options,
                                       Device* device, int threads) {
  std::vector<std::optional<PacBayesResult>> found(inputs.size());
  if (device) try {
      found = learn_on_device(*device, form, inputs, prior, options);
    } catch (const DeviceError&) {  // the processor does all of it
    }
  std::vector<PacBayesResult> results(inputs.size());
  parallel_for(static_cast<Index>(inputs.size()), threads, [&](Index i) {
    const auto k = static_cast<size_t>(i);
    results[k] = found[k] ? std::move(*found[k]) : minimize_bound(form, *inputs[k], prior, options);
  });
  return results;
}

}  // namespace loopcert
