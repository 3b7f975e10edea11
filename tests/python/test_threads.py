"""The interpreter lock, Ctrl-C, callbacks, and results that depend on none of it."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import unittest
from concurrent.futures import ThreadPoolExecutor

from support import same_bits, small_problem

import loopcert as lc

LONG = """
    import numpy as np, loopcert as lc, sys
    n_x = 6
    rng = np.random.default_rng(0)
    A = 0.9 * np.linalg.qr(rng.normal(size=(n_x, n_x)))[0]
    problem = lc.Problem(A, np.eye(n_x), np.eye(n_x), np.eye(n_x), horizon=40, covariance=0.1,
                         scale_bound=0.2, certificate="data-driven")
    data = problem.sample(200)
    print("ready", flush=True)
    {call}
    print("not interrupted")
"""


class Lock(unittest.TestCase):
    def test_released_while_learning(self):
        """Another thread runs Python between two steps of the optimizer."""
        problem = small_problem(scale_bound=2.0, certificate="data-driven")
        data = problem.sample(50)
        entered, leave = threading.Event(), threading.Event()

        def first(step):
            if not entered.is_set():
                entered.set()
                self.assertTrue(leave.wait(60))  # the other thread is waited for, not the clock

        with ThreadPoolExecutor(1) as pool:
            run = pool.submit(lc.learn, problem, data, callback=first)
            self.assertTrue(entered.wait(60))
            leave.set()
            waited = run.result()
        self.assertTrue(same_bits(waited.controller.K, lc.learn(problem, data).controller.K))

    def test_many_threads_one_answer(self):
        problem = small_problem(scale_bound=2.0, certificate="data-driven")
        sets = [problem.sample(30, seed=s) for s in range(4)]
        alone = [lc.learn(problem, data).certificate.value for data in sets]
        with ThreadPoolExecutor(4) as pool:
            together = list(pool.map(lambda d: lc.learn(problem, d).certificate.value, sets * 3))
        self.assertEqual(together, alone * 3)


class Callbacks(unittest.TestCase):
    problem = small_problem(scale_bound=2.0, certificate="data-driven")
    data = problem.sample(30, seed=2)

    def test_steps(self):
        steps = []
        lc.learn(self.problem, self.data, callback=lambda s: steps.append((s.iteration, s.bound)))
        self.assertGreater(len(steps), 3)
        self.assertLess(steps[-1][1], steps[0][1])

    def test_stop(self):
        with self.assertWarnsRegex(UserWarning, "a smaller one may exist"):
            result = lc.learn(self.problem, self.data, callback=lambda s: s.iteration < 3)
        self.assertTrue(result.stopped_early)
        self.assertTrue(lc.verify(result.certificate, self.data))
        self.assertGreater(result.certificate.value,
                           lc.learn(self.problem, self.data).certificate.value)

    def test_exception_comes_out(self):
        def fail(step):
            raise KeyError("mine")

        with self.assertRaisesRegex(KeyError, "mine"):
            lc.learn(self.problem, self.data, callback=fail)


class Interrupt(unittest.TestCase):
    def interrupted(self, call):
        code = textwrap.dedent(LONG).format(call=call)
        child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, text=True, env=os.environ)
        self.assertEqual(child.stdout.readline().strip(), "ready")
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=300)
        self.assertNotIn("not interrupted", out)
        self.assertIn("KeyboardInterrupt", err)

    def test_learn(self):
        self.interrupted("[lc.learn(problem, data) for _ in range(1000)]")

    def test_plan(self):
        self.interrupted("lc.plan(problem, 1e-9, trials=50)")

    def test_sweep(self):
        self.interrupted("lc.sweep(problems=[problem], n=[50], methods=['pac-bayes'], seeds=9999)")


if __name__ == "__main__":
    unittest.main()
