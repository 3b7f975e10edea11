"""Optional parts are left out with a word on what is lost, and third_party takes the place of headers."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["LOOPCERT_SOURCE"])
OPTIONAL = {"PkgConfig": ".mat and .h5 files cannot be read", "OpenSSL": "no loopcert-verify",
            "SQLite3": "`loopcert sweep` cannot store results", "GTest": "no C++ tests"}
HEADERS = ("Eigen3", "fmt", "nlohmann_json", "CLI11", "Boost", "ZLIB")


class Parts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.build = pathlib.Path(folder.name)

    def configure(self, *without, **options):
        command = ["cmake", "-S", SOURCE, "-B", self.build, "-G", "Ninja", "-DLOOPCERT_BINDINGS=OFF",
                   *(f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in without),
                   *(f"-D{name}={value}" for name, value in options.items())]
        done = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_optional_parts_say_what_is_lost(self):
        said = self.configure(*OPTIONAL)
        for lost in OPTIONAL.values():
            self.assertIn(lost, said)
        ninja = (self.build / "build.ninja").read_text()
        self.assertNotIn("bin/loopcert-verify", ninja)
        self.assertNotIn("bin/loopcert-importer", ninja)
        self.assertIn("sqlite_absent.cpp", ninja)
        self.assertIn("bin/loopcert:", ninja)

    def test_headers_come_from_the_archive(self):
        for options in ({"without": HEADERS}, {"without": (), "LOOPCERT_BUNDLED": "ON"}):
            shutil.rmtree(self.build)
            said = self.configure(*options.pop("without"), **options)
            taken = re.findall(r"^-- loopcert: [^/\n]+: from third_party", said, re.M)
            self.assertEqual(len(taken), len(HEADERS), said)
            ninja = (self.build / "build.ninja").read_text()
            self.assertIn(f"-isystem {self.build}/third_party/include", ninja)
            self.assertNotIn("/usr/include/eigen3", ninja)
            self.assertTrue((self.build / "third_party/include/Eigen/Core").is_file())


if __name__ == "__main__":
    unittest.main()
