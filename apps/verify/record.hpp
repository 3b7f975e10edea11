// What the checker reads: the certificate's record, the problem in it, and the files beside it.
#pragma once

#include <optional>

#include "traces.hpp"

namespace verify {

// The first thing that fails; the certificate is not accepted.
struct Refuted {
  std::string text;
};

struct Problem {
  long n_x = 0, n_u = 0, T = 0;
  std::vector<Table> A, B;  // one for each step
  std::vector<Mat> Q, R;    // the same; balls that hold the matrix and one that is semidefinite
  Mat P{0, 0};
  Table d;  // T x n_x, zero when the problem has none
  bool has_offset = false, affine = false;
  json tree;

  long d_w() const { return (T + 1) * n_x; }
  long d_u() const { return T * n_u; }
  bool constant() const { return affine || has_offset; }
  const json& disturbance() const { return tree.at("disturbance"); }
  double total_delta() const;
};

struct Term {
  std::string name;
  double value = 0;
};
struct Event {
  std::string name, statement;
  double delta = 0;
};

struct Record {
  std::filesystem::path file;
  std::string kind, subject, chosen;  // chosen: by kind best
  double value = 0, confidence = 0;
  std::optional<double> kl;
  std::vector<double> lambda;  // one, or one for each fold
  long n = 0;
  bool oracle = false;
  std::vector<Term> terms;
  std::vector<Event> events;
  std::vector<std::string> assumptions;
  json inputs;
  Problem problem;

  double delta(const std::string& event) const;
  std::string input(const char* path) const;            // a text in inputs, by a JSON pointer
  double assumed(const char* key, double least) const;  // disturbance.key, above `least`
};

struct Controller {
  Table K, k;  // u = K x + k over the horizon
  std::vector<std::string> learned_from;
  Traces seen;       // the same trajectories up to rounding and cutting
  std::string hash;  // of the file
};

// Keys that a problem file may have; what another one means, nobody here knows.
void check_problem_keys(const json& problem);
Record read_record(const std::filesystem::path& path);
Controller parse_controller(const std::string& bytes, const Problem& problem);

void check_hash(const Record& record, const std::string& role, const std::string& bytes);
std::string name_beside(const Record& record, const std::string& role);
// What parse() makes of the file that `inputs` names under `role`, beside the certificate, if its
// hash is the recorded one.
template <class Parse>
auto read_beside(const Record& record, const std::string& role, const Parse& parse) {
  const std::string name = name_beside(record, role);
  return in_file(word(name), [&] {
    const std::string bytes = read_bytes(record.file.parent_path() / name);
    check_hash(record, role, bytes);
    return parse(bytes);
  });
}

// Finite numbers; BadInput when there are others, or more or fewer.
Table matrix_of(const json& value, long rows, long cols, const std::string& place);
// disturbance.key: a number times I, a diagonal or a symmetric matrix. Refuted unless its balls
// hold one that is semidefinite, with up to 1e-12 more in each diagonal entry.
Mat covariance_of(const Problem& problem, const char* key);

}  // namespace verify
