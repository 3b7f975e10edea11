// loopcert watch: is a certificate still true? One cost at a time, from a deployed loop.
#include "loopcert/watch/watch.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/failure.hpp"
#include "cli/interrupt.hpp"
#include "cli/manual.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "commands/commands.hpp"
#include "core/file.hpp"
#include "core/text.hpp"
#include "delivery/describe.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/core/rounded.hpp"
#include "loopcert/verification/recheck.hpp"
#include "watch/claim.hpp"
#include "watch/plant_claim.hpp"
#include "watch/plant_watch_file.hpp"
#include "watch/watch_costs.hpp"
#include "watch/watch_file.hpp"
#include "watch/watch_record.hpp"
#include "watch/watch_steps.hpp"
#include "workflow/identified_run.hpp"

namespace loopcert::app {
namespace {

struct WatchOptions {
  std::optional<double> claim;
  std::string certificate;
  std::optional<double> alpha, degrees;
  std::string costs;  // empty: standard input
  std::string state;
  bool follow = false;
  std::string steps;  // a log, or -
  std::vector<std::string> rollouts;
  std::string out, page;
  bool json = false;
};

constexpr double usual_alpha = 0.01;

// A state goes on with its own numbers: others need a new one.
void check_state_has(const std::string& state, const std::string& what, double found,
                     const std::optional<double>& asked) {
  if (asked && *asked != found)
    throw_input_error(
        state, "a watch with " + what + " " + number_text(found),
        "one with " + number_text(*asked) + " (another " + what + " needs a new state)");
}

// Where to begin: what the state file says, or nothing yet.
WatchFile begin(const WatchOptions& options, const std::optional<CertifiedClaim>& certified) {
  const WatchClaim claim{options.claim.value_or(certified ? certified->mean : 0),
                         options.alpha.value_or(usual_alpha), options.degrees.value_or(0)};
  if (options.state.empty() || !std::filesystem::exists(options.state)) {
    if (!options.claim && !certified)
      throw UsageError("watch: needs --claim, --certificate, or a state that exists");
    return {Watch(claim).state(), 0, certified};
  }
  WatchFile file = read_watch(options.state);
  const WatchClaim& found = file.state.claim;
  if ((options.claim || certified) && claim.mean != found.mean)
    throw_input_error(options.state, "a watch on " + number_text(found.mean),
                      "one on " + number_text(claim.mean) + " (a new claim needs a new state)");
  check_state_has(options.state, "alpha", found.alpha, options.alpha);
  check_state_has(options.state, "degrees", found.degrees, options.degrees);
  if (certified) file.certified = certified;
  return file;
}

void add_evidence(Table& table, double now, double largest, double alpha) {
  table.add("evidence against it", fmt::format("{}, {} at most so far; {} rejects", cost_text(now),
                                               cost_text(largest), cost_text(1 / alpha)));
}

Table table_of(const WatchRecord& record) {
  const WatchState& s = record.state;
  const auto& certified = record.certified;
  Table table;
  table.add("claim",
            fmt::format("{} at most {}{}",
                        certified && certified->violation ? "share of episodes that break a limit"
                                                          : "mean cost of an episode",
                        bound_text(s.claim.mean), certified ? " (" + certified->kind + ")" : ""));
  table.add("costs", std::to_string(s.n));
  add_evidence(table, s.evidence, s.largest, s.claim.alpha);
  table.add("claim rejected", s.rejected_at ? fmt::format("at cost {}", *s.rejected_at) : "no");
  table.add("false alarms",
            certified
                ? fmt::format("with probability at most {}: {} ever, if the "
                              "certificate holds, which it may not with {}",
                              cost_text(record.false_alarms()), number_text(s.claim.alpha),
                              cost_text(1 - certified->confidence))
                : fmt::format("with probability at most {}, ever", number_text(s.claim.alpha)));
  return table;
}

void run_costs(const WatchOptions& options) {
  if (!options.rollouts.empty()) throw UsageError("--rollouts: only with --steps");
  if (options.follow && options.costs.empty())
    throw UsageError("--follow: needs a file of costs; standard input is followed anyway");
  std::optional<CertifiedClaim> certified;
  if (!options.certificate.empty()) certified = claim_of_certificate(options.certificate);
  const WatchFile from = begin(options, certified);
  Watch watch = Watch::resumed(from.state);
  WatchTrace trace;
  if (!watch.rejected()) {
    const InterruptGuard guard;
    LineFeed lines(options.costs, options.costs.empty() ? 0 : from.bytes);
    CostFeed feed;
    feed.whole_lines = !options.state.empty();
    if (!options.page.empty())
      feed.seen = [&](double cost, const WatchState& state) {
        trace.add(state.n, cost, state.evidence);
      };
    if (options.follow) feed.go_on = [] { return !interrupted(); };
    if (!options.state.empty())
      feed.save = [&](const WatchState& state, Index bytes) {
        write_watch(options.state, {state, options.costs.empty() ? 0 : bytes, from.certified});
      };
    watch_costs(watch, lines, feed);
  }
  const WatchRecord record{watch.state(), from.certified};
  if (!options.out.empty()) write_file(options.out, record_to_json(record).dump(2) + "\n");
  if (!options.page.empty())
    write_file(options.page, report::watch_page(describe_watch(record, trace, from.state.n)));
  if (options.json)
    print_json(record_to_json(record));
  else
    print(table_of(record).text());
  if (watch.rejected())
    throw AlarmError(
        fmt::format("the claim is rejected at cost {}: a mean of at most {} would "
                    "have led to this with probability at most {}",
                    *watch.state().rejected_at, bound_text(watch.state().claim.mean),
                    number_text(watch.state().claim.alpha)));
}

// Where to begin: what the state file says, or the claim of the certificate.
struct StepsBegin {
  PlantWatchFile file;
  DataLayout layout;
};

StepsBegin begin_steps(const WatchOptions& options) {
  if (!options.state.empty() && std::filesystem::exists(options.state)) {
    const PlantWatchFile file = read_plant_watch(options.state);
    if (!options.certificate.empty() &&
        certificate_sha256(options.certificate) != file.claim.certificate)
      throw_input_error(options.state, "a watch on another certificate",
                        "one on " + options.certificate + " (a new claim needs a new state)");
    check_state_has(options.state, "alpha", file.claim.alpha, options.alpha);
    return {file, {}};
  }
  if (options.certificate.empty() || options.rollouts.empty())
    throw UsageError(
        "--steps: needs --certificate and its logs, --rollouts, or a state that exists");
  const Problem problem = problem_of_certificate(options.certificate);
  if (!problem.identifies())
    throw_input_error(options.certificate, "a plant that was known",
                      "one that was identified from logs");
  const PlantClaim claim =
      plant_claim(options.certificate,
                  read_logs_of(problem, {options.rollouts.begin(), options.rollouts.end()}),
                  options.alpha.value_or(usual_alpha));
  return {{claim, PlantWatch(claim).state()}, problem.data};
}

void run_steps(const WatchOptions& options) {
  const std::string path = options.steps == "-" ? "" : options.steps;
  if (options.claim || !options.costs.empty() || options.degrees)
    throw UsageError("--steps: not with --claim, --degrees or COSTS");
  if (options.follow && path.empty())
    throw UsageError("--follow: needs a file; standard input is followed anyway");
  const auto [from, layout] = begin_steps(options);
  PlantWatch watch(from.claim, from.state);
  WatchTrace trace;
  if (!watch.rejected()) {
    const InterruptGuard guard;
    LineFeed lines(path, path.empty() ? 0 : from.bytes);
    StepFeed feed;
    feed.layout = layout;
    feed.columns = from.columns;
    if (!options.page.empty())
      feed.seen = [&](const PlantWatchState& state) { trace.add(state.n, 0, state.evidence); };
    feed.whole_lines = !options.state.empty();
    if (options.follow) feed.go_on = [] { return !interrupted(); };
    if (!options.state.empty())
      feed.save = [&](const PlantWatchState& state, const StepColumns& columns, Index bytes) {
        write_plant_watch(options.state, {watch.claim(), state, path.empty() ? 0 : bytes, columns});
      };
    watch_steps(watch, lines, feed);
  }
  const PlantWatchState& s = watch.state();
  if (!options.out.empty()) write_file(options.out, record_to_json(watch).dump(2) + "\n");
  if (!options.page.empty())
    write_file(options.page, report::watch_page(describe_watch(watch, trace, from.state.n)));
  if (options.json) {
    print_json(record_to_json(watch));
  } else {
    const double alpha = watch.claim().alpha, delta = watch.claim().delta;
    Table table;
    table.add("claim", "the plant and its noise are as in the logs of the certificate");
    table.add("transitions", std::to_string(s.n));
    add_evidence(table, s.evidence, s.largest, alpha);
    table.add("claim rejected",
              s.rejected_at ? fmt::format("at transition {} ({})", *s.rejected_at, s.cause) : "no");
    table.add("false alarms",
              fmt::format("with probability at most {}: {} ever, and {} that the certificate's "
                          "events model and noise fail",
                          cost_text(alpha + delta), number_text(alpha), cost_text(delta)));
    print(table.text());
  }
  if (watch.rejected())
    throw AlarmError(
        fmt::format("the plant is no longer that of the certificate: transition {} ({})",
                    *s.rejected_at, s.cause));
}

void run_watch(const WatchOptions& options) {
  if (options.steps.empty())
    run_costs(options);
  else
    run_steps(options);
}

void add_number(CLI::App& command, const std::string& name, std::optional<double>& value,
                const std::string& help) {
  command
      .add_option_function<std::string>(
          name, [name, &value](const std::string& text) { value = positive_number(name, text); },
          help)
      ->type_name("X");
}

Action setup_watch(CLI::App& command) {
  auto options = std::make_shared<WatchOptions>();
  const auto claim = command.add_option_function<std::string>(
      "--claim",
      [options](const std::string& text) { options->claim = positive_number("--claim", text); },
      "the mean cost that the loop is said not to exceed");
  claim->type_name("VALUE");
  add_path(command, "--certificate", options->certificate,
           "certificate.json, or limits.json: its value is the claim")
      ->type_name("FILE")
      ->excludes(claim);
  add_number(command, "--alpha", options->alpha,
             "probability with which a true claim may be rejected, ever (default: 0.01)");
  add_number(command, "--degrees", options->degrees,
             "assume a linear Gaussian loop in which no direction makes more than 1/X of the mean "
             "cost; 1 says only that it is Gaussian");
  add_path(command, "--state", options->state,
           "file that remembers the watch: read if it exists, replaced as costs come in")
      ->type_name("FILE");
  command.add_flag("--follow", options->follow, "wait for more at the end of COSTS");
  add_path(command, "--steps", options->steps,
           "watch a plant that was identified by its steps: a log, or - for standard input")
      ->type_name("LOG");
  command
      .add_option("--rollouts", options->rollouts,
                  "with --steps: the logs that the certificate was made from")
      ->type_name("FILE...")
      ->expected(1, CLI::detail::expected_max_vector_size);
  add_path(command, "--out", options->out, "file for the result, for `loopcert-verify`")
      ->type_name("FILE");
  add_path(command, "--page", options->page, "file for a page that shows how the evidence grew")
      ->type_name("FILE");
  add_json(command, options->json);
  add_path(command, "COSTS", options->costs,
           "one cost in each line, maybe below a name (default: standard input)")
      ->type_name("");
  set_manual(
      command,
      {.synopsis = {"(--claim~VALUE | --certificate~FILE) [--alpha~A] [--degrees~X] [--state~FILE] "
                    "[--follow] [--out~FILE] [--page~FILE] [--json] [COSTS]",
                    "--steps~LOG --certificate~FILE --rollouts~FILE... [--alpha~A] [--state~FILE] "
                    "[--follow] [--out~FILE] [--page~FILE] [--json]"},
       .description =
           {"Tests while the loop runs whether its mean cost is still at most what was claimed. "
            "Reads the cost of one episode after the other and stops with status 4 as soon as "
            "they contradict the claim. A claim that is true is rejected with probability at most "
            "A, however long the watch lasts, whatever the law of the costs: they must not be "
            "negative, and the mean of each must be at most the claim given the ones before.",
            "The evidence is what a bettor against the claim would hold who began with 1, and bet "
            "at every time at which a change may have begun; 1/A rejects. Costs that had always "
            "been like the claim leave it near or below 1.",
            "With a certificate on limits (limits.json) a cost is 1 for an episode that broke one "
            "and 0 for the others. With --state a watch goes on where it was, also after it was "
            "killed: with COSTS at the first line that it has not counted.",
            "With --steps it watches a plant that was identified, step by step instead of episode "
            "by episode: each line has what was measured, then the inputs that followed, under "
            "any controller. What the model leaves over must be noise as the certificate's logs "
            "bound it. False alarms then have probability at most A plus what the certificate "
            "gives to its events model and noise. A state holds all it needs: later calls need "
            "neither certificate nor logs."},
       .files = {{"COSTS", "read: one number in each line; empty lines and # comments count not"},
                 {"STATE", "some thirty numbers; the new ones replace the old ones at once"}},
       .statuses = {{"0", "the costs ended, or Ctrl-C, and the claim stands"},
                    {"4", "the claim is rejected; the output is complete"}},
       .examples = {{"loopcert learn examples/double-integrator/problem.toml --sample 400 --seed 1 "
                     "--out out",
                     "A certified controller, costs of its loop, and the watch on them:"},
                    {"seq 0.1 0.1 5 > costs.txt", ""},
                    {"loopcert watch --certificate out/certificate.json --json costs.txt", ""}},
       .see_also = {"certify", "export", "docs/watch.md"}});
  return [options] { run_watch(*options); };
}

}  // namespace

Command watch_command() {
  return {"watch", "test a claim on the mean cost while the loop runs", setup_watch};
}

}  // namespace loopcert::app
