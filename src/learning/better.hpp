// What auto learns where it leaves LQR and its colours.
#pragma once

#include "learning/learn_method.hpp"

namespace loopcert {

// By shrinkage or identified, whichever costs less on trajectories that it has not seen. The data
// that it is given choose, and no others: so each fold may be certified by what it left out.
LearnMethod better_method();

}  // namespace loopcert
