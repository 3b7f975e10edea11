#include "verification/recheck_identified.hpp"

#include "controller/memory_controller.hpp"
#include "core/json_fields.hpp"
#include "loopcert/controller/controller_file.hpp"
#include "loopcert/core/error.hpp"
#include "recompute.hpp"
#include "workflow/identified_run.hpp"

namespace loopcert {
namespace {

using nlohmann::json;

void check_logs_of(const json& inputs, const Logs& logs) {
  check_hash("logs", logs_hash(logs), text_input(inputs, "logs_sha256"));
  json episodes = json::array();
  for (const LogEpisode& log : logs) episodes.push_back(log.steps());
  if (inputs.value("episodes", json()) != episodes)
    throw InputError("logs: the same numbers, but cut into other episodes");
}

void check_gains(const IdentifiedBound& numbers, const IdentifiedPlant& plant) {
  const LinearModel& m = plant.model;
  const size_t count = plant.loop.T > 0 ? static_cast<size_t>(plant.loop.T) : 1;
  bool fits = numbers.gains.size() == count;
  for (const Matrix& K : numbers.gains) fits = fits && K.rows() == m.n_u && K.cols() == m.n();
  if (!fits) throw InputError("inputs.identified: gains of other sizes than the plant's");
  if (plant.loop.T > 0) return;
  const bool riccati = numbers.bound == "riccati";
  const Index n = riccati ? m.n() : m.n() - m.first();
  for (const Matrix& P :
       riccati ? std::vector{numbers.P} : std::vector{numbers.reply.P, numbers.cost_gain.P}) {
    if (P.rows() != n || P.cols() != n)
      throw InputError("inputs.identified: a P of another size than the plant's");
    if (P != P.transpose()) throw InputError("inputs.identified: a P that is not symmetric");
  }
}

// controller.json beside the certificate, if there is one, has these gains.
void check_controller_of(const std::filesystem::path& certificate, const Problem& problem) {
  const std::filesystem::path path = certificate.parent_path() / "controller.json";
  if (!std::filesystem::exists(path)) return;
  at_place(path.string(), [&] {
    if (problem.model->infinite)
      check_certifies_gain(certificate, read_memory_controller(path));
    else
      check_certifies_gains(certificate, read_controller(path));
  });
}

struct Certified {
  Problem problem;
  LinearModel model;
  Gains gains;
};

Certified certified_gains(const std::filesystem::path& certificate, bool infinite) {
  Certified found{problem_of_certificate(certificate), {}, {}};
  if (!found.problem.identifies() || found.problem.model->infinite != infinite)
    throw InputError(certificate.string() +
                     ": this certificate was issued for a different controller");
  found.model = model_of(found.problem);
  found.gains = bound_from_json(field(read_record(certificate).inputs, "identified")).gains;
  const size_t count = infinite ? 1 : static_cast<size_t>(found.problem.sizes().T);
  bool fits = found.gains.size() == count;
  for (const Matrix& K : found.gains)
    fits = fits && K.rows() == found.model.n_u && K.cols() == found.model.n();
  if (!fits) throw InputError("inputs.identified.gains: of other sizes than the plant's");
  return found;
}

[[noreturn]] void throw_other_controller() {
  throw InputError("not the controller that was certified");
}

// The limits of the same gains, on the same events.
Certificate limits_again(const Problem& problem, const IdentifiedPlant& plant,
                         const IdentifiedBound& numbers, const json& inputs) {
  if (!problem.limits) throw InputError("inputs.problem: no limits to certify");
  const LimitBounds recorded = at_place("inputs.identified_limits", [&] {
    return limit_bounds_from_json(field(inputs, "identified_limits"));
  });
  const auto bounds = bound_limits_at(problem, plant, numbers.gains, recorded);
  if (!bounds) throw InputError("inputs.identified_limits: the numbers prove no bound");
  return limits_certificate(problem, plant, *bounds);
}

Verification reject(const std::string& reason) { return {false, reason, {}, {}}; }

}  // namespace

void check_certifies_gain(const std::filesystem::path& certificate,
                          const MemoryController& controller) {
  const Certified found = certified_gains(certificate, true);
  const MemoryController own = memory_controller_of(found.model, found.gains[0]);
  if (controller.outputs != own.outputs || controller.n_y != own.n_y || controller.n_u != own.n_u ||
      controller.K != own.K || controller.L != own.L || controller.k != own.k)
    throw_other_controller();
}

void check_certifies_gains(const std::filesystem::path& certificate, const Controller& controller) {
  const Certified found = certified_gains(certificate, false);
  const Controller own = controller_of(found.problem, found.model, found.gains);
  if (controller.K.size() != own.K.size() || controller.K != own.K || controller.k != own.k)
    throw_other_controller();
}

Verification verify_identified(const std::filesystem::path& certificate, const Logs& given) {
  const Problem problem = problem_of_certificate(certificate);
  const CertificateRecord record = read_record(certificate);
  const std::string place = certificate.string();
  try {
    return at_place(place, [&] {
      check_certificate(record.certificate);
      check_hash("problem", problem_hash(problem), text_input(record.inputs, "problem_sha256"));
      const Logs logs = logs_in_order(problem, given);
      check_logs_of(record.inputs, logs);
      const IdentifiedBound numbers = at_place(
          "inputs.identified", [&] { return bound_from_json(field(record.inputs, "identified")); });
      const bool improvement = record.certificate.kind == improvement_kind;
      if (improvement != (numbers.bound == "difference"))
        return reject(place + ": its numbers are not those of its kind");
      const IdentifiedPlant plant = identify_plant(problem, logs, improvement);
      check_gains(numbers, plant);
      const std::optional<IdentifiedBound> bound = bound_identified_at(plant, numbers);
      if (!bound) return reject(place + ": its numbers prove no bound");
      const bool limits = record.certificate.kind == limits_kind;
      const Certificate again = limits ? limits_again(problem, plant, numbers, record.inputs)
                                       : identified_certificate(problem, plant, *bound);
      if (record.certificate.kind != again.kind)
        return reject(place + ": kind '" + record.certificate.kind + "'");
      const std::string differs = difference(record.certificate, again);
      if (!differs.empty()) return reject(place + ": does not follow from its inputs: " + differs);
      check_controller_of(certificate, problem);
      return Verification{true, "", record.certificate, again};
    });
  } catch (const InputError& error) {
    return reject(error.what());
  } catch (const NumericsError& error) {
    return reject(place + ": " + error.what());
  }
}

}  // namespace loopcert
