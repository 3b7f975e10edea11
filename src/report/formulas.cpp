// The bounds in MathML, which browsers draw by themselves.
#include "report/page.hpp"
#include "report/run_report.hpp"

namespace loopcert::report {
namespace {

std::string tag(const std::string& name, const std::string& inner) {
  return "<" + name + ">" + inner + "</" + name + ">";
}
std::string mi(const std::string& s) { return tag("mi", s); }
std::string mo(const std::string& s) { return tag("mo", s); }
std::string mn(const std::string& s) { return tag("mn", s); }
std::string row(const std::string& s) { return tag("mrow", s); }
std::string sub(const std::string& a, const std::string& b) { return tag("msub", a + b); }
std::string sup(const std::string& a, const std::string& b) { return tag("msup", a + b); }
std::string frac(const std::string& a, const std::string& b) {
  return tag("mfrac", row(a) + row(b));
}
std::string hat(const std::string& a) {
  return "<mover accent=\"true\">" + a + mo("^") + "</mover>";
}
std::string paren(const std::string& a) { return row(mo("(") + a + mo(")")); }
std::string of(const std::string& f, const std::string& a) {
  return f + "<mo>&#x2061;</mo>" + paren(a);
}

const std::string rho = mi("ρ"), lambda = mi("λ"), mu_rho = sub(mi("μ"), mi("ρ"));
const std::string sigma_rho = sub(mi("Σ"), mi("ρ"));
const std::string kl = of(mi("KL"), rho + mo("‖") + mi("π"));
const std::string delta_pb = sub(mi("δ"), mi("PB"));

std::string formula(const std::string& inner) {
  return "<div class=\"formula\"><math display=\"block\">" + row(inner) + "</math></div>";
}

// The second term: what the spread of the posterior costs.
std::string spread_term(const std::string& kind) {
  const std::string G_hat = hat(mi("G"));
  if (kind.ends_with("randomized") || kind == "bounded") return of(mi("tr"), G_hat + sigma_rho);
  if (kind == "oracle") return of(mi("tr"), paren(G_hat + mo("−") + mi("G")) + sigma_rho);
  return sub(mi("ε"), mi("Σ")) + of(mi("tr"), sigma_rho + sub(mi("M"), mi("G")));
}

std::string unknown_mean_term() {
  const std::string entry =
      sub(mi("a"), mi("j")) +
      sub("<mover accent=\"true\">" + mi("w") + mo("¯") + "</mover>", mi("j"));
  return mo("+") + mn("2") + mi("r") + row(mo("‖") + paren(entry) + mo("‖"));
}

std::string psi_words(const std::string& kind) {
  if (kind == "bounded")
    return "ψ is Hoeffding's bound λ²b²/8 on the cumulant of a cost between 0 and b, averaged over "
           "the posterior.";
  if (kind == "data-driven-rank-aware")
    return "ψ uses that the weighted trajectory y has rank at most d_w, which makes it at most λ² "
           "times the sensitivity Ĉ.";
  return "";
}

}  // namespace

std::string certificate_formulas(const std::string& kind, const std::string& subject) {
  const bool known = kind.starts_with("data-driven") || kind == "bounded" || kind == "oracle" ||
                     kind == "oracle-randomized";
  if (!known) return "";
  const std::string left = subject == "posterior average" ? sub(mi("𝔼"), rho) + of(mi("L"), mi("α"))
                                                          : of(mi("L"), mu_rho);
  const std::string rate =
      frac(kl + mo("+") + of(mi("log"), mi("n") + mo("/") + delta_pb), mi("n") + mo("−") + mn("1"));
  std::string out = formula(
      left + mo("≤") + of(hat(mi("L")), mu_rho) + mo("+") + spread_term(kind) +
      (kind == "data-driven-mean" ? unknown_mean_term() : "") + mo("+") + "<munder><mo>inf</mo>" +
      row(lambda + mo(">") + mn("0")) + "</munder>" + frac(mn("1"), lambda) +
      row(mo("(") + rate + mo("+") + of(mi("ψ"), lambda) + mo(")")));
  const bool oracle = kind.starts_with("oracle");
  if (const std::string words = psi_words(kind); !words.empty()) {
    out += paragraph(words);
  } else {
    const std::string envelope =
        oracle ? sub(mi("Σ"), mi("w"))
               : row(mo("(") + hat(mi("Σ")) + mo("+") + sub(mi("ε"), mi("Σ")) + mi("I") + mo(")"));
    const std::string norm = "<msubsup>" +
                             row(mo("‖") + mi("M") + envelope + sup(mi("M"), mo("⊤")) + mo("‖")) +
                             mi("F") + mn("2") + "</msubsup>";
    out += formula(of(mi("ψ"), lambda) + mo("=") + sup(lambda, mn("2")) + sub(mi("𝔼"), rho) + norm);
    out += paragraph(
        "With a known offset, an affine response or an unknown mean, ψ has a second part for the "
        "mean "
        "of y.",
        "note");
  }
  return out + paragraph(
                   "L̂ is the mean cost on the data; ρ = N(μ_ρ, Σ_ρ) is the learned "
                   "distribution over responses and π the prior, chosen before the data; M "
                   "maps a disturbance trajectory to the weighted trajectory whose squared "
                   "norm is the cost.");
}

}  // namespace loopcert::report
