#include "delivery/evaluation_files.hpp"

#include <filesystem>

#include "controller/controller_trees.hpp"
#include "data/npz.hpp"

namespace loopcert {
namespace {

std::string draw_name(size_t i) { return "controller-" + std::to_string(i) + ".json"; }

NamedArrays arrays_of(const std::vector<PosteriorDraw>& draws) {
  NamedArrays arrays;
  for (size_t i = 0; i < draws.size(); ++i) {
    const std::string number = "_" + std::to_string(i);
    const Response& r = draws[i].response;
    arrays["Z" + number] = array_from_matrix(draws[i].Z);
    arrays["Phi_x" + number] = array_from_matrix(r.Phi_x);
    arrays["Phi_u" + number] = array_from_matrix(r.Phi_u);
    arrays["phi_x" + number] = array_from_matrix(r.phi_x);
    arrays["phi_u" + number] = array_from_matrix(r.phi_u);
  }
  return arrays;
}

void add_sparse(NamedArrays& arrays, const std::string& name, const SparseMatrix& matrix) {
  const Index count = matrix.nonZeros();
  Vector row(count), col(count), value(count);
  Index next = 0;
  for (Index j = 0; j < matrix.outerSize(); ++j)
    for (SparseMatrix::InnerIterator entry(matrix, j); entry; ++entry, ++next) {
      row(next) = static_cast<double>(entry.row());
      col(next) = static_cast<double>(entry.col());
      value(next) = entry.value();
    }
  const Vector shape{{static_cast<double>(matrix.rows()), static_cast<double>(matrix.cols())}};
  arrays[name + "_row"] = array_from_matrix(row);
  arrays[name + "_col"] = array_from_matrix(col);
  arrays[name + "_value"] = array_from_matrix(value);
  arrays[name + "_shape"] = array_from_matrix(shape);
}

}  // namespace

void add_evaluation_files(OutputFolder& folder, const nlohmann::json& record,
                          const std::vector<PosteriorDraw>& draws) {
  folder.add("evaluation.json", record.dump(2) + "\n");
  for (size_t i = 0; i < draws.size(); ++i)
    folder.add(draw_name(i), controller_to_json(draws[i].controller).dump(1) + "\n");
  for (size_t i = draws.size(); std::filesystem::exists(folder.path(draw_name(i))); ++i)
    folder.remove_stale(draw_name(i));
  if (draws.empty())
    folder.remove_stale("draws.npz");
  else
    folder.add("draws.npz", format_npz(arrays_of(draws)));
}

std::string format_vectorized(const Vectorized& form) {
  NamedArrays arrays;
  add_sparse(arrays, "H", form.H);
  add_sparse(arrays, "selection", form.selection);
  add_sparse(arrays, "N", form.N);
  add_sparse(arrays, "M_G", form.M_G);
  arrays["h"] = array_from_matrix(form.h);
  arrays["theta_0"] = array_from_matrix(form.theta_0);
  arrays["S"] = array_from_matrix(form.S);
  arrays["M_0"] = array_from_matrix(form.M_0);
  arrays["m_0"] = array_from_matrix(form.m_0);
  Vector row(form.p()), column(form.p());
  for (Index k = 0; k < form.p(); ++k) {
    row(k) = static_cast<double>(form.row[static_cast<size_t>(k)]);
    column(k) = static_cast<double>(form.column[static_cast<size_t>(k)]);
  }
  arrays["alpha_row"] = array_from_matrix(row);
  arrays["alpha_col"] = array_from_matrix(column);
  return format_npz(arrays);
}

}  // namespace loopcert
