// A plant with one state and one input over one step, and a record about it.
#pragma once

#include "formats/record.hpp"

namespace verify::testing {

inline json small_problem() {
  return json::parse(R"({"name": "small", "horizon": 1,
    "system": {"A": [[1.0]], "B": [[1.0]]}, "cost": {"Q": [[1.0]], "R": [[1.0]], "P": [[1.0]]},
    "response": {"affine": false, "start": "lqr", "basis": "cost"},
    "disturbance": {"model": "gaussian", "white": true, "stationary": true, "zero_mean": true,
                    "scale_bound": 1.0, "covariance_bound": 1.0, "covariance": 0.5, "radius": 3.0,
                    "kurtosis": 3.0},
    "learning": {"method": "lqr", "gamma": "cv",
                 "prior": {"center": "start", "scale": 1.0, "fraction": 0.5, "method": "ridge"}},
    "certificate": {"kind": "hold-out", "fraction": 0.5, "folds": 2}})");
}

inline json small_record() {
  json record = json::parse(R"({"format": "loopcert certificate 2", "kind": "hold-out",
    "chosen": null, "subject": "controller", "functional": {"id": "cost", "parameters": {}},
    "oracle": false, "value": 1.0, "confidence": 0.95,
    "terms": [{"id": "margin", "value": 1.0}],
    "events": [{"kind": null, "fold": null, "id": "chernoff", "delta": 0.05, "choices": 1,
                "statement": {"id": "chernoff", "parameters": {}}}],
    "assumptions": [{"id": "scale-bound", "parameters": {"scale": 1}}],
    "n": 5, "kl": null, "lambda": 1.0, "solver": null, "all": [], "inputs": {}})");
  record["inputs"]["problem"] = small_problem();
  return record;
}

}  // namespace verify::testing
