#include "report/page.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "loopcert/core/random.hpp"
#include "report/inspection_report.hpp"
#include "report/measured_report.hpp"
#include "report/run_report.hpp"
#include "report/sweep_report.hpp"
#include "report/text.hpp"
#include "report/watch_report.hpp"
#include "seed.hpp"

namespace loopcert::report {
namespace {

constexpr const char* evil = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'";

bool has(const std::string& page, const std::string& part) {
  return page.find(part) != std::string::npos;
}

void expect_safe(const std::string& page) {
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>"));
  EXPECT_TRUE(has(page, "default-src 'none'; style-src " + content_hash(page_style())));
  EXPECT_TRUE(has(page, "script-src " + content_hash(page_script())));
  EXPECT_TRUE(has(page, "<script>" + page_script() + "</script>"));
  for (const char* bad : {"<script>alert", "<img", "unsafe-inline", "style=\"", "http://"})
    EXPECT_FALSE(has(page, bad)) << bad;
}

RunReport bare_run() {
  RunReport run;
  run.problem = evil;
  run.method = "erm";
  run.n = 3;
  run.empirical_cost = 2;
  run.record = {{"problem", evil}};
  return run;
}

RunReport certified_run(double value, double lqr) {
  RunReport run = bare_run();
  run.method = "pac-bayes";
  CertificateFacts c;
  c.kind = "data-driven";
  c.subject = "mean response";
  c.value = value;
  c.confidence = 0.95;
  c.terms = {{evil, "L", value / 2}, {"rest", "R", value / 2}};
  c.events = {{"pac_bayes", 0.05, evil}};
  c.assumptions = {evil};
  run.certificate = c;
  run.lqr_cost = lqr;
  run.population_cost = 1;
  return run;
}

TEST(RunPage, SaysWhatIsMissing) {
  const std::string page = run_page(bare_run());
  expect_safe(page);
  EXPECT_TRUE(has(page, "This run has no certificate"));
  EXPECT_TRUE(has(page, "No trajectories"));
  EXPECT_TRUE(has(page, "The data are not available"));
}

TEST(RunPage, ComparesWithLqrInWords) {
  const std::string above = run_page(certified_run(20, 3)), below = run_page(certified_run(2, 3));
  expect_safe(above);
  EXPECT_TRUE(has(above, "The certificate is not below LQR&#39;s cost"));
  EXPECT_FALSE(has(above, "certified to cost less"));
  EXPECT_TRUE(has(below, "certified to cost less than LQR"));
  EXPECT_TRUE(has(above, "<math"));
}

TEST(RunPage, WarnsWhenTheLawBreaksTheBound) {
  RunReport run = certified_run(20, 3);
  run.disturbances = standard_normal_rows(testing::test_stream(1, 0), 0, 20, 4);
  run.law_eigenvalues = Vector::Ones(4);
  run.scale_bound = 0.5;
  EXPECT_TRUE(has(run_page(run), "contradicts its own assumption"));
  run.scale_bound = 1;
  EXPECT_FALSE(has(run_page(run), "contradicts its own assumption"));
}

RunReport limited_run() {
  RunReport run = certified_run(20, 3);
  run.horizon = 4;
  run.states = 2;
  run.inputs = 1;
  LimitsFacts limits;
  limits.asked = 0.05;
  limits.certificate = run.certificate;
  limits.certificate->kind = "limits-best";
  limits.certificate->value = 0.04231;
  limits.together = 0.9;
  limits.law = 0.02;
  limits.data = 0.01;
  limits.lqr_law = 0.3;
  limits.lqr_data = 0.28;
  LimitsFacts::Row row;
  row.name = evil;
  row.low = -1.5;
  row.high = 1.5;
  row.first = 1;
  row.last = 3;
  row.x = Vector::Zero(2);
  row.u = Vector::Constant(1, 2);
  row.bounds = Vector{{0.01, 0.02, 0.01}};
  row.probabilities = Vector{{0.001, 0.0, 0.004}};
  row.shares = Vector::Zero(3);
  row.lqr_probabilities = Vector{{0.1, 0.2, 0.1}};
  row.prices = Vector{{1.0, 0.5, 0.0}};
  limits.rows = {row};
  run.limits = limits;
  run.loop.signals = {{"x0", 0.1, 0.2, 0.3, 0.4, 0.5}, {evil, 1, 2, 3, 4, 5}};
  run.signals_from = "data";
  return run;
}

TEST(RunPage, LimitsAreOnTheFirstScreen) {
  RunReport run = limited_run();
  const std::string page = run_page(run);
  expect_safe(page);
  const std::string lead = page.substr(0, page.find("<section>"));
  EXPECT_TRUE(has(lead, "a limit is broken in at most 4.231\u00a0% of the episodes"));
  EXPECT_TRUE(has(lead, "LQR breaks a limit in 30\u00a0% of the episodes"));
  EXPECT_TRUE(has(lead, "≤ 4.231\u00a0%"));
  EXPECT_TRUE(has(page, "<h2>Limits</h2>"));
  EXPECT_TRUE(has(page, "0.015"));  // 1 % wider saves
  EXPECT_TRUE(has(page, "Cost and limits together: with probability at least 90\u00a0%"));
  EXPECT_TRUE(has(page, "without clipping"));
  EXPECT_TRUE(has(page, "How large the signals are"));
  run.limits->certificate->value = 0.06;
  EXPECT_TRUE(has(run_page(run), "the data do not show that the limits are kept"));
  run.limits->certificate.reset();
  EXPECT_TRUE(has(run_page(run), "nothing here certifies how surely they hold"));
  run.limits.reset();
  EXPECT_FALSE(has(run_page(run), "<h2>Limits</h2>"));
}

TEST(RunPage, LimitsForASetAndForEver) {
  RunReport run = limited_run();
  run.limits->asked.reset();
  run.limits->certificate->value = 0;
  run.limits->certificate->events.clear();
  EXPECT_TRUE(has(run_page(run), "Limits: no disturbance of the stated set breaks a limit"));
  run.limits->certificate->value = 1;
  EXPECT_TRUE(has(run_page(run), "it is not shown that every disturbance"));
  run = limited_run();
  run.limits->each = true;
  run.limits->rows[0].always = true;
  run.limits->law = run.limits->data = run.limits->lqr_law = run.limits->lqr_data = {};
  const std::string page = run_page(run);
  expect_safe(page);
  EXPECT_TRUE(has(page, "<td>every</td>"));
  EXPECT_TRUE(has(page, "each limit is broken at each step with probability at most"));
}

// A limit on one signal is a line in its fan, in the units of the signal.
TEST(RunPage, LimitsAreLinesInFans) {
  RunReport run = limited_run();
  run.loop.states = standard_normal_rows(testing::test_stream(1, 0), 0, 50, 10);
  run.loop.inputs = standard_normal_rows(testing::test_stream(2, 0), 0, 50, 4);
  const auto fan_of_input = [&] {
    const std::string page = run_page(run);
    const size_t at = page.find("<h3>input</h3>");
    return page.substr(at, page.find("</figure>", at) - at);
  };
  EXPECT_TRUE(has(fan_of_input(), "class=\"ln c3 dash\""));
  run.limits->rows[0].u = Vector::Constant(1, 0.01);  // so the input may be 150
  EXPECT_FALSE(has(fan_of_input(), "class=\"ln c3 dash\" d="));
  EXPECT_TRUE(has(fan_of_input(), "Outside the picture: the limit −150, 150."));
  EXPECT_FALSE(has(run_page(run), "<h3>x0 + x1</h3>"));
  run.limits->rows[0].name = "x0 + x1";
  run.limits->rows[0].u = Vector::Zero(1);
  run.limits->rows[0].x = Vector::Ones(2);  // a combination has a fan of its own
  EXPECT_FALSE(has(fan_of_input(), "limit"));
  const std::string page = run_page(run);
  const size_t at = page.find("<h3>x0 + x1</h3>", page.find("<h2>Closed loop</h2>"));
  ASSERT_NE(at, std::string::npos);
  const std::string sum = page.substr(at, page.find("</figure>", at) - at);
  EXPECT_TRUE(has(sum, "class=\"ln c3 dash\""));
  Vector last = run.loop.states.col(8) + run.loop.states.col(9);  // at step 4
  std::sort(last.begin(), last.end());
  EXPECT_TRUE(has(sum, "<td>" + nice_number(0.5 * (last(24) + last(25))) + "</td>"));
  run.limits->rows[0].x = Vector::Ones(3);  // of another plant
  EXPECT_EQ(run_page(run).find("<h3>x0 + x1</h3>", page.find("<h2>Closed loop</h2>")),
            std::string::npos);
}

// A state beyond those that have fans has one if it has a limit.
TEST(RunPage, EveryLimitedSignalHasAFan) {
  RunReport run = limited_run();
  run.states = 30;
  run.loop.states = standard_normal_rows(testing::test_stream(1, 0), 0, 50, 150);
  run.loop.inputs = standard_normal_rows(testing::test_stream(2, 0), 0, 50, 4);
  run.limits->rows[0].name = "roll";
  run.limits->rows[0].u = Vector::Zero(1);
  run.limits->rows[0].x = Vector::Unit(30, 29);
  const std::string page = run_page(run);
  const size_t paths = page.find("<h2>Closed loop</h2>");
  EXPECT_NE(page.find("<h3>roll</h3>", paths), std::string::npos);
  run.limits->rows[0].x = Vector::Unit(30, 3);
  EXPECT_EQ(run_page(run).find("<h3>roll</h3>", paths), std::string::npos);
}

// What an engineer wants first, then what is certified, and the rest folded.
TEST(RunPage, EngineerFirst) {
  RunReport run = limited_run();
  run.loop.name = "this controller";
  run.loop.states = standard_normal_rows(testing::test_stream(1, 0), 0, 50, 10);
  run.loop.inputs = standard_normal_rows(testing::test_stream(2, 0), 0, 50, 4);
  run.loop.state_costs = Matrix::Constant(2, 5, 0.25);
  run.loop.input_costs = Matrix::Constant(1, 4, 0.125);
  run.others = {run.loop};
  run.others[0].name = "LQR";
  run.others[0].input_costs *= 2;
  run.axis = {0.1, "s"};
  run.warnings = {"what nobody should miss", "another one"};
  run.certificate->others = {{"hold-out", "computed", "", 20.0, 0.05, true},
                             {"white", "assumptions missing", "white = true", {}, 0, false}};
  const std::string page = run_page(run);
  expect_safe(page);
  size_t last = 0;
  for (const char* part :
       {"class=\"verdict plain\"", "2 warnings", "<h2>Closed loop</h2>",
        "How large the signals are", "<h2>Cost</h2>", "By term", "By step", "<h2>Limits</h2>",
        "<h2>What is certified, and on which assumptions</h2>", "It assumes",
        "id=\"against\"><h2>What the data say against them</h2>", "another one", "<h2>Details</h2>",
        "<details class=\"part\"><summary>Events", "<summary>Not granted", "assumptions missing",
        "<summary>Response and controller", "<summary>Disturbances"}) {
    const size_t at = page.find(part);
    EXPECT_NE(at, std::string::npos) << part;
    EXPECT_GT(at, last) << part;
    last = at;
  }
  EXPECT_TRUE(has(page, "horizon 4 steps, 0.4 s"));
  EXPECT_TRUE(has(page, ">time, s</text>"));
  EXPECT_FALSE(has(page, ">step</text>"));
  EXPECT_TRUE(has(page, "Together: 3."));  // 2 x 5 x .25 + 4 x .125
  EXPECT_TRUE(has(page, "<th colspan=\"3\">LQR</th>"));
  EXPECT_TRUE(has(page, "<td>0.2</td><td>0.4</td><td>0.5</td>"));
  run.axis = {};
  EXPECT_TRUE(has(run_page(run), ">step</text>"));
}

TEST(RunPage, ADifferenceIsNoCost) {
  RunReport run = certified_run(-2, 3);
  run.deed = Deed::certify;
  run.certificate->subject = "controller minus baseline";
  run.compared_with = "LQR";
  const std::string page = run_page(run);
  expect_safe(page);
  EXPECT_TRUE(has(page, "cost of the controller minus that of LQR is at most −2"));
  EXPECT_TRUE(has(page, "certified to be better"));
  EXPECT_FALSE(has(page, "the learned controller"));
}

MeasuredReport measured_run() {
  MeasuredReport report;
  report.certified = certified_run(5, 3);
  report.certified.deed = Deed::measure;
  report.certified.lqr_cost.reset();
  report.certified.warnings = {evil};
  report.costs = Vector{{1.0, 2.0, 3.0, 4.0}};
  return report;
}

TEST(MeasuredPage, SaysWhatWasMeasuredAndWhatIsCertified) {
  MeasuredReport report = measured_run();
  EXPECT_TRUE(has(measured_page(report), "the expected cost of an episode is at most 5"));
  report.against = Vector{{2.0, 3.0, 5.0, 4.0}};
  report.bounds = MeasuredReport::Bounds::ratio;
  report.certified.certificate->value = 0.81233;  // 18.767 % less: rounded down
  EXPECT_TRUE(has(measured_page(report), "at least 18.76 % less"));
  report.bounds = MeasuredReport::Bounds::difference;
  report.paired = true;
  report.limits = report.certified.certificate;
  report.limits->value = 0.25;
  report.rows = {{evil, 1}};
  report.broken = 1;
  const std::string page = measured_page(report);
  expect_safe(page);
  EXPECT_TRUE(has(page, "it costs at most 0.8124 more"));
  EXPECT_TRUE(has(page, "a limit is broken in at most 25\u00a0% of the episodes"));
  EXPECT_TRUE(has(page, "<td>1</td><td>25 %</td>"));
  EXPECT_TRUE(has(page, "difference of a pair"));
}

TEST(WatchPage, ShowsHowTheEvidenceGrew) {
  WatchReport report;
  report.claim = evil;
  report.claimed = 2;
  report.n = 40;
  report.before = 37;
  report.number = Vector{{38.0, 39.0, 40.0}};
  report.mean = report.most = Vector{{1.0, 90.0, INFINITY}};
  report.course = Vector{{1.0, 30.0, 101.0}};
  const std::string standing = watch_page(report);
  expect_safe(standing);
  EXPECT_TRUE(has(standing, "The claim stands after 40 costs"));
  EXPECT_TRUE(has(standing, "Not drawn: 37 costs"));
  report.rejected_at = 40;
  EXPECT_TRUE(has(watch_page(report), "The claim is rejected at cost 40"));
  report.number = report.mean = report.most = report.course = Vector();
  expect_safe(watch_page(report));
}

TEST(InspectionPage, ShowsEveryCheckAndSaysWhatItIsNot) {
  InspectionReport inspection;
  inspection.problem = evil;
  inspection.counts = "1 contradicted";
  inspection.notice = "not a certificate";
  inspection.checks = {{evil, evil, "contradicted", 1e-9, evil, evil}};
  inspection.disturbances = standard_normal_rows(testing::test_stream(1, 0), 0, 1, 4);
  expect_safe(inspection_page(inspection));  // one trajectory: no pictures
  inspection.disturbances = standard_normal_rows(testing::test_stream(1, 0), 0, 700, 4);
  inspection.lag_mean = inspection.lag_band = Vector::Ones(2);
  inspection.deviations = Matrix::Ones(2, 2);
  const std::string page = inspection_page(inspection);
  expect_safe(page);
  EXPECT_TRUE(has(page, "not a certificate"));
  EXPECT_TRUE(has(page, "✗ contradicted"));
  EXPECT_TRUE(has(page, "Correlation in time"));
  inspection.lag_mean = inspection.lag_band = Vector();
  EXPECT_FALSE(has(inspection_page(inspection), "Correlation in time"));
}

TEST(InspectionPage, StatementAndFirstFindingFirst) {
  InspectionReport inspection;
  inspection.counts = "2 ok";
  inspection.disturbances = standard_normal_rows(testing::test_stream(2, 0), 0, 40, 6);
  inspection.lag_mean = inspection.lag_band = Vector::Ones(2);
  inspection.deviations = Matrix::Ones(3, 2);
  const auto said = [&](std::vector<InspectionReport::Check> checks) {
    inspection.checks = std::move(checks);
    return inspection_page(inspection);
  };
  const InspectionReport::Check good{"mean zero", "zero_mean = true", "ok", 0.5, "", ""},
      doubtful{"white in time", "white = true", "doubtful", 0.004, "It is not.", "Do."},
      wrong{"Gaussian", "model", "contradicted", 1e-9, "It is not.", "Do."};
  EXPECT_TRUE(has(said({good}), "The data do not contradict what the problem file assumes."));
  EXPECT_TRUE(has(said({}), "assumes nothing that these data could contradict"));
  const std::string some = said({good, doubtful});
  EXPECT_TRUE(has(some, "assumes doubtful: white in time."));
  EXPECT_LT(some.find("Correlation in time"), some.find("<h2>Checks</h2>"));
  EXPECT_GT(some.find("Are they Gaussian?"), some.find("<h2>Checks</h2>"));
  const std::string both = said({good, wrong, doubtful});
  EXPECT_TRUE(has(both, "The data contradict the problem file: Gaussian."));
  EXPECT_TRUE(has(both, "1 of 3 tests"));
  EXPECT_LT(both.find("Are they Gaussian?"), both.find("<h2>Checks</h2>"));
  EXPECT_LT(both.find("coordinate 1</h3>"), both.find("<h2>Checks</h2>"));
  EXPECT_LT(both.find(">Gaussian</td>"), both.find(">mean zero</td>"));
}

TEST(SweepPage, SaysWhichWasCheapestWithMostData) {
  SweepReport sweep;
  const auto add = [&](const char* method, double n, double cost) {
    SweepRow row;
    row.problem = "plant";
    row.method = method;
    row.n = n;
    row.cost = cost;
    row.lqr_cost = 5;
    sweep.rows.push_back(row);
  };
  add("erm", 10, 1);
  add("ridge", 40, 6);
  add("ridge", 40, 2);
  EXPECT_FALSE(has(sweep_page(sweep), "smallest mean cost"));  // nothing to compare with
  add("erm", 40, 3);
  add("erm", 40, 8);
  EXPECT_TRUE(has(sweep_page(sweep),
                  "plant: at n = 40 the smallest mean cost is 4, of ridge; LQR costs 5."));
}

TEST(SweepPage, OneSectionPerProblemAndOneToggleEach) {
  SweepReport sweep;
  sweep.title = evil;
  for (const char* problem : {"first", evil})
    for (const char* method : {"erm", evil})
      for (const double n : {10.0, 40.0})
        for (const char* seed : {"0", "1"}) {
          SweepRow row;
          row.problem = problem;
          row.method = method;
          row.n = n;
          row.seed = seed;
          row.cost = n;
          sweep.rows.push_back(row);
        }
  sweep.failures = {{evil, 3, {{evil, 2}, {"first, erm, n = 10", 1}}}, {"lost", 1, {{"there", 1}}}};
  const std::string page = sweep_page(sweep);
  expect_safe(page);
  EXPECT_TRUE(has(page, "4 jobs of 20 failed: not in the figures. Most often: "));
  EXPECT_TRUE(has(page, "<td>1</td><td>lost</td><td>there</td>"));
  EXPECT_TRUE(has(page, "(2); first, erm, n = 10"));
  EXPECT_TRUE(has(page, "data-toggle=\"1\""));
  EXPECT_FALSE(has(page, "data-toggle=\"2\""));
  EXPECT_TRUE(has(page, "<h2>first</h2>"));
  EXPECT_TRUE(has(page, "10 ± 0"));
}

TEST(SweepPage, NothingToShow) {
  SweepReport sweep;
  sweep.skipped = 2;
  const std::string page = sweep_page(sweep);
  EXPECT_TRUE(has(page, "no results to show"));
  EXPECT_TRUE(has(page, "2 rows"));
}

}  // namespace
}  // namespace loopcert::report
