#include "doctor/doctor_checks.hpp"

namespace loopcert::app {

const std::vector<DoctorCheck>& doctor_checks() {
  static const std::vector<DoctorCheck> table = {
      {"build", look_at_build},
      {"libraries", look_at_libraries},
      {"CPU", look_at_cpu},
      {"vector units", look_at_vector_units},
      {"threads", look_at_threads},
      {"memory", look_at_memory},
      {"matrix product", look_at_product_rate},
      {"same bits", look_at_reproducibility},
      {"current folder", look_at_current_folder},
      {"temporary folder", look_at_temporary_folder},
      {"decimal point", look_at_locale},
      {".mat and .h5", look_at_importer},
  };
  return table;
}

std::string verdict_word(Verdict verdict) {
  switch (verdict) {
    case Verdict::ok:
      return "ok";
    case Verdict::note:
      return "note";
    case Verdict::problem:
      break;
  }
  return "problem";
}

}  // namespace loopcert::app
