// The makers of limits_kinds.inc, and what several of them share.
#pragma once

#include "certificate/limits.hpp"
#include "kinds/kind_list.hpp"

namespace loopcert {

#define ADD(maker) LimitsKind maker();
#include "limits/limits_kinds.inc"

// Chance limits, which all kinds but the robust one are about.
std::optional<Missing> missing_chance(const LimitsPremises& premises, const std::string& kind);
// Trajectories that the response was not learned from.
std::optional<Missing> missing_fresh(const LimitsPremises& premises, const std::string& kind);

// The bound by rows: their sum, or the largest, at most 1.
LimitsBound bound_by_rows(const LimitsSetting& setting, const std::string& kind, Vector rows,
                          std::vector<Event> events, std::vector<Statement> assumptions, Index n);

// Violations of rows with these deviations.
Vector violations(const RowResponses& rows, const Vector& deviations);

// One value for the episode: of every row, too.
LimitsBound bound_of(const LimitsSetting& setting, const std::string& kind, double value,
                     std::vector<Event> events, std::vector<Statement> assumptions, Index n);

// "controller-fixed", or "responses-fixed" for folds.
Statement fixed_before(const LimitsSetting& setting);

// sqrt(a_c'U a_c) of every row.
Vector deviations_under(const Matrix& a, const Matrix& U);

}  // namespace loopcert
