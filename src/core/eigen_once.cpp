// CMake defines LOOPCERT_EIGEN_ONCE as nothing here: what others declare is defined.
#include "core/eigen_once.hpp"
