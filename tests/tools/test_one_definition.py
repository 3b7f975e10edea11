"""No name is defined twice. Two functions that differ in what they return alone have the same name to the
linker, which takes the first from an archive and says nothing."""
import collections
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("LOOPCERT", ROOT / "build/bin/loopcert")).resolve().parents[1]


def definitions(archive):
    """The strong definitions of an archive: inline functions and templates are weak."""
    listed = subprocess.run(["nm", "--defined-only", archive], capture_output=True, text=True, check=True).stdout
    fields = [line.split() for line in listed.splitlines()]
    return [f[2] for f in fields if len(f) == 3 and f[1] in "TDBR"]


def defined_twice(archives):
    count = collections.Counter(name for archive in archives for name in definitions(archive))
    return sorted(name for name, n in count.items() if n > 1)


class OneDefinition(unittest.TestCase):
    def test_of_the_library(self):
        archives = sorted(BUILD.glob("libloopcert_*.a"))
        self.assertGreater(len(archives), 15)
        checker = BUILD / "libloopcert_checker.a"  # a program of its own
        self.assertEqual(defined_twice([a for a in archives if a != checker]), [])
        if checker in archives:
            self.assertEqual(defined_twice([checker]), [])

    def test_finds_functions_that_differ_in_their_result(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, result in (("a", "int"), ("b", "double")):
                source = pathlib.Path(folder, name + ".cpp")
                source.write_text(f"{result} made() {{ return 1; }} static int own() {{ return 2; }}\n"
                                  f"int uses_{name}() {{ return own(); }}\n")
                subprocess.run(["c++", "-c", source.name, "-o", name + ".o"], cwd=folder, check=True)
                subprocess.run(["ar", "rc", f"lib{name}.a", name + ".o"], cwd=folder, check=True)
            self.assertEqual(defined_twice([f"{folder}/liba.a", f"{folder}/libb.a"]), ["_Z4madev"])


if __name__ == "__main__":
    unittest.main()
