#include "formats/record.hpp"
#include "formats/outputs.hpp"

#include <algorithm>

namespace verify {

// What is read from the keys of the same names; the rest in read_record.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Statement, id, parameters)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Term, id, value)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Event, id, statement, delta)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Record, kind, subject, functional, oracle, value, confidence,
                                   terms, assumptions, inputs)

double Record::delta(const std::string& event) const {
  for (const Event& e : events)
    if (e.id == event && e.fold == (e.is_shared() ? 0 : fold))
      return e.is_shared() ? e.delta : lower(e.delta / Ball(choices));
  throw Refuted{"event " + event + ": the record has none"};
}

std::string Record::input(const char* path) const {
  return inputs.at(json::json_pointer(path)).get<std::string>();
}

void Record::lacks(const std::string& what) const {
  throw Refuted{"assumptions: kind " + kind + " needs " + what};
}

double Record::assumed(const std::string& key, double least) const {
  const std::string name = "disturbance." + key;
  if (!problem.law().contains(key)) lacks(name);
  const double bound = problem.law()[key].get<double>();
  if (!(bound > least)) throw Refuted{"assumptions: " + name + " is too small"};
  return bound;
}

namespace {

constexpr long most = 1'000'000'000;
const std::string known_keys =
    " format kind chosen subject functional functional.id functional.parameters oracle value"
    " confidence terms terms.id terms.value events events.kind events.fold events.id events.delta"
    " events.choices events.statement events.statement.id events.statement.parameters assumptions"
    " assumptions.id assumptions.parameters n kl lambda lambdas solver inputs all warnings"
    " logged_cost logged_cost_standard_error ";
// Beside a record of measured costs.
const std::string measured_keys =
    " mean standard_error against_mean against_standard_error plan limits rows ";
const std::string known_events =
    " pac_bayes covariance mean chernoff quantile spread difference model noise start"
    " noise-upper start-upper kept tolerance count betting betting-against betting-pairs"
    " ratio-quantile ";

void require_format(const json& tree, const std::string& format, const std::string& hint) {
  const std::string found = tree.at("format").get<std::string>();
  if (found != format) bad("format", word(found), '"' + format + '"' + hint);
}

std::string kind_or_none(const json& value) {
  if (value == "") bad("kind", "no letter", "a kind or null");
  return value.is_null() ? "" : value.get<std::string>();
}

}  // namespace

Record read_record(const std::filesystem::path& path) {
  const json tree = parse_json(read_bytes(path));
  require_format(tree, "loopcert certificate 2", ": learn or certify again with this version");
  const bool measured =
      tree.at("kind").is_string() && tree["kind"].get<std::string>().starts_with("measured-");
  const std::string keys = measured ? known_keys + measured_keys : known_keys;
  check_keys(tree, keys, "certificate", "certificate");
  Record r = tree.get<Record>();
  r.file = path;
  r.chosen = kind_or_none(tree.at("chosen"));
  if (r.is_portfolio() == r.chosen.empty())
    bad("chosen", word(r.chosen), "a kind for kind best, null for others");
  if (!tree.at("kl").is_null()) r.kl = tree["kl"].get<double>();
  if (!tree.at("lambda").is_null()) r.lambda = {tree["lambda"].get<double>()};
  if (tree.contains("lambdas")) r.lambda = tree["lambdas"].get<std::vector<double>>();
  r.n = whole(tree.at("n"), most, "n");
  for (const json& event : tree.at("events").get<std::vector<json>>()) {
    Event& e = r.events.emplace_back(event.get<Event>());
    if (known_events.find(" " + e.id + " ") == known_events.npos)
      throw Refuted{"event " + word(e.id) + ": no kind has it"};
    e.kind = kind_or_none(event.at("kind"));
    e.choices = whole(event.at("choices"), most, "choices", 1);
    if (!event.at("fold").is_null()) e.fold = whole(event.at("fold"), most, "fold", 1);
  }
  if (!measured) r.problem = parse_problem(r.inputs.at("problem"));
  return r;
}

// u_t = K (y_t, ..., y_{t-p+1}) + L (u_{t-1}, ..., u_{t-p+1}) + k
static Controller parse_memory_controller(const json& tree, const Problem& problem) {
  const long lags = problem.unknown->lags, n_u = problem.n_u;
  if (tree.at("horizon") != "infinite" || tree.at("n_x") != problem.n_x || tree.at("n_u") != n_u ||
      tree.at("memory") != json{{"inputs", lags - 1}, {"outputs", lags}})
    bad("horizon, n_x, n_u, memory", "another size", "that of the problem");
  Controller c;
  c.K = matrix_of(tree.at("K"), n_u, lags * problem.n_x, "K");
  c.L = matrix_of(tree.at("L"), n_u, (lags - 1) * n_u, "L");
  c.k = matrix_of(json::array({tree.at("k")}), 1, n_u, "k");
  return c;
}

Controller parse_controller(const std::string& bytes, const Problem& problem, bool with_seen) {
  const json tree = parse_json(bytes);
  require_format(tree, "loopcert controller 1", "");
  if (problem.unknown && problem.unknown->infinite) {
    Controller c = parse_memory_controller(tree, problem);
    c.hash = sha256(bytes);
    return c;
  }
  if (tree.at("horizon") != problem.T || tree.at("n_x") != seen_in_step(problem) ||
      tree.at("n_u") != problem.n_u)
    bad("horizon, n_x, n_u", "another size", "that of the problem");
  Controller c;
  c.hash = sha256(bytes);
  c.K = matrix_of(tree.at("K"), problem.d_u(), seen_in_all(problem), "K");
  c.k = matrix_of(json::array({tree.at("k")}), 1, problem.d_u(), "k");
  for (long i = 0; i < c.K.rows; ++i)
    for (long j = (i / problem.n_u + 1) * seen_in_step(problem); j < c.K.cols; ++j)
      if (c.K(i, j) != 0) bad("K", "an input that uses a later state", "zero there");
  if (tree.contains("learned_from"))
    c.learned_from = tree["learned_from"].get<std::vector<std::string>>();
  for (const std::string& hash : c.learned_from)
    if (hash.size() != 16 || hash.find_first_not_of("0123456789abcdef") != hash.npos)
      bad("learned_from", "another text", "16 hexadecimal digits, in small letters");
  if (with_seen && tree.contains("recordings"))
    c.seen = parse_traces(tree["recordings"].at("disturbances"));
  return c;
}

bool Controller::has_constant() const {
  return std::any_of(k.values.begin(), k.values.end(), [](double entry) { return entry != 0; });
}

std::string name_beside(const Record& record, const std::string& role) {
  std::string name = record.input(("/" + role).c_str());
  if (name.empty() || name.find('/') != name.npos || name == "." || name == "..")
    bad("inputs." + role, word(name), "the name of a file next to it");
  return name;
}

void check_hash(const Record& record, const std::string& role, const std::string& bytes) {
  if (sha256(bytes) != record.input(("/" + role + "_sha256").c_str()))
    throw Refuted{role + ": the SHA-256 is not the recorded one"};
}

}  // namespace verify
