#include <nlohmann/json.hpp>

#include "../fixture.hpp"
#include "../targets.hpp"
#include "core/json.hpp"
#include "delivery/describe.hpp"
#include "workflow/learn_run.hpp"

namespace loopcert::fuzz {

// run.json has a method, results.json has none.
void report(Bytes bytes) {
  static const LearnRun honest = run_learn(small_problem("lqr", "hold-out"), small_data());
  nlohmann::json tree;
  if (!accepted([&] { tree = parse_json(bytes); })) return;
  RunParts parts;
  parts.record = tree;
  parts.controller = honest.controller;
  accepted([&] {
    if (tree.is_object() && tree.contains("method"))
      loopcert::report::run_page(describe_run(parts));
    else
      loopcert::report::sweep_page(describe_sweep(tree));
  });
}

}  // namespace loopcert::fuzz
