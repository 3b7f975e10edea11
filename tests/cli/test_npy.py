"""Array files between NumPy and the program, in both directions."""

import numpy as np

from program import WHITE, ProgramTest


class NumPyFiles(ProgramTest):
    def sample(self, name):
        self.ok("sample", WHITE, "-n", 7, "--seed", 5, "--out", name)
        return self.folder / name

    def test_numpy_reads_what_the_program_writes(self):
        w = np.load(self.sample("w.npy"))
        self.assertEqual((w.shape, w.dtype), ((7, 22), np.dtype("<f8")))
        csv = np.loadtxt(self.sample("w.csv"), delimiter=",", skiprows=1)
        np.testing.assert_array_equal(csv, w)  # to the last bit

    def test_the_program_reads_what_numpy_writes(self):
        w = np.load(self.sample("w.npy")).astype("<f4")  # exact in every type below
        arrays = {"c": w, "fortran": np.asfortranarray(w), "big": w.astype(">f8"),
                  "big_f4": w.astype(">f4"), "steps": w.reshape(7, 11, 2)}
        costs = []
        for name, array in arrays.items():
            np.save(self.folder / f"{name}.npy", array)
            run = self.ok_json("learn", WHITE, "--method", "erm", "--data", f"{name}.npy",
                               "--out", name)
            costs.append(run["empirical_cost"])
        self.assertEqual(len(set(costs)), 1, costs)

    def test_the_program_refuses_what_it_would_have_to_guess(self):
        w = np.load(self.sample("w.npy"))
        cases = {"transposed": (w.T, "step x component x episode"), "complex": (w + 1j, "'<c16'"),
                 "object": (w.astype(object), "'|O'"), "one_axis": (w.ravel(), "154 (1 axis)"),
                 "nan": (np.where(w == w[3, 4], np.nan, w), "[3][4]: found nan")}
        for name, (array, says) in cases.items():
            np.save(self.folder / f"{name}.npy", array, allow_pickle=True)
            self.fails(3, "learn", WHITE, "--method", "erm", "--data", f"{name}.npy", "--out", "out",
                       says=[f"{name}.npy: ", says])
