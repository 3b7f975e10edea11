#include <fmt/format.h>

#include <fstream>

#include "doctor_checks.hpp"
#include "loopcert/core/text.hpp"

namespace loopcert::app {
namespace {

std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name"))
      if (const size_t colon = line.find(": "); colon != std::string::npos)
        return line.substr(colon + 2);
  return "unknown model";
}

struct Feature {
  std::string name;
  bool here;  // this CPU has it
  bool used;  // this program was compiled for it
};

// The units that Eigen's kernels use.
std::vector<Feature> features() {
#if defined(__x86_64__) || defined(__i386__)
  // The macros say what the compiler was allowed to use.
  constexpr bool sse42 =
#ifdef __SSE4_2__
      true;
#else
      false;
#endif
  constexpr bool avx =
#ifdef __AVX__
      true;
#else
      false;
#endif
  constexpr bool avx2 =
#ifdef __AVX2__
      true;
#else
      false;
#endif
  constexpr bool fma =
#ifdef __FMA__
      true;
#else
      false;
#endif
  constexpr bool avx512f =
#ifdef __AVX512F__
      true;
#else
      false;
#endif
  constexpr bool avx512dq =
#ifdef __AVX512DQ__
      true;
#else
      false;
#endif
  __builtin_cpu_init();
  return {{"sse4.2", __builtin_cpu_supports("sse4.2") != 0, sse42},
          {"avx", __builtin_cpu_supports("avx") != 0, avx},
          {"avx2", __builtin_cpu_supports("avx2") != 0, avx2},
          {"fma", __builtin_cpu_supports("fma") != 0, fma},
          {"avx512f", __builtin_cpu_supports("avx512f") != 0, avx512f},
          {"avx512dq", __builtin_cpu_supports("avx512dq") != 0, avx512dq}};
#elif defined(__aarch64__)
  return {{"neon", true, true}};
#else
  return {};
#endif
}

}  // namespace

Finding look_at_cpu() {
  const std::string model = cpu_model();
  return {Verdict::ok, model, {{"model", model}}};
}

Finding look_at_vector_units() {
  std::vector<std::string> here, used, idle, missing;
  for (const Feature& feature : features()) {
    if (feature.here) here.push_back(feature.name);
    if (feature.used) used.push_back(feature.name);
    if (feature.here && !feature.used) idle.push_back(feature.name);
    if (feature.used && !feature.here) missing.push_back(feature.name);
  }
  const auto listed = [](const std::vector<std::string>& names) {
    return names.empty() ? std::string("none") : join(names, " ");
  };
  Finding finding{Verdict::ok,
                  "the CPU has " + listed(here) + "; this build uses ",
                  {{"cpu", here}, {"build", used}}};
  finding.text += idle.empty() && missing.empty() ? "all of them" : listed(used);
  if (!idle.empty()) {
    finding.verdict = Verdict::note;
    finding.text += "; a build on this machine with LOOPCERT_NATIVE=ON would be faster";
  }
  if (!missing.empty()) {
    finding.verdict = Verdict::problem;
    finding.text += "; the CPU lacks " + listed(missing) + ": build the preset portable";
  }
  return finding;
}

}  // namespace loopcert::app
