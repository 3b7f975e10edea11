"""What the documents say is what the program does: examples, names and links."""

import math
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

from documents import (COLOURED, NUMBER, PAGES, PATIENCE, PROGRAM, SOURCE, WHITE, FolderTest, blocks, help_list,
                       help_options, help_section, learn, page, run, run_json, section, table)


class Statements(unittest.TestCase):
    def test_every_id_is_listed_with_its_words(self):
        """As delivery/words.cpp says them: spaces, quotes and joints of the literals aside."""
        source = (SOURCE / "src/delivery/words.cpp").read_text()
        tables = source[source.index("const Words& assumptions()"):source.index("// {name} becomes")]
        said = re.sub(r'"\s*\+?\s*"', "", tables)
        ids = re.findall(r'\{"([a-z-]+)",', said)
        text = section(page("docs/problem-file.md"), "### Statements")
        listed = dict(re.findall(r"^\| `([a-z-]+)` \| (.*) \|$", text, re.M))
        self.assertEqual(sorted(ids), sorted(listed))
        for name, words in listed.items():
            if " draws of one " not in words:
                self.assertIn('"' + words.replace("\\|", "|") + '"', said, name)


class Transcript(FolderTest):
    """Console blocks of a page, command by command."""

    def assert_same_line(self, said, found):
        words = [" ".join(NUMBER.sub("#", line).split()) for line in (said, found)]
        self.assertEqual(*words)
        if said.split()[0] in ("seconds", "optimizer", "largest"):  # these differ between machines
            return
        for a, b in zip(NUMBER.findall(said), NUMBER.findall(found)):
            self.assertTrue(math.isclose(float(a), float(b), rel_tol=2e-5), f"{said}\n{found}")

    def assert_same_output(self, said, found):
        """Line by line; a line `...` in the document stands for any lines."""
        gap = False
        for line in said:
            if line == "...":
                gap = True
                continue
            if gap:
                name = NUMBER.sub("#", line).split()[:3]
                while found and NUMBER.sub("#", found[0]).split()[:3] != name:
                    found = found[1:]
                gap = False
            self.assertTrue(found, f"the program does not print: {line}")
            self.assert_same_line(line, found[0])
            found = found[1:]
        self.assertTrue(gap or not found, f"the program also prints: {found}")

    def replay(self, name):
        """Runs every command of the page in one folder; returns the commands."""
        (self.folder / "examples").symlink_to(SOURCE / "examples")
        steps = []
        for line in "".join(blocks(page(name), "console")).splitlines():
            if line.startswith("$ "):
                steps.append((shlex.split(line[2:]), []))
            else:
                steps[-1][1].append(line)
        for words, said in steps:
            if words[0].startswith("build/bin/"):
                program = pathlib.Path(PROGRAM).with_name(pathlib.Path(words[0]).name)
                done = subprocess.run([program, *words[1:]], cwd=self.folder, capture_output=True,
                                      text=True, timeout=PATIENCE)
            else:
                done = subprocess.run(words, cwd=self.folder, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stderr, "")
            self.assert_same_output(said, done.stdout.splitlines())
        return [words for words, _ in steps]


class Quickstart(Transcript):
    def test_commands(self):
        commands = self.replay("docs/quickstart.md")
        self.assertEqual([words[1] for words in commands if "loopcert" in words[0]],
                         ["import", "inspect", "learn", "recheck", "export"])
        self.assertIn("position [m], speed [m/s]", (self.folder / "cart/code/controller.h").read_text())
        report = (self.folder / "cart/report.html").read_text()
        for part in ("<td>speed [m/s]</td>", "costs less by at least 0.29"):
            self.assertTrue(part in report, part)

    def test_problem_file(self):
        said = blocks(page("docs/quickstart.md"), "toml")[0]
        self.assertTrue(page("examples/cart/problem.toml").endswith(said))

    def test_numbers_in_prose(self):
        problem, logs = self.problem_and_logs()
        run_ = run_json("learn", problem, "--rollouts", *logs)
        prose = " ".join(page("docs/quickstart.md").split())
        for number in (f"costs {run_['empirical_cost']:.2f} and LQR {run_['lqr_empirical_cost']:.2f}",
                       f"at most {run_['certificate']['value']:.2f}",
                       f"by at least {math.floor(-1000 * run_['improvement']['value']) / 1000:.3f}"):
            self.assertIn(number, prose)
        data = run_["reconstruction"][1]
        self.assertEqual(f"{data['residual_rms']:.2f}", "0.06")

    def problem_and_logs(self):
        folder = SOURCE / "examples/cart"
        return folder / "problem.toml", [folder / "monday.csv", folder / "tuesday.mat"]


class Readme(Transcript):
    def test_from_nothing_to_the_page(self):
        commands = self.replay("README.md")
        self.assertEqual([words[1] for words in commands if words[0].endswith("loopcert")],
                         ["init", "learn", "export"])
        for name in ("drive.toml", "drive/report.html", "drive/code/controller.c"):
            self.assertTrue((self.folder / name).is_file(), name)
        # The certificate and what speaks against it come first.
        said = run("learn", "drive.toml", "--rollouts", "examples/drive/logs.csv", cwd=self.folder)
        self.assertTrue(said.stdout.startswith("certificate "), said.stdout)

    def test_two_examples(self):
        commands = self.replay("docs/two-examples.md")
        self.assertGreaterEqual({words[1] for words in commands}, {"learn", "simulate", "certify"})

    def test_numbers_in_prose(self):
        prose = section(page("README.md"), "## What it does not do")
        costs = learn(WHITE, 40, "--compare", "ridge,erm")
        ridge = learn(COLOURED, 400, "--method", "ridge", "--gamma", "cv")
        said = [f"{costs[key]:.3f}" for key in ("population_cost", "lqr_cost")]
        said += [f"{b['population_cost']:.3f}" for b in costs["baselines"]]
        said += [f"{ridge[key]:.3f}" for key in ("population_cost", "lqr_cost", "optimal_cost")]
        said += [f"{learn(WHITE, n)['certificate']['value']:.3g}" for n in (10, 40, 400)]
        for number in said:
            self.assertIn(number, prose)

    def test_headers_of_the_snippets(self):
        text = "".join(blocks(page("docs/cpp.md"), "cpp"))
        for name in re.findall(r'#include "(.*?)"', text):
            self.assertTrue((SOURCE / "include" / name).is_file(), name)

    def test_rooms(self):
        """docs/cpp.md lists the rooms in their order, each with headers of its own."""
        rooms = re.findall(r"^(\w+):", page("cmake/rooms.txt"), re.M)
        rows = re.findall(r"^\| (\w+) \| (`.*?) \|", page("docs/cpp.md"), re.M)
        self.assertEqual([room for room, _ in rows], rooms)
        for room, headers in rows:
            self.assertEqual(set(re.findall(r"`(\w+)/", headers)), {room})


class Links(unittest.TestCase):
    @staticmethod
    def plain(text):
        """Without code and formulas, where brackets mean something else."""
        text = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
        text = re.sub(r"\$\$.*?\$\$", "", text, flags=re.S)
        return re.sub(r"`[^`\n]*`|\$[^$]*\$", "", text)

    @staticmethod
    def anchors(text):
        headings = re.findall(r"^#+ (.*)$", text, re.M)
        return {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in headings}

    def test_links(self):
        for path in PAGES:
            for link in re.findall(r"\]\(([^)\s]+)\)", self.plain(path.read_text())):
                if link.startswith(("http://", "https://")):
                    continue
                name, _, anchor = link.partition("#")
                target = path.parent / name if name else path
                where = f"{path.relative_to(SOURCE)}: {link}"
                self.assertTrue(target.exists(), where)
                if anchor:
                    self.assertIn(anchor, self.anchors(target.read_text()), where)

    def test_headers(self):
        for path in PAGES:
            for name in re.findall(r"`(?:include/loopcert/)?(\w+/\w+\.hpp)`", path.read_text()):
                places = [SOURCE / folder / name for folder in ("include", "include/loopcert", "src")]
                self.assertTrue(any(place.is_file() for place in places), f"{path.relative_to(SOURCE)}: {name}")


class Architecture(unittest.TestCase):
    def test_the_picture_is_that_of_its_script(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "rooms.svg")
            subprocess.run([sys.executable, SOURCE / "docs/scripts/rooms_figure.py", path], check=True)
            self.assertEqual(path.read_text(), page("docs/figures/rooms.svg"))

    def test_the_run_visits_rooms_of_the_workflow_once(self):
        """What is called exists in its room; tools/trace_rooms makes the table."""
        below = re.search(r"^workflow: (.*)$", page("cmake/rooms.txt"), re.M)[1].split()
        run = page("docs/architecture.md").partition("## One run")[2].partition("\n## ")[0]
        rows = re.findall(r"^\| (\w+) \| (`.*`) \|", run, re.M)
        rooms = [room for room, _ in rows]
        self.assertEqual(len(set(rooms)), len(rooms))
        self.assertGreater(len(rooms), 5)
        self.assertLessEqual(set(rooms), set(below))
        for room, called in rows:
            code = "".join(path.read_text() for path in (SOURCE / "src" / room).rglob("*.?pp"))
            for name in re.findall(r"`(\w+)`", called):
                self.assertRegex(code, rf"\b{name}\(", room)

    def test_files_exist(self):
        for name in re.findall(r"`((?:src|apps|tools|cmake)/[\w/.]+)`", page("docs/architecture.md")):
            self.assertTrue((SOURCE / name).exists(), name)


class WhatTheNumbersSay(unittest.TestCase):
    """Numbers of docs/certificates.md that are quoted below its tables stand in the row that they are from."""
    QUOTED = {"Certified cost": {("loose scale, auto", 10): "6.186", ("loose scale, auto", 100): "3.548",
                                 ("no scale, auto", 100): "3.523", ("white, auto", 100): "3.47",
                                 ("coloured, auto", 20): "4.088", ("coloured, auto", 10): "6.256",
                                 ("mean, ridge", 100): "6.244", ("mean, auto", 100): "6.518",
                                 ("uniform, auto", 100): "5.257"},
              "True cost of the deployed controller": {("coloured, auto", 40): "2.659", ("coloured, auto", 10): "2.689",
                                                       ("coloured, lqr", 20): "4.532",
                                                       ("mean, ridge", 100): "3.395", ("mean, auto", 100): "3.248",
                                                       ("mean, lqr", 100): "5.1"}}

    def test_numbers(self):
        tables, _, prose = page("docs/certificates.md").partition("## What the numbers say")
        for table, quoted in self.QUOTED.items():
            lines = tables.partition(f"{table}:\n\n")[2].partition("\n\n")[0].split("\n")
            rows = {cells[0]: cells[1:] for cells in ([c.strip() for c in line.strip("|").split("|")] for line in lines)}
            for (row, n), number in quoted.items():
                self.assertEqual(rows[row][rows["n"].index(str(n))], number, (table, row, n))
                self.assertRegex(prose, rf"(?<![\d.]){re.escape(number)}(?!\d)")


class Notation(unittest.TestCase):
    def test_code_names(self):
        files = [path for folder in ("include", "src") for path in (SOURCE / folder).rglob("*.?pp")]
        known = {word for path in files for word in re.findall(r"\w+", path.read_text())}
        rows = re.findall(r"^\| [^`|]+ \|([^|]+)\|.*\|(.*)\|$", page("docs/notation.md"), re.M)
        self.assertGreater(len(rows), 60)
        for code, header in rows:
            if code.strip("- ") and "code name" not in code:
                self.assertRegex(header, r"`\w+/\w+\.hpp`", code)
            for name in re.findall(r"\w+", " ".join(re.findall(r"`([^`]+)`", code))):
                self.assertTrue(name in known, f"{name} in the row of {code.strip()}")


class Names(unittest.TestCase):
    def test_methods(self):
        text = page("docs/problem-file.md")
        methods = help_list("learn", "--method")
        self.assertIn("pac-bayes", methods)
        for method in methods:
            self.assertIn(f"| `{method}` |", text)
            self.assertIn(f'`"{method}"`', text)

    def test_kinds(self):
        text = page("docs/certificates.md")
        posterior = list(table(section(text, "## Kinds that PAC-Bayes learning gives")))
        fixed = list(table(section(text, "## Kinds for one response")))
        self.assertEqual(sorted(["best", *fixed]), sorted(help_list("certify", "--certificate")))
        costs = [kind for kind in fixed if not kind.startswith("improvement")]
        cross = [kind.replace("hold-out", "cross") for kind in costs if "hold-out" in kind]
        for kind in cross:
            self.assertIn(f"`{kind}`", section(text, "## Learned and certified from one data set"))
        own = table(section(text, "## Kinds for a plant that is identified"))
        self.assertEqual(sorted({"best", *posterior, *costs, *cross, *own}),
                         sorted(help_list("learn", "--certificate")))

    def test_commands_and_options(self):
        text = page("docs/problem-file.md")
        found = "\n".join(help_section("COMMANDS"))
        commands = re.findall(r"^ {7}(\w+) ", found, re.M)
        self.assertIn("learn", commands)
        said = re.findall(r"^### (\w+)$", section(text, "## Commands"), re.M)
        self.assertEqual(sorted(said), sorted(commands))
        for command in commands:
            part = section(text, f"### {command}")
            known = help_options(command)
            for option in known:
                if option not in ("--help", "--data", "--rollouts", "--sample", "--seed"):
                    self.assertIn(option, part, command)
            rows = re.findall(r"^\| (`-.*?) \|", part, re.M)
            for option in re.findall(r"(?<![\w-])--?[a-z][\w-]*", " ".join(rows)):
                self.assertIn(option, known, command)

    def test_exit_statuses(self):
        found = "\n".join(help_section("EXIT STATUS"))
        said = re.findall(r"^\| (\d) \|", section(page("docs/problem-file.md"), "## Exit statuses"),
                          re.M)
        self.assertEqual(said, re.findall(r"^ {7}(\d) ", found, re.M))


class ProblemFile(FolderTest):
    def complete(self):
        return blocks(page("docs/problem-file.md"), "toml")[0]

    def test_complete_file(self):
        problem = self.folder / "problem.toml"
        text = self.complete()
        problem.write_text(text)
        self.assertEqual(len(learn(problem, 40, "--method", "lqr")["limits"]["rows"]), 4)
        problem.write_text(text[:text.index("[limits]")] + text[text.index("[data]"):])
        self.assertAlmostEqual(learn(problem, 40)["certificate"]["value"],
                               learn(WHITE, 40)["certificate"]["value"], places=9)

    def test_every_key(self):
        """The program lists its keys when it meets one that it does not know."""
        problem = self.folder / "problem.toml"
        prior, delta = 'prior  = { center = "start"', "delta = { pac_bayes = 0.025"
        places = {"": "name    =", "system": "A = [[1", "cost": "Q = [[1", "response": "affine =",
                  "disturbance": "model ", "learning": "method =", "certificate": "kind  =",
                  "prior": prior, "delta": delta, "data": "layout  =", "limits": "u = [-1.5"}
        for place, line in places.items():
            self.assertIn(line, self.complete())
            inside = place in ("prior", "delta")
            known = line.replace("{ ", "{ unknown = 1, ") if inside else "unknown = 1\n" + line
            problem.write_text(self.complete().replace(line, known, 1))
            done = run("learn", problem, "--method", "lqr")
            self.assertEqual(done.returncode, 3, done.stderr)
            for key in re.search(r"expected one of ([^()\n]*?)(?: \(help|\n)", done.stderr)[1].split(", "):
                name = f"prior.{key}" if place == "prior" else key
                said = f"[{key}]" if f"[{key}]" in self.complete() else f"`{name}`"
                self.assertTrue(said in page("docs/problem-file.md") or name == "prior", said)
