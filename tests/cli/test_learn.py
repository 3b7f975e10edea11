"""learn: the numbers of the examples, the files, the record."""

import json
import os
import signal
import subprocess

import numpy as np

from program import AFFINE, COLOURED, PROGRAM, WHITE, WHITE_TREE, ProgramTest


class Numbers(ProgramTest):
    def test_lqr_is_optimal_under_white_noise(self):
        run = self.ok_json("learn", WHITE, "--method", "lqr")
        for key in ("population_cost", "lqr_cost", "optimal_cost"):
            self.assertAlmostEqual(run[key], 3.117638784350, delta=1e-10)
        self.assertEqual((run["n"], run["p"], run["method"]), (0, 110, "lqr"))
        self.assertIsNone(run["empirical_cost"])
        self.assertIsNone(run["certificate"])

    def test_lqr_is_far_from_optimal_under_coloured_noise(self):
        run = self.ok_json("learn", COLOURED, "--method", "lqr")
        self.assertAlmostEqual(run["lqr_cost"], 4.531609907648, delta=1e-10)
        self.assertAlmostEqual(run["population_cost"], run["lqr_cost"], delta=1e-10)
        self.assertAlmostEqual(run["optimal_cost"], 2.658665553730, delta=1e-10)

    def test_affine_optimum(self):
        run = self.ok_json("learn", AFFINE, "--method", "lqr")
        self.assertAlmostEqual(run["optimal_cost"], 3.262541, delta=1e-6)
        self.assertEqual(run["p"], 65)

    def test_erm_approaches_the_optimum(self):
        for problem in (WHITE, COLOURED, AFFINE):
            run = self.ok_json("learn", problem, "--method", "erm", "--sample", 200000)
            self.assertGreater(run["population_cost"], run["optimal_cost"])
            self.assertLess(run["population_cost"], run["optimal_cost"] * 1.0005)
            self.assertTrue(run["details"]["determined"])

    def test_cost_falls_with_n(self):
        costs = [self.ok_json("learn", COLOURED, "--method", "ridge", "--gamma", "cv",
                              "--sample", n)["population_cost"] for n in (20, 200, 2000)]
        self.assertEqual(costs, sorted(costs, reverse=True))

    def test_cross_validation_is_in_the_record(self):
        run = self.ok_json("learn", COLOURED, "--method", "ridge", "--gamma", "cv", "--sample", 50)
        table = run["details"]["cross_validation"]
        self.assertEqual(len(table["gamma"]), len(table["cost"]))
        self.assertEqual(table["gamma"][int(np.argmin(table["cost"]))], run["details"]["gamma"])

    def test_gamma_of_the_command_line_wins(self):
        arguments = ("learn", WHITE, "--method", "ridge", "--sample", 20)
        self.assertEqual(self.ok_json(*arguments)["details"]["gamma"], 0.01)
        self.assertEqual(self.ok_json(*arguments, "--gamma", "0.5")["details"]["gamma"], 0.5)

    def test_undetermined_erm_warns(self):
        done = self.run_program("learn", WHITE, "--method", "erm", "--sample", 5, "--json")
        self.assertEqual(done.returncode, 0)
        run = json.loads(done.stdout)
        self.assertIs(run["details"]["determined"], False)
        self.assertEqual(run["details"]["rank"], 5)
        self.assertIn("warning", done.stderr)
        self.assertIn(run["warnings"][0]["text"], done.stderr)


class Files(ProgramTest):
    def test_out_holds_controller_and_record(self):
        run = self.ok_json("learn", WHITE, "--method", "erm", "--sample", 40, "--seed", 7,
                           "--out", "a/b")
        names = sorted(path.name for path in (self.folder / "a/b").iterdir())
        self.assertEqual(names, ["controller.json", "report.html", "run.json"])
        self.assertEqual(json.loads((self.folder / "a/b/run.json").read_text()), run)
        controller = json.loads((self.folder / "a/b/controller.json").read_text())
        self.assertEqual(np.shape(controller["K"]), (10, 22))
        self.assertEqual(np.shape(controller["k"]), (10,))
        self.assertEqual([controller[key] for key in ("horizon", "n_x", "n_u")], [10, 2, 1])
        provenance = controller["provenance"]
        self.assertEqual(provenance["method"], "erm")
        self.assertEqual(provenance["problem"], "double integrator")
        self.assertEqual((provenance["n"], provenance["seed"]), ("40", "7"))

    def test_same_run_same_bytes(self):
        for method in ("lqr", "erm", "ridge"):
            for out in "ab":
                self.ok("learn", COLOURED, "--method", method, "--sample", 30, "--seed", 3,
                        "--out", out)
            first, second = ((self.folder / out / "controller.json").read_bytes() for out in "ab")
            self.assertEqual(first, second)

    def test_toml_and_json_problems_are_the_same(self):
        as_json = self.write("problem.json", WHITE_TREE)
        for problem, out in ((WHITE, "toml"), (as_json, "json")):
            self.ok("learn", problem, "--method", "erm", "--sample", 30, "--out", out)
        first, second = ((self.folder / out / "controller.json").read_bytes()
                         for out in ("toml", "json"))
        self.assertEqual(first, second)

    def test_data_from_a_file_is_data_sampled(self):
        self.ok("sample", WHITE, "-n", 30, "--seed", 5, "--out", "w.npy")
        a = self.ok_json("learn", WHITE, "--method", "ridge", "--data", "w.npy", "--out", "a")
        b = self.ok_json("learn", WHITE, "--method", "ridge", "--sample", 30, "--seed", 5)
        self.assertEqual(a["empirical_cost"], b["empirical_cost"])
        self.assertEqual(a["population_cost"], b["population_cost"])
        controller = json.loads((self.folder / "a/controller.json").read_text())
        self.assertNotIn("seed", controller["provenance"])

    def test_rollouts_give_the_disturbances_back(self):
        rng = np.random.default_rng(1)
        A, B = np.array([[1, 1], [0, 1]]), np.array([[0.5], [1]])
        w, u = rng.normal(size=(30, 11, 2)), rng.normal(size=(30, 10, 1))
        x = np.zeros((30, 11, 2))
        x[:, 0] = w[:, 0]
        for t in range(10):
            x[:, t + 1] = x[:, t] @ A.T + u[:, t] @ B.T + w[:, t + 1]
        np.save(self.folder / "x.npy", x)
        np.save(self.folder / "u.npy", u)
        np.save(self.folder / "w.npy", w)
        a = self.ok_json("learn", WHITE, "--method", "erm", "--rollouts", "x.npy", "u.npy")
        b = self.ok_json("learn", WHITE, "--method", "erm", "--data", "w.npy")
        self.assertAlmostEqual(a["empirical_cost"], b["empirical_cost"], delta=1e-9)

    def test_table_for_a_person(self):
        text = self.ok("learn", WHITE, "--method", "ridge", "--sample", 40, "--out", "out", "--verbose")
        for part in ("ridge", "40", "110", "empirical cost", "population cost", "3.11764",
                     "sensitivity", "controller.json, run.json, report.html in out"):
            self.assertIn(part, text)
        self.assertEqual(self.ok("learn", WHITE, "--method", "lqr", "--quiet"), "")

    def test_unknown_law(self):
        tree = {**WHITE_TREE, "disturbance": {}}
        problem = self.write("problem.json", tree)
        self.ok("sample", WHITE, "-n", 40, "--out", "w.csv")
        run = self.ok_json("learn", problem, "--method", "erm", "--data", "w.csv")
        for key in ("population_cost", "sensitivity", "optimal_cost", "lqr_cost"):
            self.assertIsNone(run[key])
        self.assertLess(run["empirical_cost"], run["lqr_empirical_cost"])
        self.fails(3, "learn", problem, "--method", "erm", "--sample", 3,
                   says=["problem.json", "disturbance.covariance"])


class Progress(ProgramTest):
    # Work without an end that anybody would wait for.
    LONG = ("coverage", "--sets", "50000", "--jobs", "1")

    def at_a_terminal(self, *arguments, until=None):
        """What a person sees on standard error, which is a terminal here; with `until` it is stopped
        as soon as that is seen."""
        ours, theirs = os.openpty()
        with subprocess.Popen([PROGRAM, *map(str, arguments)], stdout=subprocess.PIPE, stderr=theirs,
                              cwd=self.folder) as process:
            os.close(theirs)
            text = b""
            while True:
                try:
                    text += os.read(ours, 65536)
                except OSError:  # the other end is closed
                    break
                if until and until in text:
                    process.send_signal(signal.SIGINT)
                    until = None
            process.stdout.read()
        os.close(ours)
        self.assertIsNone(until, text)
        return text.decode()

    def test_one_line_that_is_wiped(self):
        """From the second second on; a message comes after it is gone."""
        text = self.at_a_terminal(*self.LONG, until=b"coverage")
        shown, message = text.rsplit("\r\x1b[K", 1)
        self.assertRegex(shown, r"\A(\r\x1b\[Kcoverage [^\n]*)+\Z")
        self.assertTrue(message.startswith("loopcert: interrupted"), message)

    def test_quick_work_and_quiet(self):
        learn = ("learn", WHITE, "--method", "lqr")
        self.assertEqual(self.at_a_terminal(*learn), "")
        self.assertEqual(self.at_a_terminal(*learn, "--quiet"), "")

    def test_not_in_a_pipe(self):
        done = self.run_program("learn", COLOURED, "--method", "ridge", "--gamma", "cv",
                                "--sample", 100)
        self.assertEqual(done.stderr, "")


class ClosedLoop(ProgramTest):
    def test_a_controller_that_is_not_the_response_is_refused(self):
        """Nearly singular disturbances: ERM's response has entries that no K reproduces."""
        draw, n, T = np.random.RandomState(0), 200, 20
        w = np.zeros((n, T + 1, 2))
        w[:, 0] = 0.1 * draw.normal(size=(n, 2))
        drag = draw.normal(size=n)
        for t in range(T):
            w[:, t + 1] = np.column_stack([1e-8 * draw.normal(size=n), 0.1 * drag])
            drag = 0.999 * drag + 0.045 * draw.normal(size=n)
        np.save(self.folder / "w.npy", w.reshape(n, -1))
        tree = {"horizon": T, "system": {"A": [[1, 0.1], [0, 1]], "B": [[0.005], [0.1]]},
                "cost": {"Q": [1, 0.1], "R": [0.01]}}
        problem = self.write("p.json", tree)
        self.fails(1, "learn", problem, "--data", "w.npy", "--method", "erm", "--out", "out",
                   says="its closed loop differs from the learned response")
        # Methods that shrink do not get there: what they learn is what runs.
        for method in ("shrinkage", "auto"):
            run = self.ok_json("learn", problem, "--data", "w.npy", "--method", method, "--out",
                               "out")
            cost = self.ok_json("simulate", problem, "--controller", "out/controller.json",
                                "--data", "w.npy")
            self.assertAlmostEqual(cost["mean"], run["empirical_cost"],
                                   delta=1e-6 * run["empirical_cost"])
