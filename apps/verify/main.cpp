// loopcert-verify: checks a certificate of loopcert in ball arithmetic, from the controller, the
// problem and the data alone. It shares no code with the program that made it.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "check.hpp"

namespace verify {
namespace {

namespace fs = std::filesystem;

constexpr const char* usage =
    "usage: loopcert-verify CERTIFICATE [--data FILE] [--controller FILE]\n"
    "  CERTIFICATE   certificate.json, or the folder that holds it\n"
    "  --data        trajectories, one in a row: .npy or .csv (default: data.npy beside it)\n"
    "  --controller  the controller to be certified (default: controller.json beside it)\n"
    "Exit status: 0 VERIFIED, 1 REFUTED or UNDECIDED, 2 wrong usage, 3 bad input.\n";

struct Options {
  fs::path certificate, data, controller;
};

bool parse(int count, char** words, Options& options) {
  for (int i = 1; i < count; ++i) {
    const bool data = std::strcmp(words[i], "--data") == 0;
    if (data || std::strcmp(words[i], "--controller") == 0) {
      if (++i == count) return false;
      (data ? options.data : options.controller) = words[i];
    } else if (words[i][0] == '-' || !options.certificate.empty()) {
      return false;
    } else {
      options.certificate = words[i];
    }
  }
  return !options.certificate.empty();
}

int run(Options options) {
  try {
    if (fs::is_directory(options.certificate)) options.certificate /= "certificate.json";
    const Inputs in = read_inputs(options.certificate, options.controller, options.data);
    const Verdict verdict = check(in);
    const std::string& kind = in.record.kind;
    char confidence[32];  // rounded down: with more digits if it takes them
    std::snprintf(confidence, sizeof confidence, "%.12g", verdict.confidence);
    if (std::strtod(confidence, nullptr) > verdict.confidence)
      std::snprintf(confidence, sizeof confidence, "%.17g", verdict.confidence);
    std::printf("VERIFIED %s: %.17g at confidence %s (%s, %ld bits)\n", in.record.subject.c_str(),
                verdict.value, confidence,
                (kind == "best" ? kind + ": " + in.record.chosen : kind).c_str(),
                static_cast<long>(bits));
    for (const std::string& sentence : in.record.assumptions)
      std::printf("  assuming: %s\n", sentence.c_str());
    if (!verdict.more.empty())
      std::printf("  assuming, for what rounding costs: %s\n", verdict.more.c_str());
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
  verify::Options options;
  if (!verify::parse(count, words, options)) {
    std::fputs(verify::usage, stderr);
    return 2;
  }
  return verify::run(options);
}
