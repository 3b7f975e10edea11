// The certificate's record, the controller, and the files beside them.
#pragma once

#include "formats/problem.hpp"
#include "formats/traces.hpp"

namespace verify {

// What is assumed, or holds but for a delta: an id, and the numbers in it. verdict/words.cpp has
// the words.
struct Statement {
  std::string id;
  std::map<std::string, double> parameters = {};
};
struct Term {
  std::string id;
  double value = 0;
};
struct Event {
  std::string id;
  Statement statement;
  long choices = 1, fold = 0;  // how many it is for at once; the fold that it is about, or zero
  std::string kind = {};       // of a portfolio, or empty
  double delta = 0;

  // By all responses: it holds for each of them at once, whatever it was learned from.
  bool is_shared() const {
    return id == "model" || id == "noise" || id == "start" || id == "covariance" ||
           id.ends_with("-upper");
  }
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
  std::vector<Statement> assumptions;
  Statement functional;
  json inputs;
  Problem problem;
  // Of a portfolio: whether its mean cost is that of independent steps (chi-square.md, 7).
  std::optional<bool> averaged;
  long choices = 1, fold = 0;  // controllers that each event is for, and the fold looked at

  double delta(const std::string& event) const;  // for one of them, in this fold;
                                                 // a shared one for all of them
  std::string input(const char* path) const;     // a text in inputs, by a JSON pointer
  bool is_portfolio() const {
    return kind == "best" || kind == "limits-best" || kind == "measured-best";
  }
  bool is_measured() const { return kind.starts_with("measured-"); }  // no problem belongs to it
  // One of three: a controller from elsewhere, one that learn deploys, a posterior around one.
  bool is_given() const { return inputs.contains("controller"); }
  bool is_deployed() const { return inputs.contains("deployment"); }
  bool has_posterior() const { return inputs.contains("posterior"); }
  // How what learn deploys met the data: fixed (not at all), hold-out (a part is for training),
  // cross (folds).
  std::string use_of_data() const { return is_deployed() ? input("/deployment/way") : ""; }
  [[noreturn]] void lacks(const std::string& what) const;      // Refuted: the kind needs it
  double assumed(const std::string& key, double least) const;  // disturbance.key, above `least`
};

struct Controller {
  Table K, k;  // u = K x + k over the horizon; without an end of the last measurements,
  Table L;     // and of the last inputs
  std::vector<std::string> learned_from;
  Traces seen;       // the same trajectories up to rounding and cutting
  std::string hash;  // of the file

  bool has_constant() const;  // k is not zero
};

Record read_record(const std::filesystem::path& path);
// `with_seen`: its data must be none that it was learned from.
Controller parse_controller(const std::string& bytes, const Problem& problem,
                            bool with_seen = true);

void check_hash(const Record& record, const std::string& role, const std::string& bytes);
std::string name_beside(const Record& record, const std::string& role);
// What parse() makes of the file that `inputs` names under `role`, beside the certificate, if its
// hash is the recorded one.
template <class Parse>
auto read_beside(const Record& record, const std::string& role, const Parse& parse) {
  const std::string name = name_beside(record, role);
  return in_file(Word{name}, [&] {
    const std::string bytes = read_bytes(record.file.parent_path() / name);
    check_hash(record, role, bytes);
    return parse(bytes);
  });
}

}  // namespace verify
