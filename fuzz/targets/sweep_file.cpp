#include <nlohmann/json.hpp>

#include "../fixture.hpp"
#include "../targets.hpp"
#include "problem/problem_json.hpp"
#include "problem/tree_file.hpp"
#include "sweeps/sweep.hpp"

namespace loopcert::fuzz {

void sweep_file(Bytes bytes) {
  // A million jobs are allowed; to name each takes longer than a target may.
  constexpr size_t most_jobs = 2000;
  scratch_file("problem.json", problem_to_json(small_problem("pac-bayes", "data-driven")).dump());
  const auto path = scratch_file(bytes.starts_with('{') ? "sweep.json" : "sweep.toml", bytes);
  Sweep sweep;
  if (!accepted([&] { sweep = read_sweep(path); })) return;
  const size_t most =
      sweep.problems.size() * sweep.methods.size() * sweep.n.size() * sweep.seeds.size();
  if (most * std::max<size_t>(sweep.certificates.size(), 1) > most_jobs) return;
  accepted([&] { list_jobs(sweep); });
}

}  // namespace loopcert::fuzz
