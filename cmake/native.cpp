// Loops that a compiler turns into the widest vector instructions it may use: products with fused
// additions, comparisons, conversions. Status 0: they ran, and gave the right numbers.
#include <cstdint>

static volatile int length = 1000;

int main() {
  const int n = length;
  static double a[1000], b[1000];
  static std::int64_t k[1000];
  for (int i = 0; i < n; ++i) {
    k[i] = (i * 37) % 64;
    a[i] = static_cast<double>(k[i]);
    b[i] = a[i] < 32 ? 0.5 : a[i];
  }
  for (int i = 0; i < n; ++i) b[i] = a[i] * b[i] + 0.25;  // exact: no rounding to allow for
  double sum = 0, expected = 0;
  for (int i = 0; i < n; ++i) sum += b[i];
  for (int i = 0; i < n; ++i) {
    const volatile double x = (i * 37) % 64;  // one at a time
    expected += x < 32 ? 0.5 * x + 0.25 : x * x + 0.25;
  }
  return sum == expected ? 0 : 1;
}
