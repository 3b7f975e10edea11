// Clipping of exported C code: --clip, --limits, and what limits.json says of it.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "loopcert/core/types.hpp"

namespace loopcert::app {

struct ClipOptions {
  bool clip = false;
  std::string limits;  // LOW,HIGH
};

void add_clip(CLI::App& command, ClipOptions& options);

// LOW,HIGH for every input, else what the file of the controller says. Throws UsageError on
// anything but two numbers, InputError when --clip finds no limits.
void set_input_limits(const ClipOptions& options, const std::string& controller, Index n_u,
                      Matrix& input_limits);

// What limits.json says, as lines for a comment; nothing where there is no such file. One that is
// not about this controller, for which `check` throws InputError, is a warning.
void add_limits_remarks(const std::filesystem::path& limits, std::vector<std::string>& remarks,
                        const std::function<void(const std::filesystem::path&)>& check);

}  // namespace loopcert::app
