"""Clipping: export --clip and simulate --clip agree step by step, and say which law a certificate is about."""

import json
import subprocess

import numpy as np

from program import WHITE, WHITE_TREE, ProgramTest

FLAGS = ["-std=c99", "-Wall", "-Wextra", "-Wconversion", "-Wpedantic", "-Werror", "-O2"]
ARM = ("arm-linux-gnueabihf-gcc", "-static")  # runs under qemu-arm
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
LIMITED = {**WHITE_TREE, "limits": {"u": [-0.4, 0.3], "x": [[-0.8, 0.8], [-5, 5]]}}
ENDLESS = {"format": "loopcert controller 1", "horizon": "infinite", "n_x": 2, "n_u": 1,
           "memory": {"outputs": 2, "inputs": 2}, "K": [[-0.5, -0.8, 0.1, -0.2]], "L": [[0.3, -0.1]],
           "k": [0.05], "provenance": {}, "input_limits": [[-0.4, 0.3]]}
# The exported controller on the double integrator: inputs of every step, then the counts.
MAIN = """#include <stdio.h>

#include "code/controller.h"

static const double w[5][COLUMNS] = {
ROWS};

int main(void) {
  int i, t;
  for (i = 0; i < 5; ++i) {
    controller_memory memory;
    double x[2], u[1];
    controller_reset(&memory);
    x[0] = w[i][0];
    x[1] = w[i][1];
    for (t = 0; t < STEPS; ++t) {
      double next;
      if (controller_step(&memory, x, u) != 0) return 1;
      printf("%.17g ", u[0]);
      next = x[0] + x[1] + 0.5 * u[0] + w[i][2 * t + 2];
      x[1] = x[1] + u[0] + w[i][2 * t + 3];
      x[0] = next;
    }
    printf("%lu\\n", controller_clipped(&memory, 0));
  }
  return 0;
}
"""


class Clip(ProgramTest):
    def build(self, *sources, flags=(), compiler=("gcc",)):
        done = subprocess.run([*compiler, *FLAGS, *flags, *sources, "-o", "run"], cwd=self.folder,
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def start(self, *emulator):
        done = subprocess.run([*emulator, "./run"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def lqr(self, **more):
        """LQR of the double integrator, in out.json with more keys."""
        self.ok("learn", WHITE, "--method", "lqr", "--out", "lqr")
        tree = json.loads((self.folder / "lqr/controller.json").read_text())
        return self.write("out.json", {**tree, **more})

    def test_code_and_simulation_agree_step_by_step(self):
        limited = self.write("limited.json", LIMITED)
        long = self.write("long.json", {**LIMITED, "horizon": 25})
        self.lqr(input_limits=[[-0.4, 0.3]])
        self.write("endless.json", ENDLESS)
        for controller, after, steps in (("out.json", "refuse", 10), ("out.json", "restart", 25),
                                         ("out.json", "hold", 25), ("endless.json", None, 25)):
            with self.subTest(controller=controller, after=after):
                later = ["--after", after] if after else []
                self.ok("export", controller, "--format", "c", "--out", "code", "--clip", *later)
                self.build("code/controller.c", "code/controller_test.c", flags=SANITIZERS)
                self.assertIn("largest error", self.start())
                self.ok("sample", long if steps == 25 else limited, "-n", 5, "--seed", 4, "--out", "w.npy")
                found = self.ok_json("simulate", limited, "--controller", controller, "--data", "w.npy",
                                     "--steps", steps, *later, "--clip", "--paths", "paths.npy")
                paths, w = np.load(self.folder / "paths.npy"), np.load(self.folder / "w.npy")
                rows = ",\n".join("{" + ", ".join(float(v).hex() for v in row) + "}" for row in w)
                self.write("main.c", MAIN.replace("COLUMNS", str(2 * steps + 2)).replace("ROWS", rows)
                           .replace("STEPS", str(steps)))
                for compiler, emulator in ((("gcc",), ()), (ARM, ("qemu-arm",))):
                    self.build("main.c", "code/controller.c", compiler=compiler)
                    numbers = np.array([[float(v) for v in line.split()]
                                        for line in self.start(*emulator).splitlines()])
                    u = paths[:, 2 * steps + 2:]
                    self.assertLess(np.abs(numbers[:, :-1] - u).max(), 1e-13 * np.abs(paths).max())
                    counts = numbers[:, -1]
                    self.assertGreater(counts.sum(), 0)
                    np.testing.assert_array_equal(counts, ((u == -0.4) | (u == 0.3)).sum(1))
                self.assertAlmostEqual(found["clip"]["steps_clipped"][0], counts.sum() / (5 * steps))
                self.assertAlmostEqual(found["clip"]["episodes_clipped"], (counts > 0).mean())

    def test_self_test_notices_wrong_clipping(self):
        self.lqr()
        self.ok("export", "out.json", "--format", "c", "--out", "code", "--clip", "--limits", "-3,2.5")
        path = self.folder / "code/controller.c"
        good = path.read_text()
        for old, new in (("sum > highest[i]", "sum > 2 * highest[i]"), ("sum = lowest[i]", "sum = -lowest[i]"),
                         ("if (memory->clipped[i] < ULONG_MAX) ++", "if (memory->clipped[i] < ULONG_MAX) (void)"),
                         ("return memory->clipped[input]", "return 0 * memory->clipped[input]"),
                         ("sum += gains", "sum += 1.0000001 * gains")):
            with self.subTest(old=old):
                self.assertIn(old, good)
                path.write_text(good.replace(old, new))
                self.build("code/controller.c", "code/controller_test.c")
                done = subprocess.run(["./run"], cwd=self.folder, capture_output=True)
                self.assertNotEqual(done.returncode, 0)

    def test_limits_that_no_input_reaches_are_tested_too(self):
        """Small gains and wide limits, wide gains and small limits, one-sided ones."""
        self.lqr()
        for limits in ("-1000000,2000000", "-1e-7,1e-6", "0.5,0.6"):
            self.ok("export", "out.json", "--format", "c", "--out", "code", "--clip", "--limits", limits)
            self.build("code/controller.c", "code/controller_test.c", flags=SANITIZERS)
            self.start()
            text = (self.folder / "code/controller_test.c").read_text()
            counts = text.split("fewest[TRIALS * CONTROLLER_INPUTS] = {")[1].split("}")[0]
            self.assertTrue(any(int(v) for v in counts.replace(",", " ").split()), limits)
        for pair in ([None, 0.2], [-0.2, None]):
            self.lqr(input_limits=[pair])
            self.ok("export", "out.json", "--format", "c", "--out", "code", "--clip")
            self.build("code/controller.c", "code/controller_test.c", flags=SANITIZERS)
            self.start()
        self.write("two.json", {"format": "loopcert controller 1", "horizon": 1, "n_x": 1, "n_u": 2,
                                "K": [[1, 0], [2, 0]], "k": [0, 0], "input_limits": [[None, 1], [-1, None]]})
        self.ok("export", "two.json", "--format", "c", "--out", "code", "--clip", "--after", "hold")
        self.build("code/controller.c", "code/controller_test.c", flags=SANITIZERS)
        self.start()
        self.assertIn("has_lowest", (self.folder / "code/controller.c").read_text())

    def test_without_clip_nothing_changes(self):
        self.lqr()
        self.ok("export", "out.json", "--format", "c", "--out", "plain")
        self.lqr(input_limits=[[-1, 1]])
        self.write("limits.json", "no JSON")  # nobody asks for it
        self.ok("export", "out.json", "--format", "c", "--out", "same")
        for name in ("controller.h", "controller.c", "controller_test.c"):
            plain = (self.folder / "plain" / name).read_text()
            self.assertEqual(plain, (self.folder / "same" / name).read_text())
            self.assertNotIn("clip", plain)

    def test_limits_survive_every_format(self):
        self.lqr(input_limits=[[-0.25, None]])
        for name in ("copy.json", "copy.npz", "copy.mat"):
            self.ok("export", "out.json", "--format", name[5:], "--out", name)
            self.ok("export", name, "--format", "json", "--out", "back.json")
            back = json.loads((self.folder / "back.json").read_text())
            self.assertEqual(back["input_limits"], [[-0.25, None]])
        self.write("endless.json", ENDLESS)
        self.ok("export", "endless.json", "--format", "json", "--out", "back.json")
        self.assertEqual(json.loads((self.folder / "back.json").read_text()), ENDLESS)

    def test_what_the_header_says(self):
        self.lqr(input_limits=[[-1.5, 1.5]])
        self.ok("export", "out.json", "--format", "c", "--out", "code", "--clip")
        header = (self.folder / "code/controller.h").read_text()
        for words in ("input 0: from -1.5 to 1.5", "about the controller without clipping", "limits.json",
                      "measured states only"):
            self.assertIn(words, header)
        self.ok("export", "out.json", "--format", "c", "--out", "code", "--clip", "--limits", "-2,2")
        self.assertIn("input 0: from -2 to 2", (self.folder / "code/controller.h").read_text())
        self.write("endless.json", ENDLESS)
        self.ok("export", "endless.json", "--format", "c", "--out", "code", "--clip")
        header = (self.folder / "code/controller.h").read_text()
        self.assertIn("inputs as they were applied", header)
        self.assertNotIn("measured states only", header)

    def test_limits_certificate_is_quoted(self):
        self.ok("learn", WHITE, "--sample", 30, "--out", "out")
        self.ok("learn", WHITE, "--sample", 30, "--seed", 5, "--out", "other")
        record = json.loads((self.folder / "out/certificate.json").read_text())
        record.update(functional={"id": "violation", "parameters": {}}, kind="limits-best", chosen="limits-tolerance", value=0.05)
        limits = self.write("out/limits.json", record)
        export = ("export", "out/controller.json", "--format", "c", "--out", "code")
        says = "limits: violated in an episode with probability at most 0.05, confidence 0.95 " \
               "(limits-best: limits-tolerance)"
        for more in (("--certificate", "out/certificate.json"), ("--clip", "--limits", "-1,1"),
                     ("--certificate", "out/certificate.json", "--clip", "--limits", "-1,1")):
            done = self.run_program(*export, *more)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn(says, (self.folder / "code/controller.h").read_text())
        record["functional"] = {"id": "violation-each", "parameters": {}}
        limits.write_text(json.dumps(record))
        self.ok(*export, "--clip", "--limits", "-1,1")
        self.assertIn("limits: each violated at each step with", (self.folder / "code/controller.h").read_text())
        self.fails(3, *export, "--certificate", "out/limits.json", says="not about the cost of one controller")
        # Of another controller, of a cost, no record at all: not quoted, and said so.
        (self.folder / "other/limits.json").write_text(json.dumps(record))
        for controller, text in (("other/controller.json", None), ("out/controller.json", "no JSON"),
                                 ("out/controller.json", (self.folder / "out/certificate.json").read_text())):
            if text:
                limits.write_text(text)
            done = self.run_program("export", controller, "--format", "c", "--out", "code", "--clip",
                                    "--limits", "-1,1")
            self.assertEqual(done.returncode, 0)
            self.assertRegex(done.stderr, r"\Aloopcert: warning: not quoted in the header: [^\n]+\n\Z")
            self.assertNotIn("limits: ", (self.folder / "code/controller.h").read_text())

    def test_simulate(self):
        limited = self.write("limited.json", LIMITED)
        self.lqr()
        self.ok("sample", limited, "-n", 300, "--seed", 9, "--out", "w.npy")
        arguments = ("simulate", limited, "--controller", "out.json", "--data", "w.npy")
        free, found = self.ok_json(*arguments), self.ok_json(*arguments, "--clip", "--paths", "paths.npy")
        self.assertEqual({key: value for key, value in found.items() if key != "clip"}, free)
        paths = np.load(self.folder / "paths.npy")
        x, u = paths[:, :22].reshape(-1, 11, 2), paths[:, 22:]
        cost = ((x[:, :10] ** 2) @ [1, 0.1]).sum(1) + 0.5 * (u ** 2).sum(1) + (x[:, 10] ** 2) @ [2, 0.2]
        clip = found["clip"]
        self.assertAlmostEqual(clip["mean"], cost.mean(), delta=1e-9)
        self.assertAlmostEqual(clip["standard_error"], cost.std(ddof=1) / np.sqrt(300), delta=1e-9)
        self.assertGreater(clip["mean"], found["mean"])
        self.assertEqual(clip["limits"], [[-0.4, 0.3]])
        self.assertEqual((u.min(), u.max()), (-0.4, 0.3))
        x0 = (np.abs(x[:, 1:, 0]) > 0.8).any(1)
        x1 = (np.abs(x[:, 1:, 1]) > 5).any(1)
        rows = {row["name"]: row["share"] for row in clip["violations"]["rows"]}
        self.assertEqual(list(rows), ["u0", "x0", "x1"])
        for name, share in (("u0", 0), ("x0", x0.mean()), ("x1", x1.mean())):
            self.assertAlmostEqual(rows[name], share, msg=name)
        self.assertAlmostEqual(clip["violations"]["episodes"], (x0 | x1).mean())
        self.assertGreater(found["violations"]["rows"][0]["share"], 0.5)
        self.assertGreaterEqual(found["violations"]["episodes"], found["violations"]["rows"][0]["share"])
        text = self.ok(*arguments, "--clip")
        for words in ("mean cost, clipped", "episodes clipped", "steps clipped, u0", "without clipping",
                      "episodes that violate limits, clipped"):
            self.assertIn(words, text)
        self.assertIn("episodes that violate limits", self.ok(*arguments))
        for plain in (self.ok_json("simulate", WHITE, "--controller", "out.json", "--data", "w.npy"),):
            self.assertFalse({"clip", "violations"} & plain.keys())

    def test_limits_of_the_controller_where_the_problem_has_none(self):
        self.lqr(input_limits=[[-0.1, None]])
        found = self.ok_json("simulate", WHITE, "--controller", "out.json", "--sample", 50, "--clip")
        self.assertEqual(found["clip"]["limits"], [[-0.1, None]])
        self.assertNotIn("violations", found["clip"])
        limited = self.write("limited.json", LIMITED)
        found = self.ok_json("simulate", limited, "--controller", "out.json", "--sample", 50, "--clip")
        self.assertEqual(found["clip"]["limits"], [[-0.4, 0.3]])

    def test_refusals(self):
        self.lqr()
        export = ("export", "out.json", "--format")
        self.fails(3, *export, "c", "--out", "code", "--clip", says=["out.json", "no input_limits", "--limits"])
        self.fails(2, *export, "c", "--out", "code", "--limits", "-1,1", says="requires --clip")
        self.fails(2, *export, "npz", "--out", "a.npz", "--clip", says="only for format c")
        for limits in ("1", "1,", ",1", "1,-1", "2,2", "a,b", "nan,1", "-inf,1", "1,2,3", "1, 2"):
            self.fails(2, *export, "c", "--out", "code", "--clip", "--limits", limits, says="LOW,HIGH")
        self.fails(3, "simulate", WHITE, "--controller", "out.json", "--sample", 5, "--clip",
                   says="no limits on inputs")
        for limits in ([[1, -1]], [[0, 1], [0, 1]], [["a", 1]], 5, [[0]]):
            self.lqr(input_limits=limits)
            self.fails(3, "simulate", WHITE, "--controller", "out.json", "--sample", 5, says="input_limits")


if __name__ == "__main__":
    import unittest
    unittest.main()
