#include "delivery/write_measured.hpp"

#include "data/npy.hpp"
#include "delivery/describe.hpp"
#include "measurement/measured_record.hpp"

namespace loopcert {

void add_measure_files(OutputFolder& folder, const MeasureResult& measured) {
  folder.add("certificate.json", measured_to_json(measured).dump(2) + "\n");
  folder.add(costs_file, format_npy(array_from_matrix(measured.costs)));
  if (measured.against.size() > 0)
    folder.add(against_file, format_npy(array_from_matrix(measured.against)));
  else
    folder.remove_stale(against_file);
  if (measured.limits) {
    folder.add("limits.json", measured_limits_to_json(measured).dump(2) + "\n");
    folder.add(violations_file, format_npy(array_from_matrix(measured.violations)));
  } else {
    folder.remove_stale("limits.json");
    folder.remove_stale(violations_file);
  }
  folder.add("report.html", report::measured_page(describe_measured(measured)));
}

}  // namespace loopcert
