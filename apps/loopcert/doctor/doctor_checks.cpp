#include "doctor/doctor_checks.hpp"

namespace loopcert::app {

const std::vector<DoctorCheck>& doctor_checks() {
  static const std::vector<DoctorCheck> table = {
#define ADD(name, look) {name, look},
#include "doctor/doctor_checks.inc"
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
