"""loopcert-verify against data that were chosen, not drawn: attacks that were planned from the documents alone.

Each of these was VERIFIED once.
"""

import json

import numpy as np

from attack import AttackTest
from forgery import expected_cost
from honest_runs import PROBLEM


class ChosenData(AttackTest):
    def test_a_known_law_has_a_known_cost(self):
        """Data that are smaller than the law, or linked otherwise, cannot make it cheaper."""
        for kind in ("oracle", "oracle-randomized"):
            run = self.learned(PROBLEM, kind, "oracle-pac-bayes", n=400)
            self.assertEqual(self.ask_run(run)[0], 0)
            shrunk, linked = run.copy(), run.copy()
            shrunk.data = 0.3 * shrunk.data
            linked.data[:, 2:] = -0.7 * linked.data[:, :6]
            for forged in (shrunk, linked):
                # None, or a number that is no smaller than what the controller costs.
                truth = expected_cost(forged.certificate["inputs"]["problem"], forged.controller["K"],
                                      forged.controller["k"], [0.1] * 8)
                self.never_below(truth, forged)
            self.assertIn("REFUTED value: below the smallest cost", self.attack(shrunk)[1])

    def test_a_mean_that_cancels_an_offset(self):
        plant = {"horizon": 1, "system": {"A": [[0.0]], "B": [[0.0]], "d": [[1.0]]},
                 "cost": {"Q": [[0.0]], "R": [[1.0]], "P": [[1.0]]},
                 "disturbance": {"scale_bound": 1.2}}
        rng = np.random.RandomState(3)
        # So many that the mean shows; and so few that only the number does.
        for n, mean, spread, scale, factor, says in (
                (4000, -1.0, 1e-3, 1.2, 0.05, "their mean is not zero, as entry 2"),
                (60, -0.5, 0.5, 0.6, 0.086, "below the smallest cost")):
            plant["disturbance"]["scale_bound"] = scale
            noise = rng.normal(size=n)
            noise = (noise - noise.mean()) / noise.std()
            rows = np.column_stack([0.3 * rng.normal(size=n), mean + spread * noise])
            run = self.forge(plant, "hold-out", [[0.0, 0.0]], [0.0], rows, delta=0.5)
            run.certificate["lambda"] = factor
            self.assertIn(says, self.attack(run)[1])

    def test_names_of_columns(self):
        run = self.learned(PROBLEM, "hold-out-chi-square", "lqr")
        names = [f"x0_{i}" for i in range(2)] + [f"w{t}_{i}" for t in range(3) for i in range(2)]
        def asked(names):
            np.savetxt(self.folder / "w.csv", run.data, fmt="%.17g", delimiter=",", comments="",
                       header=",".join(names))
            return self.ask_all("run", "--data", "w.csv")
        self.assertEqual(asked(names)[0], 0)
        self.assertEqual(asked([name + " [m]" for name in names])[0], 0)
        status, text = asked(names[2:] + names[:2])
        self.assertEqual(status, 3)
        self.assertIn("column names: found another order", text)

    def test_mirror_images_of_what_taught(self):
        self.learned(PROBLEM, "hold-out-scale-free", "erm")
        controller = json.loads((self.folder / "run/controller.json").read_text())
        mirrored = -np.load(self.folder / "w.npy")
        np.save(self.folder / "mirrored.npy", mirrored)
        self.fails(3, "certify", "problem.json", "--controller", "run/controller.json", "--data",
                   "mirrored.npy", "--certificate", "hold-out-scale-free", says="learned from")
        run = self.forge({**PROBLEM, "cost": {"Q": [[1, 0], [0, 0.1]], "R": [[0.5]], "P": [[2, 0], [0, 0.2]]}},
                         "hold-out-scale-free", controller["K"], controller["k"], mirrored)
        run.controller.update(recordings=controller["recordings"])
        self.assertIn("was learned from trajectory 1, mirrored", self.attack(run)[1])
        del run.controller["recordings"]
        run.controller["learned_from"] = controller["learned_from"]
        self.assertIn("was learned from trajectory 1, mirrored", self.attack(run)[1])

    def test_copies_beside_one_that_is_shorter(self):
        run = self.learned(PROBLEM, "hold-out-chi-square", "lqr")
        run.data = run.data[:1] * (1 + 1e-6 * np.random.RandomState(5).normal(size=(40, 1)))
        run.data[-1] *= 0.4
        self.assertIn("trajectories have only 1 directions", self.attack(run)[1])

    def test_headers_that_two_readers_read_differently(self):
        self.learned(PROBLEM, "hold-out-chi-square", "lqr")
        plain = (self.folder / "w.npy").read_bytes()
        def asked(header, version=1):
            text = header.encode().ljust(len(plain) - 40 * 8 * 8 - 10 - 1) + b"\n"
            (self.folder / "odd.npy").write_bytes(
                b"\x93NUMPY" + bytes([version, 0]) + len(text).to_bytes(2, "little") + text +
                plain[-40 * 8 * 8:])
            return self.ask_all("run", "--data", "odd.npy")
        start = "{'descr': '<f8', 'fortran_order': False, "
        self.assertEqual(asked(start + "'shape': (40, 8)}")[0], 0)
        self.assertIn("'shape' twice", asked(start + "'shape': (40, 8), 'shape': (8, 40)}")[1])
        self.assertIn("shape: found", asked(start + "'shape': (-40, -8)}")[1])
        self.assertIn("version: found 9", asked(start + "'shape': (40, 8)}", 9)[1])

    def test_a_kurtosis_that_no_law_has(self):
        self.write("problem.json", {**PROBLEM, "disturbance": {"model": "any", "kurtosis": 1.5}})
        self.fails(3, "learn", "problem.json", "--method", "lqr", says="at least 2")
