// The makers of the methods, one file each.
#pragma once

#include "learning/learn_method.hpp"

namespace loopcert {

#define ADD(name, maker) LearnMethod maker();
#include "problem/learning_methods.inc"

}  // namespace loopcert
