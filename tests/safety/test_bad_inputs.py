"""Every bad input gets exit status 3 and one line, and leaves nothing behind."""

import json

import bad_inputs
from bad_controllers import arrays, controller
from bad_data import GOOD_NPY, GOOD_NPZ, LONG, NAMES, ROWS, csv_text, long_csv
from bad_foreign import GOOD_H5, GOOD_MAT, PACKED
from program import WHITE_TREE, ProgramTest


class BadInputs(ProgramTest):
    def put(self, name, content):
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        if not isinstance(content, (str, bytes)):
            content = json.dumps(content)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())

    def clear(self):
        for path in sorted(self.folder.rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()

    def test_catalogue(self):
        names = []
        for name, files, command, says in bad_inputs.entries():
            with self.subTest(name):
                self.clear()
                for file, content in files.items():
                    self.put(file, content)
                self.fails(3, *command, says=says)
            names.append(name)
        self.assertEqual(len(names), len(set(names)))
        self.assertGreaterEqual(len(names), 150)

    def test_the_good_ones_pass(self):
        """What the entries are one edit away from is fine, so it is the edit that is refused."""
        self.put("p.json", WHITE_TREE)
        self.put("long.json", {**WHITE_TREE, "data": LONG})
        good = {"w.csv": csv_text(NAMES, ROWS),
                "w.npy": GOOD_NPY, "w.npz": GOOD_NPZ,
                "w.mat": GOOD_MAT, "v.mat": PACKED, "w.h5": GOOD_H5,
                "a.csv": long_csv(), "c.json": controller(),
                "c.npz": arrays()}
        for name, content in good.items():
            self.put(name, content)
        for name in ("w.csv", "w.npy", "w.npz", "w.mat", "v.mat", "w.h5"):
            self.ok("learn", "p.json", "--data", name, "--method", "ridge")
        self.ok("learn", "long.json", "--rollouts", "a.csv", "--method", "ridge")
        for name in ("c.json", "c.npz"):
            self.ok("simulate", "p.json", "--controller", name, "--sample", 3)

    def test_truncated_at_any_byte(self):
        """A sample of lengths; tests/data tries every length of the formats read in this process."""
        self.put("p.json", WHITE_TREE)
        csv = csv_text(NAMES, ROWS[:1]).encode()
        for file, content, step in (("w.csv", csv, 5), ("w.npy", GOOD_NPY, 13),
                                    ("w.npz", GOOD_NPZ, 13),
                                    ("w.mat", GOOD_MAT, 7),
                                    ("w.mat", PACKED, 7),
                                    ("w.h5", GOOD_H5, 17)):
            for size in {*range(0, len(content) - 1, step), len(content) - 1}:
                with self.subTest(file=file, size=size):
                    self.put(file, content[:size])
                    self.fails(3, "learn", "p.json", "--data", file, "--out", "out", says=file)


if __name__ == "__main__":
    import unittest
    unittest.main()
