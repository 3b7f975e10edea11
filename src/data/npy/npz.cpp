#include "data/npz.hpp"

#include <algorithm>

#include "core/file.hpp"
#include "core/memory.hpp"
#include "core/text.hpp"
#include "data/formats.hpp"
#include "data/npy.hpp"
#include "loopcert/core/error.hpp"
#include "npy/zip.hpp"

namespace loopcert {
namespace {

constexpr std::string_view extension = ".npy";

NamedArrays parse_members(std::string_view bytes, const std::vector<std::string>* wanted) {
  NamedArrays arrays;
  std::vector<std::string> others;
  double held = 0;  // bytes
  for (const ZipMember& member : zip_directory(bytes)) {
    const std::string& name = member.name;
    const bool is_array = name.ends_with(extension) && name.size() > extension.size();
    const std::string array_name = is_array ? name.substr(0, name.size() - extension.size()) : name;
    if (wanted && std::find(wanted->begin(), wanted->end(), array_name) == wanted->end()) {
      others.push_back(array_name);
      continue;
    }
    if (!is_array) throw InputError(name + ": no array (NAME.npy)");
    check_memory(name, held + 2.0 * static_cast<double>(member.size), memory_limit());
    std::string buffer;
    const std::string_view content = unpack(member, buffer);
    Array array = at_place(name, [&] { return parse_npy(content); });
    held += 8.0 * static_cast<double>(array.values.size());
    arrays.emplace(array_name, std::move(array));
  }
  if (wanted && arrays.empty()) throw InputError(missing_variables_text(*wanted, others));
  return arrays;
}

}  // namespace

std::string missing_variables_text(const std::vector<std::string>& wanted,
                                   std::vector<std::string> found) {
  constexpr size_t most = 12;
  for (std::string& name : found) name = one_line(name);
  const std::string guess = did_you_mean(wanted[0], found);
  if (found.size() > most) {
    found.resize(most);
    found.push_back("...");
  }
  std::string text =
      "variables: " +
      (wanted.size() <= 2 ? "no " + join(wanted, " and no ") : "none of " + join(wanted)) +
      (found.empty() ? ", the file contains none" : " among " + join(found) + guess);
  // Trajectories, not the many arrays of a controller.
  if (!found.empty() && wanted.size() <= 2) {
    text += "; data.variables in the problem file says which are meant: { ";
    text += (wanted.size() == 2 ? "x = \"...\", u = \"...\"" : "w = \"...\"");
    text += " }";
  }
  return text;
}

NamedArrays parse_npz(std::string_view bytes) { return parse_members(bytes, nullptr); }

std::string format_npz(const NamedArrays& arrays) {
  ZipWriter writer;
  for (const auto& [name, array] : arrays) {
    if (name.empty()) throw_input_error("array name", "none", "one");
    writer.add(name + std::string(extension), format_npy(array));
  }
  return writer.finish();
}

NamedArrays read_npz(const std::filesystem::path& path) {
  const std::string bytes = read_file(path, largest_zip);
  return at_place(path.string(), [&] { return parse_npz(bytes); });
}

NamedArrays read_npz(const std::filesystem::path& path, const std::vector<std::string>& wanted) {
  const std::string bytes = read_file(path, largest_zip);
  return at_place(path.string(), [&] { return parse_members(bytes, &wanted); });
}

void write_npz(const std::filesystem::path& path, const NamedArrays& arrays) {
  write_file(path, at_place(path.string(), [&] { return format_npz(arrays); }));
}

ArrayFormat npz_format() {
  return {.extension = ".npz", .read_named = read_npz, .write_named = write_npz};
}

}  // namespace loopcert
