"""The quick reference is what the program prints, and holds every command, key, method and kind that
the program knows; messages name the topic that explains them."""

import re
import unittest

from documents import WHITE, FolderTest, blocks, help_list, help_section, page, run

PLACES = {"P2": ("system", "A = [[1"), "P3": ("cost", "Q = [[1"), "P4": ("response", "affine ="),
          "P5": ("disturbance", "model "), "P6": ("learning", "method ="),
          "P7": ("certificate", "kind  ="), "P8": ("limits", "u = [-1.5"), "P10": ("data", "layout  =")}


class QuickReference(FolderTest):
    def topics(self):
        """{code: {name: text}}"""
        found, rows = {}, {}
        for line in page("docs/quick-reference.md").split("\n"):
            if match := re.match(r"## (\w+): ", line):
                rows = found[match[1]] = {}
            elif match := re.match(r"\| `([^`]+)` \| (.*) \|$", line):
                rows[match[1]] = match[2]
        return found

    def names(self, code):
        return {name for row in self.topics()[code] for name in row.split(", ")}

    def test_is_what_the_program_prints(self):
        self.assertEqual(run("help", "--reference").stdout, page("docs/quick-reference.md"))

    def test_each_code_is_explained(self):
        for code, rows in self.topics().items():
            said = run("help", code).stdout
            self.assertTrue(said.startswith(code + "  "), said)
            for name in rows:
                self.assertIn(f"  {name}", said)

    def test_commands(self):
        commands = set(re.findall(r"^ {7}(\w+) ", "\n".join(help_section("COMMANDS")), re.M))
        self.assertEqual(set(self.topics()["C"]), commands)

    def test_keys(self):
        """The program lists its keys when it meets one that it does not know."""
        complete, problem = blocks(page("docs/problem-file.md"), "toml")[0], self.folder / "problem.toml"
        for code, (section, line) in PLACES.items():
            self.assertIn(line, complete)
            problem.write_text(complete.replace(line, "unknown = 1\n" + line, 1))
            said = run("learn", problem, "--method", "lqr").stderr
            self.assertIn(f" (help {code})\n", said)
            known = re.search(r"expected one of (.*) \(help", said)[1].split(", ")
            if section == "data":  # of outputs it has another name
                known.append("outputs")
            self.assertEqual(self.names(code), set(known), section)
        problem.write_text("unknown = 1\n" + complete)
        known = re.search(r"expected one of (.*?)(?: \(help.*)?\n", run("learn", problem).stderr)[1]
        self.assertEqual(self.names("P1"), set(known.split(", ")))

    def test_methods_and_kinds(self):
        self.assertEqual(self.names("M"), set(help_list("learn", "--method")))
        kinds = self.names("K")
        for command in ("learn", "certify"):
            self.assertLessEqual(set(help_list(command, "--certificate")), kinds)
        text = page("docs/certificates.md")
        for kind in kinds:
            self.assertIn(kind, text)

    def test_statuses(self):
        found = re.findall(r"^ {7}(\d) ", "\n".join(help_section("EXIT STATUS")), re.M)
        self.assertEqual(list(self.topics()["E"]), found)

    def test_messages_name_a_topic(self):
        good = WHITE.read_text()
        for code, old, new in (
                ("P3", "R = [0.5]", "R = [-1]"), ("P1", "horizon = 10", "horizon = 0"),
                ("P2", "A = [[1, 1]", "A = [[1]"),
                ("M", "[disturbance]", '[learning]\nmethod = "pac"\n[disturbance]'),
                ("K", "[disturbance]", '[certificate]\nkind = "driven"\n[disturbance]')):
            self.assertIn(old, good)
            (self.folder / "p.toml").write_text(good.replace(old, new, 1))
            done = run("learn", self.folder / "p.toml", "--sample", 5)
            self.assertEqual(done.returncode, 3)
            self.assertTrue(done.stderr.endswith(f" (help {code})\n"), done.stderr)
        (self.folder / "w.csv").write_text("a,b\n1\n")
        self.assertTrue(run("learn", WHITE, "--data", self.folder / "w.csv").stderr
                        .endswith(" (help D)\n"))
        self.assertTrue(run("learn", WHITE).stderr.endswith(" (help C)\n"))


if __name__ == "__main__":
    unittest.main()
