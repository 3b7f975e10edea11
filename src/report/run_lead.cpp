// What a reader should know who reads nothing else.
#include <cmath>

#include "report/text.hpp"
#include "run_sections.hpp"

namespace loopcert::report {
namespace {

std::string own_name(const RunReport& run) {
  return run.deed == Deed::certify ? "the controller" : "the learned controller";
}

std::string subject_words(const RunReport& run, const std::string& subject) {
  if (is_against_another(subject))
    return "the expected cost of the controller minus that of " +
           (run.deed == Deed::certify ? run.compared_with : "the baseline");
  if (is_endless(run)) return "the expected cost of a step under the " + subject;
  if (subject == "mean response") return "the expected cost of the deployed controller";
  if (subject == "posterior average")
    return "the expected cost averaged over the posterior, and by convexity that of the deployed "
           "controller,";
  return "the expected cost of the " + subject;
}

std::string statement(const RunReport& run, const CertificateFacts& c) {
  return "With probability at least " + percent(c.confidence) + " over the draw of the " +
         (is_identified(run) ? "logs" : count_text(run.n, "trajectory", "trajectories")) + ", " +
         subject_words(run, c.subject) + " is at most " + nice_bound(c.value) +
         ", if the assumptions below hold." +
         (is_against_another(c.subject) ? c.value < 0 ? " So it is certified to be better."
                                                      : " So nothing here proves that it is better."
                                        : "") +
         (c.oracle
              ? " This kind uses the true law: it is a reference that cannot be computed from data."
              : "");
}

// The controller that runs today and, first of all, the new one against it.
std::string against_baseline(const RunReport& run) {
  if (run.baseline_form.empty()) return "";
  std::string text = "Against the controller that runs today (" + run.baseline_form +
                     "), the new one: " + run.baseline_verdict + ".";
  if (run.baseline_cost) {
    text += " Today's costs " + nice_number(*run.baseline_cost);
    if (run.baseline_cost_error)
      text += " (standard error " + nice_number(*run.baseline_cost_error, 2) + ")";
    text += " on average on the same trajectories";
    if (run.baseline_certificate)
      text += ", and with probability at least " + percent(run.baseline_certificate->confidence) +
              " (separately) at most " + nice_bound(run.baseline_certificate->value) +
              " in expectation";
    text += ".";
  }
  return text;
}

bool is_better(const RunReport& run) { return run.improvement && run.improvement->value < 0; }

bool below_lqr(const RunReport& run) {
  if (run.certificate && is_against_another(run.certificate->subject))
    return run.certificate->value < 0;
  if (is_better(run) && run.baseline_form.empty()) return true;
  return run.certificate && run.lqr_cost && run.certificate->value < *run.lqr_cost;
}

std::string against_lqr(const RunReport& run, const CertificateFacts& c) {
  if (!run.kept_lqr.empty())
    return "The controller is " + run.reference + ": " + run.kept_lqr + ".";
  if (is_better(run) && run.baseline_form.empty())
    return "Compared with " + baseline_words(run) + ": with probability at least " +
           percent(run.improvement->confidence) + " (separately) it costs less by at least " +
           nice_number(-rounded_up(run.improvement->value)) + ".";
  if (is_identified(run) || is_against_another(c.subject)) return "";
  const std::string own = own_name(run);
  if (below_lqr(run))
    return "The certificate is below " + run.reference + "'s expected cost of " +
           nice_number(*run.lqr_cost) + " under the problem's law: under its assumptions " + own +
           " is certified to cost less than " + run.reference + ".";
  if (run.lqr_cost)
    return "The certificate is not below " + run.reference + "'s cost: " + run.reference +
           "'s expected cost under the problem's law is " + nice_number(*run.lqr_cost) +
           ". So nothing here proves that " + own + " is better than " + run.reference + ".";
  if (!run.lqr_empirical_cost) return "The cost of " + run.reference + " is not known here.";
  const std::string measured = at_start(run.reference) +
                               "'s mean cost on the same trajectories is " +
                               nice_number(*run.lqr_empirical_cost) + ", an estimate. ";
  return c.value < *run.lqr_empirical_cost
             ? measured + "The certificate is below it; as " + run.reference +
                   "'s true cost is not known, this is "
                   "no proof that " +
                   own + " is better."
             : measured + "The certificate is not below it, so nothing here shows that " + own +
                   " is better than " + run.reference + ".";
}

// "2.1 % above"
std::string compared(double value, double reference) {
  const double change = 100 * (value / reference - 1);
  if (!std::isfinite(change) || std::abs(change) < 0.005) return "as much as";
  return nice_number(std::abs(change), 2) + " % " + (change > 0 ? "more than" : "less than");
}

}  // namespace

std::string learned_cost(const RunReport& run) {
  if (!run.population_cost) return "";
  std::string text =
      "Under the problem's law " + own_name(run) + " costs " + nice_number(*run.population_cost);
  if (run.lqr_cost)
    text += ", " + compared(*run.population_cost, *run.lqr_cost) + " " + run.reference + " (" +
            nice_number(*run.lqr_cost) + ")";
  if (run.optimal_cost)
    text += ", " + compared(*run.population_cost, *run.optimal_cost) +
            " the best response that knows the " + (is_identified(run) ? "plant" : "law") +
            best_under_limits(run) + " (" + nice_number(*run.optimal_cost) + ")";
  return text + ".";
}

bool is_against_another(const std::string& subject) {
  return subject.find(" minus ") != subject.npos;
}

bool is_identified(const RunReport& run) { return run.signals_from == "estimate"; }

bool is_endless(const RunReport& run) {
  return run.certificate && run.certificate->kind == "identified-average";
}

std::string baseline_words(const RunReport& run) {
  if (!run.baseline_form.empty()) return "the baseline";
  return is_identified(run) ? "no input" : run.reference;
}

std::string card(const std::string& number, const std::string& words, const std::string& css) {
  return "<div class=\"" + css + "\"><b>" + html_escape(number) + "</b><span>" +
         html_escape(words) + "</span></div>";
}

namespace {

std::string card_if_known(const std::optional<double>& value, const std::string& words) {
  return value ? card(nice_number(*value), words) : "";
}

}  // namespace

namespace {

// One number for each controller: under the law where it is known, else on the data.
std::string cost_cards(const RunReport& run) {
  const bool law = run.population_cost.has_value();
  const std::string where = law                  ? ", expected under the law"
                            : is_identified(run) ? ", on the estimated plant"
                                                 : ", mean on the data";
  std::string out =
      card_if_known(law ? run.population_cost : run.empirical_cost,
                    (run.deed == Deed::certify ? "this controller" : "learned") + where);
  out += card_if_known(law ? run.baseline_population_cost : run.baseline_cost,
                       "today's controller" + where);
  out +=
      card_if_known(law ? run.lqr_cost : run.lqr_empirical_cost, at_start(run.reference) + where);
  const std::string kept = best_under_limits(run);
  out +=
      card_if_known(run.optimal_cost, kept.empty() ? "smallest expected cost of any response"
                                      : run.limits->asked && !run.limits->each
                                          ? "smallest expected cost, each limit with an equal share"
                                          : "smallest expected cost under the limits");
  if (run.logged_cost)
    out += card(
        nice_number(*run.logged_cost),
        "the logged controller" +
            (run.logged_cost_error ? ", standard error " + nice_number(*run.logged_cost_error, 2)
                                   : std::string()));
  return out;
}

}  // namespace

std::string warnings_in_short(const std::vector<std::string>& warnings) {
  if (warnings.empty()) return "";
  const size_t more = warnings.size() - 1;
  return "<p class=\"warn short\"><a href=\"#against\">" +
         html_escape(more == 0 ? "A warning" : std::to_string(more + 1) + " warnings") +
         "</a>: " + html_escape(warnings.front()) + "</p>";
}

std::string run_lead(const RunReport& run) {
  std::string words, cards;
  if (const std::string text = against_baseline(run); !text.empty())
    words += paragraph(text, is_better(run) ? "verdict good" : "verdict plain");
  if (run.certificate) {
    words += paragraph(statement(run, *run.certificate) + " " + against_lqr(run, *run.certificate),
                       below_lqr(run) ? "verdict good" : "verdict plain");
    cards +=
        card(nice_bound(run.certificate->value),
             (is_against_another(run.certificate->subject) ? "certified difference of the costs"
                                                           : "certified cost") +
                 std::string(", confidence ") + percent(run.certificate->confidence),
             "card main");
  } else {
    words += paragraph("This run has no certificate: method " + run.method +
                           " gives none. The costs below are measured, not guaranteed.",
                       "verdict plain");
  }
  words += limits_lead(run) + warnings_in_short(run.warnings);
  if (!run.missing.empty()) words += paragraph(run.missing, "note");
  return lead_html(words, cards + limits_cards(run) + cost_cards(run));
}

}  // namespace loopcert::report
