"""The lists and recipes that say what loopcert needs: they name the same things, and what they name is there."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["LOOPCERT_SOURCE"])
BIN = pathlib.Path(os.environ["LOOPCERT"]).parent
SETUP = SOURCE / "tools/setup"
INSTRUCTIONS = {"FROM", "WORKDIR", "COPY", "RUN", "ENTRYPOINT"}


def sections():
    """{section: packages}"""
    found, name = {}, None
    for line in (SOURCE / "tools/packages.txt").read_text().splitlines():
        line = re.sub(r"#.*", "", line).strip()
        if line.startswith("["):
            name = line.strip("[]")
            found[name] = []
        elif line:
            found[name].append(line.split()[0])
    return found


def instructions(text):
    """A Dockerfile's lines, continued ones joined, without comments."""
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return [line for line in "\n".join(lines).replace("\\\n", " ").splitlines() if line.strip()]


class Packages(unittest.TestCase):
    def test_each_is_listed_once(self):
        self.assertEqual(list(sections()), ["build", "python", "tests", "documents"])
        every = [package for packages in sections().values() for package in packages]
        self.assertEqual(len(every), len(set(every)))

    def test_the_makefile_installs_sections_that_are_there(self):
        makefile = (SOURCE / "Makefile").read_text()
        named = re.findall(r"^PACKAGES_\w+ := (.*)$", makefile, re.M)
        self.assertGreaterEqual(len(named), 4)
        self.assertLessEqual({section for line in named for section in line.split()}, set(sections()))

    def test_other_systems_have_a_name_for_each(self):
        table = [line.split() for line in (SOURCE / "tools/packages-other.txt").read_text().splitlines()
                 if not line.startswith("#")]
        self.assertEqual([row[0] for row in table], sections()["build"] + sections()["python"])
        self.assertEqual({len(row) for row in table}, {4})

    def setup_says(self, *arguments, installed=()):
        """What tools/setup installs, from a dpkg-query that knows `installed` and an apt-get that does nothing."""
        with tempfile.TemporaryDirectory() as folder:
            fake = pathlib.Path(folder)
            (fake / "tools").mkdir()
            for name in ("setup", "packages.txt"):
                shutil.copy2(SOURCE / "tools" / name, fake / "tools" / name)
            listed = "\\n".join(f"{name} installed" for name in installed)
            for name, script in (("dpkg-query", f"printf '{listed}\\n'"), ("apt-get", ":"), ("id", "echo 0")):
                (fake / name).write_text(f"#!/bin/sh\n{script}\n")
                (fake / name).chmod(0o755)
            (fake / "build").mkdir()
            (fake / "build" / "build.ninja").touch()
            done = subprocess.run([fake / "tools" / "setup", *arguments], capture_output=True, text=True,
                                  env={**os.environ, "PATH": f"{fake}:{os.environ['PATH']}"})
            return done, (fake / "build" / "build.ninja").exists()

    def on_debian(self):
        release = pathlib.Path("/etc/os-release")
        if not release.is_file() or "\nID=debian\n" not in "\n" + release.read_text():
            self.skipTest("not a Debian system")

    def test_setup_installs_what_is_missing_of_a_section(self):
        self.on_debian()
        have = sections()["build"][1:] + sections()["tests"]
        done, configured = self.setup_says("build", installed=have)
        self.assertEqual((done.returncode, done.stdout), (0, f"setup: installing {sections()['build'][0]}\n"))
        self.assertFalse(configured, "what is found changes: the build is to be configured again")

    def test_setup_leaves_a_complete_system_alone(self):
        self.on_debian()
        done, configured = self.setup_says("build", installed=sections()["build"])
        self.assertEqual((done.returncode, done.stdout, configured), (0, "", True))

    def test_setup_refuses_another_section(self):
        done, _ = self.setup_says("gui")
        self.assertEqual(done.returncode, 2)
        self.assertIn("gui", done.stderr)


class Docker(unittest.TestCase):
    lines = instructions((SOURCE / "Dockerfile").read_text())

    def test_instructions(self):
        self.assertEqual(self.lines[0].split()[0], "FROM")
        self.assertLessEqual({line.split()[0] for line in self.lines}, INSTRUCTIONS)

    def test_what_is_copied_is_there(self):
        copies = [line.split()[1:-1] for line in self.lines
                  if line.startswith("COPY") and "--from" not in line]
        self.assertTrue(copies)
        for name in sum(copies, []):
            self.assertTrue((SOURCE / name).exists(), name)

    def test_presets_are_there(self):
        presets = re.findall(r"--preset (\w+)", " ".join(self.lines))
        self.assertTrue(presets)
        for preset in presets:
            self.assertIn(f'"name": "{preset}"', (SOURCE / "CMakePresets.json").read_text())

    def test_it_installs_the_libraries_that_the_programs_load(self):
        if not shutil.which("dpkg-query") or not shutil.which("objdump"):
            self.skipTest("dpkg-query or objdump is missing")
        install, = [line for line in self.lines if "apt-get install" in line]
        packages = install.split("--no-install-recommends")[1].split("&&")[0].split()
        needed = set()
        for program in BIN.glob("loopcert*"):
            text = subprocess.run(["objdump", "-p", program], capture_output=True, text=True).stdout
            needed |= set(re.findall(r"NEEDED +(\S+)", text))
        self.assertIn("libstdc++.so.6", needed)
        present = subprocess.run(["dpkg-query", "-W", "-f", "${Package}\n"], capture_output=True, text=True).stdout
        owned = subprocess.run(["dpkg-query", "-L", *[p for p in packages if p in present.split()]],
                               capture_output=True, text=True).stdout
        names = {line.rsplit("/", 1)[-1] for line in owned.splitlines()}
        always = {"libc.so.6", "libm.so.6", "libgcc_s.so.1", "ld-linux-x86-64.so.2"}
        self.assertEqual({n for n in needed - always if n not in names}, set())


class Conda(unittest.TestCase):
    text = (SOURCE / "tools/conda/recipe.yaml").read_text()

    def test_version_and_licence_are_the_projects(self):
        version = re.search(r"project\(loopcert VERSION ([\d.]+)", (SOURCE / "CMakeLists.txt").read_text())[1]
        self.assertIn(f'version: "{version}"', self.text)
        self.assertTrue((SOURCE / re.search(r"license_file: (\S+)", self.text)[1]).is_file())

    def test_options_are_the_projects(self):
        cmake = "".join(p.read_text() for p in [SOURCE / "CMakeLists.txt", *SOURCE.glob("cmake/*.cmake"),
                                                SOURCE / "bindings/python/CMakeLists.txt"])
        options = set(re.findall(r"-D(LOOPCERT_\w+)=", self.text))
        self.assertTrue(options)
        for option in options:
            self.assertIn(option, cmake)

    def test_sections(self):
        try:
            import yaml
        except ImportError:
            self.skipTest("python3-yaml is missing")
        recipe = yaml.safe_load(self.text)
        self.assertEqual(set(recipe), {"package", "source", "build", "requirements", "tests", "about"})
        self.assertEqual(set(recipe["requirements"]), {"build", "host", "run"})


class Bundle(unittest.TestCase):
    def test_its_headers_are_debians(self):
        if not pathlib.Path("/usr/include/Random123").is_dir():
            self.skipTest("not a Debian system with the packages of tools/packages.txt")
        done = subprocess.run([SOURCE / "tools/third_party", "--check"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr)


if __name__ == "__main__":
    unittest.main()
