#include "loopcert/core/random.hpp"

#include <Random123/philox.h>

#include <cmath>

namespace loopcert {
namespace {

template <size_t N>
double polynomial(const double (&c)[N], double x) {
  double value = c[N - 1];
  for (size_t i = N - 1; i-- > 0;) value = value * x + c[i];
  return value;
}

// Coefficients of AS 241 (PPND16), lowest power first: centre, near tail, far tail.
constexpr double a[] = {3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3,
                        1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
                        3.3430575583588128105e4, 2.5090809287301226727e3};
constexpr double b[] = {1.0,
                        4.2313330701600911252e1,
                        6.8718700749205790830e2,
                        5.3941960214247511077e3,
                        2.1213794301586595867e4,
                        3.9307895800092710610e4,
                        2.8729085735721942674e4,
                        5.2264952788528545610e3};
constexpr double c[] = {1.42343711074968357734e0,  4.63033784615654529590e0,
                        5.76949722146069140550e0,  3.64784832476320460504e0,
                        1.27045825245236838258e0,  2.41780725177450611770e-1,
                        2.27238449892691845833e-2, 7.74545014278341407640e-4};
constexpr double d[] = {1.0,
                        2.05319162663775882187e0,
                        1.67638483018380384940e0,
                        6.89767334985100004550e-1,
                        1.48103976427480074590e-1,
                        1.51986665636164571966e-2,
                        5.47593808499534494600e-4,
                        1.05075007164441684324e-9};
constexpr double e[] = {6.65790464350110377720e0,  5.46378491116411436990e0,
                        1.78482653991729133580e0,  2.96560571828504891230e-1,
                        2.65321895265761230930e-2, 1.24266094738807843860e-3,
                        2.71155556874348757815e-5, 2.01033439929228813265e-7};
constexpr double f[] = {1.0,
                        5.99832206555887937690e-1,
                        1.36929880922735805310e-1,
                        1.48753612908506148525e-2,
                        7.86869131145613259100e-4,
                        1.84631831751005468180e-5,
                        1.42151175831644588870e-7,
                        2.04426310338993978564e-15};

}  // namespace

RandomBits random_bits(const Stream& stream, std::uint64_t trajectory, std::uint64_t position) {
  const r123::Philox4x64::ctr_type counter = {{position, trajectory, 0, 0}};
  const r123::Philox4x64::key_type key = {{stream.seed, stream.cell}};
  const auto bits = r123::Philox4x64()(counter, key);
  return {{bits[0], bits[1], bits[2], bits[3]}};
}

double uniform_from_bits(std::uint64_t bits) {
  return (static_cast<double>(bits >> 12) + 0.5) * 0x1.0p-52;  // exact, so never 1
}

double normal_quantile(double probability) {
  const double q = probability - 0.5;
  if (std::abs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * polynomial(a, r) / polynomial(b, r);
  }
  const double r = std::sqrt(-std::log(q < 0 ? probability : 1.0 - probability));
  const double x = r <= 5.0 ? polynomial(c, r - 1.6) / polynomial(d, r - 1.6)
                            : polynomial(e, r - 5.0) / polynomial(f, r - 5.0);
  return q < 0 ? -x : x;
}

void fill_uniform(const Stream& stream, std::uint64_t trajectory, std::span<double> out) {
  for (size_t i = 0; i < out.size(); i += 4) {
    const RandomBits bits = random_bits(stream, trajectory, i / 4);
    for (size_t j = 0; j < 4 && i + j < out.size(); ++j)
      out[i + j] = uniform_from_bits(bits.word[j]);
  }
}

void fill_standard_normal(const Stream& stream, std::uint64_t trajectory, std::span<double> out) {
  fill_uniform(stream, trajectory, out);
  for (double& value : out) value = normal_quantile(value);
}

Matrix standard_normal_rows(const Stream& stream, std::uint64_t first, Index n, Index d) {
  Matrix columns(d, n);
  for (Index i = 0; i < n; ++i)
    fill_standard_normal(stream, first + static_cast<std::uint64_t>(i),
                         {columns.col(i).data(), static_cast<size_t>(d)});
  return columns.transpose();
}

}  // namespace loopcert
