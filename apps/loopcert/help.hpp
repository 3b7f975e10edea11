// How --help looks.
#pragma once

#include <CLI/CLI.hpp>

namespace loopcert::app {

// CLI11's layout without the lists of what excludes what: the option groups say it in words.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() {
    label("SUBCOMMAND", "COMMAND");
    column_width(26);
  }

  std::string make_description(const CLI::App* app) const override {
    return CLI::Formatter::make_description(app) + "\n";
  }

  std::string make_option_opts(const CLI::Option* option) const override {
    const std::string type = option->get_type_name();
    const std::string required =
        option->get_required() && !option->get_positional() ? " (required)" : "";
    return (type.empty() ? "" : " " + type) + required;
  }
};

}  // namespace loopcert::app
