"""Shell completion: bash for real, zsh and fish as far as they are installed."""

import re
import shutil
import subprocess
import unittest

from manual import commands, options
from program import ProgramTest

SHELLS = ("bash", "zsh", "fish")


class Bash(ProgramTest):
    def complete(self, *words):
        """What bash offers for the last word."""
        (self.folder / "script").write_text(self.ok("completion", "bash"))
        script = ("source ./script; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _loopcert; "
                  "printf '%s\\n' \"${COMPREPLY[@]}\"")
        done = subprocess.run(["bash", "-c", script, "bash", "loopcert", *words], text=True,
                              capture_output=True, timeout=60, cwd=self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        (self.folder / "script").unlink()
        return [word for word in done.stdout.splitlines() if word]

    def test_commands(self):
        self.assertEqual(self.complete(""), commands())
        self.assertEqual(self.complete("sw"), ["sweep"])
        self.assertEqual(sorted(self.complete("--")), ["--help", "--version"])
        self.assertEqual(self.complete("help", "ins"), ["inspect"])
        self.assertEqual(self.complete("completion", ""), list(SHELLS))

    def test_options(self):
        for command in commands():
            self.assertEqual(sorted(self.complete(command, "-")), sorted(options(command)))
        self.assertEqual(self.complete("learn", "p.toml", "--met"), ["--method"])

    def test_words(self):
        self.assertEqual(self.complete("learn", "p.toml", "--method", "ri"), ["ridge"])
        self.assertEqual(self.complete("learn", "p.toml", "--method", "=", "ri"), ["ridge"])
        self.assertIn("auto", self.complete("learn", "p.toml", "--method", "="))
        self.assertEqual(self.complete("learn", "--compare", "lqr,rid"), ["lqr,ridge"])
        self.assertIn("best", self.complete("certify", "p.toml", "--certificate", ""))
        self.assertEqual(self.complete("export", "--format", "np"), ["npy", "npz"])
        self.assertEqual(self.complete("learn", "--gamma", ""), ["cv"])

    def test_files_and_folders(self):
        (self.folder / "my data.csv").touch()
        (self.folder / "my runs").mkdir()
        self.assertEqual(sorted(self.complete("learn", "my")), ["my data.csv", "my runs"])
        self.assertEqual(sorted(self.complete("learn", "--data", "my")), ["my data.csv", "my runs"])
        self.assertEqual(self.complete("learn", "--out", "my"), ["my runs"])
        self.assertEqual(self.complete("report", "my"), ["my runs"])
        self.assertEqual(self.complete("learn", "--sample", ""), [])
        self.assertEqual(self.complete("doctor", ""), [])
        self.assertEqual(self.complete("certify", "--baseline", "l"), ["lqr"])


class Scripts(ProgramTest):
    def test_everything_is_in_them(self):
        for shell in SHELLS:
            text = self.ok("completion", shell)
            words = set(re.findall(r"[\w-]+", text))
            for command in commands():
                self.assertIn(command, words, shell)
                for option in options(command):
                    said = f"-l {option[2:]}" if option.startswith("--") else f"-s {option[1:]}"
                    self.assertIn(said if shell == "fish" else option, text, shell)

    def test_syntax(self):
        checked = []
        for shell in SHELLS:
            if not shutil.which(shell):
                continue
            script = self.write("script", self.ok("completion", shell))
            done = subprocess.run([shell, "-n", script], capture_output=True, text=True, timeout=60)
            self.assertEqual((done.returncode, done.stderr), (0, ""), shell)
            checked.append(shell)
        self.assertIn("bash", checked)


if __name__ == "__main__":
    unittest.main()
