#include "controller/closed_loop.hpp"
#include "controller/controller_trees.hpp"
#include "controller/fit.hpp"
#include "core/file.hpp"
#include "core/json.hpp"
#include "data/hash.hpp"
#include "delivery/describe.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/verification/recheck.hpp"
#include "response/lqr.hpp"
#include "verification/recompute.hpp"
#include "workflow/limits_report.hpp"

namespace loopcert {
namespace {

namespace fs = std::filesystem;

// The certificate is the recorded one; what each row comes to is in no file, and takes the data.
LimitsBound recorded_limits(const fs::path& path, const Problem& problem, const Response& response,
                            const Disturbances& data) {
  LimitsBound bound;
  if (data.n() > 0 || problem.limits->robust)
    bound = certify_limits(problem, {UseOfData::fixed, {response}}, data);
  bound.certificate = read_certificate(path);
  return bound;
}

}  // namespace

report::RunReport describe_certified(const fs::path& certificate, const Disturbances& data) {
  const CertificateRecord read = read_record(certificate);
  if (!read.inputs.contains("controller"))
    throw InputError(certificate.string() + ": not a certificate of `loopcert certify`");
  const Problem problem = problem_of_certificate(certificate);
  return at_place(certificate.string(), [&] {
    if (data.n() > 0) check_hash("data", data_hash(data), text_input(read.inputs, "data_sha256"));
    const std::string bytes = read_checked(certificate, read.inputs, "controller");
    const Controller controller =
        at_place("controller", [&] { return controller_from_json(parse_json(bytes)); });
    check_fits("controller", controller, problem.sizes(), "the problem");
    const Response response = closed_loop_response(problem.system, controller);
    std::optional<LimitsReport> limits =
        report_limits(problem, response, lqr_response(problem.system), data);
    const fs::path of_limits = certificate.parent_path() / "limits.json";
    if (limits && fs::exists(of_limits))
      limits->bound = recorded_limits(of_limits, problem, response, data);
    nlohmann::json record = parse_json(read_file(certificate, largest_record));
    add_limits(record, limits, report_signals(problem, response, data), &read.certificate);
    report::RunReport run = describe_certified(problem, controller, data, record);
    if (data.n() == 0 && read.certificate.n > 0)
      run.missing =
          "Only the files of the certificate were available: `loopcert report DIR --data FILE` "
          "adds what needs the trajectories.";
    return run;
  });
}

}  // namespace loopcert
