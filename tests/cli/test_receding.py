"""After the horizon: restart, hold or refuse, simulated, exported, certified."""

import numpy as np

from program import AFFINE, WHITE, WHITE_TREE, ProgramTest

A, B = np.array([[1.0, 1.0], [0.0, 1.0]]), np.array([[0.5], [1.0]])
STEPS = 23


class Receding(ProgramTest):
    def setUp(self):
        super().setUp()
        self.ok("learn", WHITE, "--sample", 30, "--out", "out")
        self.long = self.write("long.json", {**WHITE_TREE, "horizon": STEPS})
        self.ok("sample", self.long, "-n", 4, "--out", "w.npy")
        self.w = np.load(self.folder / "w.npy").reshape(4, STEPS + 1, 2)
        self.ok("export", "out/controller.json", "--format", "npz", "--out", "k.npz")
        arrays = np.load(self.folder / "k.npz")
        self.K, self.k = arrays["K"], arrays["k"].ravel()

    def inputs(self, after):
        """Step by step, from the definition."""
        u = np.zeros((4, STEPS))
        for i in range(4):
            x = [self.w[i, 0]]
            for t in range(STEPS):
                if after == "restart":
                    row, first = t % 10, t - t % 10
                else:
                    row, first = min(t, 9), max(0, t - 9)
                past = np.concatenate(x[first:t + 1])
                u[i, t] = self.K[row, :len(past)] @ past + self.k[row]
                x.append(A @ x[t] + B[:, 0] * u[i, t] + self.w[i, t + 1])
        return u

    def test_simulated(self):
        for after in ("restart", "hold"):
            shown = self.ok("simulate", WHITE, "--controller", "out/controller.json", "--data",
                            "w.npy", "--steps", STEPS, "--after", after, "--paths", "p.npz")
            self.assertIn(f"{STEPS} (after the horizon: {after})", shown)
            found = np.load(self.folder / "p.npz")["u"][:, :, 0]
            self.assertLess(np.abs(found - self.inputs(after)).max(), 1e-12)

    def test_sampled(self):
        a = self.ok_json("simulate", WHITE, "--controller", "out/controller.json", "--sample", 50,
                         "--steps", STEPS, "--after", "hold")
        self.assertEqual((a["n"], a["steps"]), (50, STEPS))

    def test_refused(self):
        simulate = ("simulate", WHITE, "--controller", "out/controller.json", "--data", "w.npy")
        self.fails(3, *simulate, "--steps", STEPS,
                   says=["out/controller.json: steps: found 23, expected at most 10", "hold"])
        self.fails(2, *simulate, "--after", "hold", says="--steps")
        self.fails(2, *simulate, "--steps", STEPS, "--after", "restat", says="'restart'")
        self.fails(2, "export", "out/controller.json", "--format", "json", "--out", "a.json",
                   "--after", "hold", says="--steps")
        self.fails(2, "export", "out/controller.json", "--format", "c", "--out", "code", "--steps",
                   20, says="--steps")
        varying = {**WHITE_TREE, "system": {"A": [A.tolist()] * 10, "B": B.tolist()}}
        self.fails(3, "simulate", self.write("v.json", varying), *simulate[2:], "--steps", STEPS,
                   "--after", "hold", says="system.A")

    def test_exported_controllers_do_the_same(self):
        """As json, npz and mat, over the horizon and over more steps: the same costs."""
        for extension in ("json", "npz", "mat"):
            self.ok("export", "out/controller.json", "--format", extension, "--out",
                    f"a.{extension}")
            self.ok("export", f"a.{extension}", "--format", extension, "--out", f"b.{extension}",
                    "--steps", STEPS, "--after", "hold")
        short = [self.ok_json("simulate", WHITE, "--controller", name, "--sample", 20)["mean"]
                 for name in ("out/controller.json", "a.json", "a.npz", "a.mat")]
        long = [self.ok_json("simulate", WHITE, "--controller", "out/controller.json", "--data",
                             "w.npy", "--steps", STEPS, "--after", "hold")["mean"]]
        long += [self.ok_json("simulate", self.long, "--controller", f"b.{e}", "--data", "w.npy")
                 ["mean"] for e in ("json", "npz", "mat")]
        self.assertEqual(len(set(short)), 1)
        self.assertEqual(len(set(long)), 1)

    def test_the_longer_use_can_be_certified(self):
        self.ok("export", "out/controller.json", "--format", "json", "--out", "b.json", "--steps",
                STEPS, "--after", "restart")
        certificate = self.ok_json("certify", self.long, "--controller", "b.json", "--sample", 200)
        mean = self.ok_json("simulate", self.long, "--controller", "b.json", "--sample", 2000)
        self.assertGreater(certificate["value"], mean["mean"])

    def test_an_affine_controller(self):
        self.ok("learn", AFFINE, "--sample", 30, "--out", "affine")
        for after in ("restart", "hold"):
            self.ok("simulate", AFFINE, "--controller", "affine/controller.json", "--sample", 5,
                    "--steps", 40, "--after", after)


if __name__ == "__main__":
    import unittest
    unittest.main()
