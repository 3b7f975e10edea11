"""The manual: every page is complete, fits a terminal, and its examples run."""

import os
import pathlib
import re
import shutil
import subprocess
import unittest

from manual import commands, examples, options, page, sections
from program import PROGRAM, SOURCE, ProgramTest

REQUIRED = ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "EXAMPLES", "SEE ALSO"]
ALL = [(), *((name,) for name in commands())]


class Pages(ProgramTest):
    def test_sections(self):
        for command in ALL:
            with self.subTest(command=command):
                found = sections(page(*command))
                self.assertEqual([t for t in found if t in REQUIRED], REQUIRED)
                self.assertTrue(set(found) - set(REQUIRED) <= {"COMMANDS", "FILES", "ENVIRONMENT"})
                for title, lines in found.items():
                    self.assertTrue("".join(lines).strip(), title)
                name = "-".join(["loopcert", *command])
                self.assertRegex(found["NAME"][0], rf"^ {{7}}{name} - \w")
                for line in filter(None, found["SYNOPSIS"]):
                    self.assertRegex(line, rf"^ {{7}}{' '.join(['loopcert', *command])}|^ {{9}}")

    def test_fits_a_terminal(self):
        for command in ALL:
            text = page(*command)
            self.assertTrue(text.isascii(), command)
            self.assertNotIn("~", text)
            for line in text.splitlines():
                self.assertLessEqual(len(line), 80, line)
                self.assertEqual(line, line.rstrip())

    def test_options_are_in_the_synopsis(self):
        """A synopsis may sum up with [OPTION...]; what it names must exist."""
        for command in ALL[1:]:
            with self.subTest(command=command):
                synopsis = "\n".join(sections(page(*command))["SYNOPSIS"])
                named = re.findall(r"(?<![\w-])--?[a-z][\w-]*", synopsis)
                known = options(*command)
                self.assertLessEqual(set(named), set(known))
                first = synopsis.split("\n       loopcert")[0]
                if "[OPTION...]" not in first:
                    self.assertEqual(set(known) - set(named) - {"-h", "--help"}, set())

    def test_what_they_point_to_exists(self):
        for command in ALL:
            words = " ".join(sections(page(*command))["SEE ALSO"]).replace(",", " ").split()
            for word in words:
                name = re.fullmatch(r"loopcert(?:-(\w+))?\(1\)", word)
                self.assertTrue((SOURCE / word).is_file() if name is None
                                else name[1] is None or name[1] in commands(), word)

    def test_help_command(self):
        for command in ALL:
            self.assertEqual(self.ok("help", *command), page(*command))
        self.assertEqual(self.ok("-h"), page())
        self.fails(2, "help", "lern", says="did you mean 'learn'?")
        self.fails(2, "help", "--out", "man1", says="--man")
        self.fails(2, "help", "learn", "--man", "--out", "man1", says="--out")


class Examples(ProgramTest):
    """Each page in a fresh folder that holds examples/, its commands in order."""

    def run_page(self, *command):
        shutil.copytree(SOURCE / "examples", self.folder / "examples")
        (self.folder / "bin").mkdir()
        (self.folder / "bin/loopcert").symlink_to(pathlib.Path(shutil.which(PROGRAM)).resolve())
        path = f"{self.folder / 'bin'}:{os.environ['PATH']}"
        lines = examples(*command)
        self.assertTrue(lines)
        for line in lines:
            done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=300,
                                  cwd=self.folder, env={**os.environ, "PATH": path})
            self.assertEqual(done.returncode, 0, f"{line}\n{done.stderr}")
            self.assertEqual(done.stderr, "", line)


def add_page_test(command):
    name = "test_" + "_".join(["page", *command])
    setattr(Examples, name, lambda self: self.run_page(*command))


for each in ALL:
    add_page_test(each)


class ManPages(ProgramTest):
    def plain(self, text):
        """The words of a troff page: without requests, fonts and escapes."""
        text = re.sub(r"^\.(?:SH|SS) (.*)$", r"\1", text, flags=re.M)
        text = re.sub(r"^\.[A-Za-z].*\n", "", text, flags=re.M)
        text = re.sub(r"\\f[BR]", "", text).replace(r"\&", "").replace(r"\-", "-")
        return text.replace(r"\(aq", "'").replace(r"\ ", " ").replace(r"\e", "\\").replace('"', "")

    def test_same_words(self):
        for command in ALL:
            with self.subTest(command=command):
                text = self.ok("help", "--man", *command)
                self.assertRegex(text, r'\A\.TH "LOOPCERT\S*" 1 ')
                man = self.plain(text).split()
                said = page(*command).replace("`", "").replace('"', "").replace(" \\\n", "\n").split()
                self.assertEqual(man, said)

    def test_every_page_is_written(self):
        self.ok("help", "--man", "--out", "man1")
        found = {path.name for path in (self.folder / "man1").iterdir()}
        self.assertEqual(found, {"-".join(["loopcert", *c]) + ".1" for c in ALL})
        page_of_learn = (self.folder / "man1/loopcert-learn.1").read_text()
        self.assertEqual(page_of_learn, self.ok("help", "--man", "learn"))

    @unittest.skipUnless(shutil.which("groff"), "groff is not installed")
    def test_groff_has_no_complaint(self):
        for command in ALL:
            done = subprocess.run(["groff", "-man", "-Tascii", "-ww", "-z"], text=True,
                                  input=self.ok("help", "--man", *command), capture_output=True,
                                  timeout=60)
            self.assertEqual((done.returncode, done.stderr), (0, ""), command)


if __name__ == "__main__":
    unittest.main()
