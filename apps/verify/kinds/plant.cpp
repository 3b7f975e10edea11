#include "kinds/plant_loop.hpp"

#include <algorithm>
#include <cmath>

namespace verify {
namespace {

// V_0 is so much of what the pilot would be if all transitions were like it.
constexpr double prior_share = 0.35;
// A known row holds if it leaves no more than this share of its terms over.
constexpr double rounding = 1e-8;

bool is_unknown(const Unknown& unknown, long row) {
  return std::find(unknown.rows.begin(), unknown.rows.end(), row) != unknown.rows.end();
}

// (zeta_t, u_t): a row of numbers, as the log has them.
std::vector<double> state_and_input(const Plant& plant, const Log& log, long t) {
  std::vector<double> row;
  if (plant.constant) row.push_back(1);
  for (long j = 0; j < plant.lags; ++j)
    for (long i = 0; i < plant.n_x; ++i) row.push_back(log.y(t - j, i));
  for (long j = 1; j < plant.lags; ++j)
    for (long i = 0; i < plant.n_u; ++i) row.push_back(log.u(t - j, i));
  for (long i = 0; i < plant.n_u; ++i) row.push_back(log.u(t, i));
  return row;
}

double largest(const Table& table) {
  double most = 0;
  for (const double value : table.values) most = std::max(most, std::abs(value));
  return most;
}

// Only a plant with one lag has rows that are known.
void require_known_rows(const Problem& p, const Log& log, long episode) {
  const Unknown& unknown = *p.unknown;
  for (long i = 0; i < p.n_x; ++i) {
    if (is_unknown(unknown, i)) continue;
    Ball of_states = 1 + Ball(std::abs(p.d(0, i))), of_inputs;
    for (long j = 0; j < p.n_x; ++j) of_states = of_states + std::abs(p.A[0](i, j));
    for (long j = 0; j < p.n_u; ++j) of_inputs = of_inputs + std::abs(p.B[0](i, j));
    const double most = upper(rounding * (largest(log.y) * of_states + largest(log.u) * of_inputs));
    for (long t = 0; t < log.steps(); ++t) {
      Ball left = log.y(t + 1, i) - Ball(p.d(0, i));
      for (long j = 0; j < p.n_x; ++j) left = left - Ball(p.A[0](i, j)) * log.y(t, j);
      for (long j = 0; j < p.n_u; ++j) left = left - Ball(p.B[0](i, j)) * log.u(t, j);
      if (lower(left) > most || upper(left) < -most)
        throw Refuted{"logs: row " + std::to_string(i + 1) + ", which is known, does not hold in " +
                      "episode " + std::to_string(episode)};
    }
  }
}

// Episodes of T steps that choose V_0: at least 6 % of n, and four transitions for each regressor;
// the middles of as many equal parts of the order of the starts. Nothing but that order is used.
std::vector<bool> pilot_episodes(long n, long T, long n_r) {
  const long count = std::min(n, std::max((6 * n + 99) / 100, (4 * n_r + T - 1) / T));
  std::vector<bool> chosen(static_cast<size_t>(n), false);
  for (long k = 0; k < count; ++k)
    chosen[static_cast<size_t>((2 * k + 1) * n / (2 * count))] = true;
  return chosen;
}

Mat rows_of(const Table& all, long first, long count) {
  const auto begin = all.values.begin() + first * all.cols;
  return Mat(Table{count, all.cols, std::vector<double>(begin, begin + count * all.cols)});
}

Transitions sums_of(const Transition& seen) {
  const long N = seen.r.rows - seen.pilot;
  const Mat pilot = rows_of(seen.r, 0, seen.pilot), r = rows_of(seen.r, seen.pilot, N);
  const Mat r_ = transpose(r), y = rows_of(seen.y, seen.pilot, N), y_ = transpose(y);
  return {N, r_ * r, y_ * r, y_ * y,
          Ball(prior_share) * N / seen.pilot * (transpose(pilot) * pilot)};
}

// What the problem states of the law must not contradict what the kind assumes.
void require_innovations(const Record& record) {
  const Problem& p = record.problem;
  require_gaussian(record);
  require_zero_mean(record);
  if (!states_white(p, true)) record.lacks("a law of independent steps with one covariance");
  for (long i = 0; i < p.n_x; ++i) {
    if (is_unknown(*p.unknown, i)) {
      if (p.d(0, i) != 0 && !p.unknown->offset) record.lacks("system.offset for rows with a d");
      continue;
    }
    if (p.law().contains("covariance") &&
        size_of(block(covariance_of(p, "covariance"), p.n_x + i, p.n_x + i, 1, 1)) > 0)
      record.lacks("a law without noise in the rows that are known");
  }
}

// The numbers of inputs.identified, in the sizes of the plant.
struct Numbers {
  std::string bound;
  std::vector<Table> gains;
  double tau = 0, nu = 0, rise = 0;
  Table P;
  Gain reply, cost;
  std::vector<double> below;  // one a step, of the baseline
};

// A matrix of the record that is symmetric up to rounding.
Table symmetric_of(const json& tree, const char* key, long n) {
  const Table P = matrix_of(tree.at(key), n, n, key);
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < i; ++j)
      if (!(std::abs(P(i, j) - P(j, i)) <= 1e-12 * largest(P)))
        throw Refuted{std::string("inputs.identified.") + key + ": not symmetric"};
  return P;
}

// Which of the keys there are depends on bound and horizon.
void require_numbers(const json& tree, bool riccati, bool infinite) {
  for (const char* key : {"P", "rise"})
    if (tree.contains(key) != (infinite && riccati))
      throw Refuted{"inputs.identified: P or rise is not that of bound and horizon"};
  for (const char* key : {"reply_gain", "reply_P", "cost_gain", "cost_P"})
    if (tree.contains(key) != (infinite && !riccati))
      throw Refuted{"inputs.identified: gains are not those of bound and horizon"};
}

Numbers numbers_of(const Record& record, const Plant& plant) {
  const Problem& p = record.problem;
  const json& tree = record.inputs.at("identified");
  Numbers found;
  found.bound = tree.at("bound").get<std::string>();
  const std::string design = tree.at("design").get<std::string>();
  if (found.bound != "riccati" && found.bound != "expansion" && found.bound != "difference")
    throw Refuted{"inputs.identified.bound: " + word(found.bound) + " is unknown to the checker"};
  if (design != "identified" && design != "guaranteed")
    throw Refuted{"inputs.identified.design: " + word(design) + " is unknown to the checker"};
  const json& gains = tree.at("gains");
  if (!gains.is_array() || std::ssize(gains) != p.T) bad("gains", "another count", "one a step");
  for (const json& K : gains) found.gains.push_back(matrix_of(K, p.n_u, plant.n(), "gains"));
  found.tau = tree.at("tau").get<double>();
  found.nu = tree.at("nu").get<double>();
  const bool difference = found.bound == "difference";
  if (difference != (record.kind == "identified-improvement") ||
      difference != tree.contains("below") || difference != tree.contains("baseline") ||
      (difference && tree["baseline"] != "no-input"))
    throw Refuted{"inputs.identified: bound, below or baseline is not that of the kind"};
  if (difference) found.below = tree["below"].get<std::vector<double>>();
  if (difference && std::ssize(found.below) != p.T) bad("below", "another count", "one a step");
  const bool riccati = found.bound != "expansion", infinite = p.unknown->infinite;
  if (!((riccati ? found.tau : found.nu) > 0) || (riccati ? found.nu : found.tau) != 0)
    throw Refuted{"inputs.identified: tau or nu is not that of the bound"};
  require_numbers(tree, riccati, infinite);
  if (!infinite) return found;
  if (!riccati) {
    const long xi = plant.n() - plant.first();
    found.reply = {tree["reply_gain"].get<double>(), Mat(symmetric_of(tree, "reply_P", xi))};
    found.cost = {tree["cost_gain"].get<double>(), Mat(symmetric_of(tree, "cost_P", xi))};
    return found;
  }
  found.P = symmetric_of(tree, "P", plant.n());
  found.rise = tree["rise"].get<double>();
  if (!plant.constant && found.rise != 0)
    throw Refuted{"inputs.identified.rise: not zero where nothing is constant"};
  return found;
}

// Nominal cost, and what the error adds to it at most.
std::pair<Ball, Ball> average_cost(const Estimate& at, const Numbers& numbers, bool constant) {
  if (numbers.bound == "expansion") {
    const Average found = average_over_set(at.steps[0], at.H, at.beta, constant, numbers.nu,
                                           numbers.reply, numbers.cost);
    return {found.nominal, found.error};
  }
  const Mat P(numbers.P);  // up to rounding symmetric; its symmetric part is what proves
  const Certified by{Ball(0.5) * (P + transpose(P)), numbers.tau, numbers.rise, constant};
  if (!is_guaranteed(at.steps[0], at.H, at.beta, by)) throw TooWide{"the inequality of P and tau"};
  const Ball nominal = average_of_estimate(at.steps[0], at.H, by);
  return {nominal, by.rise + dot(at.H, by.P * at.H) - nominal};
}

// Item 9: the cost of the gains minus that of no input, nominal and what the error adds. kappa:
// what the covariances are at least, in units of what they are at most.
struct Between {
  Mat U_0;  // on the state
  Ball of_start, of_noise;
};

std::pair<Ball, Ball> difference_cost(const Estimate& at, const Estimate& idle,
                                      const Numbers& numbers, const Mat& last,
                                      const Between& between, bool constant) {
  const size_t T = at.steps.size();
  std::vector<Mat> P(T + 1, last), B(T + 1, last);
  for (size_t t = T; t-- > 0;) {
    P[t] = guaranteed_step(at.steps[t], at.H, at.beta, P[t + 1], numbers.tau);
    B[t] = guaranteed_step_below(idle.steps[t], at.H, at.beta, B[t + 1], numbers.below[t]);
  }
  const long f = constant ? 1 : 0, n = last.rows() - f;
  const Mat root = upper_factor(block(between.U_0, f, f, n, n));
  const auto largest = [&](const std::vector<Mat>& X, const std::vector<Mat>& Y) {
    const Mat start = X[0] - Y[0];
    Mat noise(last.rows(), last.rows());
    for (size_t t = 1; t <= T; ++t) noise = noise + X[t] - Y[t];
    const Ball fixed = constant ? start(0, 0) : Ball(0);
    return fixed + largest_between(block(start, f, f, n, n), root, between.of_start) +
           largest_between(noise, at.H, between.of_noise);
  };
  const Ball nominal = largest(costs_to_go(at, last), costs_to_go(idle, last));
  return {nominal, largest(P, B) - nominal};
}

// (1 + sqrt(d/n) + sqrt(2 log(1/delta)/n))^2
Ball wishart_ceiling(long d, long n, double delta) {
  const Ball root = 1 + sqrt(Ball(d) / n) + sqrt(2 * log(1 / Ball(delta)) / n);
  return root * root;
}

Statements assumptions_of(const Problem& p) {
  const Unknown& unknown = *p.unknown;
  Statements all = {{"linear-plant"}};
  if (unknown.lags > 1) all = {{"linear-outputs", {{"lags", static_cast<double>(unknown.lags)}}}};
  if (unknown.listed)
    all.push_back(
        {"known-rows", {{"known", static_cast<double>(p.n_x - std::ssize(unknown.rows))}}});
  all.push_back({"innovations"});
  all.push_back({"inputs-causal"});
  for (const char* of_episodes : {"starts", "episodes-apart"})
    if (!unknown.infinite) all.push_back({of_episodes});
  all.push_back({"same-plant"});
  return all;
}

}  // namespace

Plant plant_of(const Problem& p) {
  const Unknown& unknown = *p.unknown;
  Plant plant;
  plant.n_x = p.n_x;
  plant.n_u = p.n_u;
  plant.lags = unknown.lags;
  plant.constant = unknown.offset;
  for (long i = 0; i < p.n_x; ++i)
    plant.constant = plant.constant || (!is_unknown(unknown, i) && p.d(0, i) != 0);
  const long f = plant.first(), past = f + plant.lags * p.n_x;  // where u_{t-1} stands
  const long n = past + (plant.lags - 1) * p.n_u, n_v = std::ssize(unknown.rows);
  plant.A = Mat(n, n);
  plant.B = Mat(n, p.n_u);
  plant.E = Mat(n, n_v);
  if (plant.constant) plant.A.set(0, 0, 1);
  for (long i = f + p.n_x; i < past; ++i) plant.A.set(i, i - p.n_x, 1);
  for (long i = past + p.n_u; i < n; ++i) plant.A.set(i, i - p.n_u, 1);
  if (plant.lags > 1) set_block(plant.B, past, 0, identity(p.n_u));
  for (long i = 0; i < p.n_x; ++i) {
    if (is_unknown(unknown, i)) continue;
    set_block(plant.A, f + i, f, block(Mat(p.A[0]), i, 0, 1, p.n_x));
    set_block(plant.B, f + i, 0, block(Mat(p.B[0]), i, 0, 1, p.n_u));
    if (plant.constant) plant.A.set(f + i, 0, p.d(0, i));
  }
  for (long j = 0; j < n_v; ++j) plant.E.set(f + unknown.rows[static_cast<size_t>(j)], j, 1);
  const long skipped = plant.constant && !unknown.offset ? 1 : 0, all = n + p.n_u;
  plant.Cr = block(identity(all), skipped, 0, all - skipped, all);
  return plant;
}

void add_transitions(Transition& seen, const Problem& p, const Plant& plant, const Log& log) {
  const long skipped = plant.Cr.cols() - plant.Cr.rows();
  for (long t = plant.lags - 1; t < log.steps() && t + 1 < log.y.rows; ++t) {
    const std::vector<double> row = state_and_input(plant, log, t);
    seen.r.values.insert(seen.r.values.end(), row.begin() + skipped, row.end());
    for (const long i : p.unknown->rows) seen.y.values.push_back(log.y(t + 1, i));
    seen.y.rows = ++seen.r.rows;
  }
}

ConfidenceSet set_of(const Record& record, const Transition& seen) {
  return confidence_set(sums_of(seen), record.delta("model"), record.delta("noise"));
}

Transition transitions_of(const Problem& p, const Plant& plant, const Logs& logs) {
  const Unknown& unknown = *p.unknown;
  const long n_r = plant.Cr.rows();
  Transition seen{{0, n_r, {}}, {0, plant.E.cols(), {}}};
  const auto add = [&](const Log& log) { add_transitions(seen, p, plant, log); };
  for (size_t i = 0; i < logs.size(); ++i) require_known_rows(p, logs[i], logs[i].place);
  const std::vector<bool> first = unknown.infinite ? std::vector<bool>(logs.size(), true)
                                                   : pilot_episodes(std::ssize(logs), p.T, n_r);
  for (size_t i = 0; i < logs.size(); ++i)
    if (first[i]) add(logs[i]);
  seen.pilot = unknown.infinite ? std::max(4 * n_r, (seen.r.rows + 19) / 20) : seen.r.rows;
  for (size_t i = 0; i < logs.size(); ++i)
    if (!first[i]) add(logs[i]);
  if (seen.r.rows <= seen.pilot) throw Refuted{"logs: nothing is left after the pilot"};
  return seen;
}

void require_gains(const Record& record, const Controller& controller) {
  const Problem& p = record.problem;
  const Plant plant = plant_of(p);
  const Numbers numbers = numbers_of(record, plant);
  Table K = controller.K, k = controller.k, L = controller.L;
  std::fill(K.values.begin(), K.values.end(), 0.0);
  std::fill(k.values.begin(), k.values.end(), 0.0);
  for (long t = 0; t < p.T; ++t) {
    const Table& gain = numbers.gains[static_cast<size_t>(t)];
    const long f = plant.first(), measured = plant.lags * p.n_x;
    for (long i = 0; i < p.n_u; ++i) {
      if (plant.constant) k(0, t * p.n_u + i) = gain(i, 0);
      for (long j = 0; j < measured; ++j) K(t * p.n_u + i, t * p.n_x + j) = gain(i, f + j);
      for (long j = 0; j < L.cols; ++j) L(i, j) = gain(i, f + measured + j);
    }
  }
  if (K.values != controller.K.values || k.values != controller.k.values ||
      L.values != controller.L.values)
    throw Refuted{"controller: not the gains that the record certifies"};
}

Bound plant_bound(const Record& record, const Logs& logs) {
  const Problem& p = record.problem;
  require_innovations(record);
  const Plant plant = plant_of(p);
  const Numbers numbers = numbers_of(record, plant);
  const Transition seen = transitions_of(p, plant, logs);
  const long N = seen.r.rows - seen.pilot;
  const json& said = record.inputs.at("identified");
  if (said.at("pilot") != seen.pilot || said.at("transitions") != N)
    throw Refuted{"inputs.identified: pilot or transitions are not those of the logs"};
  const ConfidenceSet set = set_of(record, seen);
  const Estimate at = estimate_of(p, plant, set, numbers.gains);
  Bound bound;
  bound.events = {
      {"model", {"model-ellipsoid", {{"beta", upper(set.beta)}}}},
      {"noise", {"noise-floor", {{"q", set.q}, {"transitions", static_cast<double>(N)}}}}};
  bound.assumptions = assumptions_of(p);
  std::pair<Ball, Ball> cost;
  const bool limits = record.kind == "limits-envelope";
  if (p.unknown->infinite && limits) return with_limits(bound, record, plant, at, Mat(0, 0));
  if (p.unknown->infinite) {
    bound.functional = "average-cost";
    cost = average_cost(at, numbers, plant.constant);
  } else {
    const long n = std::ssize(logs);
    const double q = wishart_floor(p.n_x, n, record.delta("start"));
    if (!(q > 0)) throw Refuted{"event start: n is not above the number of states"};
    bound.events.push_back({"start", {"start-state-floor", {{"q", q}}}});
    Mat starts(n, p.n_x);
    for (long i = 0; i < n; ++i)
      set_block(starts, i, 0, block(Mat(logs[static_cast<size_t>(i)].y), 0, 0, 1, p.n_x));
    Mat U_0 = on_state(plant, 1 / (n * Ball(q)) * (transpose(starts) * starts));
    if (plant.constant) U_0.set(0, 0, 1);
    if (limits) return with_limits(bound, record, plant, at, U_0);
    if (numbers.bound == "difference") {
      const Ball noise = wishart_ceiling(plant.E.cols(), N, record.delta("noise-upper"));
      const Ball start = wishart_ceiling(p.n_x, n, record.delta("start-upper"));
      bound.events.push_back({"noise-upper", {"noise-ceiling", {{"q", upper(noise)}}}});
      bound.events.push_back({"start-upper", {"start-state-ceiling", {{"q", upper(start)}}}});
      bound.functional = "cost-difference";
      const std::vector<Table> none(
          numbers.gains.size(),
          Table{p.n_u, plant.n(), std::vector<double>(static_cast<size_t>(p.n_u * plant.n()))});
      cost = difference_cost(at, estimate_of(p, plant, set, none), numbers, on_state(plant, p.P),
                             {U_0, q / start, set.left / (N * noise)}, plant.constant);
    } else {
      cost = finite_cost(at, numbers.bound == "riccati", numbers.tau, numbers.nu,
                         on_state(plant, p.P), U_0);
    }
  }
  bound.terms = {{"nominal", cost.first}, {"model-error", cost.second}};
  return bound;
}

}  // namespace verify
