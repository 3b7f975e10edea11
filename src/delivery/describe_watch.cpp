#include <fmt/format.h>

#include "core/text.hpp"
#include "delivery/describe.hpp"
#include "loopcert/core/rounded.hpp"
#include "report/text.hpp"

namespace loopcert {
namespace {

void add_course(report::WatchReport& page, const WatchTrace& trace) {
  const auto count = static_cast<Index>(trace.blocks().size());
  page.number = page.mean = page.most = page.course = Vector(count);
  for (Index k = 0; k < count; ++k) {
    const WatchTrace::Block& block = trace.blocks()[static_cast<size_t>(k)];
    page.number(k) = static_cast<double>(block.last);
    page.mean(k) = block.sum / static_cast<double>(block.count);
    page.most(k) = block.most;
    page.course(k) = block.largest;
  }
}

template <class State>
report::WatchReport page_of(const State& s, double alpha, const WatchTrace& trace, Index before) {
  report::WatchReport page;
  page.n = s.n;
  page.before = before;
  page.evidence = s.evidence;
  page.largest = s.largest;
  page.threshold = 1 / alpha;
  page.rejected_at = s.rejected_at;
  add_course(page, trace);
  return page;
}

}  // namespace

report::WatchReport describe_watch(const WatchRecord& record, const WatchTrace& trace,
                                   Index before) {
  const WatchState& s = record.state;
  report::WatchReport page = page_of(s, s.claim.alpha, trace, before);
  const bool violation = record.certified && record.certified->violation;
  page.claim =
      fmt::format("{} at most {}{}",
                  violation ? "share of episodes that break a limit" : "mean cost of an episode",
                  report::nice_bound(s.claim.mean),
                  record.certified ? " (certificate " + record.certified->kind + ")" : "");
  page.claimed = s.claim.mean;
  page.false_alarms =
      fmt::format("A claim that is true is ever rejected with probability at most {}",
                  report::nice_number(record.false_alarms())) +
      (record.certified
           ? fmt::format(": {} by the watch, and with {} the certificate may be wrong.",
                         report::nice_number(s.claim.alpha),
                         report::nice_number(1 - record.certified->confidence))
           : ".");
  page.record = record_to_json(record);
  return page;
}

report::WatchReport describe_watch(const PlantWatch& watch, const WatchTrace& trace, Index before) {
  report::WatchReport page = page_of(watch.state(), watch.claim().alpha, trace, before);
  page.counted = "transition";
  page.claim = "the plant and its noise are as in the logs of the certificate";
  page.cause = watch.state().cause;
  page.false_alarms = fmt::format(
      "A claim that is true is ever rejected with probability at most {}: {} by the "
      "watch, and {} that the certificate's events model and noise fail.",
      report::nice_number(watch.claim().alpha + watch.claim().delta),
      report::nice_number(watch.claim().alpha), report::nice_number(watch.claim().delta));
  page.record = record_to_json(watch);
  return page;
}

}  // namespace loopcert
