"""export --float: C in single precision keeps what its header says of rounding."""

import json
import re
import subprocess
import unittest

import numpy as np

from program import AFFINE, WHITE, WHITE_TREE, ProgramTest

FLAGS = ["-std=c99", "-Wall", "-Wextra", "-Wconversion", "-Wdouble-promotion", "-Wpedantic",
         "-Werror", "-O2"]
ARM = ("arm-linux-gnueabihf-gcc", "-static")  # runs under qemu-arm
ENDLESS = {"format": "loopcert controller 1", "horizon": "infinite", "n_x": 2, "n_u": 1,
           "memory": {"outputs": 2, "inputs": 2}, "K": [[-0.5, -0.8, 0.1, -0.2]], "L": [[0.3, -0.1]],
           "k": [0.05], "provenance": {}, "input_limits": [[-0.4, 0.3]]}


class ExportFloat(ProgramTest):
    def build(self, *sources, compiler=("gcc",)):
        # The self-test compares with numbers in double precision.
        flags = [flag for flag in FLAGS if "test" not in sources[-1] or "promotion" not in flag]
        done = subprocess.run([*compiler, *flags, *sources, "-o", "run"], cwd=self.folder,
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def start(self, *emulator):
        done = subprocess.run([*emulator, "./run"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_self_tests_here_and_on_arm(self):
        for compiler, emulator in ((("gcc",), ()), (ARM, ("qemu-arm",))):
            for after in ("refuse", "hold"):
                self.ok("learn", AFFINE, "--sample", 30, "--out", "out")
                self.ok("export", "out/controller.json", "--format", "c", "--out", "code", "--float",
                        "--after", after, "--clip", "--limits=-0.7,0.3")
                self.build("code/controller.c", "code/controller_test.c", compiler=compiler)
                self.assertIn("largest error", self.start(*emulator))
            self.write("endless.json", ENDLESS)
            for clip in ((), ("--clip",)):
                self.ok("export", "endless.json", "--format", "c", "--out", "endless", "--float", *clip)
                self.build("endless/controller.c", "endless/controller_test.c", compiler=compiler)
                self.start(*emulator)
        header = (self.folder / "endless/controller.h").read_text()
        self.assertIn("no bound is given", header)
        self.assertNotIn("double", (self.folder / "code/controller.c").read_text())

    def test_a_wrong_gain_is_noticed(self):
        self.ok("learn", WHITE, "--sample", 30, "--out", "out")
        self.ok("export", "out/controller.json", "--format", "c", "--out", "code", "--float")
        path = self.folder / "code/controller.c"
        text = path.read_text()
        first = re.search(r"\n    (-?0x[^,]+),", text).group(1)
        path.write_text(text.replace(f" {first},", f" {first} * 1.00001f,", 1))
        self.build("code/controller.c", "code/controller_test.c")
        self.assertEqual(subprocess.run(["./run"], cwd=self.folder, capture_output=True).returncode, 1)

    def test_inputs_stay_within_the_rigorous_bound(self):
        """On states of all sizes, against K x + k in double precision."""
        self.ok("learn", WHITE, "--sample", 30, "--out", "out")
        printed = self.ok("export", "out/controller.json", "--format", "c", "--out", "code", "--float")
        share = float(re.search(r"at most (\S+) of \|K\|\|x\| \+ \|k\|", printed).group(1))
        self.assertIn("was not measured", printed)
        controller = json.loads((self.folder / "out/controller.json").read_text())
        K, k = np.array(controller["K"]), np.array(controller["k"])
        rng = np.random.default_rng(1)
        x = (rng.standard_normal((20, 22)) * 10.0 ** rng.uniform(-9, 9, (20, 1))).astype(np.float32)
        rows = ",\n".join("{" + ", ".join(float(v).hex() + "f" for v in row) + "}" for row in x)
        self.write("main.c", f"""#include <stdio.h>
#include "code/controller.h"
static const float x[20][22] = {{ {rows} }};
int main(void) {{
  int i, t;
  for (i = 0; i < 20; ++i) {{
    controller_memory memory;
    float u[1];
    controller_reset(&memory);
    for (t = 0; t < 10; ++t) {{
      if (controller_step(&memory, x[i] + 2 * t, u) != 0) return 1;
      printf("%.17g ", (double)u[0]);
    }}
    printf("\\n");
  }}
  return 0;
}}
""")
        exact = x.astype(float) @ K.T + k
        size = np.abs(x.astype(float)) @ np.abs(K.T) + np.abs(k)
        for compiler, emulator in ((("gcc",), ()), (ARM, ("qemu-arm",))):
            self.build("code/controller.c", "main.c", compiler=compiler)
            u = np.array([[float(v) for v in line.split()] for line in self.start(*emulator).splitlines()])
            worst = (np.abs(u - exact) / size).max()
            self.assertLess(worst, share)
            self.assertGreater(worst, 1e-9)  # it is single precision

    def test_the_effect_is_measured(self):
        self.ok("learn", WHITE, "--sample", 30, "--out", "out")
        export = ("export", "out/controller.json", "--format", "c", "--out", "code", "--float")
        printed = self.ok(*export, "--problem", WHITE)
        found = re.search(r"measured in closed loop on 400 simulated trajectories: inputs change by "
                          r"at most (\S+), the mean cost (\S+) by (\S+)", printed)
        simulated = self.ok_json("simulate", WHITE, "--controller", "out/controller.json",
                                 "--sample", 400, "--seed", 0)
        self.assertAlmostEqual(float(found.group(2)), simulated["mean"], delta=1e-4)
        self.assertLess(0, float(found.group(1)))
        self.assertLess(float(found.group(1)), 1e-4)
        self.assertLess(abs(float(found.group(3))), 1e-4)
        self.assertIn("measured in closed loop", (self.folder / "code/controller.h").read_text())
        # On data of one's own, by this test's own float loop.
        self.ok("sample", WHITE, "-n", 7, "--seed", 3, "--out", "w.npy")
        printed = self.ok(*export, "--problem", WHITE, "--data", "w.npy")
        found = re.search(r"on 7 recorded trajectories: inputs change by at most (\S+),", printed)
        controller = json.loads((self.folder / "out/controller.json").read_text())
        K, k = np.array(controller["K"]), np.array(controller["k"])
        A, B, worst = np.array(WHITE_TREE["system"]["A"]), np.array([0.5, 1]), 0.0
        for w in np.load(self.folder / "w.npy").reshape(7, 11, 2):
            single, double = np.zeros(22), np.zeros(22)
            single[:2] = double[:2] = w[0]
            for t in range(10):
                s = slice(2 * t, 2 * t + 2)
                total = np.float32(k[t])
                for j in range(2 * t + 2):
                    total += np.float32(K[t, j]) * np.float32(single[j])
                u = K[t] @ double + k[t]
                worst = max(worst, abs(float(total) - u))
                n = slice(2 * t + 2, 2 * t + 4)
                single[n] = A @ single[s] + B * float(total) + w[t + 1]
                double[n] = A @ double[s] + B * u + w[t + 1]
        self.assertAlmostEqual(float(found.group(1)), worst, delta=0.06 * worst)

    def test_refusals(self):
        self.ok("learn", WHITE, "--method", "lqr", "--out", "out")
        self.fails(2, "export", "out/controller.json", "--format", "npz", "--out", "a.npz", "--float",
                   says="--float: only for format c")
        controller = json.loads((self.folder / "out/controller.json").read_text())
        controller["K"][0][0] = 1e39
        self.write("huge.json", controller)
        self.fails(3, "export", "huge.json", "--format", "c", "--out", "code", "--float",
                   says="single precision")


if __name__ == "__main__":
    unittest.main()
