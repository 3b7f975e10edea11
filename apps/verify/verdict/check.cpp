#include "verdict/check.hpp"

#include <set>

#include "verdict/words.hpp"

namespace verify {
namespace fs = std::filesystem;

Inputs read_inputs(const fs::path& certificate, fs::path controller, fs::path data,
                   const fs::path& problem, const std::vector<fs::path>& rollouts) {
  const fs::path folder = certificate.parent_path();
  Inputs in{in_file(certificate, [&] { return read_record(certificate); }), {}, {}, {}};
  if (in.record.is_measured()) {
    if (!controller.empty() || !problem.empty() || !rollouts.empty())
      throw BadInput{
          "--controller, --problem, --rollouts: found one, expected none: measured "
          "costs have no model"};
    const bool count = in.record.kind == "measured-count";
    if (data.empty()) data = folder / (count ? "violations.npy" : "costs.npy");
    in.data = in_file(data, [&] { return read_table(data); });
    const fs::path against = folder / "against.npy";
    if (in.record.inputs.contains("against"))
      in.against = in_file(against, [&] { return read_table(against); });
    return in;
  }
  if (!problem.empty())
    in_file(problem, [&] {
      const std::string bytes = read_bytes(problem);
      json own = problem.extension() == ".toml" ? parse_toml(bytes) : parse_json(bytes);
      put_baseline_file(own, problem);
      require_own(in.record, own);
      in.own = sha256(bytes);
    });
  const bool given = in.record.is_given();
  const std::string named =  // by the record, which may call it anything
      given ? in_file(certificate, [&] { return name_beside(in.record, "controller"); })
            : "controller.json";
  const bool read_by_name = given && controller.empty();
  if (controller.empty()) controller = folder / named;
  const std::string shown = read_by_name ? word(named) : controller.string();
  in.controller = in_file(shown, [&] {
    const std::string bytes = read_bytes(controller);
    if (given) check_hash(in.record, "controller", bytes);
    return parse_controller(bytes, in.record.problem, given);
  });
  const bool logged = in.record.problem.unknown.has_value();
  if (logged != !rollouts.empty() || (logged && !data.empty()))
    throw BadInput{
        logged ? "--rollouts: found no logs alone, expected them, as the plant is identified"
               : "--rollouts: found logs, expected --data, as the plant is known"};
  in.logs = read_logs(rollouts, in.record.problem);
  if (logged) return in;
  if (data.empty() && (in.record.n > 0 || fs::exists(folder / "data.npy")))
    data = folder / "data.npy";
  if (!data.empty()) in.data = in_file(data, [&] { return read_table(data); });
  return in;
}

namespace {

const std::set<std::string> known_limits_kinds = {
    "limits-tolerance", "limits-count", "limits-envelope", "limits-assumed", "limits-robust"};

// With the bits of the moment; TooWide when they are too few.
Verdict check_bound(const Inputs& in, const Ball& confidence) {
  const bool limits = is_limits_kind(in.record.kind);
  Record record = in.record.kind == "best" ? chosen_record(in.record, in.controller) : in.record;
  if (limits) record.kind = in.record.chosen.empty() ? record.kind : in.record.chosen;
  const Table rows = certifying_rows(record, in.data);
  std::vector<Record> members = {record};
  if (in.record.kind == "limits-best") {
    members = limits_members(in.record, rows.rows);
    record = members[0];
  }
  const Distinct found = distinct(in.data);  // also those that taught: a copy of one is not fresh
  require_draws(record, in.data, found);
  const Case given{record, in.controller, rows, in.data};
  const Bound bound = limits                           ? limits_bound(given, members)
                      : is_posterior_kind(record.kind) ? posterior_bound(given)
                                                       : fixed_bound(given);
  if (limits && has_path(record) && !record.assumptions.empty() &&
      record.assumptions[0].id == "controller-fixed" && !bound.assumptions.empty() &&
      bound.assumptions[0].id == "controllers-fixed")
    record.assumptions[0] = bound.assumptions[0];  // of a path it means all of them
  const double value = judge(record, bound);
  for (const Event& event : in.record.events) in_words(event.statement);  // also of other kinds
  require_possible(record, bound, in.controller, rows, value);
  const std::string what = limits                            ? ", " + in_words({bound.functional})
                           : is_difference_kind(record.kind) ? " minus baseline"
                                                             : "";
  // A matrix above all covariances is that of all trajectories; an assumption is that of none.
  const bool of_all = record.kind == "limits-envelope" || record.kind == "identified";
  const bool of_none = record.kind.starts_with("assumed") || record.kind == "limits-assumed" ||
                       record.kind == "limits-robust";
  const long certify = of_none ? 0 : of_all ? in.data.rows : rows.rows;
  return {in_words({bound.subject}) + what, value, lower(confidence - bound.rounding_delta),
          statement(in, record, bound, found, certify)};
}

// What attempt() says at the first precision where it says anything.
template <class Attempt>
Verdict with_enough_bits(slong least, const Attempt& attempt) {
  std::string wide;
  for (bits = least; bits <= 1024; bits *= 2) {
    try {
      return attempt();
    } catch (const TooWide& error) {
      wide = error.what;
    }
  }
  throw Undecided{wide + " is too wide even with 1024 bits"};
}

Verdict check_kind_and_bound(const Inputs& in) {
  if (in.record.is_measured()) {
    check_costs(in);
    const Ball confidence = check_confidence(in.record);
    return with_enough_bits(128, [&] { return check_measured(in, confidence); });
  }
  if (in.record.problem.unknown) {
    check_logs(in);
    const Ball confidence = check_confidence(in.record);
    return with_enough_bits(64, [&] { return check_plant(in, confidence); });
  }
  const std::string& kind = in.record.is_portfolio() ? in.record.chosen : in.record.kind;
  const bool known = is_limits_kind(in.record.kind)
                         ? known_limits_kinds.contains(kind)
                         : is_posterior_kind(kind) || !one_response_kind(kind).scheme.empty();
  if (!known) throw Undecided{"kind " + word(kind) + " is unknown to the checker"};
  check_files(in.record, in.controller, in.data);
  const Ball confidence = check_confidence(in.record);
  const slong least = is_difference_kind(kind) ? 128 : 64;  // the difference of two costs cancels
  return with_enough_bits(least, [&] { return check_bound(in, confidence); });
}

}  // namespace

Verdict check(const Inputs& in) {
  return in_file(in.record.file, [&] { return check_kind_and_bound(in); });
}

}  // namespace verify
