#include "cli/topics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "certificate/certificate_choice.hpp"
#include "certificate/fixed_response.hpp"
#include "cli/certificate_output.hpp"
#include "cli/groups.hpp"
#include "core/text.hpp"
#include "learning/learn_method.hpp"
#include "loopcert/measurement/measure.hpp"
#include "loopcert/problem/problem.hpp"
#include "problem/help_topic.hpp"
#include "problem/names.hpp"

namespace loopcert::app {

std::vector<Topic> problem_topics();  // topics_problem.cpp

namespace {

using Names = std::vector<std::string>;

Topic command_topic(const CLI::App& program) {
  Topic topic{"C", "Commands", {}, "docs/problem-file.md#commands"};
  for (const CommandGroup& group : command_groups(program))
    for (const CLI::App* command : group.commands)
      topic.entries.push_back({command->get_name(), command->get_description()});
  return topic;
}

Topic log_topic() {
  return {"D",
          "Log files and trajectories",
          {{".csv",
            "a header of names, then numbers; , ; or tabs; a row for each step with "
            "data.layout = \"long\", else one for each episode; ends with a line end"},
           {".npy, .npz, .mat, .h5", "arrays x (n x T+1 x n_x) and u (n x T x n_u), or w"},
           {"--rollouts", "logged states and inputs; disturbances follow from the model"},
           {"--data", "disturbances themselves: x_0, w_0, ..., w_{T-1} in a row"},
           {"--sample N", "draws from disturbance.covariance"},
           {"refused",
            "NaN, Inf, lost or repeated rows, the same episode twice, axes that could "
            "be meant in two ways"},
           {"start", "loopcert init LOGS writes [data] for you"}},
          "docs/data.md"};
}

Names without(const Names& all, const Names& others) {
  Names left;
  for (const std::string& name : all)
    if (std::find(others.begin(), others.end(), name) == others.end()) left.push_back(name);
  return left;
}

Names starting(const Names& all, std::string_view start) {
  Names found;
  for (const std::string& name : all)
    if (name.starts_with(start)) found.push_back(name);
  return found;
}

Topic kind_topic() {
  const Names learned = certificate_names(), fixed = fixed_certificate_names();
  const Names cross = starting(learned, "cross"), held = starting(fixed, "hold-out");
  const Names compared = starting(fixed, "improvement");
  const Names assumed = starting(fixed, "assumed");
  Names others = without(without(without(learned, cross), held), assumed);
  others = without(others, {"best", "identified"});
  return {"K",
          "Kinds of certificates",
          {{"best", "every kind that the assumptions allow, delta shared; learn and certify"},
           {join(others), "learn with a PAC-Bayes method: one bound for all posteriors"},
           {join(held), "learn, from a part of the data, or certify"},
           {join(cross), "learn, from all data: the mean over folds"},
           {join(assumed), "learn or certify, without data"},
           {join(compared), "certify: the difference to a baseline"},
           {"identified, identified-average", "a plant or a colour that is identified"},
           {join(limits_kind_names()), "limits.kind: how surely [limits] hold"},
           {join(measured_kind_names()), "measure: from costs alone"}},
          "docs/certificates.md"};
}

Topic method_topic() {
  Topic topic{"M", "Methods", {}, "docs/problem-file.md#learn"};
  topic.entries = {{"auto", "LQR unless the data show something better; with a certificate"},
                   {"start, lqr, lqg, optimum, baseline", "use no data"},
                   {"erm, ridge, shrinkage, identified", "learn from data"},
                   {"pac-bayes, oracle-pac-bayes", "minimize a certificate"},
                   {"guaranteed", "with system.identify: the smallest bound over all plants"}};
  return topic;
}

Topic status_topic() {
  return {"E",
          "Exit statuses",
          {{"0", "done"},
           {"1", "numerical failure, limits that nothing keeps, or interrupted"},
           {"2", "bad usage: command, option, value"},
           {"3", "bad input: file, key or row, found, expected"},
           {"4", "recheck rejects, or watch rejects a claim"},
           {"6", "a file could not be written"}},
          "docs/problem-file.md#exit-statuses"};
}

}  // namespace

std::vector<Topic> topics(const CLI::App& program) {
  std::vector<Topic> all = {command_topic(program)};
  for (Topic& topic : problem_topics()) all.push_back(std::move(topic));
  for (Topic (*make)() : {log_topic, method_topic, kind_topic, status_topic}) all.push_back(make());
  return all;
}

std::string topic_text(const Topic& topic) {
  size_t width = 0;
  for (const Topic::Entry& entry : topic.entries)
    if (entry.name.size() <= 30) width = std::max(width, entry.name.size());
  std::string text = topic.code + "  " + topic.title + " (" + topic.document + ")\n";
  for (const Topic::Entry& entry : topic.entries)
    text += entry.name.size() <= width
                ? fmt::format("  {:<{}}  {}\n", entry.name, width, entry.text)
                : fmt::format("  {}\n  {:<{}}  {}\n", entry.name, "", width, entry.text);
  return text;
}

std::string quick_reference(const CLI::App& program) {
  std::string text =
      "# Quick reference\n\n"
      "Every topic has a code. A message that ends in `(help P3)` is explained by topic P3, here "
      "and by\n"
      "`loopcert help P3`. This page is what `loopcert help --reference` prints; a test compares "
      "them.\n";
  for (const Topic& topic : topics(program)) {
    text += fmt::format("\n## {}: {}\n\n", topic.code, topic.title);
    text += "| | |\n|---|---|\n";
    for (const Topic::Entry& entry : topic.entries) {
      std::string words = entry.text;
      for (size_t at = 0; (at = words.find('|', at)) != words.npos; at += 2) words.insert(at, "\\");
      text += fmt::format("| `{}` | {} |\n", entry.name, words);
    }
    std::string link = topic.document.substr(std::string("docs/").size());
    text += fmt::format("\n[More]({}).\n", link);
  }
  return text;
}

std::optional<std::string> topic_of(ExitStatus status, std::string_view message) {
  if (status == exit_usage) {
    if (message.ends_with("--help)")) return std::nullopt;  // says already where to look
    if (message.starts_with("--certificate")) return "K";
    if (message.starts_with("--method") || message.starts_with("--compare")) return "M";
    return "C";
  }
  return status == exit_input ? help_topic(message) : std::nullopt;
}

}  // namespace loopcert::app
