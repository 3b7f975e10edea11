// Small problem files to start from.
#pragma once

#include <string>

namespace loopcert::testing {

// The least a problem file can say.
inline const std::string small_problem = R"(horizon = 3
[system]
A = [[1, 1], [0, 1]]
B = [[0.5], [1]]
[cost]
Q = [[1, 0], [0, 0.1]]
R = [[0.5]]
)";

// Everything it can say: the example of the documentation.
inline const std::string full_problem = R"(name    = "double integrator"
horizon = 10
[system]                      # x+ = A x + B u + d + w
A = [[1, 1], [0, 1]]          # one matrix, or a list of T matrices
B = [[0.5], [1]]
d = [0, 0]                    # optional
[cost]
Q = [[1, 0], [0, 0.1]]
R = [[0.5]]
P = [[2, 0], [0, 0.2]]        # terminal; default Q
[response]
affine = false
start  = "min-norm"
basis  = "orthonormal"
[disturbance]
model       = "gaussian"
scale_bound = 0.1
radius      = 3.0
white       = false
covariance  = 0.1
mean        = 0.0
[learning]
method = "pac-bayes"
gamma  = 0.01
prior  = { center = "start", scale = 1.0 }
[certificate]
kind  = "data-driven"
delta = { pac_bayes = 0.025, covariance = 0.025 }
)";

}  // namespace loopcert::testing
