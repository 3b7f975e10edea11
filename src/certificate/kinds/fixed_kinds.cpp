#include "kinds/fixed_list.hpp"
#include "loopcert/certificate/fixed_envelope.hpp"
#include "loopcert/core/error.hpp"
#include "loopcert/core/text.hpp"

namespace loopcert {

const std::vector<FixedKind>& fixed_kinds() {
  static const std::vector<FixedKind> kinds = {
      hold_out_scale_free_kind(),    hold_out_kind(),
      hold_out_chi_square_kind(),    hold_out_bounded_kind(),
      hold_out_fourth_moment_kind(), assumed_scale_kind(),
      assumed_covariance_kind(),     improvement_kind(),
      improvement_mean_kind(),       improvement_scale_kind(),
      hold_out_relative_kind(),      hold_out_white_kind(),
      hold_out_known_kind(),
  };
  return kinds;
}

const FixedKind& fixed_kind(const std::string& name) {
  std::vector<std::string> known;
  for (const FixedKind& kind : fixed_kinds()) {
    if (kind.name == name) return kind;
    known.push_back(kind.name);
  }
  throw_input_error("certificate.kind", "'" + name + "'",
                    join(known, " | ") + did_you_mean(name, known));
}

}  // namespace loopcert
