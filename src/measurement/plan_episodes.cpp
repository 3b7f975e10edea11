// How many episodes like those measured it takes until a difference shows.
#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/distributions/normal.hpp>
#include <cmath>

#include "core/check.hpp"
#include "measurement/measured_certificate.hpp"
#include "measurement/ratio_of_two.hpp"

namespace loopcert {
namespace {

constexpr double mostly = 0.8;  // of the trials shall show it
constexpr double most = 1e9;

double deviation_of(const Vector& values) {
  if (values.size() < 2) return 0;
  const double n = static_cast<double>(values.size());
  return std::sqrt((values.array() - values.mean()).square().sum() / (n - 1));
}

// What the certificate needs beyond the expectation with `times` as many episodes, in most trials.
double room(const MeasureOptions& options, Samples samples, double times) {
  samples.times = times;
  const MeasuredKind& kind = measured_kind(options.kind);
  const double each = options.delta / static_cast<double>(kind.events.size());
  if (!kind.needs({options, samples.n_a(), each})) {
    const boost::math::normal normal;
    const double z = boost::math::quantile(normal, mostly);
    const auto spread = [&](const Vector& of) {
      return of.size() == 0 ? 0.0
                            : deviation_of(of) / std::sqrt(times * static_cast<double>(of.size()));
    };
    const double empirical = mean_of(samples.a) - (samples.b.size() > 0 ? mean_of(samples.b) : 0);
    return kind.value(samples, options, each) - empirical +
           z * std::hypot(spread(samples.a), spread(samples.b));
  }
  return INFINITY;
}

// A ratio 1 - size shows where its estimate, at worst an F variable times it, is below the factor.
double ratio_room(const MeasureOptions& options, const Samples& samples, double times) {
  Samples more = samples;
  more.times = times;
  const Index a = more.n_a(), b = more.n_b();
  if (a < 1 || b < 1) return INFINITY;
  const double x = options.kind == "measured-ratio" ? centred_ratio_of_two(a, b, options.delta)
                                                    : scale_free_ratio_of_two(a, b, options.delta);
  const boost::math::fisher_f F(static_cast<double>(a), static_cast<double>(b));
  return 1 - x / boost::math::quantile(F, mostly);
}

}  // namespace

std::optional<Index> episodes_for(const MeasureResult& measured, double size) {
  check_positive("plan", size);
  MeasureOptions options = measured.options;
  if (options.kind == "measured-best") options.kind = measured.certificate.chosen;
  const Samples samples = samples_of(measured);
  const bool ratio = measured_kind(options.kind).functional == "cost-ratio";
  const auto n = static_cast<double>(samples.a.size());
  const auto needed = [&](double count) {
    const double times = count / n;
    return ratio ? ratio_room(options, samples, times) : room(options, samples, times);
  };
  double low = 0, high = 1;  // not enough, enough
  while (!(needed(high) <= size)) {
    low = high;
    high *= 2;
    if (high > most) return std::nullopt;
  }
  while (high - low > 1) {
    const double middle = std::floor((low + high) / 2);
    (needed(middle) <= size ? high : low) = middle;
  }
  return static_cast<Index>(high);
}

}  // namespace loopcert
