#include "loopcert/response/options.hpp"

#include <utility>
#include <vector>

#include "core/text.hpp"
#include "loopcert/core/error.hpp"

namespace loopcert {
namespace {

template <class Value>
using Names = std::vector<std::pair<std::string, Value>>;

const Names<Basis> basis_names = {{"orthonormal", Basis::orthonormal},
                                  {"input", Basis::input},
                                  {"cost", Basis::cost},
                                  {"given", Basis::given}};
const Names<Start> start_names = {
    {"min-norm", Start::min_norm}, {"lqr", Start::lqr}, {"zero-input", Start::zero_input}};

template <class Value>
Value value_of(const Names<Value>& names, const std::string& key, const std::string& name) {
  std::vector<std::string> known;
  for (const auto& [text, value] : names) {
    if (text == name) return value;
    known.push_back(text);
  }
  throw_input_error(key, "'" + name + "'", join(known, " | ") + did_you_mean(name, known));
}

template <class Value>
std::string name_of(const Names<Value>& names, Value wanted) {
  for (const auto& [text, value] : names)
    if (value == wanted) return text;
  throw InputError("unknown option value");
}

}  // namespace

Basis basis_from_name(const std::string& name) {
  return value_of(basis_names, "response.basis", name);
}
Start start_from_name(const std::string& name) {
  return value_of(start_names, "response.start", name);
}
std::string basis_name(Basis basis) { return name_of(basis_names, basis); }
std::string start_name(Start start) { return name_of(start_names, start); }

}  // namespace loopcert
