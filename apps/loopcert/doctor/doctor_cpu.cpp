#include <fstream>
#include <string_view>

#include "core/text.hpp"
#include "doctor/doctor_checks.hpp"

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

// What the compiler was allowed to use.
constexpr std::string_view built_for =
    " "
#ifdef __SSE4_2__
    "sse4.2 "
#endif
#ifdef __AVX__
    "avx "
#endif
#ifdef __AVX2__
    "avx2 "
#endif
#ifdef __FMA__
    "fma "
#endif
#ifdef __AVX512F__
    "avx512f "
#endif
#ifdef __AVX512DQ__
    "avx512dq "
#endif
#ifdef __ARM_NEON
    "neon "
#endif
    ;

// The units that Eigen's kernels use.
std::vector<Feature> features() {
  const auto feature = [](const std::string& name, bool here) {
    return Feature{name, here, built_for.find(" " + name + " ") != std::string_view::npos};
  };
#if defined(__x86_64__) || defined(__i386__)
  __builtin_cpu_init();
  return {feature("sse4.2", __builtin_cpu_supports("sse4.2") != 0),
          feature("avx", __builtin_cpu_supports("avx") != 0),
          feature("avx2", __builtin_cpu_supports("avx2") != 0),
          feature("fma", __builtin_cpu_supports("fma") != 0),
          feature("avx512f", __builtin_cpu_supports("avx512f") != 0),
          feature("avx512dq", __builtin_cpu_supports("avx512dq") != 0)};
#elif defined(__aarch64__)
  return {feature("neon", true)};
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
