// The makers of fixed_kinds.inc, and what several of them share.
#pragma once

#include "certificate/fixed_response.hpp"
#include "certificate/premises.hpp"
#include "kinds/kind_list.hpp"

namespace loopcert {

#define ADD(maker) FixedResponseKind maker();
#include "kinds/fixed_kinds.inc"

// Made from the tables of envelopes and of tails.
struct Tail;
FixedResponseKind hold_out_under(const EnvelopeKind& envelope);
FixedResponseKind hold_out_by(const Tail& tail);

Premises premises_of(const FixedSetting& setting);

// What several kinds may need; nothing when it is granted.
std::optional<Missing> missing_data(const Premises& premises, const std::string& kind);
std::optional<Missing> missing_no_offset(const Premises& premises, const std::string& kind);
std::optional<Missing> missing_baseline(const FixedSetting& setting, const std::string& kind);

// Lhat of the controller.
double empirical_cost(const FixedSetting& setting);

// A cost |y|^2 with the expectation of the controller's, and its mean over the data: the cost
// itself, or without an offset `averaged` over signs and, where they have one law, orders of
// independent steps.
struct MeanCost {
  WeightedResponse y;
  double empirical = 0;  // Lhat of the controller
  double mean = 0;       // of |y|^2
  bool averaged = false;
};
MeanCost mean_cost(const FixedSetting& setting, bool averaged);
// What that rests on.
void add_white(const FixedSetting& setting, Certificate& c);

// With the delta of the setting.
Event fixed_event(const FixedSetting& setting, const std::string& id, const std::string& statement);

// A record without terms: kind, n, events, confidence, and what is assumed of controller, law and
// model.
Certificate fixed_certificate(const FixedSetting& setting, const std::string& kind,
                              std::vector<Event> events, const Statement& law);

// The terms of L <= Lhat + margin.
void finish(Certificate& c, double empirical, double margin);

}  // namespace loopcert
