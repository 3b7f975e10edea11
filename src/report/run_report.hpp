// What the page of one learning run shows, as plain records. Whatever is absent, its section says
// so.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "loopcert/core/types.hpp"
#include "report/figure.hpp"
#include "report/plots.hpp"
#include "report/time_axis.hpp"

namespace loopcert::report {

struct CertificateFacts {
  struct Term {
    std::string name, symbol;
    double value = 0;
  };
  struct Event {
    std::string name;
    double delta = 0;
    std::string statement;
  };
  // One certificate of a portfolio.
  struct Other {
    std::string kind, status, needs;
    std::optional<double> value;
    double delta = 0;
    bool chosen = false;
  };
  std::string kind, subject;
  std::string chosen;         // of a portfolio: where the value comes from
  std::vector<Other> others;  // of a portfolio: all of them
  bool oracle = false;
  double value = 0, confidence = 0;
  std::vector<Term> terms;
  std::vector<Event> events;
  std::vector<std::string> assumptions;
  std::optional<double> kl, lambda;
  std::optional<double> lambda_end;  // of the interval (0, end) that lambda may lie in
  std::string solver;
};

// Limits on states and inputs, and how surely they hold.
struct LimitsFacts {
  struct Row {
    std::string name;
    std::optional<double> low, high;
    Index first = 0, last = 0;  // steps
    bool always = false;        // no last step: one number for all of them
    Vector x, u;                // what is limited: x'x_t + u'u_t
    // At each step; empty: not known. Prices: what the cost falls by for a room twice as wide.
    Vector bounds, probabilities, shares, lqr_probabilities, lqr_shares, prices;
  };
  std::vector<Row> rows;
  std::optional<double> asked;  // probability of a violation; nothing: none, whatever happens
  bool each = false;            // of each row at each step; otherwise of any in an episode
  std::optional<CertificateFacts> certificate;
  std::optional<double> together;                      // confidence that the cost's holds as well
  std::optional<double> law, data, lqr_law, lqr_data;  // share of episodes with a violation
  std::string reference = "LQR";                       // whose the last two are
};

// How large a state or an input is, over all steps.
struct SignalFacts {
  std::string name;
  double expected = 0, rms = 0, level_95 = 0, level_99 = 0;
  std::optional<double> largest = std::nullopt;  // of the trajectories that are shown
};

// A controller in closed loop, on the same trajectories as every other one of the page.
struct Loop {
  std::string name;
  Matrix states, inputs;             // one trajectory a row; empty: none simulated
  std::vector<SignalFacts> signals;  // states, then inputs
  Matrix state_costs, input_costs;   // signals x steps: what each adds to the expected cost
};

// Whether the controller was made here, or certified, or only its costs are known.
enum class Deed { learn, certify, measure };

struct RunReport {
  Deed deed = Deed::learn;
  std::string problem, method, status;
  std::string reference =
      "LQR";             // what costs are compared with; where outputs are measured, no feedback
  std::string deployed;  // lqr, baseline, or what the method chose
  std::string kept_lqr;  // why LQR itself was deployed; empty: it was not, or nobody chose
  Index n = 0, p = 0;
  Index horizon = 0, states = 0, inputs = 0;
  std::vector<std::string> state_names, input_names;  // with units; empty: they are numbered
  HeatUnits::Names state_units, input_units;          // one of each; empty: not stated
  TimeAxis axis;
  std::optional<CertificateFacts> certificate;
  std::optional<CertificateFacts> improvement;  // on the cost minus that of `compared_with`
  std::string compared_with = "LQR";            // or "the baseline"
  // What runs today; the form is empty without a baseline.
  std::string baseline_form, baseline_verdict;
  std::optional<double> baseline_cost, baseline_cost_error, baseline_population_cost;
  std::optional<CertificateFacts> baseline_certificate;
  std::optional<LimitsFacts> limits;
  std::string signals_from;  // "law", "data" or "estimate"

  std::optional<double> empirical_cost, lqr_empirical_cost;                    // on the data
  std::optional<double> population_cost, optimal_cost, lqr_cost, sensitivity;  // under the law
  std::optional<double> prescient_certificate;
  std::optional<double> logged_cost, logged_cost_error;  // of the controller that made the logs
  struct Baseline {
    std::string method;
    std::optional<double> empirical_cost, population_cost;
  };
  std::vector<Baseline> baselines;
  std::vector<std::string> warnings;

  Matrix Phi_x, Phi_u, K;               // empty: not known
  Matrix posterior_standard_deviation;  // of the coordinates Z; empty: not known
  // Of each coordinate k of Z with its posterior standard deviation: ||M_k||_F, how strongly it
  // acts on the cost, and the curvature (G_hat)_kk of the empirical cost. Empty: not known.
  Vector direction_deviation, direction_size, direction_curvature;
  Loop loop;                 // of this controller
  std::vector<Loop> others;  // today's, and LQR
  std::string costs_from;    // "law" or "data": what the costs of the loops are expected under
  Matrix tracked;            // states x (T + 1), what they are to follow; empty: zero
  bool of_outputs = false;   // what is called states here are outputs
  std::string paths_source;  // where their disturbances come from
  Matrix disturbances;       // the data; empty: not at hand
  Index start = 0;           // columns of x_0 in front of the steps
  Index causes = 0;          // of a step that the controller sees; 0: not known
  Vector law_eigenvalues;    // of its covariance, largest first; empty: not known, or too many
  // Of logged episodes: what the model leaves unexplained of each state, root mean squares.
  struct Residual {
    std::string component;
    double residual = 0, change = 0, mean = 0, largest = 0;
  };
  std::vector<Residual> residuals;
  std::optional<double> scale_bound;
  std::string missing;  // why problem or data are not at hand, and how to give them

  nlohmann::json record;
};

std::string run_page(const RunReport& run);

// The formulas behind a kind of certificate, as MathML; "" for a kind without one here.
std::string certificate_formulas(const std::string& kind, const std::string& subject);

}  // namespace loopcert::report
