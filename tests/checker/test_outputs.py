"""loopcert-verify on plants that are seen through outputs: it derives the plant from each form by
itself, and refuses a record whose form says something else."""

import copy
import unittest

import numpy as np

from checker import CheckerTest

# (0.5 z + 0.2) / (z^2 - 1.2 z + 0.35), two steps late
STATE_SPACE = {"A": [[1.2, -0.35], [1, 0]], "B": [[1], [0]], "C": [[0.5, 0.2]], "delay": 1}
H = [0.5, 0.8, 0.785, 0.662]
FORMS = {
    "state space": STATE_SPACE,
    "varying": {**STATE_SPACE, "A": [STATE_SPACE["A"]] * 4, "C": [STATE_SPACE["C"]] * 5},
    "offset": {**STATE_SPACE, "d": [0.1, -0.2]},
    "transfer": {"transfer": {"num": [0.5, 0.2], "den": [1, -1.2, 0.35], "delay": 1}},
    "impulse": {"impulse": H, "delay": 1},
    "offset of the output": {"impulse": H, "d": [[0.1], [0], [-0.3], [0.2]]},
    "step": {"step": np.cumsum(H).tolist(), "delay": 1},
    "continuous": {"A": [[0, 1], [-1, -0.4]], "B": [[0], [1]], "C": [[1, 0]], "continuous": True,
                   "dt": 0.5, "delay": 0.7},
    "continuous transfer": {"transfer": {"num": [2], "den": [3, 1], "delay": 1.3},
                            "continuous": True, "dt": 1},
    "two outputs": {"transfer": [[{"num": [1], "den": [1, -0.5]}],
                                 [{"num": [1], "den": [1, -0.9], "delay": 1}]]},
}
T = 4


def problem_of(system, **more):
    n_y = 2 if isinstance(system.get("transfer"), list) else 1
    root = np.tril(np.ones((T + 1, T + 1))) @ np.diag([1, .6, .5, .6, .5])  # a coloured law
    return {"name": "outputs", "horizon": T, "system": system,
            "cost": {"Q": [1] * n_y, "R": [0.5], "P": [2] * n_y},
            "disturbance": {"covariance": np.kron(root @ root.T, np.eye(n_y)).tolist(), "scale_bound": 20},
            "certificate": {"delta": 0.05}, **more}


class Outputs(CheckerTest):
    def test_every_form_is_verified(self):
        for name, system in FORMS.items():
            for kind, method in [("hold-out", "erm"), ("cross-relative", "shrinkage")]:
                with self.subTest(form=name, kind=kind):
                    run = self.learned(problem_of(system), kind, method)
                    status, text = self.ask_run(run)
                    self.assertEqual((status, text[:8]), (0, "VERIFIED"), text)
                    status, text = self.ask_all("run", "--data", "w.npy", "--problem", "problem.json")
                    self.assertEqual(status, 0, text)

    def test_auto_and_pac_bayes(self):
        for kind, method in [("best", "auto"), ("data-driven", "pac-bayes")]:
            run = self.learned(problem_of(FORMS["impulse"]), kind, method)
            status, text = self.ask_run(run)
            self.assertEqual((status, text[:8]), (0, "VERIFIED"), text)

    def test_setpoints(self):
        """Of outputs, where the open loop and the colours of auto have a feedforward, and of a state."""
        tree = problem_of({**FORMS["state space"], "d": [0.1, -0.2]})
        tree["cost"]["reference"] = [[0], [0], [1], [2], [2]]
        own = {**tree, "cost": {**tree["cost"], "reference": [[0], [0], [1], [2], [2.1]]}}
        run = self.learned({**tree, "system": {"A": [[0.9]], "B": [[1]]}}, "best", "auto")
        self.assertEqual(self.ask_run(run)[0], 0)
        for more in ({}, {"baseline": {"pid": {"p": 0.2}, "setpoint": [1]}}):
            for kind, method in [("best", "auto"), ("best", "optimum"), ("cross-scale-free", "shrinkage")]:
                with self.subTest(kind=kind, method=method, more=list(more)):
                    run = self.learned({**tree, **more}, kind, method)
                    status, text = self.ask_run(run)
                    self.assertEqual((status, text[:8]), (0, "VERIFIED"), text)
                    self.assertEqual(
                        self.ask_all("run", "--data", "w.npy", "--problem", "problem.json")[0], 0)
        status, text = self.ask("run", "--data", "w.npy", "--problem", self.write("own.json", own))
        self.assertEqual((status, text[:7]), (1, "REFUTED"), text)

    def test_another_plant_is_refuted(self):
        run = self.learned(problem_of(FORMS["impulse"]), "hold-out-chi-square", "erm")
        honest = copy.deepcopy(run.certificate)
        for place, value in [("impulse", [0.5, 0.7, 0.785, 0.662]), ("impulse", H[:2]), ("delay", 0)]:
            run.certificate = copy.deepcopy(honest)
            run.certificate["inputs"]["problem"]["system"][place] = value
            status, text = self.ask_run(run)
            self.assertEqual((status, text[:7]), (1, "REFUTED"), (place, text))

    def test_outputs_that_only_tests_measure(self):
        """The controller sees the first output, the cost has both; another count is refuted."""
        two = {"A": [[1.2, -0.35], [1, 0]], "B": [[1], [0]], "C": [[0.5, 0.2], [0, 1]], "test_only": 1}
        root = np.tril(np.ones((2 * T + 2, 2 * T + 2)))
        tree = {**problem_of(two), "cost": {"Q": [1, 2], "R": [0.5], "P": [2, 1]},
                "disturbance": {"covariance": (0.1 * root @ root.T).tolist(), "scale_bound": 40},
                "baseline": {"pid": {"p": 0.1, "i": 0.02}}}
        for kind, method in [("best", "auto"), ("hold-out", "erm"), ("cross-relative", "shrinkage"),
                             ("best", "baseline"), ("data-driven", "pac-bayes")]:
            with self.subTest(kind=kind, method=method):
                run = self.learned(tree, kind, method)
                status, text = self.ask_run(run)
                self.assertEqual((status, text[:8]), (0, "VERIFIED"), text)
                self.assertEqual(self.ask_all("run", "--data", "w.npy", "--problem", "problem.json")[0], 0)
        run = self.learned(tree, "hold-out-chi-square", "erm")
        for change in ({"test_only": None}, {"C": [[0.5, 0.2], [0, 0.9]]}, {"test_only": 2}):
            forged = copy.deepcopy(run)
            system = forged.certificate["inputs"]["problem"]["system"]
            for key, value in change.items():
                system.pop(key) if value is None else system.update({key: value})
            status, text = self.ask_run(forged)
            self.assertNotEqual(status, 0, (change, text))
        self.ok("learn", "problem.json", "--data", "w.npy", "--certificate", "hold-out-chi-square",
                "--method", "erm", "--out", "run")
        own = {**tree, "system": {**two, "test_only": 1, "C": [[0.5, 0.2], [0.1, 1]]}}
        status, text = self.ask("run", "--data", "w.npy", "--problem", self.write("own.json", own))
        self.assertEqual((status, text[:7]), (1, "REFUTED"), text)

    def test_the_reviewers_own_plant(self):
        self.learned(problem_of(FORMS["impulse"]), "hold-out-chi-square", "erm")
        for system in [{"impulse": [0.5, 0.8, 0.785, 0.6621], "delay": 1}, {"impulse": H},
                       STATE_SPACE, {"A": [[1.0]], "B": [[1.0]]}]:
            status, text = self.ask("run", "--data", "w.npy", "--problem", self.write("own.json", problem_of(system)))
            self.assertEqual((status, text[:7]), (1, "REFUTED"), (system, text))

    def test_a_sampled_state_is_compared_with_its_exponential(self):
        def state(dt):
            system = {"A": [[0, 1], [-1, -0.4]], "B": [[0], [1]], "continuous": True, "dt": dt}
            return {**problem_of(system), "cost": {"Q": [1, 1], "R": [0.5]},
                    "disturbance": {"covariance": 0.1}}
        self.learned(state(0.5), "hold-out-chi-square", "erm")
        self.assertEqual(self.ask_all("run", "--data", "w.npy", "--problem", self.write("own.json", state(0.5)))[0], 0)
        status, text = self.ask("run", "--data", "w.npy", "--problem", self.write("own.json", state(0.51)))
        self.assertEqual((status, text[:7]), (1, "REFUTED"), text)


if __name__ == "__main__":
    unittest.main()
