#include "core/find_named.hpp"
#include "kinds/fixed_list.hpp"
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
  return find_named(fixed_response_kinds(), name, "certificate.kind");
}

}  // namespace loopcert
