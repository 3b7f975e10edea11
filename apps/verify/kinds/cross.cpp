// Every trajectory learns, every trajectory certifies: docs/theory/cross-certification.md.
#include "kinds/fixed.hpp"

namespace verify {

Table fold_rows(const Table& all, long first, long step, bool others_instead) {
  Table rows{0, all.cols, {}};
  for (long i = 0; i < all.rows; ++i) {
    if ((i % step == first) == others_instead) continue;
    for (long j = 0; j < all.cols; ++j) rows.values.push_back(all(i, j));
    ++rows.rows;
  }
  return rows;
}

Bound cross_bound(const Case& given, const std::vector<Mat>& responses, const Mat& baseline,
                  const Data& all, const Identified* model) {
  const Record& record = given.record;
  const Problem& p = record.problem;
  const auto folds = static_cast<long>(responses.size());
  const bool difference = is_difference_kind(record.kind);
  // auto may call other candidates, or the folds, better: the same events for each.
  const bool one_of_some = difference && record.input("/deployment/method") == "auto" &&
                           p.option("/certificate/kind") == "best";
  Bound mean;
  for (long k = 0; k < folds; ++k) {
    Record fold = record;
    fold.fold = k + 1;
    if (one_of_some) fold.choices = compared_choices(p);
    const Mat gram = cost_gram(p, open_loop(p, responses[static_cast<size_t>(k)]));
    const bool each = std::ssize(record.lambda) == folds;
    const Table fresh = fold_rows(given.rows, k, folds, false);
    const Table taught = fold_rows(given.rows, k, folds, true);
    require_apart(taught, fresh);
    const Part part{gram,
                    baseline,
                    moments_of(fresh),
                    difference ? metric_of(taught, p.n_x, baseline) : Mat(0, 0),
                    each ? record.lambda[static_cast<size_t>(k)] : 0.0,
                    all,
                    model};
    Bound one = one_response(fold, part);
    if (difference)
      mean.rounding =
          mean.rounding + cost_above(part, 1e-10 / static_cast<double>(folds), mean) / folds;
    for (const Event& event : one.events)
      if (k == 0 || !event.is_shared()) mean.events.push_back(event);
    if (k == 0) mean.terms = {{one.terms[0].id, 0}, {one.terms[1].id, 0}};
    for (size_t i = 0; i < one.terms.size(); ++i)
      mean.terms[i].value = mean.terms[i].value + one.terms[i].value / folds;
    mean.assumptions = one.assumptions;
    mean.functional = one.functional;
    mean.size += one.size / static_cast<double>(folds);
  }
  mean.assumptions[0] = {"responses-fixed"};
  return mean;
}

}  // namespace verify
