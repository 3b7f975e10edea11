"""--device: where learning is done, and what happens when a GPU is absent, small or fails. The GPU is one
that the tests' plugin poses as (plugins/host): the same steps on this computer's processor."""

import json
import os
import unittest

from program import ProgramTest, WHITE

PLUGIN = os.environ.get("LOOPCERT_HOST_DEVICE_PLUGIN", "")
LEARN = ("learn", WHITE, "--sample", "40", "--seed", "1")


def with_plugin(wish=None):
    environment = {**os.environ, "LOOPCERT_GPU_PLUGIN": PLUGIN}
    return {**environment, "LOOPCERT_HOST_DEVICE": wish} if wish else environment


class Device(ProgramTest):
    def learned(self, *arguments, environment=None):
        done = self.run_program(*LEARN, *arguments, "--json", env=environment or dict(os.environ))
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_the_processor_by_default(self):
        for arguments in ((), ("--device", "auto"), ("--device", "cpu")):
            self.assertEqual(self.learned(*arguments)["details"]["device"], "cpu")

    def test_a_name_that_is_none(self):
        self.fails(2, *LEARN, "--device", "tpu", says=("--device: found 'tpu'", "auto | cpu | gpu"))

    def test_without_a_plugin(self):
        environment = {**os.environ, "LOOPCERT_GPU_PLUGIN": "/nowhere/libloopcert_cuda.so"}
        done = self.run_program(*LEARN, "--device", "gpu", env=environment)
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"\Aloopcert: --device: no GPU: no libloopcert_cuda.so [^\n]+\n\Z")
        self.assertEqual(self.learned("--device", "auto", environment=environment)["details"]["device"], "cpu")

    def test_a_plugin_that_is_none(self):
        path = self.folder / "libloopcert_cuda.so"
        path.write_text("no library")
        environment = {**os.environ, "LOOPCERT_GPU_PLUGIN": str(path)}
        done = self.run_program(*LEARN, "--device", "gpu", env=environment)
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"\Aloopcert: --device: no GPU: [^\n]+\n\Z")

    def doctor(self, environment):
        done = self.run_program("doctor", "--json", env=environment)
        return {check["name"]: check for check in json.loads(done.stdout)["checks"]}["GPU"]

    def test_doctor_says_why_not(self):
        found = self.doctor({**os.environ, "LOOPCERT_GPU_PLUGIN": "/nowhere/libloopcert_cuda.so"})
        self.assertEqual((found["verdict"], found["data"]["found"]), ("note", False))
        self.assertIn("no libloopcert_cuda.so", found["text"])


@unittest.skipUnless(os.path.exists(PLUGIN), "the plugin that poses as a GPU is not built")
class PosingDevice(Device):
    def test_the_same_certificate(self):
        here = self.learned()
        there = self.learned("--device", "gpu", environment=with_plugin())
        self.assertEqual(there["details"]["device"], "a processor that poses as another device")
        for key in ("empirical_cost", "population_cost"):
            self.assertAlmostEqual(there[key] / here[key], 1, 6)
        bounds = [run["certificate"]["value"] for run in (here, there)]
        self.assertAlmostEqual(bounds[1] / bounds[0], 1, 8)
        self.assertEqual(there["warnings"], here["warnings"])

    def test_absent(self):
        done = self.run_program(*LEARN, "--device", "gpu", env=with_plugin("absent"))
        self.assertEqual((done.returncode, done.stderr),
                         (2, "loopcert: --device: no GPU: no device, as the test wishes (help C)\n"))

    def test_too_small_is_refused_with_a_number(self):
        done = self.run_program(*LEARN, "--device", "gpu", env=with_plugin("memory=1e6"))
        self.assertEqual(done.returncode, 3)
        self.assertRegex(done.stderr, r"\Aloopcert: [^\n]*out of memory: learning needs about [\d.]+ GiB"
                                      r"[^\n]*[\d.e-]+ GiB are free[^\n]*\n\Z")

    def falls_back(self, wish, says):
        found = self.learned("--device", "gpu", environment=with_plugin(wish))
        self.assertEqual(found["details"]["device"], "cpu")
        here = self.learned()
        self.assertEqual(found["certificate"]["value"], here["certificate"]["value"])
        self.assertTrue(any(says in str(warning) for warning in found["warnings"]), found["warnings"])

    def test_memory_that_runs_out_falls_back(self):
        self.falls_back("surprise=30000", "has no memory left")

    def test_a_lost_device_falls_back(self):
        for calls in (5, 60, 300):
            self.falls_back(f"lost={calls}", "failed")

    def test_doctor_names_it(self):
        found = self.doctor(with_plugin())
        self.assertEqual((found["verdict"], found["data"]["found"]), ("ok", True))
        self.assertIn("poses as another device", found["text"])


if __name__ == "__main__":
    unittest.main()
