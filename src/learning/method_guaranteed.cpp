// guaranteed: the guaranteed-cost recursion of a plant that is identified (identified_design.hpp).
// Where the plant is known there is no error of a model to guard against.
#include "loopcert/core/error.hpp"
#include "methods.hpp"

namespace loopcert {
namespace {

Learned refuse_guaranteed(const LearnTask&) {
  throw_input_error("learning.method", "'guaranteed'",
                    "another method: this one needs system.identify, a plant that is not known");
}

}  // namespace

LearnMethod guaranteed_method() { return {.learn = refuse_guaranteed, .coordinates = false}; }

}  // namespace loopcert
