"""export --format c: the generated code compiles without a warning and does what simulate does."""

import json
import subprocess

import numpy as np

from program import AFFINE, WHITE, WHITE_TREE, ProgramTest

FLAGS = ["-std=c99", "-Wall", "-Wextra", "-Wconversion", "-Wpedantic", "-Werror", "-O2"]
ARM = ("arm-linux-gnueabihf-gcc", "-static")  # runs under qemu-arm
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]


class ExportC(ProgramTest):
    def build(self, *sources, flags=(), compiler=("gcc",)):
        done = subprocess.run([*compiler, *FLAGS, *flags, *sources, "-o", "run"], cwd=self.folder,
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def start(self, *emulator):
        done = subprocess.run([*emulator, "./run"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_self_test(self):
        for problem in (WHITE, AFFINE):
            for name in ("controller", "pump_2"):
                with self.subTest(problem=problem.parent.name, name=name):
                    self.ok("learn", problem, "--sample", 30, "--out", "out")
                    self.ok("export", "out/controller.json", "--format", "c", "--out", "code",
                            "--name", name, "--certificate", "out/certificate.json")
                    self.build(f"code/{name}.c", f"code/{name}_test.c", flags=SANITIZERS)
                    self.assertIn("largest error", self.start())
                    header = (self.folder / f"code/{name}.h").read_text()
                    self.assertIn("at confidence 0.95", header)
                    self.assertIn("method: pac-bayes", header)

    def test_a_wrong_gain_is_noticed(self):
        self.ok("learn", WHITE, "--sample", 30, "--out", "out")
        self.ok("export", "out/controller.json", "--format", "c", "--out", "code")
        path = self.folder / "code/controller.c"
        lines = path.read_text().splitlines(keepends=True)
        at = next(i for i, line in enumerate(lines) if line.startswith("    0x") or
                  line.startswith("    -0x"))
        first, _, rest = lines[at].strip().partition(",")
        lines[at] = f"    {first} * 1.0000001,{rest}\n"
        path.write_text("".join(lines))
        self.build("code/controller.c", "code/controller_test.c")
        done = subprocess.run(["./run"], cwd=self.folder, capture_output=True)
        self.assertEqual(done.returncode, 1)

    def test_another_processor(self):
        """The same self-test and the same closed loop on an emulated ARM."""
        for after in ("refuse", "restart", "hold"):
            with self.subTest(after=after):
                self.ok("learn", AFFINE, "--sample", 30, "--out", "out")
                self.ok("export", "out/controller.json", "--format", "c", "--out", "code",
                        "--after", after)
                self.build("code/controller.c", "code/controller_test.c", compiler=ARM)
                self.assertIn("largest error", self.start("qemu-arm"))

    def test_closed_loop_is_that_of_simulate(self):
        self.ok("learn", WHITE, "--sample", 30, "--out", "out")
        long = self.write("long.json", {**WHITE_TREE, "horizon": 25})
        for after, steps in (("refuse", 10), ("restart", 25), ("hold", 25)):
            with self.subTest(after=after):
                self.ok("export", "out/controller.json", "--format", "c", "--out", "code",
                        "--after", after)
                self.ok("sample", long if steps == 25 else WHITE, "-n", 5, "--seed", 4, "--out",
                        "w.npy")
                self.ok("simulate", WHITE, "--controller", "out/controller.json", "--data", "w.npy",
                        "--steps", steps, "--after", after, "--paths", "paths.npy")
                paths = np.load(self.folder / "paths.npy")
                self.write("main.c", self.main_text(np.load(self.folder / "w.npy"), steps))
                for compiler, emulator in ((("gcc",), ()), (ARM, ("qemu-arm",))):
                    self.build("main.c", "code/controller.c", compiler=compiler)
                    lines = self.start(*emulator).splitlines()
                    u = np.array([[float(v) for v in line.split()] for line in lines])
                    error = np.abs(u - paths[:, 2 * steps + 2:]).max()
                    self.assertLess(error, 1e-13 * np.abs(paths).max())

    @staticmethod
    def main_text(w, steps):
        rows = ",\n".join("{" + ", ".join(float(v).hex() for v in row) + "}" for row in w)
        return """#include <stdio.h>

#include "code/controller.h"

static const double w[5][""" + str(2 * steps + 2) + """] = {
""" + rows + """};

int main(void) {
  int i, t;
  for (i = 0; i < 5; ++i) {
    controller_memory memory;
    double x[2], u[1];
    controller_reset(&memory);
    x[0] = w[i][0];
    x[1] = w[i][1];
    for (t = 0; t < """ + str(steps) + """; ++t) {
      double next;
      if (controller_step(&memory, x, u) != 0) return 1;
      printf("%.17g ", u[0]);
      next = x[0] + x[1] + 0.5 * u[0] + w[i][2 * t + 2];
      x[1] = x[1] + u[0] + w[i][2 * t + 3];
      x[0] = next;
    }
    printf("\\n");
  }
  return 0;
}
"""

    def test_a_certificate_is_quoted_only_for_its_own_controller(self):
        """From a posterior, from responses, from certify; never one of another controller."""
        self.ok("learn", WHITE, "--sample", 30, "--out", "bayes")
        self.ok("learn", WHITE, "--sample", 40, "--method", "ridge", "--certificate", "best",
                "--out", "ridge")
        self.ok("certify", WHITE, "--controller", "ridge/controller.json", "--sample", 20, "--out",
                "fresh")
        self.ok("learn", WHITE, "--sample", 30, "--certificate", "data-driven-randomized", "--out",
                "average")
        self.ok("export", "ridge/controller.json", "--format", "npz", "--out", "ridge.npz")
        export = lambda controller, certificate: (
            "export", controller, "--format", "c", "--out", "code", "--certificate",
            f"{certificate}/certificate.json")
        for controller, certificate in (("bayes/controller.json", "bayes"),
                                        ("ridge/controller.json", "ridge"),
                                        ("ridge/controller.json", "fresh"), ("ridge.npz", "fresh")):
            self.ok(*export(controller, certificate))
            for other in {"bayes", "ridge", "fresh"} - {certificate}:
                if {certificate, other} != {"ridge", "fresh"}:
                    self.fails(3, *export(controller, other), says="this certificate was issued for a different controller")
        self.fails(3, *export("average/controller.json", "average"), says="posterior-average")
        self.ok("export", "bayes/controller.json", "--format", "json", "--out", "long.json",
                "--steps", 20, "--after", "hold")
        self.fails(3, *export("long.json", "bayes"), says="K of the controller")
        self.ok(*export("bayes/controller.json", "bayes"), "--after", "hold")
        self.assertIn("not the later ones", (self.folder / "code/controller.h").read_text())

    def test_names_that_would_break_the_comment(self):
        tree = {**WHITE_TREE, "name": "a */ int x; /* b ?""?/ \\ \"quoted\""}
        self.ok("learn", self.write("p.json", tree), "--method", "lqr", "--out", "out")
        self.ok("export", "out/controller.json", "--format", "c", "--out", "code")
        self.build("code/controller.c", "code/controller_test.c")
        self.start()

    def test_watch(self):
        """The monitor beside the controller: its self-test, and the numbers of `loopcert watch`."""
        self.ok("learn", WHITE, "--method", "lqr", "--sample", 60, "--certificate", "hold-out", "--out",
                "out")
        self.ok("export", "out/controller.json", "--format", "c", "--out", "code", "--name", "pump",
                "--watch", "out/certificate.json", "--alpha", "0.001")
        self.assertIn("hold-out", (self.folder / "code/pump_watch.h").read_text())
        claim = json.loads((self.folder / "out/certificate.json").read_text())["value"]
        costs = claim * np.concatenate([np.random.default_rng(1).chisquare(3, 200) / 4,
                                        np.random.default_rng(2).chisquare(3, 200) / 2])
        self.write("costs.txt", "".join(f"{cost!r}\n" for cost in costs.tolist()))
        done = self.run_program("watch", "--certificate", "out/certificate.json", "--alpha", "0.001",
                                "--json", "costs.txt")
        expected = json.loads(done.stdout)
        self.assertGreater(expected["rejected_at"], 200)
        self.write("main.c", """#include <stdio.h>

#include "code/pump_watch.h"

int main(void) {
  static pump_watch_memory memory;
  double cost;
  pump_watch_reset(&memory);
  while (scanf("%lf", &cost) == 1)
    if (pump_watch_update(&memory, cost) == 1) break;
  printf("%.17g %.17g %.17g\\n", memory.evidence, memory.largest, memory.rejected_at);
  return 0;
}
""")
        for compiler, emulator, flags in ((("gcc",), (), SANITIZERS), (ARM, ("qemu-arm",), ())):
            self.build("code/pump_watch.c", "code/pump_watch_test.c", flags=flags, compiler=compiler)
            self.assertIn("largest relative error", self.start(*emulator))
            self.build("code/pump_watch.c", "main.c", compiler=compiler)
            done = subprocess.run([*emulator, "./run"], cwd=self.folder, capture_output=True, text=True,
                                  input=(self.folder / "costs.txt").read_text())
            evidence, largest, at = map(float, done.stdout.split())
            self.assertEqual(at, expected["rejected_at"])
            self.assertAlmostEqual(evidence / expected["evidence"], 1, delta=1e-12)
            self.assertAlmostEqual(largest / expected["largest"], 1, delta=1e-12)
        self.fails(2, "export", "out/controller.json", "--format", "npz", "--out", "k.npz", "--watch",
                   "out/certificate.json", says="--watch")
        self.fails(3, "export", "out/controller.json", "--format", "c", "--out", "again", "--watch",
                   "none.json", says="none.json")

    def test_watch_with_degrees(self):
        self.ok("learn", WHITE, "--method", "lqr", "--sample", 60, "--certificate", "hold-out", "--out",
                "out")
        export = ("export", "out/controller.json", "--format", "c", "--out", "code", "--watch",
                  "out/certificate.json", "--degrees")
        self.ok(*export, 2.5)
        self.assertIn("1/2.5 of the mean cost", (self.folder / "code/controller_watch.h").read_text())
        self.build("code/controller_watch.c", "code/controller_watch_test.c", "-lm")
        self.start()
        self.fails(3, *export, 0.5, says="degrees")

    def test_a_wrong_bet_is_noticed(self):
        self.ok("learn", WHITE, "--method", "lqr", "--sample", 60, "--certificate", "hold-out", "--out",
                "out")
        self.ok("export", "out/controller.json", "--format", "c", "--out", "code", "--watch",
                "out/certificate.json")
        path = self.folder / "code/controller_watch.c"
        text = path.read_text()
        for find, replace in (("(1.0 - b) + b * x", "1.0 + b * x"), ("memory->order + 2.0", "memory->order + 1.5")):
            self.assertIn(find, text)
            path.write_text(text.replace(find, replace))
            self.build("code/controller_watch.c", "code/controller_watch_test.c")
            done = subprocess.run(["./run"], cwd=self.folder, capture_output=True)
            self.assertNotEqual(done.returncode, 0, find)

    def test_refusals(self):
        self.ok("learn", WHITE, "--method", "lqr", "--out", "out")
        export = ("export", "out/controller.json", "--format")
        for name in ("2fast", "a-b", "a b", "x" * 61):
            self.fails(3, *export, "c", "--out", "code", "--name", name, says="C identifier")
        self.fails(2, *export, "npz", "--out", "a.npz", "--name", "a", says="only for format c")
        self.fails(2, *export, "npz", "--out", "a.txt", says=".npz")
        self.fails(3, *export, "c", "--out", "code", "--certificate", "none.json", says="none.json")
        self.ok(*export, "npz", "--out", "a.npz")
        arrays = np.load(self.folder / "a.npz")
        controller = json.loads((self.folder / "out/controller.json").read_text())
        self.assertEqual(arrays["K"].tolist(), controller["K"])


if __name__ == "__main__":
    import unittest
    unittest.main()
