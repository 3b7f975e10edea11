#include "limits_state.hpp"

#include "certificate/record_json.hpp"

namespace loopcert::python {
namespace {

py::object violations_state(const std::optional<Violations>& v) {
  if (!v) return py::none();
  return py::make_tuple(v->episodes, v->rows, v->draws);
}

std::optional<Violations> violations_from(const py::handle& state) {
  if (state.is_none()) return std::nullopt;
  const auto parts = state.cast<py::tuple>();
  return Violations{parts[0].cast<double>(), parts[1].cast<Vector>(), parts[2].cast<Index>()};
}

py::tuple stated(const Limits& limits) {
  py::list rows;
  for (const LimitRow& r : limits.rows)
    rows.append(py::make_tuple(r.name, r.x, r.u, r.low, r.high, r.first, r.last));
  py::object set = py::none();
  if (limits.robust) set = py::make_tuple(limits.robust->shape, limits.robust->size);
  return py::make_tuple(rows, limits.probability, limits.each, set, limits.delta, limits.kind);
}

Limits stated_from(const py::tuple& state) {
  Limits limits;
  for (const py::handle& item : state[0]) {
    const auto r = item.cast<py::tuple>();
    limits.rows.push_back({r[0].cast<std::string>(), r[1].cast<Vector>(), r[2].cast<Vector>(),
                           r[3].cast<double>(), r[4].cast<double>(), r[5].cast<Index>(),
                           r[6].cast<Index>()});
  }
  limits.probability = state[1].cast<double>();
  limits.each = state[2].cast<bool>();
  if (!state[3].is_none()) {
    const auto set = state[3].cast<py::tuple>();
    limits.robust = BoundedSet{set[0].cast<std::string>(), set[1].cast<Vector>()};
  }
  limits.delta = state[4].cast<double>();
  limits.kind = state[5].cast<std::string>();
  return limits;
}

py::object design_state(const std::optional<LimitedMinimizer>& d) {
  if (!d) return py::none();
  return py::make_tuple(d->Z, d->cost, d->lower, d->price, d->feasible, d->worst, d->excess,
                        d->violation, d->evaluations);
}

std::optional<LimitedMinimizer> design_from(const py::handle& state) {
  if (state.is_none()) return std::nullopt;
  const auto d = state.cast<py::tuple>();
  return LimitedMinimizer{d[0].cast<Matrix>(), d[1].cast<double>(), d[2].cast<double>(),
                          d[3].cast<Vector>(), d[4].cast<bool>(),   d[5].cast<Index>(),
                          d[6].cast<double>(), d[7].cast<double>(), d[8].cast<int>()};
}

}  // namespace

py::object limits_record(const std::optional<LimitsReport>& limits, const nlohmann::json& inputs) {
  if (!limits || !limits->bound) return py::none();
  return to_python(certificate_to_json(limits->bound->certificate, inputs));
}

py::object limits_tree(const std::optional<LimitsReport>& limits, const SignalReport& signals,
                       const Certificate* cost) {
  nlohmann::json record;
  add_limits(record, limits, signals, cost);
  return to_python(record["limits"]);
}

py::object signals_tree(const SignalReport& signals) {
  nlohmann::json record;
  add_limits(record, std::nullopt, signals, nullptr);
  return to_python(record["signals"]);
}

py::tuple limits_state(const std::optional<LimitsReport>& limits) {
  if (!limits) return py::tuple();
  py::object bound = py::none();
  if (limits->bound)
    bound = py::make_tuple(to_python(certificate_to_json(limits->bound->certificate)),
                           limits->bound->rows);
  return py::make_tuple(stated(limits->limits), bound, design_state(limits->design),
                        violations_state(limits->on_data), violations_state(limits->lqr_on_data),
                        violations_state(limits->under_law),
                        violations_state(limits->lqr_under_law));
}

std::optional<LimitsReport> limits_from_state(const py::tuple& state) {
  if (state.empty()) return std::nullopt;
  LimitsReport report;
  report.limits = stated_from(state[0].cast<py::tuple>());
  if (!state[1].is_none()) {
    const auto bound = state[1].cast<py::tuple>();
    report.bound = LimitsBound{certificate_from_json(from_python(bound[0], "limits")),
                               bound[1].cast<Vector>()};
  }
  report.design = design_from(state[2]);
  report.on_data = violations_from(state[3]);
  report.lqr_on_data = violations_from(state[4]);
  report.under_law = violations_from(state[5]);
  report.lqr_under_law = violations_from(state[6]);
  return report;
}

py::tuple signals_state(const SignalReport& signals) {
  py::list sizes;
  for (const SignalSize& s : signals.sizes)
    sizes.append(py::make_tuple(s.name, s.expected, s.rms, s.level_95, s.level_99));
  return py::make_tuple(signals.from, sizes);
}

SignalReport signals_from_state(const py::tuple& state) {
  SignalReport signals;
  signals.from = state[0].cast<std::string>();
  for (const py::handle& item : state[1]) {
    const auto s = item.cast<py::tuple>();
    signals.sizes.push_back({s[0].cast<std::string>(), s[1].cast<double>(), s[2].cast<double>(),
                             s[3].cast<double>(), s[4].cast<double>()});
  }
  return signals;
}

}  // namespace loopcert::python
