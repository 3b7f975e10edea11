"""A call and a command give the same numbers, to the last bit."""

import json
import tempfile
import unittest
from pathlib import Path

import numpy as np
from support import EXAMPLES, program, program_json, same_bits, small_problem, without_times

import loopcert as lc

PROBLEM = EXAMPLES / "double-integrator" / "problem.toml"
COLOURED = EXAMPLES / "assumptions" / "coloured.toml"


class SameAsProgram(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_learn(self):
        for path, n, options in [
            (PROBLEM, 40, {}),
            (PROBLEM, 40, {"method": "lqr"}),
            (PROBLEM, 40, {"method": "ridge", "gamma": "cv", "certificate": "cross-chi-square"}),
            (PROBLEM, 40, {"method": "erm", "certificate": "hold-out-scale-free"}),
            (PROBLEM, 25, {"method": "pac-bayes", "certificate": "best"}),
            (COLOURED, 60, {"method": "auto"}),
            (EXAMPLES / "scalar-affine" / "problem.toml", 30, {}),
        ]:
            with self.subTest(path=path.name, options=options):
                flags = [f"--{name}={value}" for name, value in options.items()]
                out = self.folder / "program"
                theirs = program_json("learn", path, "--sample", n, "--seed", 3, "--out", out, *flags)
                problem = lc.Problem.read(path)
                result = lc.learn(problem, problem.sample(n, seed=3), **options)
                self.assertEqual(without_times(result.to_dict()), without_times(theirs))
                controller = json.loads((out / "controller.json").read_text())
                self.assertTrue(same_bits(result.controller.K, controller["K"]))
                self.assertTrue(same_bits(result.controller.k, controller["k"]))
                if result.posterior is not None:
                    posterior = np.load(out / "posterior.npz")
                    self.assertTrue(same_bits(result.posterior.mean, posterior["mean"]))
                    self.assertTrue(same_bits(result.posterior.variance, posterior["variance"]))

    def test_saved_files(self):
        problem = lc.Problem.read(PROBLEM)
        result = lc.learn(problem, problem.sample(40, seed=1))
        ours, theirs = self.folder / "ours", self.folder / "theirs"
        names = result.save(ours)
        program("learn", PROBLEM, "--sample", 40, "--seed", 1, "--out", theirs)
        self.assertEqual(sorted(names), sorted(p.name for p in theirs.iterdir()))
        for name in ("certificate.json", "posterior.npz"):
            self.assertEqual((ours / name).read_bytes(), (theirs / name).read_bytes(), name)
        # The program also notes the seed that it drew the trajectories with.
        a, b = (json.loads((f / "controller.json").read_text()) for f in (ours, theirs))
        b["provenance"].pop("seed")
        self.assertEqual(a, b)
        self.assertTrue(lc.verify(ours, problem.sample(40, seed=1)))
        data = self.folder / "w.npy"
        problem.sample(40, seed=1).write(problem, data)
        program("verify", ours / "certificate.json", "--data", data)

    def test_rollouts(self):
        problem = lc.Problem.read(EXAMPLES / "quarter-car" / "problem.toml")
        logs = [EXAMPLES / "quarter-car" / f"drive-{i}.csv" for i in (1, 2)]
        w = self.folder / "w.npy"
        program("import", problem_path := EXAMPLES / "quarter-car" / "problem.toml",
                "--rollouts", *logs, "--out", w)
        data = lc.Disturbances.read(problem, w)
        controller = problem.lqr()
        run = lc.simulate(problem, controller, data)
        again = lc.Disturbances.from_rollouts(problem, run.x, run.u)
        np.testing.assert_allclose(again.w, data.w, atol=1e-12)
        self.assertEqual(len(again.residuals), problem.n_x)
        theirs = program_json("learn", problem_path, "--data", w)
        self.assertEqual(
            without_times(lc.learn(problem, data).to_dict()), without_times(theirs)
        )

    def test_certify_and_verify(self):
        problem = lc.Problem.read(COLOURED)
        lqr = problem.lqr()
        lqr.save(self.folder / "lqr.json")
        ridge = lc.learn(problem, problem.sample(80, seed=2), method="ridge", gamma="cv",
                         certificate="cross-chi-square").controller
        ridge.save(self.folder / "ridge.json")
        fresh = problem.sample(80, seed=9, fresh=True)
        for kind, extra in [("hold-out-scale-free", []), ("best", []),
                            ("improvement", ["--baseline", self.folder / "lqr.json"])]:
            with self.subTest(kind=kind):
                theirs = program_json("certify", COLOURED, "--controller",
                                      self.folder / "ridge.json", "--sample", 80, "--seed", 9,
                                      "--certificate", kind, *extra)
                ours = lc.certify(problem, ridge, fresh, kind, baseline=lqr if extra else None)
                self.assertEqual(ours.to_dict(), theirs)
                self.assertTrue(lc.verify(ours, fresh))

    def test_verify_rejects(self):
        problem = lc.Problem.read(PROBLEM)
        data = problem.sample(40, seed=1)
        lc.learn(problem, data).save(self.folder / "run")
        path = self.folder / "run" / "certificate.json"
        record = json.loads(path.read_text())
        record["value"] *= 0.9
        path.write_text(json.dumps(record))
        verdict = lc.verify(path, data)
        self.assertFalse(verdict)
        np.save(self.folder / "w.npy", data.w)
        done = program("verify", path, "--data", self.folder / "w.npy", check=False)
        self.assertEqual(done.returncode, 4)
        self.assertEqual(done.stderr.strip(), "loopcert: " + verdict.reason)

    def test_simulate(self):
        problem = lc.Problem.read(PROBLEM)
        controller = problem.lqr()
        controller.save(self.folder / "lqr.json")
        theirs = program_json("simulate", PROBLEM, "--controller", self.folder / "lqr.json",
                              "--sample", 500, "--seed", 4)
        self.assertEqual(lc.simulate(problem, controller, n=500, seed=4).to_dict(), theirs)

    def test_inspect(self):
        theirs = program_json("inspect", COLOURED, "--sample", 100, "--seed", 1)
        problem = lc.Problem.read(COLOURED)
        self.assertEqual(lc.inspect(problem, problem.sample(100, seed=1)).to_dict(), theirs)

    def test_plan(self):
        flags = ["--target", 6, "--trials", 3, "--max-n", 80]
        theirs = program_json("plan", COLOURED, *flags)
        problem = lc.Problem.read(COLOURED)
        self.assertEqual(lc.plan(problem, 6, trials=3, max_n=80).to_dict(), theirs)

    def test_sweep(self):
        tree = {"name": "tiny", "problems": [small_problem().to_dict()], "n": [10, 20],
                "methods": ["lqr", {"method": "ridge", "gamma": "cv"}], "seeds": 2, "test": 50}
        file = self.folder / "tiny.json"
        file.write_text(json.dumps(tree))
        program("sweep", file, "--out", self.folder / "out")
        theirs = json.loads((self.folder / "out" / "results.json").read_text())
        for ours in (
            lc.sweep(file),
            lc.sweep(problems=[small_problem()], n=[10, 20], seeds=2, test=50, name="tiny",
                     methods=["lqr", {"method": "ridge", "gamma": "cv"}], jobs=1),
        ):
            self.assertEqual(ours.to_dict(), theirs)
        self.assertEqual(len(ours.where(label="lqr")), 4)


if __name__ == "__main__":
    unittest.main()
