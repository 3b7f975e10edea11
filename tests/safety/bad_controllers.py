"""Bad controller and certificate files: (file, content, message)."""

import copy
import io
import json

import numpy as np

from bad_foreign import GOOD_MAT


CONTROLLER = {"format": "loopcert controller 1", "horizon": 10, "n_x": 2, "n_u": 1,
              "K": [[0.0] * 22 for _ in range(10)], "k": [0.0] * 10}


def controller(**changes):
    tree = copy.deepcopy(CONTROLLER)
    for key, value in changes.items():
        if value is ...:
            del tree[key]
        else:
            tree[key] = value
    return json.dumps(tree)


DEEP = "[" * 100000 + "]" * 100000  # more than any stack would walk down
LATER = [[0.0] * 22 for _ in range(10)]
LATER[0][2] = 1.0
ARRAYS = {"K": np.zeros((10, 22)), "k": np.zeros(10), "horizon": np.array([10.0]),
          "n_x": np.array([2.0]), "n_u": np.array([1.0])}


def arrays(**changes):
    buffer = io.BytesIO()
    np.savez(buffer, **{key: value for key, value in {**ARRAYS, **changes}.items()
                        if value is not ...})
    return buffer.getvalue()


CONTROLLERS = [
    ("c.json", "", "line 1, column 1"), ("c.json", "{}", "format"), ("c.json", "[]", "an object"),
    ("c.json", controller(format="loopcert controller 9"), "loopcert controller 1"),
    ("c.json", controller(horizon=0), "horizon"), ("c.json", controller(horizon=1e9), "horizon"),
    ("c.json", controller(horizon=9), "K"), ("c.json", controller(K=...), "K"),
    ("c.json", controller(K=[[0.0] * 21 for _ in range(10)]), "K[0]"),
    ("c.json", controller(K=LATER), "later state"), ("c.json", controller(k=[0.0] * 9), "k"),
    ("c.json", controller(k=["a"] * 10), "k[0]"), ("c.json", controller(provenance=3), "provenance"),
    ("c.json", controller(learned_from=["xyz"]), "16 hexadecimal digits"),
    ("c.json", controller(learned_from="all"), "a list"), ("c.json", controller()[:300], "JSON"),
    ("c.json", controller().replace("0.0", "1e999", 1), "c.json"),
    ("c.json", controller(provenance="DEEP").replace('"DEEP"', '{"a": ' + DEEP + "}"), "nested"),
    ("c.json", '{"format": 1, "format": 2}', "the key is given twice"),
    ("c.npz", arrays(K=...), "K: found nothing"), ("c.npz", arrays(K=np.zeros((3, 3))), "K"),
    ("c.npz", arrays(horizon=np.array([2.5])), "horizon"), ("c.npz", b"hello", "zip end"),
    ("c.npz", arrays(n_x=np.array([1.0, 2.0])), "n_x"), ("c.npz", arrays(n_u=np.array([0.0])), "n_u"),
    ("c.npz", arrays(learned_from=np.array([[0.5, 1.0]])), "learned_from"),
    ("c.npz", arrays(K=np.array(LATER)), "later state"), ("c.mat", GOOD_MAT, "among w"),
]

CERTIFICATES = [
    ("", "line 1, column 1"), ("{}", "format"), ("[]", "certificate.json"),
    ('{"format": "loopcert certificate 2"}', "certificate.json"),
    ('{"format": "loopcert certificate 7"}', "format"), ("{\"format\": 3", "JSON"),
    ('{"format": ' + DEEP + "}", "nested"), ('{"value": 1, "value": 2}', "the key is given twice"),
]
