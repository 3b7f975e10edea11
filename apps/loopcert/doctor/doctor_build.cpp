#include <fmt/format.h>
#include <toml++/impl/version.h>
#include <zlib.h>

#include <CLI/Version.hpp>
#include <Eigen/Core>
#include <boost/version.hpp>

#include "core/text.hpp"
#include "doctor/doctor_checks.hpp"
#include "loopcert/core/version.hpp"

#if LOOPCERT_HAS_SQLITE
#include <sqlite3.h>
#endif

namespace loopcert::app {
namespace {

std::string compiler() {
#if defined(__clang__)
  return std::string("Clang ") + __clang_version__;
#else
  return std::string("GCC ") + __VERSION__;
#endif
}

struct Library {
  std::string name;
  std::string compiled;  // version of the headers
  std::string loaded;    // version of the shared library
};

std::string dotted(int major, int minor, int patch) {
  return fmt::format("{}.{}.{}", major, minor, patch);
}

std::vector<Library> libraries() {
  const auto header = [](const char* name, const std::string& version) {
    return Library{name, version, version};
  };
  std::vector<Library> all = {
      header("Eigen", dotted(EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)),
      header("Boost",
             dotted(BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100)),
      header("fmt", dotted(FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100)),
      header("nlohmann-json", dotted(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR,
                                     NLOHMANN_JSON_VERSION_PATCH)),
      header("toml++", dotted(TOML_LIB_MAJOR, TOML_LIB_MINOR, TOML_LIB_PATCH)),
      header("CLI11", CLI11_VERSION),
      {"zlib", ZLIB_VERSION, zlibVersion()},
  };
#if LOOPCERT_HAS_SQLITE
  all.push_back({"SQLite", SQLITE_VERSION, sqlite3_libversion()});
#endif
  return all;
}

}  // namespace

Finding look_at_build() {
  const bool native = LOOPCERT_NATIVE_BUILD;
  const std::string config = LOOPCERT_BUILD_CONFIG;
#ifdef __OPTIMIZE__
  const bool optimized = true;
#else
  const bool optimized = false;
#endif
  Finding finding{
      Verdict::ok,
      fmt::format("loopcert {}, {}, {} build for {}", version, compiler(), config,
                  native ? "the machine that built it" : "any machine of its architecture"),
      {{"version", version},
       {"compiler", compiler()},
       {"configuration", config},
       {"native", native},
       {"optimized", optimized}}};
  if (!optimized) {
    finding.verdict = Verdict::note;
    finding.text += "; not optimized, so everything is slow";
  }
  return finding;
}

Finding look_at_libraries() {
  Finding finding{Verdict::ok, ""};
  std::vector<std::string> words;
  for (const Library& library : libraries()) {
    words.push_back(library.name + " " + library.compiled);
    if (library.loaded != library.compiled) {
      finding.verdict = Verdict::note;
      words.back() += " (loaded: " + library.loaded + ")";
    }
    finding.data[library.name] = {{"compiled", library.compiled}, {"loaded", library.loaded}};
  }
  finding.text = join(words);
  return finding;
}

}  // namespace loopcert::app
