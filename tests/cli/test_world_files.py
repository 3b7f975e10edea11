"""Log files as other programs and other countries write them, and what import makes of them."""

import itertools
import shutil
import unittest

import numpy as np
import scipy.io

from program import WHITE_TREE, ProgramTest
from test_data_in import N, T, disturbances, rollouts

DEGREES = "T [°C]"


class WorldFiles(ProgramTest):
    def setUp(self):
        super().setUp()
        self.x, self.u = rollouts()
        self.w = disturbances(self.x, self.u)

    def problem(self, **data):
        return self.write("problem.json", {**WHITE_TREE, "data": data})

    LONG = {"layout": "long", "episode": "run", "time": "t", "period": 0.05,
            "states": [DEGREES, "v"], "inputs": ["force"]}

    def long_text(self, separator=",", decimal=".", end="\n", time=None, quote=False):
        time = time or (lambda i, t: f"{0.05 * t:.2f}")
        lines = [["run", "t", DEGREES, "v", "force", "note"]]
        for i in range(N):
            for t in range(T + 1):
                force = repr(float(self.u[i, t, 0])) if t < T else ""
                lines.append([f"flight-{i}", time(i, t), *(repr(float(v)) for v in self.x[i, t]),
                              force, "fine"])
        for line in lines[1:]:
            line[2:5] = [number.replace(".", decimal) for number in line[2:5]]
            line[1] = line[1] if ":" in line[1] else line[1].replace(".", decimal)
            if quote:
                line[:] = [f'"{field}"' for field in line]
        return "".join(separator.join(line) + end for line in lines)

    def check(self, text, encoding="utf-8", **data):
        (self.folder / "log.csv").write_bytes(text.encode(encoding))
        self.ok("import", self.problem(**{**self.LONG, **data}), "--rollouts", "log.csv", "--out",
                "w.npy")
        np.testing.assert_allclose(np.load(self.folder / "w.npy"), self.w, atol=1e-12)

    def test_separators_and_decimal_commas(self):
        self.check(self.long_text())
        self.check(self.long_text(";"))
        self.check(self.long_text(";", ","))
        self.check(self.long_text(";", ",", "\r\n"), "utf-8-sig")
        self.check(self.long_text(";", ",", quote=True))
        self.check(self.long_text("\t"))
        self.check(self.long_text("\t", ","))
        (self.folder / "log.csv").write_text(
            self.long_text(";", ",").replace("flight-3;0,05", "flight-3;0.05"))
        self.fails(3, "import", self.problem(**self.LONG), "--rollouts", "log.csv", "--out", "o.npy",
                   says=["found '0.05', expected ',' in every number"])

    def test_timestamps(self):
        for form in ("2026-01-31T23:59:{:06.3f}Z", "2026-01-31 23:59:{:06.3f}",
                     "2026-01-31T23:59:{:06.3f}+01:00"):
            self.check(self.long_text(time=lambda i, t: form.format(0.05 * t)))
        # Over midnight.
        self.check(self.long_text(
            ";", ",", time=lambda i, t: "2026-01-31T23:59:59.75" if t == 0 else
            np.datetime64("2026-01-31T23:59:59.750").astype("datetime64[ms]").__add__(
                np.timedelta64(50 * t, "ms")).item().isoformat(timespec="milliseconds")))
        lost = self.long_text(time=lambda i, t: f"2026-01-31T12:00:{0.05 * (t + (t > 4)):06.3f}")
        (self.folder / "log.csv").write_text(lost)
        self.fails(3, "import", self.problem(**self.LONG), "--rollouts", "log.csv", "--out", "o.npy",
                   says="lost or repeated row")

    def test_names_in_toml(self):
        (self.folder / "log.csv").write_bytes(self.long_text(";", ",").encode())
        (self.folder / "p.toml").write_text(f"""horizon = 10
[system]
A = [[1, 1], [0, 1]]
B = [[0.5], [1]]
[cost]
Q = [1, 0.1]
R = [0.5]
[data]
layout = "long"
episode = "run"
time = "t"
period = 0.05
states = ["{DEGREES}", "v"]
inputs = ["force"]
""")
        self.ok("import", "p.toml", "--rollouts", "log.csv", "--out", "w.csv")
        (self.folder / "log.csv").write_bytes(self.long_text(";", ",").encode("latin-1"))
        self.fails(3, "import", "p.toml", "--rollouts", "log.csv", "--out", "o.csv",
                   says=["row 1, column 3", "the header is not in UTF-8"])

    def test_variables_by_other_names(self):
        scipy.io.savemat(self.folder / "a.mat", {"states": self.x, "forces": self.u})
        np.savez(self.folder / "a.npz", states=self.x, forces=self.u)
        for name in ("a.mat", "a.npz"):
            self.fails(3, "import", self.problem(), "--rollouts", name, "--out", "o.npy",
                       says=["variables: no x and no u among", "states", "forces", "data.variables"])
            self.fails(3, "import", self.problem(variables={"x": "states"}), "--rollouts", name,
                       "--out", "o.npy", says=["states alone", "'u'", "data.variables"])
            self.ok("import", self.problem(variables={"x": "states", "u": "forces"}), "--rollouts",
                    name, "--out", "w.npy")
            self.fails(3, "learn", self.problem(), "--data", name, says="data.variables")

    def test_several_files_in_their_order(self):
        halves = []
        for part in (slice(0, 3), slice(3, N)):
            name = f"part{len(halves)}.npz"
            np.savez(self.folder / name, x=self.x[part], u=self.u[part])
            halves.append(name)
        self.ok("import", self.problem(), "--rollouts", *halves, "--out", "w.npy")
        np.testing.assert_allclose(np.load(self.folder / "w.npy"), self.w, atol=1e-12)
        self.ok("import", self.problem(), "--rollouts", *halves[::-1], "--out", "w.npy")
        np.testing.assert_allclose(np.load(self.folder / "w.npy"),
                                   np.vstack([self.w[3:], self.w[:3]]), atol=1e-12)


class ImportedFiles(ProgramTest):
    """import never writes a file that learn --data refuses, or reads as other numbers."""

    LAYOUTS = [
        {},
        WorldFiles.LONG,
        {"disturbances": ["a", "b"]},
        {"longer": "windows"},
        {"longer": "windows", "gap": 2},
        {"longer": "first"},
        {"axes": ["episode", "step", "component"]},
        {"axes": ["component", "step", "episode"]},
        {"axes": ["step", "component", "episode"]},
        {"axes": ["step", "episode", "component"]},
        {"axes": ["step", "component"]},
        {"variables": {"w": "dist"}},
        {"variables": {"w": "log/w"}},
        {"last_input": True},
    ]

    def test_every_layout_format_and_number_of_episodes(self):
        written = 0
        for n in (1, 2, 11, 22):  # 11 is T + 1, 22 is d_w: axes could be confused
            x, u = rollouts(n, T, seed=n)
            w = disturbances(x, u)
            (self.folder / "in.csv").write_text(
                ",".join(f"x{t}_{i}" for t in range(T + 1) for i in range(2)) + "," +
                ",".join(f"u{t}_0" for t in range(T)) + "\n" +
                "".join(",".join(map(repr, [*x[k].ravel().tolist(), *u[k].ravel().tolist()])) + "\n"
                        for k in range(n)))
            for number, layout in enumerate(self.LAYOUTS):
                problem = self.write("p.json", {**WHITE_TREE, "data": layout})
                for extension in ("csv", "npy", "npz", "mat"):
                    name = f"w{n}-{number}.{extension}"
                    done = self.run_program("import", problem, "--rollouts", "in.csv", "--out", name)
                    if done.returncode != 0:
                        self.assertNotEqual(extension, "csv", done.stderr)
                        self.assertFalse((self.folder / name).exists())
                        continue
                    written += 1
                    with self.subTest(n=n, layout=layout, extension=extension):
                        learned = self.run_program("learn", problem, "--data", name, "--method",
                                                   "ridge", "--quiet")
                        self.assertEqual(learned.returncode, 0, learned.stderr)
                        self.ok("import", problem, "--data", name, "--out", "back.csv")
                        back = np.loadtxt(self.folder / "back.csv", delimiter=",", skiprows=1,
                                          ndmin=2)
                        np.testing.assert_allclose(back, w, atol=1e-12)
        self.assertGreater(written, 150)

    def test_logs_in_any_order_of_axes(self):
        """Equal sizes are where a transposed reading would fit: n = T + 1 = n_x, n = d_w."""
        names = "episode", "step", "component"
        for n, steps, n_x in ((2, 2, 2), (3, 3, 3), (4, 2, 2), (3, 3, 1), (1, 3, 1), (1, 2, 2)):
            rng = np.random.default_rng([n, steps, n_x])
            A, B = rng.normal(size=(n_x, n_x)), rng.normal(size=(n_x, 1))
            x, u = rng.normal(size=(n, steps, n_x)), rng.normal(size=(n, steps - 1, 1))
            w = np.concatenate([x[:, :1], x[:, 1:] - x[:, :-1] @ A.T - u @ B.T], 1).reshape(n, -1)
            tree = {"name": "axes", "horizon": steps - 1, "disturbance": {},
                    "system": {"A": A.tolist(), "B": B.tolist()},
                    "cost": {"Q": [1] * n_x, "R": [1], "P": [1] * n_x}}
            written = 0
            for order in itertools.permutations(range(3)):
                layout = {"axes": [names[i] for i in order]}
                problem = self.write("p.json", {**tree, "data": layout})
                np.savez(self.folder / "log.npz", x=x.transpose(order), u=u.transpose(order))
                for extension in ("csv", "npz", "mat"):
                    name = f"w.{extension}"
                    done = self.run_program("import", problem, "--rollouts", "log.npz", "--out", name)
                    if done.returncode != 0:
                        self.assertIn("could be confused: write a .csv file", done.stderr)
                        self.assertNotEqual(extension, "csv")
                        continue
                    written += 1
                    with self.subTest(n=n, steps=steps, n_x=n_x, extension=extension, **layout):
                        self.ok("import", problem, "--data", name, "--out", "back.csv")
                        back = np.loadtxt(self.folder / "back.csv", delimiter=",", skiprows=1,
                                          ndmin=2)
                        np.testing.assert_allclose(back, w, atol=1e-12)
                        shutil.rmtree(self.folder / "run", ignore_errors=True)
                        self.ok("learn", problem, "--data", name, "--method", "lqr", "--certificate",
                                "hold-out-scale-free", "--out", "run")
                        self.ok("verify", "run/certificate.json", "--rollouts", "log.npz")
            self.assertGreaterEqual(written, 12)

    def test_what_nobody_can_learn_from_is_not_written(self):
        x, u = rollouts(5)
        np.savez(self.folder / "big.npz", x=1e200 * x, u=1e200 * u)
        np.savez(self.folder / "nan.npz", x=np.where(x > 1, np.nan, x), u=u)
        np.savez(self.folder / "same.npz", x=x[[0, 0, 1]], u=u[[0, 0, 1]])
        np.savez(self.folder / "short.npz", x=x[:, :-1], u=u[:, :-1])
        np.savez(self.folder / "none.npz", x=x[:0], u=u[:0])
        problem = self.write("p.json", WHITE_TREE)
        for name in ("big", "nan", "same", "short", "none"):
            self.fails(3, "import", problem, "--rollouts", f"{name}.npz", "--out", "w.csv")


if __name__ == "__main__":
    unittest.main()
