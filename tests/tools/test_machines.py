"""tools/machines: which flags it takes, and that no failure escapes it."""

import contextlib
import importlib.machinery
import importlib.util
import io
import pathlib
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Speaks as GoogleTest does; one test fails with seed 3, and with seed 5 the program dies in it.
PROGRAM = """#!/bin/sh
echo "[ RUN      ] Random/Some.Test/7"
[ "$LOOPCERT_TEST_SEED" = 5 ] && kill -ILL $$
[ "$LOOPCERT_TEST_SEED" = 3 ] && echo "[  FAILED  ] Random/Some.Test/7, where GetParam() = 8 (2 ms)"
echo "[==========] 12 tests from 3 test suites ran. (40 ms total)"
[ "$LOOPCERT_TEST_SEED" = 3 ] && echo "[  FAILED  ] Random/Some.Test/7, where GetParam() = 8"
[ "$LOOPCERT_TEST_SEED" != 3 ]
"""


def load_tool():
    loader = importlib.machinery.SourceFileLoader("machines", str(ROOT / "tools/machines"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("machines", loader))
    loader.exec_module(module)
    return module


class Machines(unittest.TestCase):
    def setUp(self):
        self.tool = load_tool()

    def test_flags_that_do_not_run_here_are_left_out(self):
        errors = io.StringIO()
        with contextlib.redirect_stderr(errors):
            flags = list(self.tool.runnable(["native", "no-such-processor"]))
        self.assertEqual(flags, ["native"])
        self.assertIn("no-such-processor: left out", errors.getvalue())
        more = {"native": {"__SSE2__"}, "wider": {"__SSE2__", "__AVX9__"}}
        self.tool.extensions = more.get
        with contextlib.redirect_stderr(errors):
            self.assertEqual(list(self.tool.runnable(["wider"])), [])
        self.assertIn("wider: left out, this processor has no AVX9", errors.getvalue())

    def test_failures_have_names(self):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "test_some"
            program.write_text(PROGRAM)
            program.chmod(0o755)
            self.assertEqual(self.tool.run(program, 0, "*"), (12, []))
            self.assertEqual(self.tool.run(program, 3, "*"), (12, ["Random/Some.Test/7"]))
            self.assertEqual(self.tool.run(program, 5, "*"),
                             (0, ["Random/Some.Test/7 (ended with status -4)"]))

    def test_every_program_is_named_as_its_folder(self):
        rooms = self.tool.rooms()
        self.assertIn("risk", rooms)
        self.assertNotIn("support", rooms)
        self.assertNotIn("faults", rooms)


if __name__ == "__main__":
    unittest.main()
