// The paper's two figures, from the cells of its tables, and the tables.
#include "delivery/describe.hpp"
#include "report/plots.hpp"

namespace loopcert {
namespace {

report::PublishedCurve curve(const ReproducedColumn& column, int colour) {
  const auto count = static_cast<Index>(column.cells.size());
  report::PublishedCurve out{column.name, colour, Vector(count), Vector(count), {}};
  if (column.cells.front().published) out.published.resize(count);
  for (Index i = 0; i < count; ++i) {
    const ReproducedCell& cell = column.cells[static_cast<size_t>(i)];
    out.n(i) = static_cast<double>(cell.n);
    out.mean(i) = cell.ours.mean;
    if (out.published.size() > 0) out.published(i) = cell.published->mean;
  }
  return out;
}

// The columns that the paper has, with the colours that the page gives these methods.
report::Figure panel(const ReproducedTable& table, size_t first, const std::string& title,
                     const std::string& axis, const std::string& caption) {
  std::vector<report::PublishedCurve> curves;
  for (size_t k = first; k < table.columns.size(); ++k)
    if (table.columns[k].cells.front().published)
      curves.push_back(curve(table.columns[k], static_cast<int>(k)));
  report::Figure figure = report::published_plot(curves, axis);
  figure.title = title;
  figure.caption = caption;
  return figure;
}

report::FigureGroup figure_1(const Reproduction& r) {
  return {
      "Figure 1: the sweep over low data",
      "The double integrator, p = 110. Lines: means over the seeds. Rings: the paper's means "
      "over 20 seeds.",
      {panel(r.tables.at(0), 0, "Left: held-out test cost", "held-out test cost",
             "Mean cost on 5000 new trajectories. For n below d_w = 22 the means of raw ERM "
             "are ruled by rare seeds: compare their medians in Table 1."),
       panel(r.tables.at(1), 0, "Right: deployed sensitivity", "sensitivity C",
             "C, the squared Frobenius norm of M Σ Mᵀ at the deployed response."),
       panel(r.tables.at(0), 1, "Left, without raw ERM", "held-out test cost",
             "The same, enlarged."),
       panel(r.tables.at(1), 1, "Right, without raw ERM", "sensitivity C", "The same, enlarged.")}};
}

report::FigureGroup figure_2(const Reproduction& r) {
  std::vector<report::PublishedCurve> curves;
  const std::vector<ReproducedColumn>& columns = r.tables.at(2).columns;
  for (size_t k = 0; k < 3; ++k)  // held-out cost, data certificate, prescient certificate
    curves.push_back(curve(columns.at(k), k == 0 ? 2 : k == 1 ? 0 : 1));
  report::Figure figure = report::published_plot(curves, "cost");
  figure.title = "Held-out cost and its certificates";
  figure.caption =
      "All three at the posterior that the data certificate has learned. The prescient certificate "
      "uses the true law; learning does not see it.";
  return {"Figure 2: how tight the certificate is",
          "Lines: means over the seeds. Rings: the paper's means over 20 seeds.",
          {figure}};
}

}  // namespace

report::SweepReport describe_reproduction(const nlohmann::json& results,
                                          const Reproduction& reproduction) {
  report::SweepReport page = describe_sweep(results);
  page.title = "The paper's tables and figures, recomputed";
  std::string stars;
  for (const std::string& note : star_notes()) stars += (stars.empty() ? "" : " ") + note;
  page.groups = {figure_1(reproduction), figure_2(reproduction)};
  for (const ReproducedTable& table : reproduction.tables)
    page.comparisons.push_back({table.title,
                                table.title.starts_with("Table") ? stars : "",
                                {"", "n", "mean +- sd", "median", "the paper", "remark"},
                                table_rows(table)});
  page.comparisons.front().note += " " + wins_text(reproduction);
  for (const Reproduction::Contest& contest : reproduction.contests)
    page.comparisons.back().note +=
        (page.comparisons.back().note.empty() ? "" : " ") + contest_text(contest);
  return page;
}

}  // namespace loopcert
