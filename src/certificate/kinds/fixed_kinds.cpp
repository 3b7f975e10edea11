#include "core/text.hpp"
#include "kinds/fixed_list.hpp"
#include "loopcert/core/error.hpp"
#include "tails/tail_list.hpp"

namespace loopcert {

const std::vector<FixedResponseKind>& fixed_response_kinds() {
  static const std::vector<FixedResponseKind> kinds = [] {
    std::vector<FixedResponseKind> table;
    for (const Tail& tail : tails()) table.push_back(hold_out_by(tail));
    for (const EnvelopeKind& envelope : envelope_kinds())
      if (!envelope.hold_out.name.empty()) table.push_back(hold_out_under(envelope));
#define ADD(maker) table.push_back(maker());
#include "kinds/fixed_kinds.inc"
    return table;
  }();
  return kinds;
}

const FixedResponseKind& fixed_response_kind(const std::string& name) {
  std::vector<std::string> known;
  for (const FixedResponseKind& kind : fixed_response_kinds()) {
    if (kind.name == name) return kind;
    known.push_back(kind.name);
  }
  throw_input_error("certificate.kind", "'" + name + "'",
                    join(known, " | ") + did_you_mean(name, known));
}

}  // namespace loopcert
