"""Results as objects: text, HTML, plain objects, pickles, pictures."""

import json
import pickle
import unittest

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402
from support import same_bits, small_problem  # noqa: E402

import loopcert as lc  # noqa: E402

PROBLEM = small_problem()
DATA = PROBLEM.sample(60, seed=5)
RESULT = lc.learn(PROBLEM, DATA, method="auto", compare=["lqr", "erm"])
POSTERIOR = lc.learn(PROBLEM, DATA, certificate="data-driven-rank-aware", scale_bound=2.0)


def objects():
    """One of everything that a call hands back."""
    return [
        RESULT,
        POSTERIOR,
        RESULT.certificate,
        RESULT.improvement,
        RESULT.controller,
        lc.verify(RESULT.certificate, DATA),
        lc.simulate(PROBLEM, RESULT, n=50),
        lc.inspect(PROBLEM, DATA),
        lc.plan(PROBLEM, 10.0, method="auto", trials=2, max_n=20),
        lc.sweep(problems=[PROBLEM], n=[10, 20], methods=["lqr", "ridge"], test=20),
        DATA,
        PROBLEM,
    ]


class Results(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.objects = objects()

    def test_text(self):
        for item in self.objects:
            text = repr(item)
            self.assertNotIn("object at 0x", text)
            self.assertTrue(text.startswith(type(item).__name__), text)

    def test_html(self):
        for item in self.objects[:-2]:
            with self.subTest(type=type(item).__name__):
                self.assertIn("</table>", item._repr_html_())

    def test_html_escapes(self):
        result = lc.learn(PROBLEM.replace(), DATA, method="lqr", certificate="hold-out-chi-square")
        hostile = lc.Problem.from_dict({**PROBLEM.to_dict(), "name": "<script>alert(1)</script>"})
        page = lc.learn(hostile, DATA, method="lqr", certificate="hold-out-chi-square")._repr_html_()
        self.assertNotIn("<script>", page)
        self.assertNotEqual(page, result._repr_html_())

    def test_plain_objects(self):
        for item in self.objects:
            with self.subTest(type=type(item).__name__):
                json.dumps(item.to_dict(), allow_nan=False)

    def test_pickles(self):
        for item in self.objects:
            with self.subTest(type=type(item).__name__):
                again = pickle.loads(pickle.dumps(item))
                self.assertEqual(again.to_dict(), item.to_dict())

    def test_pickled_run_is_whole(self):
        for result in (RESULT, POSTERIOR):
            again = pickle.loads(pickle.dumps(result))
            self.assertTrue(same_bits(again.controller.K, result.controller.K))
            self.assertTrue(same_bits(again.response.Phi_x, result.response.Phi_x))
            self.assertTrue(lc.verify(again.certificate, DATA))
            self.assertEqual(again.report(), result.report())

    def test_pictures(self):
        for item in self.objects:
            if not hasattr(item, "plot"):
                continue
            with self.subTest(type=type(item).__name__):
                drawn = item.plot()
                figure = drawn if hasattr(drawn, "savefig") else drawn.figure
                figure.canvas.draw()
                pixels = np.asarray(figure.canvas.buffer_rgba())
                self.assertGreater(pixels[..., :3].std(), 5)  # not one colour
                plt.close(figure)

    def test_waterfall_adds_up(self):
        ax = POSTERIOR.certificate.plot()
        bars = [p for p in ax.patches]
        ends = bars[-2].get_x() + bars[-2].get_width()
        self.assertAlmostEqual(ends, POSTERIOR.certificate.value, places=9)
        plt.close(ax.figure)

    def test_certificate(self):
        certificate = POSTERIOR.certificate
        self.assertAlmostEqual(sum(t.value for t in certificate.terms), certificate.value, places=9)
        total = sum(e.delta for e in certificate.events)
        self.assertAlmostEqual(1 - total, certificate.confidence, places=12)
        self.assertEqual(float(certificate), certificate.value)
        self.assertTrue(all(s.endswith(".") for s in certificate.assumptions))

    def test_improvement_is_verified(self):
        self.assertLess(RESULT.improvement.value, RESULT.certificate.value)
        self.assertTrue(lc.verify(RESULT.improvement, DATA))

    def test_posterior_lives_in_the_space(self):
        space = POSTERIOR.problem.space()
        posterior = POSTERIOR.posterior
        self.assertEqual(space.p, space.free.sum())
        self.assertTrue((posterior.mean[~space.free] == 0).all())
        self.assertTrue((posterior.variance[space.free] > 0).all())
        controller = POSTERIOR.problem.controller(posterior.mean)
        np.testing.assert_allclose(controller.K, POSTERIOR.controller.K, atol=1e-10)
        prior = lc.Prior(np.zeros(posterior.mean.shape), 1.0)
        kl = lc.kl_divergence(posterior, prior, space)
        self.assertAlmostEqual(kl, POSTERIOR.certificate.kl, places=8)
        m, v = posterior.mean[space.free], posterior.variance[space.free]
        self.assertAlmostEqual(kl, 0.5 * np.sum(v + m**2 - 1 - np.log(v)), places=8)

    def test_c_code(self):
        files = RESULT.controller.to_c("pilot")
        self.assertEqual(sorted(files), ["pilot.c", "pilot.h", "pilot_test.c"])


class OwnPrior(unittest.TestCase):
    def test_named_priors_by_hand(self):
        """The priors that a problem file names, made by hand, give the same certificate."""
        for center in ("start", "lqr"):
            named = lc.learn(PROBLEM, DATA, prior={"center": center, "scale": 0.5},
                             certificate="data-driven-rank-aware", scale_bound=2.0)

            def prior(space, learning):
                self.assertIsNone(learning)
                response = PROBLEM.response(PROBLEM.lqr())
                Z = space.coordinates(response) if center == "lqr" else 0 * space.Phi_u0
                return lc.Prior(np.where(space.free, Z, 0), 0.5)

            own = lc.learn_with_prior(PROBLEM, DATA, prior, certificate="data-driven-rank-aware",
                                      scale_bound=2.0)
            self.assertAlmostEqual(own.certificate.value, named.certificate.value, places=6)
            self.assertIn("The prior was chosen without the certification data.",
                          own.certificate.assumptions)

    def test_split(self):
        seen = []

        def prior(space, learning):
            seen.append(learning.w)
            return lc.Prior(0 * space.Phi_u0, 1.0)

        own = lc.learn_with_prior(PROBLEM, DATA, prior, fraction=0.25, scale_bound=2.0,
                                  certificate="data-driven-rank-aware")
        self.assertEqual(seen[0].shape, (15, 14))
        self.assertEqual(own.n, 45)
        self.assertEqual(own.certificate.n, 45)
        rows = {r.tobytes() for r in np.ascontiguousarray(seen[0])}
        self.assertFalse(rows & {r.tobytes() for r in np.ascontiguousarray(own.data.w)})
        with self.assertRaisesRegex(lc.InputError, "learned from"):  # the prior knows these
            lc.certify(PROBLEM, own.controller, seen[0], certificate="hold-out-scale-free")

    def test_nothing_to_save(self):
        own = lc.learn_with_prior(PROBLEM, DATA, lambda s, _: lc.Prior(0 * s.Phi_u0, 1.0),
                                  certificate="data-driven-rank-aware", scale_bound=2.0)
        for save in (own.save, own.certificate.save):
            with self.assertRaises(lc.InputError):
                save("nowhere")

    def test_off_the_pattern(self):
        with self.assertRaises(lc.InputError):
            lc.learn_with_prior(PROBLEM, DATA, lambda s, _: lc.Prior(1 + 0 * s.Phi_u0, 1.0),
                                certificate="data-driven-rank-aware", scale_bound=2.0)


if __name__ == "__main__":
    unittest.main()
