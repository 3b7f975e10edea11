"""The layering check must accept a good tree and name every breach of a bad one."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECK = pathlib.Path(__file__).resolve().parents[2] / "tools" / "check_layers.py"
ROOMS = "core:\nsystem: core\nrisk: core system\n"


class CheckLayers(unittest.TestCase):
    def check(self, files, rooms=ROOMS):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {"cmake/rooms.txt": rooms, **files}.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            done = subprocess.run([sys.executable, CHECK, folder], capture_output=True, text=True)
            return done.returncode, done.stderr

    def test_accepts_what_the_rooms_file_allows(self):
        code, text = self.check({
            "include/loopcert/risk/a.hpp": '#include <vector>\n#include "loopcert/core/a.hpp"\n',
            "src/risk/a.cpp": '#include "loopcert/risk/a.hpp"\n#include "system/b.hpp"\n#include "parts/c.hpp"\n',
        })
        self.assertEqual((code, text), (0, ""))

    def test_names_file_line_and_rooms_of_a_breach(self):
        code, text = self.check({
            "include/loopcert/core/a.hpp": '#pragma once\n\n#include "loopcert/risk/a.hpp"\n',
            "src/system/b.cpp": '  #  include <loopcert/risk/a.hpp>\n',
        })
        self.assertEqual(code, 1)
        self.assertEqual(text.splitlines(), [
            "include/loopcert/core/a.hpp:3: room core may not include room risk",
            "src/system/b.cpp:1: room system may not include room risk",
        ])

    def test_what_is_installed_includes_what_is_installed(self):
        code, text = self.check({
            "include/loopcert/risk/a.hpp": '#include "core/a.hpp"\n',
            "src/system/b.cpp": '#include "risk/a.hpp"\n',
        })
        self.assertEqual(code, 1)
        self.assertEqual(text.splitlines(), [
            "include/loopcert/risk/a.hpp:1: core is not installed, this header is",
            "src/system/b.cpp:1: room system may not include room risk",
        ])

    def test_rejects_a_folder_that_is_not_a_room(self):
        code, text = self.check({"src/attic/a.cpp": ""})
        self.assertEqual(code, 1)
        self.assertIn("attic is not a room", text)

    def test_rejects_rooms_that_depend_on_later_rooms(self):
        code, text = self.check({}, rooms="core: system\nsystem: core\n")
        self.assertEqual(code, 1)
        self.assertIn("not a room above it", text)

    def test_the_checker_includes_nothing_of_the_project(self):
        code, text = self.check({
            "apps/verify/balls/ball.hpp": "#include <arb.h>\n#include <vector>\n",
            "apps/verify/kinds/kinds.hpp": '#include "balls/ball.hpp"\n',
            "apps/verify/loop/a.cpp": '#include "balls/ball.hpp"\n#include "core/sha256.hpp"\n'
                                      '#include <Eigen/Core>\n#include "../loopcert/options.hpp"\n'
                                      '#include "kinds/kinds.hpp"\n',
            "apps/verify/main.cpp": '#include "kinds/kinds.hpp"\n',
            "apps/verify/attic/b.cpp": "",
        })
        self.assertEqual(code, 1)
        self.assertEqual(text.splitlines(), [
            "apps/verify/attic/b.cpp:1: attic is not a folder of the checker",
            "apps/verify/loop/a.cpp:2: the checker may not include core/sha256.hpp",
            "apps/verify/loop/a.cpp:3: the checker may not include Eigen/Core",
            "apps/verify/loop/a.cpp:4: the checker may not include ../loopcert/options.hpp",
            "apps/verify/loop/a.cpp:5: the checker may not include kinds/kinds.hpp",
        ])

    def test_bindings_of_a_room_stay_below_it(self):
        code, text = self.check({
            "bindings/python/bind_risk.cpp": '#include "bind.hpp"\n'
                                             '#include "loopcert/problem/problem.hpp"\n'
                                             '#include "learning/path.hpp"\n',
            "bindings/python/bind_attic.cpp": "",
        }, rooms="core:\nproblem: core\nrisk: core\nlearning: core risk\n")
        self.assertEqual(code, 1)
        self.assertEqual(text.splitlines(), [
            "bindings/python/bind_attic.cpp:1: attic is not a room of cmake/rooms.txt",
            "bindings/python/bind_risk.cpp:3: room risk may not include room learning",
        ])

    def test_plugins_know_steps_and_the_door_only(self):
        code, text = self.check({
            "plugins/steps/a.hpp": '#include <vector>\n#include "device/plugin_api.h"\n#include "core/team.hpp"\n',
            "plugins/cuda/b.hpp": "#include <cublas_v2.h>\n",
            "plugins/cuda/b.cu": '#include "b.hpp"\n#include "steps/a.hpp"\n#include "device/device.hpp"\n',
            "plugins/host/c.cpp": '#include <cuda_runtime.h>\n#include "cuda/b.hpp"\n',
        })
        self.assertEqual(code, 1)
        self.assertEqual(text.splitlines(), [
            "plugins/cuda/b.cu:3: a plugin may not include device/device.hpp",
            "plugins/host/c.cpp:1: host may not include cuda_runtime.h",
            "plugins/host/c.cpp:2: a plugin may not include cuda/b.hpp",
            "plugins/steps/a.hpp:3: a plugin may not include core/team.hpp",
        ])

    def test_accepts_this_repository(self):
        root = os.environ.get("LOOPCERT_SOURCE", CHECK.parents[1])
        done = subprocess.run([sys.executable, CHECK, root], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
