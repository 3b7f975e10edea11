// main() of every benchmark: program [--quick] [output.json]
#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "core/file.hpp"
#include "measure.hpp"

namespace loopcert::bench {

using Json = nlohmann::json;

// `run` prints its tables and returns what goes to the file. Without a path:
// build/bench/<name>.json.
inline int run_program(int argc, char** argv, const std::string& name, Json (*run)(bool quick)) {
  try {
    bool quick = false;
    std::filesystem::path output = "build/bench/" + name + ".json";
    for (int i = 1; i < argc; ++i) {
      const std::string word = argv[i];
      if (word == "--quick")
        quick = true;
      else if (word.starts_with("-"))
        throw std::runtime_error("found '" + word + "', expected [--quick] [output.json]");
      else
        output = word;
    }
    const double load = load_average();
    fmt::print("load {:.1f}\n", load);
    Json json = run(quick);
    json["load"] = load;
    json["quick"] = quick;
    make_directory(output.parent_path().empty() ? "." : output.parent_path());
    write_file(output, json.dump(2) + "\n");
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", name, error.what());
    return 1;
  }
}

}  // namespace loopcert::bench
