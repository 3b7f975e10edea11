// The quick reference: short topics with codes, which messages name.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/failure.hpp"

namespace loopcert::app {

struct Topic {
  struct Entry {
    std::string name, text;
  };
  std::string code;   // "P3"
  std::string title;  // "[cost]"
  std::vector<Entry> entries;
  std::string document;  // where there is more: "docs/problem-file.md"
};

// In the order of the page: commands, the sections of a problem file, log files, methods, kinds of
// certificates, exit statuses.
std::vector<Topic> topics(const CLI::App& program);

// docs/quick-reference.md.
std::string quick_reference(const CLI::App& program);
// One of them, for a terminal.
std::string topic_text(const Topic& topic);

// What a failure is about; nothing where no topic helps.
std::optional<std::string> topic_of(ExitStatus status, std::string_view message);

}  // namespace loopcert::app
