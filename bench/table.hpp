// The columns that tables share, and the same as JSON.
#pragma once

#include <fmt/format.h>

#include "child.hpp"
#include "program.hpp"
#include "sizes.hpp"

namespace loopcert::bench {

constexpr double MiB = 1 << 20;

inline std::string size_header() {
  return fmt::format("{:>4}{:>4}{:>4}{:>9}{:>6}", "n_x", "n_u", "T", "p", "d_w");
}

inline std::string size_columns(const Sizes& sizes) {
  return fmt::format("{:>4}{:>4}{:>4}{:>9}{:>6}", sizes.n_x, sizes.n_u, sizes.T, parameters(sizes),
                     sizes.d_w());
}

inline Json size_json(const Sizes& sizes) {
  return {{"n_x", sizes.n_x},       {"n_u", sizes.n_u},   {"T", sizes.T},
          {"p", parameters(sizes)}, {"d_w", sizes.d_w()}, {"d_u", sizes.d_u()}};
}

// A peak of memory, also in units of matrices of doubles.
struct Memory {
  double bytes = 0;
  Sizes sizes;

  double state_matrix() const {
    return 8.0 * static_cast<double>(sizes.d_w()) * static_cast<double>(sizes.d_w());
  }
  double input_matrix() const {
    return 8.0 * static_cast<double>(sizes.d_u()) * static_cast<double>(sizes.d_w());
  }
  double multiple() const { return bytes / state_matrix(); }
  double multiple_of_both() const { return bytes / (state_matrix() + input_matrix()); }
  // Below that the pages of the program itself are all one sees.
  bool shows() const { return state_matrix() > MiB; }
  std::string text(double value) const { return shows() ? fmt::format("{:.1f}", value) : "-"; }
  std::string multiple_text() const { return text(multiple()); }
  std::string of_both_text() const { return text(multiple_of_both()); }
};

inline std::string memory_header() {
  return fmt::format("{:>9}{:>7}{:>9}", "MiB", "x ww", "x ww+uw");
}

inline std::string memory_columns(const Memory& memory) {
  return fmt::format("{:>9.1f}{:>7}{:>9}", memory.bytes / MiB, memory.multiple_text(),
                     memory.of_both_text());
}

// What was measured of one piece of work at one size.
template <class Answer>
Json measured_json(const Sizes& sizes, const Measured<Answer>& m) {
  Json json = size_json(sizes);
  const Memory memory{m.peak_bytes, sizes};
  json["threads"] = m.threads;
  json["seconds"] = m.time.wall;
  json["cpu_seconds"] = m.time.cpu;
  json["product_gflops"] = m.cpu_rate() / 1e9;
  json["peak_mib"] = memory.bytes / MiB;
  json["peak_over_d_w_squared"] = memory.shows() ? Json(memory.multiple()) : Json();
  json["peak_over_both"] = memory.shows() ? Json(memory.multiple_of_both()) : Json();
  return json;
}

// CPU time in units of one product of two d_w x d_w matrices.
template <class Answer>
double in_products(const Sizes& sizes, const Measured<Answer>& m) {
  return m.time.cpu * m.cpu_rate() / (2 * std::pow(static_cast<double>(sizes.d_w()), 3));
}

// The machine's rates met in a run.
struct RateRange {
  double low = INFINITY, high = 0;

  template <class Answer>
  void add(const Measured<Answer>& m) {
    low = std::min(low, m.cpu_rate());
    high = std::max(high, m.cpu_rate());
  }
  void print() const {
    fmt::print("\nmachine's product, n = {}: {:.1f} to {:.1f} Gflop/s of CPU time\n", product_size,
               low / 1e9, high / 1e9);
  }
};

}  // namespace loopcert::bench
