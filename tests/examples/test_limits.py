"""docs/examples/drive-torque.md and quadrotor-limits.md: their commands print what they show."""

import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest

from example import NUMBER, SOURCE, Recorded, record, same

CHECKER = pathlib.Path(os.environ.get(
    "LOOPCERT_VERIFY", pathlib.Path(record.PROGRAM).with_name("loopcert-verify")))


def steps(text):
    """[(command, lines below it)] of the console blocks."""
    found = []
    for block in re.findall(r"^```console\n(.*?)^```", text, re.M | re.S):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            else:
                found[-1][1].append(line)
    return found


def shown(said, found):
    """Whether the lines are those found, in their order; `...` stands for any number of lines."""
    if not said:
        return not found
    if said[0] == "...":
        return any(shown(said[1:], found[i:]) for i in range(len(found) + 1))
    return bool(found) and same(said[0], found[0]) and shown(said[1:], found[1:])


class Page:
    """Runs the page's commands once, in a copy of the folder."""

    name = page = ""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.copy = pathlib.Path(folder.name) / cls.name
        shutil.copytree(SOURCE / "examples" / cls.name, cls.copy,
                        ignore=shutil.ignore_patterns("out", "__pycache__"))
        text = (SOURCE / "docs/examples" / f"{cls.page}.md").read_text()
        cls.done = []
        for command, said in steps(text):
            program, *words = shlex.split(command)
            program = {"loopcert": record.PROGRAM, "loopcert-verify": CHECKER}[program]
            if program == CHECKER and not CHECKER.exists():
                continue
            run = subprocess.run([program, *words], cwd=cls.copy, capture_output=True, text=True)
            cls.done.append((command, said, run))

    def test_output_on_page(self):
        self.assertGreaterEqual(len(self.done), 5)
        for command, said, run in self.done:
            self.assertEqual(run.returncode, 0, f"{command}\n{run.stderr}")
            found = [line.rstrip() for line in run.stdout.splitlines()]
            self.assertTrue(shown(said, found), "\n".join([command, *found]))

    def test_problem_on_page(self):
        files = "".join(path.read_text() for path in self.copy.glob("*.toml"))
        text = (SOURCE / "docs/examples" / f"{self.page}.md").read_text()
        for block in re.findall(r"^```toml\n(.*?)^```", text, re.M | re.S):
            self.assertIn(block, files)

    def test_verified(self):
        if not CHECKER.exists():
            self.skipTest("loopcert-verify was not built")
        verdicts = [run.stdout for command, _, run in self.done if "-verify" in command]
        self.assertTrue(verdicts)
        for verdict in verdicts:
            self.assertTrue(verdict.startswith("VERIFIED controller"), verdict)

    def limits(self, folder):
        run = json.loads((self.copy / "out" / folder / "run.json").read_text())
        return run, run["limits"]

    def violated(self, folder):
        """Percent of simulated episodes."""
        (run,) = (run for command, _, run in self.done
                  if "simulate" in command and f"out/{folder}/" in command)
        line = re.search(r"^episodes that violate limits .*$", run.stdout, re.M)[0]
        return float(NUMBER.search(line)[0])


class DriveTorque(Page, Recorded, unittest.TestCase):
    name = page = "drive-torque"
    test_commands = None  # the page itself has their output

    def test_claims(self):
        run, limits = self.limits("auto")
        self.assertLessEqual(limits["joint"]["violation"], 0.05)
        self.assertLess(limits["episodes"]["law"], limits["joint"]["violation"])
        for share in (limits["episodes"]["lqr_law"], limits["episodes"]["lqr_data"],
                      self.violated("lqr") / 100):
            self.assertTrue(0.2 < share < 0.4, share)
        self.assertLess(run["population_cost"], run["certificate"]["value"])
        self.assert_on_page(f"{run['population_cost']:.3f}", f"{run['lqr_cost']:.3f}",
                            *(f"{price:.3f}" for price in limits["rows"][0]["prices"][:4]))
        self.assertGreater(self.limits("lqr")[1]["joint"]["violation"], 0.05)

    def test_header(self):
        """What the page quotes of the C code."""
        header = (self.copy / "out/code/controller.h").read_text().splitlines()
        (block,) = re.findall(r"^```c\n(.*?)^```", self.text, re.M | re.S)
        for line in block.splitlines():
            self.assertTrue(any(same(line, found) for found in header), line)


class QuadrotorLimits(Page, unittest.TestCase):
    name, page = "quadrotor", "quadrotor-limits"

    def test_claims(self):
        run, limits = self.limits("limits")
        self.assertLessEqual(limits["joint"]["violation"], 0.05)
        self.assertEqual([row["name"] for row in limits["rows"]], ["roll", "pitch", "thrust"])
        for row in limits["rows"]:  # each of them binds somewhere
            self.assertGreater(max(row["prices"]), 1e-4, row["name"])
        self.assertLess(run["improvement"]["value"], 0)
        self.assertLess(self.violated("limits"), 5)
        self.assertGreater(self.violated("auto"), 5)


if __name__ == "__main__":
    unittest.main()
