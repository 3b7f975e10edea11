"""An example is what its folder says: data from its script, output from its commands, numbers on
its page."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

SOURCE = pathlib.Path(os.environ.get("LOOPCERT_SOURCE", pathlib.Path(__file__).parents[2]))
sys.path[:0] = [str(SOURCE / "examples"), str(SOURCE / "docs/scripts")]

import example_laws  # noqa: E402, F401
import record  # noqa: E402
import table  # noqa: E402

NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d*)?(?:e[-+]?\d+)?")


def unit(text):
    """One unit of the last digit that is printed."""
    mantissa, _, exponent = text.partition("e")
    return 10.0**(int(exponent or 0) - len(mantissa.partition(".")[2]))


def same(said, found):
    """The same words, and the same numbers up to 2e-5 or two units of the last digit: kernels sum
    in another order on another processor."""
    if NUMBER.sub("#", said).split() != NUMBER.sub("#", found).split():
        return False
    pairs = zip(NUMBER.findall(said), NUMBER.findall(found))
    return all(abs(float(a) - float(b)) <= max(2e-5 * abs(float(b)), 2.01 * unit(b))
               for a, b in pairs)


class Recorded:
    """To be mixed with unittest.TestCase; `name` is the folder."""

    name = ""
    page = ""  # docs/examples/PAGE.md
    held_out = ()  # files that learning does not see

    @property
    def folder(self):
        return SOURCE / "examples" / self.name

    @property
    def text(self):
        return (SOURCE / "docs/examples" / f"{self.page or self.name}.md").read_text()

    def assert_on_page(self, *words):
        for word in words:  # wherever a line of the page ends
            self.assertRegex(" ".join(self.text.split()), rf"(?<![\w.]){re.escape(word)}(?![\w]|\.\d)")

    def test_data(self):
        with tempfile.TemporaryDirectory() as name:
            subprocess.run([sys.executable, "-B", self.folder / "make_data.py", name], check=True)
            written = sorted(pathlib.Path(name).iterdir())
            self.assertLessEqual(set(self.held_out), {path.name for path in written})
            for path in written:
                committed = self.folder / path.name
                if path.suffix == ".npy":
                    a, b = np.load(committed), np.load(path)
                    self.assertEqual((a.shape, a.dtype), (b.shape, b.dtype))
                    self.assertLess(np.abs(a - b).max(), 1e-5 * np.abs(a).max(), path.name)
                elif path.suffix == ".csv":
                    self.assertEqual(committed.read_text().partition("\n")[0],
                                     path.read_text().partition("\n")[0])
                    a, b = (np.genfromtxt(file, delimiter=",", skip_header=1)
                            for file in (committed, path))
                    self.assertEqual(a.shape, b.shape)
                    self.assertEqual(np.isnan(a).tolist(), np.isnan(b).tolist())
                    self.assertLess(np.nanmax(np.abs(a - b) / np.nanmax(np.abs(a), axis=0)), 1e-5)
                else:
                    a, b = committed.read_text().splitlines(), path.read_text().splitlines()
                    self.assertEqual(len(a), len(b))
                    for said, found in zip(a, b):
                        self.assertTrue(same(said, found), f"{said}\n{found}")

    def test_commands(self):
        found = []
        for command, output in record.transcript(self.folder):
            found += [f"$ {command}", *output]
            if self.page in ("", self.name):
                self.assertIn(command, self.text)
        said = (self.folder / "expected.txt").read_text().splitlines()
        self.assertEqual(len(said), len(found), "\n".join(found))
        for a, b in zip(said, found):
            self.assertTrue(same(a, b), f"{a}\n{b}")


class Example(Recorded):
    """An example of a plant that is known, with methods to compare and a held-out set."""

    numbers = ()  # how many trajectories the table of the page learns from
    certified = True  # the page's table of methods says what each certifies
    held_out = ("test.npy",)

    def assert_gain_on_page(self, found, digits=0):
        """by GAIN ± ERROR of COST (PERCENT %)"""
        *_, (change, error), (lqr, _) = found
        self.assert_on_page(f"by {-change:.3f} ± {error:#.2g} of {lqr:#.4g} "
                            f"({-100 * change / lqr:.{digits}f} %)")

    def assert_lqr_costs(self, cost):
        """The law that the page computes with is the one that the held-out set was drawn from."""
        _, mean, error = re.search(r"^lqr .*$", (self.folder / "expected.txt").read_text(),
                                   re.M)[0].split()
        self.assertLess(abs(float(mean) - cost), 4 * float(error))

    def test_methods(self):
        """The page's table of methods against expected.txt, which test_commands checks."""
        lines = (self.folder / "expected.txt").read_text().splitlines()
        compared = [line.split() for line in lines if re.match(r"[a-z-]+ +[-\d.]+ +[\d.]+", line)]
        self.assertGreaterEqual(len(compared), 5)
        values = [float(line.split()[1]) for line in lines
                  if re.match(r"certificate .* controller\)", line)]
        self.assert_on_page(*(f"{value:#.4g}" for value in values if self.certified))
        for _, mean, error, *change in compared:
            self.assert_on_page(f"{mean} ± {float(error):#.2g}")
            if change and float(change[0]) != 0:
                self.assert_on_page(f"{change[0]} ± {float(change[1]):#.2g}")

    def test_table(self):
        self.found = table.rows(self.folder, self.numbers)
        for line in table.lines(self.found):
            self.assertTrue(any(same(said, line) for said in self.text.splitlines()), line)
        self.check(self.found)


class Identified(Recorded):
    """An example of a plant that comes from its own logs."""

    log = ""  # what it learns from

    def said(self, name):
        """The numbers behind a name in expected.txt, as they are printed."""
        text = (self.folder / "expected.txt").read_text()
        return re.findall(rf"^{name} +([\d.]+)", text, re.M)

    def assert_column(self, head, expected):
        """The cells below `head` in the page's table of medians, those that hold a decimal."""
        lines = [line.strip("|").split("|") for line in self.text.splitlines()
                 if line.startswith("| ")]
        place = [cell.strip() for cell in lines[0]].index(head)
        cells = [line[place].strip() for line in lines[1:]]
        self.assertEqual(len(cells), len(expected))
        for cell, found in zip(cells, expected):
            self.assertTrue(same(cell, found), f"{cell}, measured {found}")

    def test_checker(self):
        """The independent checker verifies the certificate from the same file."""
        checker = pathlib.Path(os.environ.get(
            "LOOPCERT_VERIFY", pathlib.Path(record.PROGRAM).with_name("loopcert-verify")))
        if not checker.exists():
            self.skipTest("loopcert-verify was not built")
        with tempfile.TemporaryDirectory() as name:
            out, log = pathlib.Path(name), self.folder / self.log
            subprocess.run([record.PROGRAM, "learn", self.folder / "problem.toml", "--rollouts", log,
                            "--out", out / "run", "--quiet"], check=True)
            done = subprocess.run([checker, out / "run/certificate.json", "--rollouts", log],
                                  capture_output=True, text=True)
        self.assertTrue(done.stdout.startswith("VERIFIED controller"), done.stdout + done.stderr)
        value = float(self.said("certificate")[0])
        self.assertLess(abs(float(done.stdout.split(": ")[1].split()[0]) - value), 2e-5 * value)
