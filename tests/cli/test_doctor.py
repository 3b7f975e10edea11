"""loopcert doctor: what it says of the program and the machine."""

import json
import os
import unittest

from program import ProgramTest

NAMES = ["build", "libraries", "CPU", "vector units", "threads", "memory", "matrix product", "GPU",
         "same bits", "current folder", "temporary folder", "decimal point", ".mat and .h5"]


class Doctor(ProgramTest):
    def test_table(self):
        lines = self.ok("doctor").splitlines()
        self.assertEqual([line.split("  ")[0] for line in lines], NAMES)
        for line in lines:
            self.assertRegex(line, r"^[\w. ]+?  +(ok|note) +\S")
        self.assertEqual(list(self.folder.iterdir()), [], "something was left behind")

    def test_an_importer_that_does_not_start(self):
        environment = {**os.environ, "LOOPCERT_IMPORTER": "/etc/hostname"}
        done = self.run_program("doctor", "--json", env=environment)
        self.assertEqual(done.returncode, 1)
        checks = {check["name"]: check["verdict"] for check in json.loads(done.stdout)["checks"]}
        self.assertEqual(checks[".mat and .h5"], "problem")

    def test_object(self):
        report = self.ok_json("doctor")
        self.assertEqual(report["status"], "ok")
        checks = {check["name"]: check for check in report["checks"]}
        self.assertEqual(list(checks), NAMES)
        self.assertTrue(all(check["verdict"] in ("ok", "note") for check in checks.values()))
        build = checks["build"]["data"]
        self.assertEqual(f"loopcert {build['version']}\n", self.ok("--version"))
        for name, library in checks["libraries"]["data"].items():
            for version in library.values():
                self.assertRegex(version, r"^\d+\.\d+", name)
        self.assertTrue(checks[".mat and .h5"]["data"]["importer"].endswith("loopcert-importer"))
        self.assertTrue(checks["same bits"]["data"]["agree"])
        product = checks["matrix product"]["data"]
        self.assertGreater(product["gflops_one_thread"], 0)
        self.assertGreater(product["gflops_all_threads"], 0)
        self.assertEqual(checks["threads"]["data"]["hardware"], len(os.sched_getaffinity(0)))
        memory = checks["memory"]["data"]
        self.assertLessEqual(memory["limit_bytes"], memory["physical_bytes"])
        used, here = (checks["vector units"]["data"][key] for key in ("build", "cpu"))
        self.assertLessEqual(set(used), set(here))

    def test_problem(self):
        for arguments in ((), ("--json",)):
            done = self.run_program("doctor", *arguments,
                                    env={**os.environ, "TMPDIR": str(self.folder / "none")})
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stderr, r"\Aloopcert: doctor: [^\n]*1\n\Z")
        report = json.loads(done.stdout)
        self.assertEqual(report["status"], "problem")
        problems = [c["name"] for c in report["checks"] if c["verdict"] == "problem"]
        self.assertEqual(problems, ["temporary folder"])


if __name__ == "__main__":
    unittest.main()
