#include "formats/outputs.hpp"

#include <algorithm>
#include <cmath>

namespace verify {
namespace {

// How deep the brackets of a list are.
long depth(const json& value) {
  return value.is_array() && !value.empty() ? 1 + depth(value[0]) : 0;
}

Mat matrix(const json& value, const std::string& place) {
  if (depth(value) != 2) bad(place, "another shape", "a matrix");
  return Mat(
      matrix_of(value, static_cast<long>(value.size()), static_cast<long>(value[0].size()), place));
}

// One matrix, or `count` of them.
std::vector<Mat> matrices(const json& value, long count, const std::string& place) {
  if (depth(value) < 3) return {matrix(value, place)};
  if (static_cast<long>(value.size()) != count) bad(place, "another count", "one a step");
  std::vector<Mat> list;
  for (const json& item : value) list.push_back(matrix(item, place));
  return list;
}

const Mat& at(const std::vector<Mat>& list, long t) {
  return list.size() == 1 ? list[0] : list[static_cast<size_t>(t)];
}

double delay_of(const json& table) {
  const double delay = table.value("delay", 0.0);
  if (!(delay >= 0)) bad("system.delay", "it", "a number from 0");
  return delay;
}

long whole_delay(const json& table) {
  const double delay = delay_of(table);
  if (!(delay <= 100'000) || delay != std::floor(delay))
    bad("system.delay", "it", "a whole number of steps");
  return static_cast<long>(delay);
}

bool is_continuous(const json& system) { return system.value("continuous", false); }

// What an input does to y = C x at steps 1, …, T, of x' = A x + B u(t - dead time): the input
// reaches the plant `rest` after a sample, and the one before it acts until then.
std::vector<Mat> sampled(const Mat& A, const Mat& B, const Mat& C, double dt, double dead_time,
                         long T) {
  const double whole = std::floor(dead_time / dt);
  if (!(dt > 0) || !(whole <= 100'000)) bad("system.dt", "it", "a delay of up to 100000 steps");
  Ball rest = Ball(dead_time) - Ball(whole) * Ball(dt);
  long m = static_cast<long>(whole);
  if (lower(rest) >= dt * (1 - 1e-12)) ++m, rest = Ball(0);
  if (upper(rest) <= dt * 1e-12) rest = Ball(0);
  const Held step = held(A, B, dt), late = held(A, B, Ball(dt) - rest), early = held(A, B, rest);
  std::vector<Mat> markov(static_cast<size_t>(std::min(m, T)), Mat(C.rows(), B.cols()));
  Mat now = late.B;
  while (static_cast<long>(markov.size()) < T) {
    markov.push_back(C * now);
    now = step.A * now;
    if (static_cast<long>(markov.size()) == m + 1) now = now + late.A * early.B;
  }
  return markov;
}

// Numbers or matrices, `delay` steps late; the last one stays, or nothing follows it.
std::vector<Mat> listed(const json& value, long delay, long T, bool stays,
                        const std::string& place) {
  std::vector<Mat> list;
  for (const json& item : value)
    list.push_back(depth(value) == 1 ? Mat(Table{1, 1, {item.get<double>()}})
                                     : matrix(item, place));
  if (list.empty()) bad(place, "nothing", "a list");
  const Mat zero(list[0].rows(), list[0].cols());
  for (const Mat& item : list)
    if (item.rows() != zero.rows() || item.cols() != zero.cols())
      bad(place, "another shape", "matrices of one size");
  const Mat last = stays ? list.back() : zero;
  list.insert(list.begin(), static_cast<size_t>(std::min(delay, T)), zero);
  list.resize(static_cast<size_t>(T), last);
  return list;
}

std::vector<Ball> polynomial(const json& value) {
  std::vector<Ball> p;
  for (const json& entry : value)
    if (!p.empty() || entry.get<double>() != 0) p.emplace_back(entry.get<double>());
  return p;
}

// num / den, at steps 1, …, T.
std::vector<Ball> channel(const json& table, const json& system, long T) {
  check_keys(table, " num den delay ", "system.transfer", "transfer function");
  const std::vector<Ball> num = polynomial(table.at("num")), den = polynomial(table.at("den"));
  std::vector<Ball> h(static_cast<size_t>(T), Ball(0));
  if (den.empty()) bad("system.transfer", "den", "a polynomial that is not zero");
  if (num.empty()) return h;
  const long n = static_cast<long>(den.size()) - 1, m = static_cast<long>(num.size());
  const bool continuous = is_continuous(system);
  const long delay = continuous ? 0 : whole_delay(table);
  if (m > n + 1 || (m > n && delay == 0))
    bad("system.transfer", "num", "fewer powers than den has");
  if (continuous) {
    Mat A(n, n), B(n, 1), C(1, n);
    for (long i = 0; i < n; ++i) A.set(0, i, -den[static_cast<size_t>(i + 1)] / den[0]);
    for (long i = 1; i < n; ++i) A.set(i, i - 1, 1);
    B.set(0, 0, 1);
    for (long i = 0; i < m; ++i) C.set(0, n - m + i, num[static_cast<size_t>(i)] / den[0]);
    const auto markov = sampled(A, B, C, system.at("dt").get<double>(), delay_of(table), T);
    for (size_t k = 0; k < h.size(); ++k) h[k] = markov[k](0, 0);
    return h;
  }
  std::vector<Ball> all;  // from z^0 on
  for (long k = 0; k <= T; ++k) {
    const long power = k - (n + 1 - m);
    Ball sum = power >= 0 && power < m ? num[static_cast<size_t>(power)] : Ball(0);
    for (long i = 1; i <= std::min(n, k); ++i)
      sum = sum - den[static_cast<size_t>(i)] * all[static_cast<size_t>(k - i)];
    all.push_back(sum / den[0]);
  }
  for (long k = std::max(delay, 1L); k <= T; ++k)
    h[static_cast<size_t>(k - 1)] = all[static_cast<size_t>(k - delay)];
  return h;
}

std::vector<Mat> transfers(const json& system, long T) {
  const json& given = system["transfer"];
  const json rows = given.is_object() ? json::array({json::array({given})}) : given;
  const size_t n_y = rows.size(), n_u = rows.at(0).size();
  std::vector<Mat> markov(static_cast<size_t>(T),
                          Mat(static_cast<long>(n_y), static_cast<long>(n_u)));
  for (size_t i = 0; i < n_y; ++i)
    for (size_t j = 0; j < n_u; ++j) {
      if (rows[i].size() != n_u) bad("system.transfer", "another shape", "rows of one length");
      const std::vector<Ball> h = channel(rows[i][j], system, T);
      for (size_t k = 0; k < markov.size(); ++k)
        markov[k].set(static_cast<long>(i), static_cast<long>(j), h[k]);
    }
  return markov;
}

// The same at every step.
std::optional<std::vector<Mat>> markov_of(const json& system, long T) {
  if (system.contains("transfer")) return transfers(system, T);
  if (system.contains("impulse"))
    return listed(system["impulse"], whole_delay(system), T, false, "system.impulse");
  if (system.contains("step")) {
    std::vector<Mat> list = listed(system["step"], whole_delay(system), T, true, "system.step");
    for (size_t k = list.size() - 1; k > 0; --k) list[k] = list[k] - list[k - 1];
    return list;
  }
  if (!system.contains("C") || !is_continuous(system)) return {};
  return sampled(matrix(system.at("A"), "system.A"), matrix(system.at("B"), "system.B"),
                 matrix(system["C"], "system.C"), system.at("dt").get<double>(), delay_of(system),
                 T);
}

// C_t A_{t-1} … A_{s+1+delay} B_{s+delay}
Mat varying_map(const std::vector<Mat>& A, const std::vector<Mat>& B, const std::vector<Mat>& C,
                long delay, long T) {
  const long n_y = C[0].rows(), n_u = B[0].cols();
  Mat G((T + 1) * n_y, T * n_u);
  for (long s = 0; s + delay < T; ++s) {
    Mat X = at(B, s + delay);
    for (long t = s + delay + 1; t <= T; ++t) {
      set_block(G, t * n_y, s * n_u, at(C, t) * X);
      if (t < T) X = at(A, t) * X;
    }
  }
  return G;
}

}  // namespace

// exp(h [A B; 0 0]) = [exp(h A), its integral times B; 0 1].
Held held(const Mat& A, const Mat& B, const Ball& h) {
  const long n = A.rows(), m = B.cols();
  Mat both(n + m, n + m);
  set_block(both, 0, 0, h * A);
  set_block(both, 0, n, h * B);
  const Mat E = like(both, arb_mat_exp, both.m, bits);
  return {block(E, 0, 0, n, n), block(E, 0, n, n, m)};
}

long unseen_of(const Problem& p) {
  const double hidden = p.option("/system").value("test_only", 0.0);
  if (!(hidden >= 0 && hidden < 2000) || hidden != std::floor(hidden))
    bad("system.test_only", "it", "a whole number below that of the outputs");
  return static_cast<long>(hidden);
}

long seen_in_step(const Problem& p) { return p.n_x - unseen_of(p); }
long seen_in_all(const Problem& p) { return (p.T + 1) * seen_in_step(p); }

bool is_of_outputs(const json& system) {
  for (const char* key : {"C", "impulse", "step", "transfer", "G"})
    if (system.contains(key)) return true;
  return false;
}

void read_outputs(Problem& p) {
  const json& system = p.option("/system");
  const char* const forms[] = {" C A B d delay continuous dt ", " impulse delay d ",
                               " step delay d ", " transfer continuous dt d ", " G d "};
  std::string keys;
  for (const std::string form : forms)
    if (keys.empty() && system.contains(form.substr(1, form.find(' ', 1) - 1))) keys = form;
  for (const auto& [key, value] : system.items())
    if (key != "test_only" && keys.find(" " + key + " ") == keys.npos)
      bad("system", word(key), "the keys of one form of a plant");
  if (system.contains("d") && system.contains("C") && is_continuous(system))
    bad("system.d", "an offset", "none in continuous time");
  if (system.contains("dt") != is_continuous(system)) bad("system.dt", "it", "one with continuous");
  if (is_continuous(system) && !(system["dt"].get<double>() > 0))
    bad("system.dt", "it", "a number above 0");
  if (system.contains("G")) {
    const Mat G = matrix(system["G"], "system.G");
    p.n_x = G.rows() / (p.T + 1), p.n_u = G.cols() / p.T;
    return;
  }
  if (system.contains("C")) {
    const Mat B = matrices(system.at("B"), p.T, "system.B")[0];
    p.n_x = matrices(system["C"], p.T + 1, "system.C")[0].rows(), p.n_u = B.cols();
    return;
  }
  const Mat first = (*markov_of(system, 1))[0];
  p.n_x = first.rows(), p.n_u = first.cols();
}

std::vector<long> trajectory_places(const Problem& p) {
  const long seen = seen_in_step(p), unseen = unseen_of(p);
  std::vector<long> places;
  for (long t = 0; t <= p.T; ++t)
    for (long i = 0; i < p.n_x; ++i)
      places.push_back(i < seen ? t * seen + i : (p.T + 1) * seen + t * unseen + i - seen);
  return places;
}

Mat output_map(const Problem& p) {
  const json& system = p.option("/system");
  if (unseen_of(p) >= p.n_x) bad("system.test_only", "all outputs", "fewer");
  Mat G((p.T + 1) * p.n_x, p.T * p.n_u);
  if (const auto markov = markov_of(system, p.T)) {
    for (long s = 0; s < p.T; ++s)
      for (long t = s + 1; t <= p.T; ++t)
        set_block(G, t * p.n_x, s * p.n_u, (*markov)[static_cast<size_t>(t - s - 1)]);
  } else if (system.contains("G")) {
    G = matrix(system["G"], "system.G");
    for (long s = 0; s < p.T; ++s)
      if (size_of(block(G, 0, s * p.n_u, (s + 1) * p.n_x, p.n_u)) > 0)
        bad("system.G", "an effect before its cause", "later ones");
  } else {
    G = varying_map(matrices(system.at("A"), p.T, "system.A"),
                    matrices(system.at("B"), p.T, "system.B"),
                    matrices(system["C"], p.T + 1, "system.C"), whole_delay(system), p.T);
  }
  if (G.rows() != (p.T + 1) * p.n_x || G.cols() != p.d_u())
    bad("system", "another shape", "effects of every input on every output");
  return G;
}

Mat output_offset(const Problem& p) {
  const json& system = p.option("/system");
  Mat offset(p.T * p.n_x, 1);
  if (!system.contains("d")) return offset;
  json d = system["d"];
  if (depth(d) == 1) d = json(std::vector<json>(static_cast<size_t>(p.T), d));
  if (!system.contains("C"))  // of the outputs themselves
    return Mat(Table{p.T * p.n_x, 1, matrix_of(d, p.T, p.n_x, "system.d").values});
  const std::vector<Mat> A = matrices(system.at("A"), p.T, "system.A");
  const long n = A[0].rows();
  const Table rows = matrix_of(d, p.T, n, "system.d");
  const Mat G = varying_map(A, {identity(n)}, matrices(system["C"], p.T + 1, "system.C"), 0, p.T);
  const Mat y = G * Mat(Table{p.T * n, 1, rows.values});
  return block(y, p.n_x, 0, p.T * p.n_x, 1);
}

}  // namespace verify
