#include "support.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "loopcert/core/error.hpp"
#include "loopcert/problem/problem.hpp"
#include "problem/problem_json.hpp"

namespace loopcert::fuzz {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct Folder {
  fs::path path;

  Folder() {
    std::string name = (fs::temp_directory_path() / "loopcert-fuzz-XXXXXX").string();
    require(::mkdtemp(name.data()) != nullptr, "there is a folder for temporary files");
    path = name;
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
};

bool is_large(const json& problem) {
  constexpr double longest = 20, widest = 200, hopeless = 1e6;
  const auto horizon = problem.find("horizon");
  if (horizon == problem.end() || !horizon->is_number()) return false;
  const double T = horizon->get<double>();
  if (!(T >= 1) || T >= hopeless) return false;
  double states = 1;
  const auto system = problem.find("system");
  if (system != problem.end() && system->is_object() && system->contains("A")) {
    const json& A = (*system)["A"];
    states = std::max<double>(states, static_cast<double>(A.size()));
    if (A.is_array() && !A.empty())
      states = std::max<double>(states, static_cast<double>(A[0].size()));
  }
  return T > longest || states * (T + 1) > widest;
}

}  // namespace

constexpr size_t longest_message = 4096;

void check_message(const std::string& message) {
  const auto control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
  const bool printable = std::none_of(message.begin(), message.end(), control);
  if (printable && !message.empty() && message.size() <= longest_message) return;
  std::fprintf(stderr, "message: %s\n", message.c_str());
  require(!message.empty(), "a message says something");
  require(message.size() <= longest_message, "a message is short");
  require(printable, "a message is one printable line");
}

void require(bool holds, const char* promise) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %s\n", promise);
  std::abort();
}

bool accepted(const std::function<void()>& action) {
  try {
    action();
    return true;
  } catch (const InputError& error) {
    check_message(error.what());
    return false;
  }
}

const fs::path& scratch_folder() {
  static const Folder folder;
  return folder.path;
}

fs::path scratch_file(const std::string& name, Bytes bytes) {
  const fs::path path = scratch_folder() / name;
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  require(file.good(), "temporary files can be written");
  return path;
}

bool has_large_problem(const json& tree) {
  if (tree.is_object() && is_large(tree)) return true;
  return tree.is_structured() && std::any_of(tree.begin(), tree.end(), has_large_problem);
}

void read_as_problem(const json& tree) {
  if (has_large_problem(tree)) return;
  std::optional<Problem> problem;
  if (!accepted([&] { problem = problem_from_json(tree); })) return;
  const json again = problem_to_json(*problem);
  require(problem_to_json(problem_from_json(again)) == again, "a problem reads back as itself");
}

}  // namespace loopcert::fuzz
