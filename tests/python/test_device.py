"""Where learning is done: device= and use_device, with the plugin that poses as a GPU (plugins/host)."""

import json
import os
import subprocess
import sys
import unittest

from support import small_problem

import loopcert as lc

PLUGIN = os.environ.get("LOOPCERT_HOST_DEVICE_PLUGIN", "")
NOWHERE = "/nowhere/libloopcert_cuda.so"
LEARN = """
import json, loopcert as lc
from support import small_problem
problem = small_problem(scale_bound=2.0, certificate="data-driven", method="pac-bayes")
data = problem.sample(40, seed=1)
def learned(**options):
    result = lc.learn(problem, data, **options)
    return [result.details["device"], result.certificate.value]
"""


class Names(unittest.TestCase):
    def test_a_name_that_is_none(self):
        for call in (lambda: lc.use_device("tpu"),
                     lambda: lc.learn(small_problem(), small_problem().sample(9), device="tpu")):
            with self.assertRaisesRegex(lc.InputError, "device: found 'tpu', expected auto | cpu | gpu"):
                call()


class Devices(unittest.TestCase):
    def run_with(self, plugin, lines):
        """The plugin is loaded once in a process: each test has its own."""
        folder = os.path.dirname(__file__)
        path = os.pathsep.join([folder, os.environ.get("PYTHONPATH", "")])
        done = subprocess.run([sys.executable, "-c", LEARN + lines], capture_output=True, text=True,
                              env={**os.environ, "PYTHONPATH": path, "LOOPCERT_GPU_PLUGIN": plugin})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json.loads(done.stdout)

    def test_without_one(self):
        found, said, by_auto = self.run_with(NOWHERE, """
try:
    said = learned(device="gpu")
except lc.InputError as error:
    said = str(error)
print(json.dumps([lc.gpu(), said, learned()]))""")
        self.assertEqual((found["found"], found["name"], found["plugin"]), (False, None, None))
        self.assertIn("no libloopcert_cuda.so", found["why"])
        self.assertEqual(said, "device: no GPU: " + found["why"])
        self.assertEqual(by_auto[0], "cpu")

    @unittest.skipUnless(os.path.exists(PLUGIN), "the plugin that poses as a GPU is not built")
    def test_with_one(self):
        found, small, there, back, chosen, within = self.run_with(PLUGIN, """
runs = [lc.gpu(), learned(), learned(device="gpu"), learned()]
lc.use_device("gpu")
print(json.dumps(runs + [learned(), learned(device="cpu")]))""")
        self.assertTrue(found["found"])
        self.assertEqual(found["plugin"], PLUGIN)
        self.assertGreater(found["memory_bytes"], 0)
        self.assertEqual([run[0] for run in (small, there, back, chosen, within)],
                         ["cpu", found["name"], "cpu", found["name"], "cpu"])
        self.assertEqual(small, back)
        self.assertEqual(small, within)
        self.assertEqual(there, chosen)
        self.assertAlmostEqual(there[1] / small[1], 1, 8)


if __name__ == "__main__":
    unittest.main()
