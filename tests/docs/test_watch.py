"""docs/watch.md: its console, its table of keys, and what its tables of measurements claim."""

import json
import re
import unittest

from documents import SOURCE, blocks, page, run, section, table

PAGE = page("docs/watch.md")


def numbers(cell):
    return [float(number) for number in re.findall(r"\d+(?:\.\d+)?", cell)]


def least_delay(r, alpha):
    """Where the polygon through (t, r^-t) falls to alpha: item 5 of docs/theory/watch.md."""
    t = 0
    while r ** -(t + 1) > alpha:
        t += 1
    return t + (r**-t - alpha) / (r**-t - r ** -(t + 1))


class Watch(unittest.TestCase):
    def test_console(self):
        (said,) = blocks(PAGE, "console")
        command, *lines = said.splitlines()
        done = run(*command.split()[2:], cwd=SOURCE)
        self.assertEqual(done.returncode, 4)
        self.assertEqual(done.stdout.splitlines(), lines)
        self.assertRegex(done.stderr, r"\Aloopcert: the claim is rejected[^\n]*\n\Z")

    def test_keys(self):
        done = run("watch", "--claim", "1", "--json", "examples/fleet/drive-13.csv", cwd=SOURCE)
        named = set(re.findall(r"`(\w+)`", " ".join(
            line.split("|")[1] for line in section(PAGE, "## What it reads and prints").splitlines()
            if line.startswith("| `"))))
        self.assertEqual(named | {"format"}, set(json.loads(done.stdout)))

    def test_options(self):
        said = table(section(page("docs/problem-file.md"), "### watch"))
        self.assertTrue(said)
        text = run("watch", "--help").stdout
        for option in re.findall(r"--[a-z]+", " ".join(said)):
            self.assertIn(option, text)

    def test_delays(self):
        """Three times CUSUM, but where no test that holds for every law can; with degrees never more."""
        rows = [line.strip("|").split("|") for line in PAGE.splitlines()
                if re.match(r"\| (chi-square|log-normal|0 or)[^|]*\|[^(]*\(", line)]
        self.assertEqual(len(rows), 18)
        beyond = []
        for law, rise, cusum, plain, assumed in rows:
            least = least_delay(numbers(rise)[0], 0.01)
            self.assertGreaterEqual(numbers(plain)[0], least)
            if 3 * numbers(cusum)[0] < least:
                beyond.append(least)
            else:
                self.assertLessEqual(numbers(plain)[1], 3, law + rise)
            if assumed.strip() != "-":
                self.assertLessEqual(numbers(assumed)[1], 1.5, law + rise)
        said = re.search(r"needs at least ([\d.]+) and ([\d.]+) of them", PAGE).groups()
        self.assertEqual([f"{least:.2f}" for least in beyond], list(said))

    def test_false_alarms(self):
        rows = re.findall(r"^\| [^|]+ \| [\d-]+ \| (\d+) \| (\d+) \|$", PAGE, re.M)
        self.assertEqual(len(rows), 8)
        for at_tenth, at_hundredth in rows:
            self.assertLessEqual(int(at_tenth), 1000)
            self.assertLessEqual(int(at_hundredth), 100)


if __name__ == "__main__":
    unittest.main()
