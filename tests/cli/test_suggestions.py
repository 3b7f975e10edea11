"""Whatever is misspelt, the message names the nearest valid word."""

import unittest

from program import COLOURED, WHITE, WHITE_TREE, ProgramTest


class CommandLine(ProgramTest):
    def suggests(self, word, *arguments, status=2):
        self.fails(status, *arguments, says=f"did you mean '{word}'?")

    def test_commands(self):
        self.suggests("learn", "laern")
        self.suggests("doctor", "docter")
        self.suggests("completion", "completions")

    def test_options(self):
        learn = ("learn", WHITE, "--sample", 5)
        self.suggests("--certificate", *learn, "--certificat", "best")
        self.suggests("--certificate", *learn, "--certificat=best")
        self.suggests("--certificate", *learn, "--cert", "best")
        self.suggests("--rollouts", "learn", WHITE, "--rollout", "x.csv", "u.csv")
        self.suggests("--seed", *learn, "-seed", 1)
        self.suggests("--out", *learn, "--OUT", "out")
        self.suggests("--version", "--versoin")
        # Complaining only of what is missing would hide the mistake.
        self.suggests("--controller", "simulate", WHITE, "--controler", "c.json", "--sample", 5)
        self.suggests("-n", "sample", WHITE, "--n", 5, "--out", "w.csv")
        self.suggests("--target", "plan", WHITE, "--traget", 5)

    def test_options_of_another_command(self):
        self.fails(2, "learn", WHITE, "--controller", "c.json",
                   says=["'--controller'", "an option of certify, simulate"])
        self.fails(2, "verify", "c.json", "--method", "erm", says=["'--method'", "learn"])
        self.fails(2, "--trace", says=["'--trace'", "an option of learn"])

    def test_nothing_is_near(self):
        self.fails(2, "learn", WHITE, "-x", says=["'-x'", "see loopcert learn --help"])
        self.fails(2, "learn", WHITE, "--nonsense", says=["'--nonsense'", "learn --help"])
        self.fails(2, "learn", WHITE, "more", says="'more'")

    def test_values(self):
        learn = ("learn", WHITE, "--sample", 5)
        self.suggests("ridge", *learn, "--method=riddge")
        self.suggests("ridge", *learn, "--compare", "lqr,rigde")
        self.suggests("data-driven", *learn, "--certificate", "data-drivn")
        self.suggests("hold-out", "certify", WHITE, "--controller", "c.json", "--sample", 5,
                      "--certificate", "holdout")
        self.suggests("best", "certify", WHITE, "--controller", "c.json", "--sample", 5,
                      "--certificate", "bset")
        self.suggests("erm", "plan", WHITE, "--target", 5, "--method", "emr")
        self.suggests("scale", "plan", WHITE, "--target", 5, "--certificate", "scal")
        self.suggests("npz", "export", "c.json", "--format", "nzp", "--out", "x.npz")
        self.suggests("json", "export", "c.json", "--format", "jsn", "--out", "x.json")
        self.suggests("fish", "completion", "fihs")
        self.fails(2, *learn, "--method", "ridge", "--gamma", "vc", says="a positive number or cv")


class Files(ProgramTest):
    def suggests(self, word, *arguments):
        self.fails(3, *arguments, says=f"did you mean '{word}'?")

    def test_problem(self):
        def problem(**changes):
            return "learn", self.write("p.json", {**WHITE_TREE, **changes}), "--method", "lqr"

        self.suggests("horizon", *problem(horizn=3))
        self.suggests("cost", *problem(csot={}))
        self.suggests("scale_bound", *problem(disturbance={"scale_bund": 1}))
        self.suggests("zero_mean", *problem(disturbance={"zeromean": True}))
        self.suggests("gaussian", *problem(disturbance={"model": "gausian"}))
        self.suggests("uniform", *problem(disturbance={"covariance": 1, "distribution": "unifrom"}))
        self.suggests("variance", *problem(disturbance={"covariance": {"ar1": 0.5, "varance": 1}}))
        self.suggests("ridge", *problem(learning={"method": "rigde"}))
        self.suggests("center", *problem(learning={"prior": {"centre": "lqr"}}))
        self.suggests("data-driven", *problem(certificate={"kind": "data-drivn"}))
        self.suggests("covariance", *problem(certificate={"delta": {"covarience": 0.01}}))

    def test_sweep(self):
        good = {"name": "s", "problems": [str(WHITE)], "n": [5], "methods": ["erm"], "seeds": [1]}

        def sweep(**changes):
            return "sweep", self.write("s.json", {**good, **changes}), "--out", "out"

        self.suggests("problems", *sweep(problem=[str(WHITE)]))
        self.suggests("seeds", *sweep(seed=1))
        self.suggests("erm", *sweep(methods=["emr"]))
        self.suggests("gamma", *sweep(methods=[{"method": "ridge", "gama": 1}]))
        self.suggests("scale", *sweep(methods=["pac-bayes"], certificates=["scal"]))

    def test_coverage(self):
        good = {"family": "fixed", "problem": str(COLOURED), "kinds": ["hold-out"], "n": [5]}

        def coverage(top=(), **changes):
            tree = {"name": "c", "sets": 10, "delta": 0.05, "cells": [{**good, **changes}]}
            return "coverage", self.write("c.json", {**tree, **dict(top)})

        self.suggests("cells", *coverage({"cels": []}))
        self.suggests("sets", *coverage({"set": 1}))
        self.suggests("kinds", *coverage(kind=["hold-out"]))
        self.suggests("fixed", *coverage(family="fixd"))
        self.suggests("hold-out", *coverage(kinds=["holdout"]))
        self.suggests("scale_bound", *coverage(assume={"scale_bnd": 1}))
        self.suggests("fails", *coverage(rule="fail"))
        self.suggests("lqr", *coverage(response="lrq"))
        self.suggests("mixture", *coverage(shape="mixtrue"))


if __name__ == "__main__":
    unittest.main()
