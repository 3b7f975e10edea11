// loopcert-verify: checks a certificate of loopcert in ball arithmetic, from the controller, the
// problem and the data alone. It shares no code with the program that made it.
#include <sys/time.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "kinds/watch.hpp"
#include "verdict/check.hpp"

namespace verify {
namespace {

namespace fs = std::filesystem;

constexpr const char* usage =
    "usage: loopcert-verify CERTIFICATE [--data FILE] [--controller FILE] [--problem FILE]\n       "
    "                [--rollouts FILE...] [--certificate FILE] [--seconds N]\n  CERTIFICATE   "
    "certificate.json, or the "
    "folder that holds "
    "it; or the record of `loopcert watch --out`\n  --certificate of a watch with --steps: the "
    "certificate whose plant it watched\n  --data        trajectories, one per row: .npy "
    "or .csv (default: data.npy next to it); of\n                measured costs these (costs.npy), "
    "of a watch its costs, or steps\n  "
    "--rollouts    where the plant is identified, its logs, after CERTIFICATE: .npz, .npy or .csv "
    "as the\n                problem's [data] says\n  "
    "--controller  the certified controller (default: controller.json next to it)\n  --problem     "
    "your own problem file, .toml or .json: plant, cost and assumptions must agree\n  --seconds    "
    " UNDECIDED after this many seconds of processor time (default: 120)\n  --version     says its "
    "version\nExit status: 0 VERIFIED, "
    "1 REFUTED or UNDECIDED, 2 wrong usage, 3 bad input.\n";

struct Options {
  fs::path certificate, data, controller, problem, plant;
  std::vector<fs::path> rollouts;
  long seconds = 120;
};

bool parse(int count, char** words, Options& options) {
  bool logs = false;  // what follows are files of --rollouts
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (logs && !options.certificate.empty() && words[i][0] != '-') {
      options.rollouts.emplace_back(word);
      continue;
    }
    logs = word == "--rollouts";
    if (word == "--data" || word == "--controller" || word == "--problem" ||
        word == "--certificate") {
      if (++i == count) return false;
      (word == "--data"          ? options.data
       : word == "--problem"     ? options.problem
       : word == "--certificate" ? options.plant
                                 : options.controller) = words[i];
    } else if (word == "--rollouts") {
      if (++i == count) return false;
      options.rollouts.emplace_back(words[i]);
    } else if (word == "--seconds") {
      if (++i == count) return false;
      options.seconds = whole_number(words[i]).value_or(0);
      if (options.seconds < 1 || options.seconds > 1'000'000) return false;
    } else if (words[i][0] == '-' || !options.certificate.empty()) {
      return false;
    } else {
      options.certificate = words[i];
    }
  }
  return !options.certificate.empty();
}

// A decimal that is not below the value, which what %.17g prints may be; for a confidence one whose
// double is not above it.
std::string decimal(double value, int digits, bool below) {
  char text[40];
  for (double near = value;; digits = 17) {  // all of them if it takes them
    std::snprintf(text, sizeof text, "%.*g", digits, near);
    Ball printed;
    arb_set_str(printed.x, text, 256);
    if (below ? std::strtod(text, nullptr) <= value : arb_ge(printed.x, Ball(value).x)) return text;
    if (digits == 17) near = std::nextafter(near, below ? -INFINITY : INFINITY);
  }
}

// Processor time is no argument: what takes longer stays undecided.
void out_of_time(int) {
  constexpr char text[] = "UNDECIDED time: more processor time than allowed, see --seconds\n";
  [[maybe_unused]] const ssize_t written = ::write(STDOUT_FILENO, text, sizeof text - 1);
  std::_Exit(1);
}

void limit_seconds(long seconds) {
  std::signal(SIGPROF, out_of_time);
  const itimerval timer{{0, 0}, {seconds, 0}};
  ::setitimer(ITIMER_PROF, &timer, nullptr);
}

// The record of a watch, against the costs that it saw.
int run_watch(const Options& options, const json& tree) {
  if (options.data.empty()) bad("--data", "none", "the costs that were watched");
  const Table costs = in_file(options.data.string(), [&] { return read_table(options.data); });
  const WatchVerdict verdict =
      in_file(options.certificate.string(), [&] { return check_watch(tree, costs); });
  const bool rejected = verdict.what.find("rejected") != std::string::npos;
  limit_seconds(0);
  // Claim and alpha are what the record says: its own digits.
  std::printf(
      "VERIFIED %s: %s at most %s, alpha %s, evidence %s %s (%ld bits)\n", verdict.what.c_str(),
      tree.at("functional") == "violation" ? "share of episodes that break a limit" : "mean cost",
      tree.at("claim").dump().c_str(), tree.at("alpha").dump().c_str(),
      rejected ? "at least" : "at most", decimal(verdict.evidence, 6, rejected).c_str(),
      static_cast<long>(bits));
  for (const std::string& line : verdict.lines) std::printf("  %s\n", line.c_str());
  return std::fflush(stdout) == 0 ? 0 : 3;
}

// The same of a plant's steps: first the certificate that knows the plant, then the record.
int run_plant_watch(const Options& options, const json& tree) {
  if (options.data.empty()) bad("--data", "none", "the steps that were watched");
  if (options.plant.empty()) bad("--certificate", "none", "that of the plant");
  const std::string hash = sha256(read_bytes(options.plant));
  const Inputs in =
      read_inputs(options.plant, options.controller, "", options.problem, options.rollouts);
  check(in);
  const Logs steps =
      in_file(options.data.string(), [&] { return read_steps(options.data, in.record.problem); });
  const WatchVerdict verdict = in_file(options.certificate.string(), [&] {
    if (tree.at("certificate") != hash) throw Refuted{"certificate: not the one that was watched"};
    return check_plant_watch(tree, in.record, in.logs, steps);
  });
  const bool rejected = tree.at("status") == "rejected";
  limit_seconds(0);
  std::printf("VERIFIED %s: alpha %s, evidence %s %s (%ld bits)\n", verdict.what.c_str(),
              tree.at("alpha").dump().c_str(), rejected ? "at least" : "at most",
              decimal(verdict.evidence, 6, rejected).c_str(), static_cast<long>(bits));
  for (const std::string& line : verdict.lines) std::printf("  %s\n", line.c_str());
  return std::fflush(stdout) == 0 ? 0 : 3;
}

int run(Options options) {
  limit_seconds(options.seconds);
  try {
    if (fs::is_directory(options.certificate)) options.certificate /= "certificate.json";
    const json tree = in_file(options.certificate.string(),
                              [&] { return parse_json(read_bytes(options.certificate)); });
    if (is_watch(tree)) return run_watch(options, tree);
    if (is_plant_watch(tree)) return run_plant_watch(options, tree);
    const Inputs in = read_inputs(options.certificate, options.controller, options.data,
                                  options.problem, options.rollouts);
    const Verdict verdict = check(in);
    const std::string& kind = in.record.kind;
    limit_seconds(0);  // from here on nothing is left half said
    std::printf("VERIFIED %s: %s at confidence %s (%s, %ld bits)\n", verdict.subject.c_str(),
                decimal(verdict.value, 17, false).c_str(),
                decimal(verdict.confidence, 12, true).c_str(),
                (in.record.is_portfolio() ? kind + ": " + in.record.chosen : kind).c_str(),
                static_cast<long>(bits));
    for (const std::string& line : verdict.lines) std::printf("  %s\n", line.c_str());
    return std::fflush(stdout) == 0 ? 0 : 3;
  } catch (const Refuted& reason) {
    std::printf("REFUTED %s\n", printable(reason.text).c_str());
  } catch (const Undecided& reason) {
    std::printf("UNDECIDED %s\n", printable(reason.text).c_str());
  } catch (const BadInput& error) {
    std::fprintf(stderr, "loopcert-verify: %s\n", printable(error.text).c_str());
    return 3;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "loopcert-verify: %s: content: found %s, expected files of loopcert\n",
                 printable(options.certificate.string()).c_str(), printable(error.what()).c_str());
    return 3;
  }
  return 1;
}

// FLINT ends the program when memory does. Its own word for noreturn: clang has it in the type.
FLINT_NORETURN void out_of_memory() {
  std::fputs("loopcert-verify: memory: found too little, expected more\n", stderr);
  std::_Exit(3);
}

}  // namespace
}  // namespace verify

int main(int count, char** words) {
  flint_set_abort(verify::out_of_memory);
  if (count == 2 && std::strcmp(words[1], "--help") == 0)
    return std::fputs(verify::usage, stdout) < 0;
  if (count == 2 && std::strcmp(words[1], "--version") == 0)
    return std::puts("loopcert-verify " LOOPCERT_VERSION) < 0;
  verify::Options options;
  if (!verify::parse(count, words, options)) {
    std::fputs(verify::usage, stderr);
    return 2;
  }
  return verify::run(options);
}
