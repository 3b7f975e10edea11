#include "problem/tree_file.hpp"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "core/file.hpp"
#include "core/json.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {

nlohmann::json read_tree(const std::filesystem::path& path) {
  constexpr std::uintmax_t largest = std::uintmax_t{64} << 20;
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (extension != ".toml" && extension != ".json")
    throw_input_error(path.string(),
                      extension.empty() ? "no extension" : "the extension " + extension,
                      ".toml or .json");
  const std::string text = read_file(path, largest);
  return at_place(path.string(),
                  [&] { return extension == ".toml" ? tree_from_toml(text) : parse_json(text); });
}

}  // namespace loopcert
