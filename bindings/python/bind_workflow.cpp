// Room workflow: learn, certify, sample, logs to disturbances, what holds after the horizon.
#include "bind.hpp"
#include "certificate/certificate_choice.hpp"
#include "certificate/record_json.hpp"
#include "controller/fit.hpp"
#include "data/fingerprint.hpp"
#include "learn_state.hpp"
#include "limits_state.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/core/rounded.hpp"
#include "loopcert/data/trajectory_files.hpp"
#include "problem/problem_json.hpp"
#include "workflow/after_run.hpp"
#include "workflow/certify_run.hpp"
#include "workflow/custom_prior.hpp"
#include "workflow/freshness.hpp"
#include "workflow/known_episodes.hpp"
#include "workflow/learn_run.hpp"
#include "workflow/overrides.hpp"
#include "workflow/sampling.hpp"

namespace loopcert::python {
namespace {

using Step = std::function<bool(const LearningStep&)>;

// Signals are looked at between steps, and at every report of progress.
LearnCallbacks callbacks_with(const Step& step, SignalCheck& signals) {
  LearnCallbacks callbacks;
  callbacks.progress = [&signals](std::string_view, Index, Index) { signals(); };
  callbacks.step = [&step, &signals](const LearningStep& now) {
    signals();
    return !step || step(now);  // a Python function takes the lock itself
  };
  return callbacks;
}

LearnRun learn_run(const Problem& problem, const Disturbances& data, const Step& step,
                   const std::vector<std::string>& compare) {
  SignalCheck signals;
  return run_learn(problem, data, callbacks_with(step, signals), compare);
}

LearnRun learn_prior_run(const Problem& problem, const Prior& prior, const Disturbances& certifying,
                         const Disturbances& seen, const Step& step) {
  SignalCheck signals;
  return learn_with_prior(problem, prior, {certifying}, seen, callbacks_with(step, signals));
}

py::tuple parts_of(Reconstruction found) {
  return py::make_tuple(std::move(found.data), to_python(residuals_to_json(found.notes)),
                        found.notes.warnings);
}

py::list pairs_of(const std::vector<Warning>& warnings) {
  py::list pairs;
  for (const Warning& w : warnings) pairs.append(py::make_tuple(w.id, w.text));
  return pairs;
}

py::object pair_of(const std::optional<LoggedCost>& cost) {
  return cost ? py::object(py::make_tuple(cost->mean, cost->standard_error)) : py::none();
}

Problem overridden(Problem problem, const std::optional<std::string>& method,
                   const std::optional<std::string>& certificate, const py::object& gamma) {
  LearningOverrides overrides{method, certificate, std::nullopt};
  if (!gamma.is_none()) {
    const nlohmann::json tree = {{"learning", {{"gamma", from_python(gamma, "gamma")}}}};
    overrides.gamma = replace_options(problem, tree).learning.gamma;
  }
  override_learning(problem, overrides);
  return problem;
}

void bind_learn_run(py::module_& module) {
  const auto certificate = [](const LearnRun& run, const std::optional<Certificate>& c) {
    return c ? to_python(certificate_to_json(*c, run.inputs)) : py::none();
  };
  py::class_<LearnRun>(module, "LearnRun", "The result of `learn`.")
      .def_readonly("method", &LearnRun::method)
      .def_readonly("n", &LearnRun::n)
      .def_readonly("p", &LearnRun::p)
      .def_readonly("controller", &LearnRun::controller)
      .def_readonly("response", &LearnRun::response)
      .def_readonly("posterior", &LearnRun::posterior)
      .def_readonly("prior_center", &LearnRun::prior_center)
      .def_readonly("empirical_cost", &LearnRun::empirical_cost)
      .def_readonly("lqr_empirical_cost", &LearnRun::lqr_empirical_cost)
      .def_readonly("population_cost", &LearnRun::population_cost)
      .def_readonly("sensitivity", &LearnRun::sensitivity)
      .def_readonly("optimal_cost", &LearnRun::optimal_cost)
      .def_readonly("lqr_cost", &LearnRun::lqr_cost)
      .def_readonly("prescient_certificate", &LearnRun::prescient_certificate)
      .def_property_readonly("warnings", [](const LearnRun& r) { return pairs_of(r.warnings); })
      .def_property_readonly("logged_cost",
                             [](const LearnRun& r) { return pair_of(r.logged_cost); })
      .def_readonly("stopped_early", &LearnRun::stopped_early)
      .def_readonly("seconds", &LearnRun::seconds)
      .def_property_readonly("details", [](const LearnRun& r) { return to_python(r.details); })
      .def_property_readonly(
          "certificate", [certificate](const LearnRun& r) { return certificate(r, r.certificate); })
      .def_property_readonly(
          "improvement", [certificate](const LearnRun& r) { return certificate(r, r.improvement); })
      .def_property_readonly("baseline",
                             [](const LearnRun& r) {
                               nlohmann::json tree = nlohmann::json::object();
                               add_baseline(tree, r.baseline);
                               if (r.improvement || r.baseline)
                                 tree["compared_with"] = r.compared_with;
                               return to_python(tree);
                             })
      .def_property_readonly("limits_certificate",
                             [](const LearnRun& r) { return limits_record(r.limits, r.inputs); })
      .def_property_readonly("limits",
                             [](const LearnRun& r) {
                               return limits_tree(r.limits, r.signals,
                                                  r.certificate ? &*r.certificate : nullptr);
                             })
      .def_property_readonly("signals", [](const LearnRun& r) { return signals_tree(r.signals); })
      .def(py::pickle(&learn_run_state, &learn_run_from_state));
}

}  // namespace

void bind_workflow(py::module_& module) {
  bind_learn_run(module);
  module.def("learn", &learn_run, py::arg("problem"), py::arg("data"), py::arg("step") = nullptr,
             py::arg("compare") = std::vector<std::string>{}, Released());
  module.def("learn_with_prior", &learn_prior_run, py::arg("problem"), py::arg("prior"),
             py::arg("certifying"), py::arg("seen"), py::arg("step") = nullptr, Released());
  module.def("override_learning", &overridden, py::arg("problem"), py::arg("method"),
             py::arg("certificate"), py::arg("gamma"),
             "The problem with another method, certificate and gamma, as on the command line.");
  module.def("confidence_text", &confidence_text, py::arg("value"));
  module.def("bound_text", &bound_text, py::arg("value"));
  module.def("certificate_names", &certificate_names,
             "Every name that `certificate` may have: kinds, their cross counterparts, best.");
  module.def(
      "learn_methods", [] { return learning_methods(); }, "Every name that `method` may have.");
  module.def(
      "sample",
      [](const Problem& problem, Index n, std::uint64_t seed, bool fresh) {
        if (n < 1) throw_input_error("n", std::to_string(n), "at least 1");
        return sample_from_law(problem, "", seed, fresh ? sample_to_simulate : sample_to_learn, n);
      },
      py::arg("problem"), py::arg("n"), py::arg("seed"), py::arg("fresh"), Released());
  module.def(
      "reconstruct",
      [](const Problem& problem, const MatrixView& x, const MatrixView& u,
         const std::optional<Matrix>& d) {
        const KnownEpisodes logs{{x, u}, d.value_or(Matrix())};
        Reconstruction found = [&] {
          const py::gil_scoped_release release;
          return reconstruct(problem, logs);
        }();
        return parts_of(std::move(found));
      },
      py::arg("problem"), py::arg("x"), py::arg("u"), py::arg("d") = py::none(),
      "w_t = x_{t+1} - A_t x_t - B_t u_t - d_t, and x_0 in front: data, residuals, warnings, "
      "logs.");
  module.def(
      "read_rollouts",
      [](const Problem& problem, const Paths& paths) {
        Reconstruction found = [&] {
          const py::gil_scoped_release release;
          return reconstruct(problem,
                             read_known_episodes(paths, problem.data, problem.system.plant));
        }();
        return parts_of(std::move(found));
      },
      py::arg("problem"), py::arg("paths"),
      "The same from files, as the problem's [data] describes them.");
  module.def(
      "check_repeated",
      [](const Disturbances& data, const Problem& problem) {
        check_repeated(data, problem.system.plant);
      },
      py::arg("data"), py::arg("problem"), Released(),
      "Raises InputError when two trajectories are one recording, up to rounding and cutting.");
  module.def("trajectories_seen", &trajectories_seen, py::arg("controller"), py::arg("data"),
             Released());

  py::class_<CertifyRun>(module, "CertifyRun")
      .def_property_readonly("certificate",
                             [](const CertifyRun& r) { return to_python(certify_run_to_json(r)); })
      .def_property_readonly("limits_certificate",
                             [](const CertifyRun& r) { return limits_record(r.limits, r.inputs); });
  module.def(
      "certify",
      [](const Problem& problem, const Controller& controller, const Disturbances& data,
         const std::string& kind, const std::optional<Controller>& baseline,
         const std::vector<std::string>& notes) {
        std::optional<NamedController> other;
        if (baseline) other = NamedController{*baseline, "baseline"};
        CertifyRun run = run_certify(problem, {controller, "controller"}, data, kind, other);
        add_notes(run.warnings, {{}, {}, notes});
        return run;
      },
      py::arg("problem"), py::arg("controller"), py::arg("data"), py::arg("kind"),
      py::arg("baseline") = py::none(), py::arg("notes") = std::vector<std::string>{}, Released());

  module.def(
      "long_run",
      [](const Problem& problem, const Controller& controller, const std::string& after,
         const Disturbances& data) -> py::object {
        check_fits("controller", controller, problem.sizes(), "the problem");
        const std::optional<AfterRun> found =
            look_after(problem, controller, after_from_name(after), data);
        return found ? to_python(after_to_json(*found)) : py::object(py::none());
      },
      py::arg("problem"), py::arg("controller"), py::arg("after"), py::arg("data"),
      "The long-run behaviour of the controller.");
  bind_evaluation(module);
  bind_drafts(module);
}

}  // namespace loopcert::python
