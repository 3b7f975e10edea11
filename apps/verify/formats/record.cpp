#include "formats/record.hpp"

namespace verify {

double Record::delta(const std::string& event) const {
  for (const Event& e : events)
    if (e.name == event) return e.delta / static_cast<double>(choices);
  throw Refuted{"event " + event + ": the record has none"};
}

std::string Record::input(const char* path) const {
  return inputs.at(json::json_pointer(path)).get<std::string>();
}

double Record::assumed(const char* key, double least) const {
  const std::string name = std::string("disturbance.") + key;
  if (!problem.disturbance().contains(key))
    throw Refuted{"assumptions: kind " + kind + " needs " + name};
  const double bound = problem.disturbance()[key].get<double>();
  if (!(bound > least)) throw Refuted{"assumptions: " + name + " is too small"};
  return bound;
}

Record read_record(const std::filesystem::path& path) {
  Record r;
  r.file = path;
  const json tree = parse_json(read_bytes(path));
  if (tree.at("format") != "loopcert certificate 1")
    bad("format", word(tree["format"].dump()), "\"loopcert certificate 1\"");
  r.kind = tree.at("kind").get<std::string>();
  r.subject = tree.at("subject").get<std::string>();
  if (r.kind == "best") r.chosen = tree.at("chosen").get<std::string>();
  r.oracle = tree.at("oracle").get<bool>();
  r.value = tree.at("value").get<double>();
  r.confidence = tree.at("confidence").get<double>();
  if (!tree.at("kl").is_null()) r.kl = tree["kl"].get<double>();
  if (!tree.at("lambda").is_null()) r.lambda = {tree["lambda"].get<double>()};
  if (tree.contains("lambdas")) r.lambda = tree["lambdas"].get<std::vector<double>>();
  r.n = whole(tree.at("n"), 1'000'000'000, "n");
  for (const json& term : tree.at("terms"))
    r.terms.push_back({term.at("name").get<std::string>(), term.at("value").get<double>()});
  for (const json& event : tree.at("events"))
    r.events.push_back({event.at("name").get<std::string>(),
                        event.at("statement").get<std::string>(), event.at("delta").get<double>()});
  r.assumptions = tree.at("assumptions").get<std::vector<std::string>>();
  r.inputs = tree.at("inputs");
  r.problem = parse_problem(r.inputs.at("problem"));
  return r;
}

Controller parse_controller(const std::string& bytes, const Problem& problem) {
  const json tree = parse_json(bytes);
  if (tree.at("format") != "loopcert controller 1")
    bad("format", word(tree["format"].dump()), "\"loopcert controller 1\"");
  if (tree.at("horizon") != problem.T || tree.at("n_x") != problem.n_x ||
      tree.at("n_u") != problem.n_u)
    bad("horizon, n_x, n_u", "another size", "that of the problem");
  Controller c;
  c.hash = sha256(bytes);
  c.K = matrix_of(tree.at("K"), problem.d_u(), problem.d_w(), "K");
  c.k = matrix_of(json::array({tree.at("k")}), 1, problem.d_u(), "k");
  for (long i = 0; i < c.K.rows; ++i)
    for (long j = (i / problem.n_u + 1) * problem.n_x; j < c.K.cols; ++j)
      if (c.K(i, j) != 0) bad("K", "an input that uses a later state", "zero there");
  if (tree.contains("learned_from"))
    c.learned_from = tree["learned_from"].get<std::vector<std::string>>();
  for (const std::string& hash : c.learned_from)
    if (hash.size() != 16 || hash.find_first_not_of("0123456789abcdef") != hash.npos)
      bad("learned_from", "another text", "16 hexadecimal digits, in small letters");
  if (tree.contains("recordings")) c.seen = parse_traces(tree["recordings"].at("disturbances"));
  return c;
}

std::string name_beside(const Record& record, const std::string& role) {
  std::string name = record.input(("/" + role).c_str());
  if (name.empty() || name.find('/') != name.npos || name == "." || name == "..")
    bad("inputs." + role, word(name), "the name of a file beside it");
  return name;
}

void check_hash(const Record& record, const std::string& role, const std::string& bytes) {
  if (sha256(bytes) != record.input(("/" + role + "_sha256").c_str()))
    throw Refuted{role + ": the SHA-256 is not the recorded one"};
}

}  // namespace verify
