// What the fuzz targets share. A target hands bytes to a reader of the library. Bytes that are
// refused must be refused with an InputError of one printable line; anything else (another
// exception, a broken promise, a sanitizer's report) ends the process.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace loopcert::fuzz {

using Bytes = std::string_view;

// Runs `action`. False: it threw an InputError, whose message was looked at.
bool accepted(const std::function<void()>& action);

// Ends the process unless the message is one short printable line.
void check_message(const std::string& message);

// Ends the process, naming the promise, unless it holds.
void require(bool holds, const char* promise);

// A folder of this process, empty at first and removed at its end.
const std::filesystem::path& scratch_folder();
std::filesystem::path scratch_file(const std::string& name, Bytes bytes);

// Somewhere in the tree is a problem that is honestly large: a few bytes may ask for a horizon
// whose matrices take minutes. Targets leave these out; what no memory could hold is let through,
// because that must be refused at once.
bool has_large_problem(const nlohmann::json& tree);

// Reads the tree as a problem and, if it is one, through its own JSON back.
void read_as_problem(const nlohmann::json& tree);

}  // namespace loopcert::fuzz
