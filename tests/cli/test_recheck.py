"""recheck and certify: an honest record is accepted, every other one is not."""

import hashlib
import json
import shutil

import numpy as np

from dense import DenseProblem
from program import COLOURED, WHITE, WHITE_TREE, ProgramTest


class Recheck(ProgramTest):
    def setUp(self):
        super().setUp()
        self.ok("sample", WHITE, "-n", 30, "--seed", 3, "--out", "w.npy")
        tree = {**WHITE_TREE, "certificate": {"delta": {"pac_bayes": 0.02, "covariance": 0.03}}}
        self.problem = self.write("problem.json", tree)
        self.ok("learn", self.problem, "--data", "w.npy", "--out", "out")
        self.honest = json.loads((self.folder / "out/certificate.json").read_text())

    def verify(self, says, change=None, data="w.npy"):
        """recheck rejects the certificate after `change` was made to its tree."""
        tree = json.loads(json.dumps(self.honest))
        if change:
            change(tree)
        self.write("out/certificate.json", tree)
        self.fails(4, "recheck", "out/certificate.json", "--data", data, says=says)

    def test_honest(self):
        text = self.ok("recheck", "out/certificate.json", "--data", "w.npy")
        self.assertIn("agrees", text)
        self.assertEqual(text.count("assuming"), len(self.honest["assumptions"]))
        self.assertIn("No eigenvalue of the covariance of a trajectory exceeds 0.1.", text)
        answer = self.ok_json("recheck", "out/certificate.json", "--data", "w.npy")
        self.assertEqual(answer["status"], "agrees")
        self.assertAlmostEqual(answer["value"], self.honest["value"], delta=1e-9)
        self.assertAlmostEqual(answer["confidence"], 0.95, delta=1e-12)

    def test_former_name(self):
        """Scripts that say verify go on working; the manual has one name."""
        now, before = (self.ok(name, "out/certificate.json", "--data", "w.npy")
                       for name in ("recheck", "verify"))
        self.assertEqual(now, before)
        self.assertEqual(self.ok("help", "verify"), self.ok("help", "recheck"))
        self.assertNotIn("verify ", self.ok("--help").replace("loopcert-verify", ""))

    def test_honest_elsewhere_and_in_another_format(self):
        np.savetxt(self.folder / "w.csv", np.load(self.folder / "w.npy"), delimiter=",",
                   fmt="%.17g", comments="",
                   header=",".join(f"x0_{i}" for i in range(2)) + "," +
                   ",".join(f"w{t}_{i}" for t in range(10) for i in range(2)))
        shutil.copytree(self.folder / "out", self.folder / "copy")
        self.ok("recheck", "copy/certificate.json", "--data", "w.csv")

    def test_every_kind(self):
        for kind in ("data-driven-randomized", "data-driven-rank-aware", "data-driven-mean"):
            self.ok("learn", WHITE, "--data", "w.npy", "--certificate", kind, "--out", kind)
            self.ok("recheck", f"{kind}/certificate.json", "--data", "w.npy")
        for kind in ("oracle", "oracle-randomized", "posterior-localized"):
            self.ok("learn", WHITE, "--method", "oracle-pac-bayes", "--data", "w.npy",
                    "--certificate", kind, "--out", kind)
            self.ok("recheck", f"{kind}/certificate.json", "--data", "w.npy")

    def test_values(self):
        def lower(tree, by=1e-6):
            tree["terms"][2]["value"] -= by
            tree["value"] -= by

        self.verify("complexity", lower)
        self.verify("does not follow", lambda tree: lower(tree, 5.0))
        self.verify("value", lambda tree: tree.update(value=tree["value"] * (1 - 1e-7)))
        self.verify("n", lambda tree: tree.update(n=31))
        self.verify("kl", lambda tree: tree.update(kl=tree["kl"] / 2))
        self.verify("lambda", lambda tree: tree.update({"lambda": None}))
        self.verify("n", lambda tree: tree.update(n=0))
        self.fails(4, "recheck", "out/certificate.json", says="data")  # as if it stood on none

    def test_confidence(self):
        def swap(tree):
            a, b = tree["events"]
            a["delta"], b["delta"] = b["delta"], a["delta"]

        def shrink(tree):
            tree["events"][0]["delta"] = 0.01
            tree["confidence"] = 0.96

        self.verify("pac_bayes", swap)
        self.verify("pac_bayes", shrink)
        self.verify("confidence", lambda tree: tree.update(confidence=0.99))
        self.verify("deltas add up", lambda tree: tree["events"].pop())
        self.verify("events", lambda tree: tree.update(events=tree["events"][:1], confidence=0.98))

    def test_words(self):
        self.verify("assumptions", lambda tree: tree.update(assumptions=[]))
        self.verify("assumptions", lambda tree: tree["assumptions"].pop(0))
        self.verify("prior", lambda tree: tree["inputs"]["prior"].update(scale=0.5))
        for kind in ("data-driven-rank-aware", "data-driven-randomized", "data-driven-mean",
                     "oracle", "hold-out", "nonsense"):
            self.verify("", lambda tree: tree.update(kind=kind))
        self.verify("subject", lambda tree: tree.update(subject="posterior-average"))
        self.verify("oracle", lambda tree: tree.update(oracle=True))
        self.verify("functional", lambda tree: tree["functional"].update(id="cost-difference"))
        self.verify("covariance", lambda tree: tree["events"][1]["statement"].update(id="it-rains"))
        self.verify("covariance", lambda tree: tree["events"][1].update(choices=2))
        self.verify("complexity", lambda tree: tree["terms"][2].update(id="margin"))

    def test_problem(self):
        def change_prior(tree):
            tree["inputs"]["problem"]["learning"]["prior"]["scale"] = 0.5

        self.verify("problem", change_prior)
        self.verify("problem", lambda tree: tree["inputs"]["problem"]["cost"].update(R=[[0.4]]))
        self.verify("problem", lambda tree: tree["inputs"]["problem"]["disturbance"].update(
            scale_bound=0.05))

    def test_data(self):
        w = np.load(self.folder / "w.npy")
        w[7, 5] = np.nextafter(w[7, 5], 1)
        np.save(self.folder / "other.npy", w)
        self.verify("data", data="other.npy")
        np.save(self.folder / "fewer.npy", w[:-1])
        self.verify("data", data="fewer.npy")
        np.save(self.folder / "narrow.npy", w[:, :-1])
        self.fails(3, "recheck", "out/certificate.json", "--data", "narrow.npy", says="22")
        self.fails(3, "recheck", "out/certificate.json", "--data", "none.npy", says="none.npy")

    def test_posterior(self):
        path = self.folder / "out/posterior.npz"
        good = path.read_bytes()
        for place in (100, len(good) // 2, len(good) - 1):
            path.write_bytes(good[:place] + bytes([good[place] ^ 1]) + good[place + 1:])
            self.verify("posterior")
        path.write_bytes(good[:-30])
        self.verify("posterior")
        path.unlink()
        self.verify("posterior.npz")
        path.write_bytes(good)
        self.verify("", lambda tree: tree["inputs"].update(posterior="../out/posterior.npz"))
        self.write("out/certificate.json", self.honest)
        self.ok("recheck", "out/certificate.json", "--data", "w.npy")

    def test_controller_beside_it(self):
        path = self.folder / "out/controller.json"
        good = path.read_bytes()
        for key, place in (("k", 0), ("K", 3)):
            controller = json.loads(good)
            row = controller[key]
            if key == "K":
                row, place = row[place], 0
            row[place] += 1e-3
            path.write_text(json.dumps(controller))
            self.verify("a different controller")
        path.write_bytes(good[:-30])
        self.verify("controller.json")
        path.unlink()
        self.ok("recheck", "out/certificate.json", "--data", "w.npy")
        path.write_bytes(good)
        self.ok("recheck", "out/certificate.json", "--data", "w.npy")

    def test_files_that_are_no_certificate(self):
        for content in ("", "{", "[]", "{}", json.dumps({**self.honest, "format": "other 1"})):
            self.write("bad.json", content)
            self.fails(3, "recheck", "bad.json", "--data", "w.npy", says="bad.json")
        self.fails(3, "recheck", "none.json", "--data", "w.npy", says="none.json")
        self.fails(2, "recheck", "out/certificate.json", says="--data")


class Certify(ProgramTest):
    def certified(self, *arguments):
        return self.ok_json("certify", WHITE, "--controller", "out/controller.json", *arguments)

    def test_lqr_on_fresh_data(self):
        run = self.ok_json("learn", WHITE, "--method", "lqr", "--out", "out")
        self.ok("sample", WHITE, "-n", 50, "--seed", 1, "--out", "w.npy")
        for kind in ("hold-out-scale-free", "hold-out"):
            c = self.certified("--data", "w.npy", "--certificate", kind, "--out", kind)
            self.assertEqual((c["kind"], c["subject"], c["n"]), (kind, "controller", 50))
            self.assertAlmostEqual(sum(term["value"] for term in c["terms"]), c["value"],
                                   delta=1e-12)
            self.assertEqual([event["id"] for event in c["events"]], ["chernoff"])
            self.assertAlmostEqual(c["confidence"], 0.95, delta=1e-12)
            self.assertGreater(c["value"], run["population_cost"])
            cost = self.ok_json("simulate", WHITE, "--controller", "out/controller.json",
                                "--data", "w.npy")
            self.assertAlmostEqual(c["terms"][0]["value"], cost["mean"], delta=1e-9)
            beside = {"limits", "signals", "signals_from"}  # printed, and no part of the record
            self.assertEqual(json.loads((self.folder / kind / "certificate.json").read_text()),
                             {key: value for key, value in c.items() if key not in beside})
            self.assertEqual((self.folder / kind / "controller.json").read_bytes(),
                             (self.folder / "out/controller.json").read_bytes())
            self.ok("recheck", f"{kind}/certificate.json", "--data", "w.npy")
        default = self.certified("--data", "w.npy")
        self.assertEqual(default["kind"], "hold-out-scale-free")
        # x - 1 - log x = 2 log(1/delta)/n; the bound is the mean cost over x
        x = default["terms"][0]["value"] / default["value"]
        self.assertAlmostEqual(x - 1 - np.log(x), 2 * np.log(20) / 50, delta=1e-12)

    def write_problem(self, **disturbance):
        return self.write("problem.json", {**WHITE_TREE, "disturbance": {"covariance": 0.1,
                                                                        **disturbance}})

    def certify(self, problem, kind, *arguments):
        """The record of `certify`, after verify has accepted its files."""
        c = self.ok_json("certify", problem, "--controller", "out/controller.json", "--certificate",
                         kind, "--out", kind, *arguments)
        self.assertEqual(c["kind"], kind)
        self.assertAlmostEqual(sum(term["value"] for term in c["terms"]), c["value"], delta=1e-9)
        data = arguments[:2] if "--data" in arguments else ()
        answer = self.ok_json("recheck", f"{kind}/certificate.json", *data)
        self.assertAlmostEqual(answer["value"], c["value"], delta=1e-9)
        return c

    def mean_cost(self, controller, data):
        return self.ok_json("simulate", WHITE, "--controller", controller, "--data", data)["mean"]

    def test_other_laws(self):
        self.ok("learn", WHITE, "--method", "lqr", "--out", "out")
        self.ok("sample", WHITE, "-n", 50, "--seed", 1, "--out", "w.npy")
        data, mean = ("--data", "w.npy"), self.mean_cost("out/controller.json", "w.npy")
        c = self.certify(WHITE, "hold-out-chi-square", *data)
        # chi-square with 50 degrees: its 5 % quantile is 34.76425 (tables)
        self.assertAlmostEqual(c["value"], 50 * mean / 34.76425, delta=1e-5)
        self.assertEqual([event["id"] for event in c["events"]], ["quantile"])

        def kl(a, p):
            return a * np.log(a / p) + (1 - a) * np.log((1 - a) / (1 - p))

        c = self.certify(self.write_problem(model="any", kurtosis=3), "hold-out-fourth-moment",
                         *data)
        self.assertAlmostEqual(kl(mean / c["value"] / 3, 1 / 3), np.log(20) / 50, delta=1e-9)
        dense = DenseProblem(10, [[1, 1], [0, 1]], [[0.5], [1]], np.diag([1, 0.1]), [[0.5]],
                             np.diag([2, 0.2]))
        # LQR by least squares: white noise, every column of M on its own.
        M = dense.M_0.copy()
        for j in range(M.shape[1]):
            columns = dense.M[:, :, j][np.abs(dense.M[:, :, j]).sum(axis=1) > 0].T
            if columns.size:
                M[:, j] -= columns @ np.linalg.lstsq(columns, M[:, j], rcond=None)[0]
        b = 9 * np.linalg.norm(M, 2) ** 2
        c = self.certify(self.write_problem(model="bounded", radius=3), "hold-out-bounded", *data)
        self.assertAlmostEqual(kl(mean / b, c["value"] / b), np.log(20) / 50, delta=1e-9)
        self.fails(3, "certify", self.write_problem(model="bounded", radius=1), "--controller",
                   "out/controller.json", "--certificate", "hold-out-bounded", *data,
                   says=["disturbance.radius", "has this norm"])
        self.ok("sample", WHITE, "-n", 5, "--out", "few.npy")
        self.fails(3, "certify", self.write_problem(kurtosis=3), "--controller",
                   "out/controller.json", "--certificate", "hold-out-fourth-moment", "--data",
                   "few.npy", says=["trajectories: found 5", "at least 8"])
        for problem in (self.write_problem(scale_bound=0.1), self.write_problem(
                model="any", scale_bound=0.1, covariance_bound=0.1)):
            c = self.certify(problem, "assumed-scale")  # no data
            self.assertAlmostEqual(c["value"], 0.1 * np.sum(M ** 2), delta=1e-9)
            self.assertEqual((c["confidence"], c["n"], c["events"]), (1, 0, []))
        c = self.certify(problem, "assumed-covariance")
        self.assertAlmostEqual(c["value"], 0.1 * np.sum(M ** 2), delta=1e-9)
        c = self.certify(problem, "assumed-covariance", *data)  # beside data that it ignores
        self.assertEqual((c["confidence"], c["n"]), (1, 50))
        self.fails(2, "recheck", "assumed-covariance/certificate.json", says="--data")

    def test_improvement(self):
        self.ok("sample", COLOURED, "-n", 100, "--seed", 1, "--out", "train.npy")
        self.ok("sample", COLOURED, "-n", 100, "--seed", 2, "--out", "w.npy")
        self.ok("learn", COLOURED, "--method", "ridge", "--gamma", "cv", "--data", "train.npy",
                "--out", "out")
        self.ok("learn", COLOURED, "--method", "lqr", "--out", "lqr")
        data = ("--data", "w.npy")
        mean = (self.mean_cost("out/controller.json", "w.npy") -
                self.mean_cost("lqr/controller.json", "w.npy"))
        for kind, events in (("improvement", ["difference"]),
                             ("improvement-mean", ["difference"]),
                             ("improvement-scale", ["chernoff"])):
            c = self.certify(COLOURED, kind, *data)
            self.assertEqual((c["functional"]["id"], c["n"]), ("cost-difference", 100))
            self.assertEqual([event["id"] for event in c["events"]], events)
            self.assertAlmostEqual(c["terms"][0]["value"], mean, delta=1e-9)
            self.assertGreater(c["value"], mean)
            self.assertEqual(c["inputs"]["baseline"], "lqr")
            self.assertFalse((self.folder / kind / "baseline.json").exists())
            if kind != "improvement-scale":
                self.assertLess(c["value"], 0)
            file = self.certify(COLOURED, kind, *data, "--baseline", "lqr/controller.json")
            self.assertAlmostEqual(file["value"], c["value"], delta=1e-9)
            self.assertEqual(file["inputs"]["baseline"], "baseline.json")
            self.assertEqual((self.folder / kind / "baseline.json").read_bytes(),
                             (self.folder / "lqr/controller.json").read_bytes())
        path = self.folder / "improvement/baseline.json"
        path.write_text(path.read_text().replace("lqr", "LQR"))
        self.fails(4, "recheck", "improvement/certificate.json", *data, says="baseline")
        record = json.loads((self.folder / "improvement/certificate.json").read_text())
        record["functional"]["id"] = "cost"
        self.write("improvement/certificate.json", record)
        path.write_bytes((self.folder / "lqr/controller.json").read_bytes())
        self.fails(4, "recheck", "improvement/certificate.json", *data, says="functional")
        self.certify(COLOURED, "improvement", *data)
        self.assertFalse(path.exists(), "the baseline of an earlier run")
        certify = ("certify", COLOURED, "--controller", "out/controller.json", *data)
        self.fails(2, *certify, "--baseline", "lqr", says=["--baseline", "hold-out-scale-free"])
        self.ok("learn", COLOURED, "--method", "erm", *data, "--out", "erm")
        self.fails(3, *certify, "--certificate", "improvement", "--baseline", "erm/controller.json",
                   says=["erm/controller.json", "learned from"])
        self.fails(3, *certify, "--certificate", "improvement", "--baseline", "none.json",
                   says="none.json")

    def test_learned_controller_on_fresh_data_only(self):
        self.ok("sample", WHITE, "-n", 50, "--seed", 1, "--out", "w.npy")
        for method in ("erm", "ridge", "pac-bayes"):
            self.ok("learn", WHITE, "--method", method, "--data", "w.npy", "--out", "out")
            self.fails(3, "certify", WHITE, "--controller", "out/controller.json", "--data",
                       "w.npy", "--out", "fresh", says=["out/controller.json", "learned from"])
            self.certified("--sample", 50, "--seed", 1)  # the seed alone does not make them equal
        self.ok("sample", WHITE, "-n", 50, "--seed", 2, "--out", "v.npy")
        self.certified("--data", "v.npy", "--out", "fresh")
        self.ok("recheck", "fresh/certificate.json", "--data", "v.npy")

    def test_forged(self):
        """A record made by hand for the training data, every hash and number in order."""
        self.ok("sample", WHITE, "-n", 50, "--seed", 1, "--out", "w.npy")
        self.ok("learn", WHITE, "--method", "erm", "--data", "w.npy", "--out", "out")
        controller = json.loads((self.folder / "out/controller.json").read_text())
        learned = dict(controller["provenance"])
        del controller["provenance"]["data_sha256"], controller["learned_from"]
        del controller["recordings"]
        self.write("blank.json", controller)
        self.ok("certify", WHITE, "--controller", "blank.json", "--data", "w.npy", "--out", "f")
        self.ok("recheck", "f/certificate.json", "--data", "w.npy")  # nobody can know
        record = json.loads((self.folder / "f/certificate.json").read_text())
        shutil.copy(self.folder / "out/controller.json", self.folder / "f/controller.json")
        self.fails(4, "recheck", "f/certificate.json", "--data", "w.npy", says="controller")
        record["inputs"]["controller_sha256"] = hashlib.sha256(
            (self.folder / "f/controller.json").read_bytes()).hexdigest()
        self.assertEqual(record["inputs"]["data_sha256"], learned["data_sha256"])
        self.write("f/certificate.json", record)
        self.fails(4, "recheck", "f/certificate.json", "--data", "w.npy", says="learned from")

    def test_refusals(self):
        self.ok("learn", WHITE, "--method", "lqr", "--out", "out")
        certify = ("certify", WHITE, "--controller", "out/controller.json")
        self.fails(2, *certify, says="needs data")
        self.fails(2, *certify, "--sample", 20, "--certificate", "data-driven",
                   says=["--certificate", "hold-out-scale-free"])
        longer = self.write("longer.json", {**WHITE_TREE, "horizon": 12})
        self.fails(3, "certify", longer, "--controller", "out/controller.json", "--sample", 20,
                   says=["horizon 10", "horizon 12"])
        self.fails(3, "certify", WHITE, "--controller", "none.json", "--sample", 20,
                   says="none.json")
        nothing = self.write("nothing.json", {**WHITE_TREE, "disturbance": {"covariance": 0.1}})
        self.fails(3, "certify", nothing, "--controller", "out/controller.json", "--sample", 20,
                   "--certificate", "hold-out", says="scale_bound")
