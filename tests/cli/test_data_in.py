"""Logged episodes and disturbances from every format give the same trajectories."""

import json
import os
import pathlib
import shutil
import struct
import subprocess
import unittest

import h5py
import numpy as np
import scipy.io

from program import PROGRAM, WHITE_TREE, ProgramTest

A = np.array([[1.0, 1.0], [0.0, 1.0]])
B = np.array([[0.5], [1.0]])
N, T = 6, 10


def rollouts(n=N, steps=T, seed=1):
    """Episodes of the double integrator: x is n x (steps+1) x 2, u is n x steps x 1."""
    draw = np.random.RandomState(seed)
    x, u = np.zeros((n, steps + 1, 2)), draw.normal(size=(n, steps, 1))
    x[:, 0] = draw.normal(size=(n, 2))
    for t in range(steps):
        x[:, t + 1] = x[:, t] @ A.T + u[:, t] @ B.T + 0.3 * draw.normal(size=(n, 2))
    return x, u


def disturbances(x, u):
    """By another route than the program: stacked, one product."""
    w = x[:, 1:] - np.einsum("ij,ntj->nti", A, x[:, :-1]) - np.einsum("ij,ntj->nti", B, u)
    return np.concatenate([x[:, :1], w], axis=1).reshape(len(x), -1)


class DataIn(ProgramTest):
    def setUp(self):
        super().setUp()
        self.x, self.u = rollouts()
        self.w = disturbances(self.x, self.u)

    def problem(self, **data):
        return self.write("problem.json", {**WHITE_TREE, "data": data} if data else WHITE_TREE)

    def imported(self, *files, option="--rollouts", **data):
        self.ok("import", self.problem(**data), option, *files, "--out", "out.npy")
        return np.load(self.folder / "out.npy")

    def check(self, *files, expected=None, tolerance=1e-13, **data):
        found = self.imported(*files, **data)
        expected = self.w if expected is None else expected
        self.assertEqual(found.shape, expected.shape)
        self.assertLess(np.abs(found - expected).max(), tolerance)

    def save_csv(self, name, header, rows):
        lines = [",".join(header)] + [",".join(row) for row in rows]
        (self.folder / name).write_text("\n".join(lines) + "\n")

    def save_long(self, name, episodes, header=("run", "t [s]", "pos [m]", "vel [m/s]", "force"),
                  last=""):
        rows = []
        for i in episodes:
            for t in range(T + 1):
                force = repr(self.u[i, t, 0]) if t < T else last
                rows.append([f"flight-{i}", repr(0.05 * t), *map(repr, self.x[i, t]), force])
        self.save_csv(name, header, rows)

    LONG = {"layout": "long", "episode": "run", "time": "t [s]", "period": 0.05,
            "states": ["pos [m]", "vel [m/s]"], "inputs": ["force [N]"]}

    def test_arrays_of_every_format(self):
        np.save(self.folder / "x.npy", self.x)
        np.save(self.folder / "u.npy", self.u)
        self.check("x.npy", "u.npy")
        np.save(self.folder / "x.npy", self.x.reshape(N, -1))
        np.save(self.folder / "u.npy", np.asfortranarray(self.u.reshape(N, -1)))
        self.check("x.npy", "u.npy")
        np.savez(self.folder / "a.npz", x=self.x, u=self.u, note=np.array("text"))
        self.check("a.npz")
        np.savez_compressed(self.folder / "b.npz", x=self.x, u=self.u)
        self.check("b.npz")
        for compressed in (False, True):
            scipy.io.savemat(self.folder / "a.mat", {"x": self.x, "u": self.u, "note": "text"},
                             do_compression=compressed)
            self.check("a.mat")
        with h5py.File(self.folder / "a.h5", "w") as file:
            file["x"], file["u"] = self.x, self.u
        self.check("a.h5")
        with h5py.File(self.folder / "b.hdf5", "w") as file:
            file.create_dataset("log/x", data=self.x, compression="gzip", chunks=True)
            file.create_dataset("log/u", data=self.u.astype("f4"))
        self.check("b.hdf5", variables={"x": "log/x", "u": "log/u"}, tolerance=1e-6)
        self.fails(3, "import", self.problem(variables={"x": "/log/x", "u": "/log/u"}),
                   "--rollouts", "b.hdf5", "--out", "o.npy", says=["variables: no /log/x and no /log/u among log", "data.variables"])

    def test_matlab_73(self):
        """HDF5 behind 512 bytes of MATLAB's own, with the axes the other way around."""
        with h5py.File(self.folder / "raw.h5", "w", userblock_size=512) as file:
            for name, value in (("x", self.x), ("u", self.u)):
                data = file.create_dataset(name, data=np.transpose(value))
                data.attrs["MATLAB_class"] = np.bytes_("double")
        block = b"MATLAB 7.3 MAT-file, Platform: test".ljust(124, b" ") + b"\x00\x02IM"
        content = (self.folder / "raw.h5").read_bytes()
        (self.folder / "a.mat").write_bytes(block + content[len(block):])
        self.check("a.mat")

    def test_integers_and_single_precision(self):
        x, u = np.round(self.x).clip(-120, 120), np.round(10 * self.u).clip(-120, 120)
        w = disturbances(x, u)
        for kind in ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64",
                     "float32"):
            shift = 120 if kind.startswith("u") else 0
            scipy.io.savemat(self.folder / "a.mat", {"x": (x + shift).astype(kind),
                                                     "u": (u + shift).astype(kind)})
            shifted = disturbances(x + shift, u + shift)
            self.check("a.mat", expected=shifted if shift else w, tolerance=1e-9)

    def test_highest_byte_first(self):
        """A .mat file of a machine that stores numbers the other way around."""
        def element(kind, content):
            return struct.pack(">II", kind, len(content)) + content + bytes(-len(content) % 8)

        matrix = element(6, struct.pack(">II", 6, 0)) + element(5, struct.pack(">II", N, 22))
        matrix += element(1, b"w") + element(9, self.w.T.astype(">f8").tobytes())
        header = b"MATLAB 5.0 MAT-file".ljust(124) + b"\x01\x00MI"
        (self.folder / "a.mat").write_bytes(header + element(14, matrix))
        self.assertTrue(np.array_equal(self.imported("a.mat", option="--data"), self.w))

    def test_states_and_inputs_in_files_of_their_own(self):
        scipy.io.savemat(self.folder / "x.mat", {"x": self.x})
        scipy.io.savemat(self.folder / "u.mat", {"u": self.u})
        self.check("x.mat", "u.mat")

    def test_the_importer_by_itself(self):
        scipy.io.savemat(self.folder / "a.mat", {"w": self.w})
        importer = pathlib.Path(PROGRAM).parent / "loopcert-importer"
        arguments = [importer, "1000000", self.folder / "a.mat", "w"]
        done = subprocess.run(arguments[:3], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr),
                         (2, "usage: loopcert-importer LIMIT FILE NAME...\n"))
        done = subprocess.run([*arguments[:2], self.folder / "none.mat", "w"], capture_output=True,
                              text=True)
        self.assertEqual((done.returncode, done.stderr), (3, "cannot be opened\n"))
        with open("/dev/full", "wb") as full:  # nowhere to write
            self.assertEqual(subprocess.run(arguments, stdout=full).returncode, 1)
        self.assertEqual(subprocess.run(arguments, capture_output=True).returncode, 0)

    @unittest.skipIf(pathlib.Path("/usr/local/libexec/loopcert/loopcert-importer").exists(),
                     "one is installed here")
    def test_without_an_importer(self):
        scipy.io.savemat(self.folder / "a.mat", {"w": self.w})
        alone = shutil.copy(PROGRAM, self.folder / "alone")
        done = subprocess.run([alone, "import", self.problem(), "--data", "a.mat", "--out", "w.npy"],
                              cwd=self.folder, capture_output=True, text=True,
                              env={**os.environ, "LOOPCERT_IMPORTER": "none"})
        self.assertEqual(done.returncode, 3)
        self.assertIn("a.mat: loopcert-importer, which reads .mat files, was not found", done.stderr)

    def test_a_file_of_more_than_4_GiB(self):
        with open(self.folder / "a.mat", "wb") as file:
            file.truncate((4 << 30) + 1)  # sparse: takes no space
        self.fails(3, "import", self.problem(), "--data", "a.mat", "--out", "w.npy",
                   says="a.mat: found 4294967297 bytes, expected at most 4294967296")

    def test_axes_are_named_or_refused(self):
        matlab = {"x": self.x.transpose(2, 1, 0), "u": self.u.transpose(2, 1, 0)}
        scipy.io.savemat(self.folder / "a.mat", matlab)
        self.check("a.mat", axes=["component", "step", "episode"])
        self.fails(3, "import", self.problem(), "--rollouts", "a.mat", "--out", "o.npy",
                   says=["a.mat: x: shape: found 2 x 11 x 6 (3 axes), which reads as component x "
                         "step x episode", "data.axes"])
        # As many episodes as states in one: two readings.
        x, u = rollouts(n=T + 1)
        np.savez(self.folder / "b.npz", x=x, u=u)
        self.fails(3, "import", self.problem(), "--rollouts", "b.npz", "--out", "o.npy",
                   says="which reads as episode x step x component or as step x episode x component")
        self.check("b.npz", expected=disturbances(x, u), axes=["episode", "step", "component"])
        swapped = {"x": x.transpose(1, 0, 2), "u": u.transpose(1, 0, 2)}
        np.savez(self.folder / "c.npz", **swapped)
        self.check("c.npz", expected=disturbances(x, u), axes=["step", "episode", "component"])
        # One trajectory per column.
        np.savez(self.folder / "d.npz", x=self.x.reshape(N, -1).T, u=self.u.reshape(N, -1).T)
        self.check("d.npz", axes=["step", "component", "episode"])
        square = np.arange(22.0 * 22).reshape(22, 22)
        np.save(self.folder / "w.npy", square)
        self.fails(3, "import", self.problem(), "--data", "w.npy", "--out", "o.npy",
                   says=["22 x 22", "episode x step x component or as step x component x episode"])
        found = self.imported("w.npy", option="--data", axes=["step", "component", "episode"])
        # As 22 x 22 it would be read the other way around.
        self.assertTrue(np.array_equal(found, square.T.reshape(22, 11, 2)))

    def test_one_episode_per_file(self):
        names = []
        for i in range(3):
            names.append(f"{i}.mat")
            scipy.io.savemat(self.folder / names[-1], {"X": self.x[i].T, "U": self.u[i].T})
        self.check(*names, expected=self.w[:3], axes=["component", "step"],
                   variables={"x": "X", "u": "U"})

    def test_several_files_and_pairs(self):
        for i, part in enumerate((slice(0, 1), slice(1, 6))):
            np.save(self.folder / f"x{i}.npy", self.x[part])
            np.save(self.folder / f"u{i}.npy", self.u[part])
            np.savez(self.folder / f"{i}.npz", x=self.x[part], u=self.u[part])
        self.check("x0.npy", "u0.npy", "x1.npy", "u1.npy")
        self.check("0.npz", "x1.npy", "u1.npy")
        self.fails(3, "import", self.problem(), "--rollouts", "0.npz", "x1.npy", "--out", "o.npy",
                   says="x1.npy: states alone, with no file of inputs after it")
        for i in range(2):
            self.ok("import", self.problem(), "--rollouts", f"{i}.npz", "--out", f"w{i}.npy")
        self.ok("import", self.problem(), "--data", "w0.npy", "w1.npy", "--out", "w.npy")
        self.assertTrue(np.allclose(np.load(self.folder / "w.npy"), self.w, atol=1e-13))

    def test_long_csv(self):
        self.save_long("a.csv", range(2))
        self.save_long("b.csv", range(2, N), last="7")
        self.check("a.csv", "b.csv", **self.LONG)
        by_step = {**self.LONG, "step": "k"}
        del by_step["time"], by_step["period"]
        rows = [[str(i), str(t), repr(self.x[i, t, 1]), "why not", repr(self.x[i, t, 0]),
                 repr(self.u[i, t, 0]) if t < T else ""] for i in range(N) for t in range(T + 1)]
        self.save_csv("c.csv", ["run", "k", "vel [m/s]", "note", "pos [m]", "force [N]"], rows)
        self.check("c.csv", **by_step)

    def test_units_and_factors(self):
        self.save_long("a.csv", range(N),
                       header=("run", "t [s]", "pos [mm]", "vel [m/s]", "force [N]"))
        self.fails(3, "import", self.problem(**self.LONG), "--rollouts", "a.csv", "--out", "o.npy",
                   says=["a.csv: row 1, column 3 (pos): found the unit 'mm', expected m"])
        milli = {**self.LONG, "states": [{"column": "pos [mm]", "factor": 0.001}, "vel [m/s]"]}
        x = self.x * [0.001, 1]
        self.check("a.csv", expected=disturbances(x, self.u), **milli)
        # A value counts from `zero`, in the unit of the file.
        shifted = {**self.LONG, "states": [{"column": "pos [mm]", "factor": 0.001, "zero": 250}, "vel [m/s]"],
                   "inputs": [{"column": "force [N]", "zero": -0.5}]}
        x = (self.x - [250, 0]) * [0.001, 1]
        self.check("a.csv", expected=disturbances(x, self.u + 0.5), **shifted)

    def test_wide_csv_by_name(self):
        header = [f"{name}_{t}" for name in ("vel", "pos") for t in range(T + 1)]
        header += [f"force_{t} [N]" for t in range(T)]
        rows = [[*map(repr, self.x[i, :, 1]), *map(repr, self.x[i, :, 0]),
                 *map(repr, self.u[i, :, 0])] for i in range(N)]
        self.save_csv("a.csv", header, rows)
        self.check("a.csv", states=["pos", "vel"], inputs=["force [N]"])
        self.save_csv("b.csv", [f"t{name.split('_')[1]}.{name.split('_')[0]}"
                                for name in (h.split()[0] for h in header)], rows)
        self.check("b.csv", states=["pos", "vel"], inputs=["force"], pattern="t{step}.{name}")

    def test_disturbances_by_name(self):
        steps = self.w.reshape(N, T + 1, 2)
        rows = [[str(i), str(t), *map(repr, steps[i, t])] for i in range(N) for t in range(T + 1)]
        self.save_csv("a.csv", ["run", "k", "gust", "push"], rows)
        found = self.imported("a.csv", option="--data", layout="long", episode="run", step="k",
                              disturbances=["gust", "push"])
        self.assertTrue(np.array_equal(found, self.w))
        header = [f"{name}_{t}" for t in range(T + 1) for name in ("gust", "push")]
        self.save_csv("b.csv", header, [[*map(repr, row)] for row in self.w])
        found = self.imported("b.csv", option="--data", disturbances=["gust", "push"])
        self.assertTrue(np.array_equal(found, self.w))
        for name in ("c.mat", "c.npz"):
            self.ok("import", self.problem(), "--data", "b.csv", "--out", name)
            self.assertTrue(np.array_equal(self.imported(name, option="--data"), self.w))
        self.assertTrue(np.array_equal(scipy.io.loadmat(self.folder / "c.mat")["w"], self.w))

    def test_cutting(self):
        x, u = rollouts(n=3, steps=34)
        np.savez(self.folder / "a.npz", x=x, u=u)
        axes = {"axes": ["episode", "step", "component"]}
        self.fails(3, "import", self.problem(), "--rollouts", "a.npz", "--out", "o.npy", says="x")
        self.check("a.npz", expected=disturbances(x[:, :11], u[:, :10]), longer="first", **axes)
        starts = (0, 10, 20)
        windows = np.concatenate([[disturbances(x[i:i + 1, s:s + 11], u[i:i + 1, s:s + 10])[0]
                                   for s in starts] for i in range(3)])
        self.check("a.npz", expected=windows, longer="windows", **axes)
        gap = np.concatenate([[disturbances(x[i:i + 1, s:s + 11], u[i:i + 1, s:s + 10])[0]
                               for s in (0, 12, 24)] for i in range(3)])
        self.check("a.npz", expected=gap, longer="windows", gap=2, **axes)
        done = self.run_program("import", self.folder / "problem.json", "--rollouts", "a.npz",
                                "--out", "o.npy")
        self.assertIn("pieces of one log are treated as independent", done.stderr)
        # An input at the last state, which nobody uses.
        more = np.concatenate([self.u, self.u[:, :1]], axis=1)
        np.savez(self.folder / "b.npz", x=self.x, u=more)
        self.fails(3, "import", self.problem(), "--rollouts", "b.npz", "--out", "x.npy", says="u")
        self.check("b.npz", last_input=True)

    def test_windows_need_states_and_a_system_that_does_not_vary(self):
        x, u = rollouts(n=3, steps=34)
        np.savez(self.folder / "a.npz", x=x, u=u)
        np.save(self.folder / "w.npy", np.ones((2, 70)))
        windows = {"longer": "windows", "axes": ["episode", "step", "component"]}
        self.fails(3, "import", self.problem(**windows), "--data", "w.npy", "--out", "o.npy",
                   says="shape: found 2 x 70")
        tree = {**WHITE_TREE, "system": {"A": [A.tolist()] * 10, "B": B.tolist()}, "data": windows}
        self.fails(3, "import", self.write("p.json", tree), "--rollouts", "a.npz", "--out", "o.npy",
                   says="the system varies in time")

    def test_residual_report(self):
        np.savez(self.folder / "a.npz", x=self.x, u=self.u)
        record = self.ok_json("import", self.problem(states=["pos [m]", "vel"]), "--rollouts",
                              "a.npz", "--out", "w.npy")
        w = self.w.reshape(N, T + 1, 2)[:, 1:]
        for i, entry in enumerate(record["reconstruction"]):
            self.assertAlmostEqual(entry["residual_rms"], np.sqrt((w[:, :, i] ** 2).mean()))
            self.assertAlmostEqual(entry["residual_mean"], w[:, :, i].mean())
            self.assertAlmostEqual(entry["change_rms"],
                                   np.sqrt((np.diff(self.x[:, :, i], axis=1) ** 2).mean()))
        self.assertEqual(record["reconstruction"][0]["component"], "pos [m]")
        self.assertEqual(record["warnings"], [])
        run = self.ok_json("learn", "problem.json", "--rollouts", "a.npz", "--method", "ridge")
        self.assertEqual(run["reconstruction"], record["reconstruction"])
        self.assertIn("model residual", self.ok("learn", "problem.json", "--rollouts", "a.npz",
                                                "--method", "ridge"))
        # Inputs with the wrong sign: the model explains less than no model.
        np.savez(self.folder / "b.npz", x=self.x, u=-3 * self.u)
        record = self.ok_json("import", "problem.json", "--rollouts", "b.npz", "--out", "v.npy")
        self.assertIn('vel more than twice as badly as "no change"', record["warnings"][0])
        inspected = self.ok_json("inspect", "problem.json", "--rollouts", "b.npz")
        self.assertEqual(len(inspected["reconstruction"]), 2)

    def test_repeated_episodes(self):
        np.savez(self.folder / "a.npz", x=self.x, u=self.u)
        np.savez(self.folder / "b.npz", x=self.x[3:], u=self.u[3:])
        self.fails(3, "learn", self.problem(), "--rollouts", "a.npz", "b.npz",
                   says=["a.npz, b.npz: data: found trajectories 4 and 7 equal in every number"])
        self.ok("learn", self.problem(repeated="keep"), "--rollouts", "a.npz", "b.npz", "--method",
                "ridge")
        found = self.ok_json("inspect", self.problem(), "--rollouts", "a.npz", "b.npz")
        self.assertEqual(found["n"], 9)

    def test_data_that_taught_do_not_certify(self):
        np.savez(self.folder / "a.npz", x=self.x, u=self.u)
        other = rollouts(seed=2)
        np.savez(self.folder / "b.npz", x=other[0], u=other[1])
        mixed = [np.concatenate([o, s[3:5]]) for o, s in zip(other, (self.x, self.u))]
        np.savez(self.folder / "c.npz", x=mixed[0], u=mixed[1])
        self.ok("learn", self.problem(), "--rollouts", "a.npz", "--method", "ridge", "--out", "run")
        for extension in ("npz", "mat", "json"):
            self.ok("export", "run/controller.json", "--format", extension, "--out",
                    f"k.{extension}")
        for controller in ("run/controller.json", "k.npz", "k.mat", "k.json"):
            certify = ("certify", "problem.json", "--controller", controller, "--rollouts")
            self.ok(*certify, "b.npz")
            self.fails(3, *certify, "a.npz", says=f"6 of 6 trajectories that {controller} was")
            self.fails(3, *certify, "c.npz", says="the first is trajectory 7")
        self.fails(3, *certify, "b.npz", "c.npz", "--baseline", "k.npz",
                   "--certificate", "improvement", says="equal in every number")
        self.ok("learn", self.problem(), "--rollouts", "b.npz", "--method", "ridge", "--out", "run2")
        self.fails(3, "certify", "problem.json", "--controller", "run2/controller.json",
                   "--rollouts", "a.npz", "--certificate", "improvement", "--baseline", "k.npz",
                   says="k.npz was learned from")
        shown = self.ok("simulate", "problem.json", "--controller", "k.mat", "--rollouts", "c.npz")
        self.assertIn("2 of them are training data of the controller", shown)

    def test_verify_reads_the_same_files(self):
        self.save_long("a.csv", range(N))
        self.ok("learn", self.problem(**self.LONG), "--rollouts", "a.csv", "--out", "run")
        self.ok("verify", "run/certificate.json", "--rollouts", "a.csv")
        record = json.loads((self.folder / "run/certificate.json").read_text())
        self.assertEqual(record["inputs"]["problem"]["data"]["time"], "t [s]")
        self.ok("import", "problem.json", "--rollouts", "a.csv", "--out", "w.npy")
        self.ok("verify", "run/certificate.json", "--data", "w.npy")

    def test_exported_rollouts_read_back(self):
        self.ok("learn", self.problem(), "--method", "lqr", "--out", "run")
        self.ok("sample", "problem.json", "-n", 4, "--out", "w.npy")
        for name in ("p.csv", "p.npz", "p.mat"):
            self.ok("simulate", "problem.json", "--controller", "run/controller.json", "--data",
                    "w.npy", "--paths", name)
            self.check(name, expected=np.load(self.folder / "w.npy"), tolerance=1e-12)


if __name__ == "__main__":
    unittest.main()
