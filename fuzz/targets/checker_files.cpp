// A letter, and a file of the kind that it names: n .npy, z .npz, c .csv, k controller.json. What
// both readers take, the checker's and the library's, they must understand alike.
#include <cstring>

#include "../../apps/verify/formats/record.hpp"
#include "../fixture.hpp"
#include "checker.hpp"
#include "data/csv.hpp"
#include "data/npy.hpp"
#include "data/npz.hpp"

namespace loopcert::fuzz {
namespace {

bool same(const verify::Table& table, const Array& array) {
  const Index rows = array.shape.empty() ? 1 : array.shape[0];
  return table.rows == rows && table.values.size() == array.values.size() &&
         (table.values.empty() ||
          std::memcmp(table.values.data(), array.values.data(), 8 * table.values.size()) == 0);
}

void both(const std::function<verify::Table()>& checker, const std::function<Array()>& library) {
  verify::Table table;
  Array array;
  const bool first = checker_accepts([&] { table = checker(); });
  const bool second = accepted([&] { array = library(); });
  if (first && second) require(same(table, array), "two readers find the same numbers");
}

void both_archives(const std::string& bytes) {
  std::map<std::string, verify::Table> tables;
  NamedArrays arrays;
  const bool first = checker_accepts([&] { tables = verify::parse_npz(bytes); });
  const bool second = accepted([&] { arrays = parse_npz(bytes); });
  if (!first || !second) return;
  require(tables.size() == arrays.size(), "two readers find as many arrays");
  for (const auto& [name, table] : tables)
    require(arrays.contains(name) && same(table, arrays.at(name)), "two readers find one array");
}

verify::Problem small_sizes() {
  verify::Problem problem;
  problem.n_x = problem.n_u = 1;
  problem.T = 2;
  return problem;
}

}  // namespace

void checker_files(Bytes bytes) {
  if (bytes.empty()) return;
  const std::string content(bytes.substr(1));
  const auto refused_by_name = [&](const auto& read) {
    checker_accepts([&] { verify::in_file("file", read); });
  };
  switch (bytes[0]) {
    case 'n':
      return both([&] { return verify::parse_npy(content); }, [&] { return parse_npy(content); });
    case 'c':
      return both([&] { return verify::parse_csv(content); }, [&] { return parse_csv(content); });
    case 'z':
      return both_archives(content);
    case 'k':
      return refused_by_name([&] { return verify::parse_controller(content, small_sizes()); });
    default:
      return;
  }
}

}  // namespace loopcert::fuzz
