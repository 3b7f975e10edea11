// What a GPU does to learning. Each part is a process of its own (bench/gpu/run); a line of JSON on
// stdout for every number.
//
//   gpu info
//   gpu product SIZE...               the device's own matrix product, in its memory
//   gpu equal  NX NU T                value, gradients and learning beside the processor's
//   gpu evaluate NX NU T [SETTING...] value with gradient, once more with each LOOPCERT_GPU_SETTING
//   gpu learn NX NU T TOLERANCE       whole runs
//   gpu minimizers NX NU T            ERM and ridge, beside the processor's
//   gpu many COUNT CHECKED [SHAPE...] the paper's p = 110 from so many data sets, runs a second; so
//                                     many of them are learned by the processor as well; SHAPE:
//                                     THREADS,BLOCKS beside the usual ones
//
// LOCK in the environment: a file that is locked while the device is used, so that processes may
// prepare their problems beside each other.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/parallel.hpp"
#include "evaluation_work.hpp"
#include "learning/backend.hpp"
#include "learning/learn_many.hpp"
#include "learning/minimizers.hpp"
#include "learning/pac_bayes.hpp"
#include "learning_problem.hpp"
#include "loopcert/core/error.hpp"
#include "random_problem.hpp"
#include "sizes.hpp"

namespace loopcert::bench {
namespace {

using Json = nlohmann::json;

double now() {
  const auto since = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(since).count();
}

void say(const Json& line) {
  fmt::print("{}\n", line.dump());
  std::fflush(stdout);
}
void remark(const std::string& text) {
  fmt::print(stderr, "[{:.1f}] {}\n", now(), text);
  std::fflush(stderr);
}

// Until the end of the process.
void lock_device() {
  static bool locked = false;
  const char* name = std::getenv("LOCK");
  if (!name || locked) return;
  const int file = ::open(name, O_CREAT | O_RDWR, 0666);
  locked = file >= 0 && ::flock(file, LOCK_EX) == 0;
}

std::shared_ptr<Device> open() {
  lock_device();
  const double start = now();
  std::string why;
  std::shared_ptr<Device> device = take_device(&why);
  if (!device) throw NumericsError("no GPU: " + why);
  remark(fmt::format("{} opened in {:.3f} s, {:.1f} GiB free", device->name(), now() - start,
                     device->free_bytes() * 0x1p-30));
  return device;
}

double product_rate(Device& device, Index size) {
  double seconds = 0;
  device.check(device.call().product_seconds(device.handle(), size, 5, &seconds));
  return 2 * std::pow(static_cast<double>(size), 3) / seconds;
}

LearningProblem problem_of(const Sizes& sizes) {
  const double start = now();
  LearningProblem problem = learning_problem(random_system(sizes, 1), trajectories(sizes), 1);
  remark(fmt::format("p = {} (d_u {}, d_w {}) prepared in {:.1f} s", parameters(sizes), sizes.d_u(),
                     sizes.d_w(), now() - start));
  return problem;
}

Posterior some_posterior(const LearningProblem& problem) {
  const CausalPattern& pattern = problem.space.coordinates.pattern;
  const Index p = pattern.count();
  const Vector mean = 0.1 * standard_normal_rows({1, 5}, 0, 1, p).transpose();
  return {unpack(pattern, mean), unpack(pattern, Vector::Constant(p, 1e-2)), nullptr};
}

double apart(const Matrix& a, const Matrix& b) { return (a - b).norm() / b.norm(); }

void run_info() {
  const FoundDevice found = find_device();
  say({{"part", "info"},
       {"found", found.found},
       {"name", found.name},
       {"plugin", found.plugin},
       {"why", found.why},
       {"memory", found.memory_bytes},
       {"free", found.free_bytes},
       {"threads", default_threads()}});
}

void run_product(const std::vector<Index>& sizes) {
  const std::shared_ptr<Device> device = open();
  for (const Index size : sizes)
    say({{"part", "product"}, {"size", size}, {"tflops", product_rate(*device, size) * 1e-12}});
}

void run_equal(const Sizes& sizes) {
  const LearningProblem problem = problem_of(sizes);
  const std::shared_ptr<Device> device = open();
  const std::unique_ptr<Backend> gpu = gpu_backend(device, default_threads()),
                                 cpu = cpu_backend(default_threads());
  const QuadraticForm& form = problem.space.cost;
  const auto far = gpu->hold(form, problem.inputs, problem.prior, nullptr);
  const auto near = cpu->hold(form, problem.inputs, problem.prior, nullptr);
  const Posterior at = some_posterior(problem);
  MomentGradient found, expected;
  const BoundValue there = far->evaluate(at, &found), here = near->evaluate(at, &expected);
  Json line = {{"part", "equal"}, {"p", parameters(sizes)}};
  const auto relative = [](double a, double b) { return std::abs(a - b) / std::abs(b); };
  line["bound"] = relative(there.value, here.value);
  line["C"] = relative(there.C, here.C);
  line["kl"] = relative(there.kl, here.kl);
  line["empirical"] = relative(there.empirical, here.empirical);
  line["d_mean"] = apart(found.d_mean, expected.d_mean);
  line["d_variance"] = apart(found.d_variance, expected.d_variance);
  MomentGradient again;
  far->evaluate(at, &again);
  line["same_bits"] =
      std::memcmp(again.d_mean.data(), found.d_mean.data(),
                  sizeof(double) * static_cast<std::size_t>(found.d_mean.size())) == 0;
  say(line);

  const Index size = 2 * form.p();
  const Held x = gpu->vectors().make(size), g = gpu->vectors().make(size);
  const Held y = cpu->vectors().make(size), h = cpu->vectors().make(size);
  far->start_at(at, there, there.value, *x);
  near->start_at(at, there, there.value, *y);
  const Vector away = cpu->vectors().read(*y) + 0.1 * Vector::LinSpaced(size, -1, 1);
  gpu->vectors().write(away, *x);
  cpu->vectors().write(away, *y);
  const BoundValue moved_there = far->evaluate(*x, *g), moved_here = near->evaluate(*y, *h);
  say({{"part", "equal coordinates"},
       {"p", parameters(sizes)},
       {"bound", relative(moved_there.value, moved_here.value)},
       {"gradient", apart(gpu->vectors().read(*g), cpu->vectors().read(*h))},
       {"mean", apart(far->posterior(*x).mean, near->posterior(*y).mean)}});

  PacBayesOptions options;
  options.gradient_tolerance = 1e-6;
  Json learned = {{"part", "equal learning"}, {"p", parameters(sizes)}};
  double bounds[2] = {};
  for (const bool on_gpu : {true, false}) {
    options.backend = on_gpu ? gpu.get() : cpu.get();
    const double start = now();
    const PacBayesResult r = minimize_bound(form, problem.inputs, problem.prior, options);
    bounds[on_gpu ? 0 : 1] = r.bound.value;
    learned[on_gpu ? "gpu" : "cpu"] = {
        {"seconds", now() - start},     {"iterations", r.iterations},
        {"evaluations", r.evaluations}, {"bound", r.bound.value},
        {"gradient", r.gradient_norm},  {"status", solver_status_name(r.status)}};
  }
  learned["bound"] = relative(bounds[0], bounds[1]);
  say(learned);
}

// One problem in a device's memory: its bound in its own coordinates (variances are refined on the
// way), and in those of the optimizer.
class Evaluation {
 public:
  Evaluation(std::shared_ptr<Device> device, const LearningProblem& problem)
      : device_(std::move(device)),
        problem_(problem),
        gpu_(gpu_backend(device_, 1)),
        at_(some_posterior(problem)) {
    const QuadraticForm& form = problem.space.cost;
    held_ = gpu_->hold(form, problem.inputs, problem.prior, nullptr);
    x_ = gpu_->vectors().make(2 * form.p());
    gradient_ = gpu_->vectors().make(2 * form.p());
    const BoundValue bound = held_->evaluate(at_);
    held_->start_at(at_, bound, bound.value, *x_);
    refine(3);
  }
  double rate() { return product_rate(*device_, problem_.space.cost.p() < 10'000 ? 256 : 8192); }
  double seconds(int few, int many) { return (refine(many) - refine(few)) / (many - few); }
  double seconds_in_coordinates(int count) {
    const double start = now();
    for (int i = 0; i < count; ++i) held_->evaluate(*x_, *gradient_);
    gpu_->vectors().dot(*gradient_, *gradient_);
    return (now() - start) / count;
  }

 private:
  double refine(int steps) {
    const CausalPattern& pattern = problem_.space.cost.pattern;
    const Matrix of_prior = unpack(pattern, Vector::Constant(pattern.count(), 1.0));
    Posterior here = at_;
    const double begin = now();
    held_->refine_variance(pattern, problem_.inputs.n, of_prior, here, steps);
    return now() - begin;
  }

  std::shared_ptr<Device> device_;
  const LearningProblem& problem_;
  std::unique_ptr<Backend> gpu_;
  Posterior at_;
  std::unique_ptr<HeldBound> held_;
  Held x_, gradient_;
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// `settings`: NAME=VALUE for LOOPCERT_GPU_NAME, each on a device opened for it, beside the usual
// ones. They take turns: the device's rate changes as it gets warm.
void run_evaluate(const Sizes& sizes, std::vector<std::string> settings) {
  const LearningProblem problem = problem_of(sizes);
  settings.insert(settings.begin(), "");
  std::vector<std::unique_ptr<Evaluation>> all;
  for (const std::string& setting : settings) {
    const std::size_t at = setting.find('=');
    const std::string name = "LOOPCERT_GPU_" + setting.substr(0, at);
    if (!setting.empty()) ::setenv(name.c_str(), setting.substr(at + 1).c_str(), 1);
    all.push_back(std::make_unique<Evaluation>(open(), problem));
    if (!setting.empty()) ::unsetenv(name.c_str());
  }
  const bool small = parameters(sizes) < 2'000'000;
  const int few = small ? 10 : 3, many = small ? 60 : 13, rounds = 5;
  const double flops = evaluation_flops(sizes);
  std::vector<std::vector<double>> seconds(all.size()), steps(all.size()), rates(all.size()),
      shares(all.size());
  for (int round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < all.size(); ++i) {
      rates[i].push_back(all[i]->rate());
      seconds[i].push_back(all[i]->seconds(few, many));
      steps[i].push_back(all[i]->seconds_in_coordinates(few));
      shares[i].push_back(flops / seconds[i].back() / rates[i].back());
    }
  for (std::size_t i = 0; i < all.size(); ++i)
    say({{"part", "evaluate"},
         {"p", parameters(sizes)},
         {"d_u", sizes.d_u()},
         {"d_w", sizes.d_w()},
         {"ms", 1e3 * median(seconds[i])},
         {"ms_least", 1e3 * *std::min_element(seconds[i].begin(), seconds[i].end())},
         {"ms_in_coordinates", 1e3 * median(steps[i])},
         {"flops", flops},
         {"tflops", flops / median(seconds[i]) * 1e-12},
         {"product_tflops", median(rates[i]) * 1e-12},
         {"share", median(shares[i])},
         {"settings", settings[i]}});
}

void run_learn(const Sizes& sizes, double tolerance) {
  const LearningProblem problem = problem_of(sizes);
  const std::shared_ptr<Device> device = open();
  const std::unique_ptr<Backend> gpu = gpu_backend(device, 1);
  PacBayesOptions options;
  options.gradient_tolerance = tolerance;
  options.backend = gpu.get();
  for (int run = 0; run < 3; ++run) {
    const double start = now();
    const PacBayesResult r =
        minimize_bound(problem.space.cost, problem.inputs, problem.prior, options);
    say({{"part", "learn"},
         {"run", run},
         {"p", parameters(sizes)},
         {"seconds", now() - start},
         {"iterations", r.iterations},
         {"evaluations", r.evaluations},
         {"bound", r.bound.value},
         {"gradient", r.gradient_norm},
         {"tolerance", tolerance},
         {"status", solver_status_name(r.status)}});
  }
}

// ERM and ridge of twice as many trajectories as there are disturbances; the processor beside it
// where it does not take too long.
void run_minimizers(const Sizes& sizes) {
  const ResponseSpace space = make_response_space(random_system(sizes, 1), {});
  const Matrix Sigma = white_sample_moment(sizes, 1);
  remark(fmt::format("p = {} prepared", parameters(sizes)));
  open();  // and into the pool
  const bool small = parameters(sizes) < 2'000'000;
  Json line = {{"part", "minimizers"}, {"p", parameters(sizes)}};
  Matrix erm[2], kept[2];
  for (const bool on_gpu : {true, false}) {
    if (!on_gpu && !small) break;
    const DeviceScope scope(on_gpu ? DeviceChoice::gpu : DeviceChoice::cpu);
    double of_erm = INFINITY, of_ridge = INFINITY;
    RidgeResult result;
    for (int run = 0; run < (on_gpu ? 3 : 1); ++run) {
      double start = now();
      const Minimizer found = minimize_risk(space.cost, Sigma);
      of_erm = std::min(of_erm, now() - start);
      erm[on_gpu] = found.Z;
      start = now();
      result = ridge(space.cost, Sigma, 0.01);
      of_ridge = std::min(of_ridge, now() - start);
      if (!found.left_device.empty() || !result.left_device.empty())
        throw NumericsError(found.left_device + result.left_device);
    }
    kept[on_gpu] = result.Z;
    line[on_gpu ? "gpu" : "cpu"] = {{"erm", of_erm},
                                    {"ridge", of_ridge},
                                    {"iterations", result.iterations},
                                    {"residual", result.relative_residual}};
  }
  if (small) {
    line["erm"] = apart(erm[1], erm[0]);
    line["ridge"] = apart(kept[1], kept[0]);
  }
  say(line);
}

// Data sets of the paper's double integrator: the same bound, other numbers.
void run_many(Index count, Index checked, const std::vector<std::string>& shapes) {
  const LearningProblem problem = learning_problem(double_integrator(), 10, 1);
  const QuadraticForm& form = problem.space.cost;
  std::vector<BoundInputs> inputs(static_cast<size_t>(count), problem.inputs);
  const Index d_w = problem.sizes.d_w();
  const Law law{Vector::Zero(d_w), variance * Matrix::Identity(d_w, d_w)};
  Assumptions assumptions;
  assumptions.scale_bound = variance;
  const Deltas delta{{"pac_bayes", 0.025}, {"covariance", 0.025}};
  const System system = double_integrator();
  double start = now();
  parallel_for(count, default_threads(), [&](Index i) {
    const Index n = 10 + 10 * (i % 4);
    const Evidence evidence = evidence_of(sample_disturbances(law, {7, 100 + std::uint64_t(i)}, n));
    inputs[static_cast<size_t>(i)] =
        posterior_kind("data-driven")
            .setup({system, problem.space, assumptions, evidence, delta})
            .inputs;
  });
  remark(fmt::format("{} data sets in {:.2f} s", count, now() - start));
  std::vector<const BoundInputs*> all;
  for (const BoundInputs& one : inputs) all.push_back(&one);
  const std::shared_ptr<Device> device = open();
  PacBayesOptions options;
  std::vector<std::optional<PacBayesResult>> found;
  const auto best_of = [&](int runs) {
    double best = INFINITY;
    for (int run = 0; run < runs; ++run) {
      start = now();
      found = learn_on_device(*device, form, all, problem.prior, options);
      const double took = now() - start;
      remark(fmt::format("run {}: {:.4f} s", run, took));
      best = std::min(best, took);
    }
    return best;
  };
  for (const std::string& shape : shapes) {
    ::setenv("LOOPCERT_GPU_MANY", shape.c_str(), 1);
    const double took = best_of(3);
    say({{"part", "many shape"},
         {"shape", shape},
         {"count", count},
         {"per_second", static_cast<double>(count) / took}});
  }
  ::unsetenv("LOOPCERT_GPU_MANY");
  const double seconds = best_of(4);
  Index given = 0;
  double iterations = 0, evaluations = 0;
  for (const auto& one : found) {
    if (!one) continue;
    ++given;
    iterations += one->iterations;
    evaluations += one->evaluations;
  }
  // In another order and another batch: the same bits.
  std::vector<const BoundInputs*> some(all.rend() - std::min<Index>(count, 1001), all.rend());
  const auto again = learn_on_device(*device, form, some, problem.prior, options);
  bool same_bits = true;
  for (size_t i = 0; i < again.size(); ++i) {
    const auto& other = found[again.size() - 1 - i];
    same_bits = same_bits && again[i].has_value() == other.has_value() &&
                (!other || (again[i]->bound.value == other->bound.value &&
                            again[i]->posterior.mean == other->posterior.mean &&
                            again[i]->posterior.variance == other->posterior.variance));
  }
  const Index few = std::min(checked, count);
  std::vector<PacBayesResult> expected(static_cast<size_t>(few));
  start = now();
  parallel_for(few, default_threads(), [&](Index i) {
    const auto k = static_cast<size_t>(i);
    expected[k] = minimize_bound(form, inputs[k], problem.prior, options);
  });
  const double cpu = now() - start;
  double bound = 0, mean = 0, kl = 0;
  Index iterations_apart = 0, most_apart = 0, status_apart = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    if (!found[i]) continue;
    const PacBayesResult &there = *found[i], &here = expected[i];
    bound = std::max(bound, std::abs(there.bound.value - here.bound.value) / here.bound.value);
    kl = std::max(kl, std::abs(there.bound.kl - here.bound.kl) / here.bound.kl);
    mean = std::max(mean, apart(there.posterior.mean, here.posterior.mean));
    const Index away = std::abs(there.iterations - here.iterations);
    iterations_apart += away > 0;
    most_apart = std::max(most_apart, away);
    status_apart += there.status != here.status;
  }
  say({{"part", "many"},
       {"p", form.p()},
       {"count", count},
       {"given", given},
       {"seconds", seconds},
       {"per_second", static_cast<double>(count) / seconds},
       {"iterations", iterations / static_cast<double>(given)},
       {"evaluations", evaluations / static_cast<double>(given)},
       {"same_bits", same_bits},
       {"checked", few},
       {"cpu_per_second", static_cast<double>(few) / cpu},
       {"threads", default_threads()},
       {"bound", bound},
       {"kl", kl},
       {"mean", mean},
       {"iterations_apart", iterations_apart},
       {"most_iterations_apart", most_apart},
       {"status_apart", status_apart}});
}

int run(const std::vector<std::string>& words) {
  const auto number = [&](std::size_t i) { return static_cast<Index>(std::stol(words.at(i))); };
  const auto sizes = [&] { return state_feedback(number(1), number(2), number(3)); };
  const std::string part = words.empty() ? "" : words[0];
  if (part == "info") {
    run_info();
  } else if (part == "product") {
    std::vector<Index> list;
    for (std::size_t i = 1; i < words.size(); ++i) list.push_back(number(i));
    run_product(list);
  } else if (part == "equal") {
    run_equal(sizes());
  } else if (part == "evaluate") {
    run_evaluate(sizes(), {words.begin() + 4, words.end()});
  } else if (part == "many") {
    run_many(number(1), number(2), {words.begin() + 3, words.end()});
  } else if (part == "minimizers") {
    run_minimizers(sizes());
  } else if (part == "learn") {
    run_learn(sizes(), std::stod(words.at(4)));
  } else {
    fmt::print(stderr,
               "gpu: info | product SIZE... | equal NX NU T | evaluate NX NU T [SETTING...] | "
               "learn NX NU T TOL | minimizers NX NU T | many COUNT CHECKED [SHAPE...]\n");
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace loopcert::bench

int main(int argc, char** argv) {
  try {
    return loopcert::bench::run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "gpu: {}\n", error.what());
    return 1;
  }
}
