// One fixed response by a tail of its mean cost: L <= Lhat + margin (tails/tail_list.hpp).
#include "certificate/premises.hpp"
#include "kinds/fixed_list.hpp"
#include "tails/tail_list.hpp"

namespace loopcert {
namespace {

Certificate certificate_by(const Tail& tail, const FixedSetting& setting) {
  Event event = tail.event;
  event.delta = setting.delta.at(event.id);
  Premises premises = premises_of(setting);
  premises.delta = event.delta;
  require_granted(tail.needs(premises));
  const MeanCost cost = mean_cost(setting, setting.averaged.value_or(false));
  Certificate c = fixed_certificate(setting, tail.name, {event}, tail.law);
  if (tail.more)
    for (Statement& statement : tail.more(setting.assumptions))
      c.assumptions.push_back(std::move(statement));
  if (cost.averaged) add_white(setting, c);
  finish(c, cost.empirical,
         cost.mean - cost.empirical + tail.margin(setting, cost.mean, event.delta));
  return c;
}

}  // namespace

FixedResponseKind hold_out_by(const Tail& tail) {
  FixedResponseKind kind{
      tail.name, tail.about, {tail.event.id}, tail.needs, [&tail](const FixedSetting& setting) {
        return certificate_by(tail, setting);
      }};
  kind.dominated_by = tail.dominated_by;
  kind.most_factor = tail.multiple;
  kind.on_mean = tail.on_mean;
  return kind;
}

}  // namespace loopcert
