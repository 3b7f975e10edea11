"""The numbers of docs/certificates.md and docs/tour.md are those that the program gives."""

import json
import math
import re
import subprocess
import sys

import numpy as np
from dense import DenseProblem
from documents import (COLOURED, SOURCE, WHITE, FolderTest, help_list, learn, page, run, run_json,
                       section, table)

N = (10, 20, 40, 100, 400)


# What the example does not grant and a kind needs, in place of its scale bound or beside it.
GRANTED = {
    "bounded": 'model = "bounded"\nradius = 3.0\n#',
    "bounded-self": 'model = "bounded"\nradius = 3.0\n#',
    "hold-out-bounded": 'model = "bounded"\nradius = 3.0\n#',
    "hold-out-fourth-moment": "kurtosis = 3\n",
    "data-driven-given-radius": "covariance_radius = 0.2\ncovariance_radius_delta = 0.01\n",
    "white": "white = true\nstationary = true\n",
    "hold-out-white": "white = true\nstationary = true\n",
    "hold-out-identified": "autoregressive = 1\n",
    "identified": "autoregressive = 1\n",
    "known-covariance": "covariance_bound = 0.1\n",
    "hold-out-known": "covariance_bound = 0.1\n",
    "assumed-covariance": "covariance_bound = 0.1\n",
}
AT_ONE_POSTERIOR = ("data-driven", "data-driven-randomized", "data-driven-rank-aware",
                    "data-driven-mean", "bounded", "oracle", "oracle-randomized", "posterior-localized", "hold-out-scale-free", "hold-out")


def pac_bayes_kinds():
    """The kinds of the first table of docs/certificates.md, which test_docs holds to the program."""
    return list(table(section(page("docs/certificates.md"), "## Kinds that PAC-Bayes learning gives")))


class Measured(FolderTest):
    """The tables of docs/certificates.md, to the digits they show; '-' where a kind refuses."""

    def assert_shown(self, said, value, what):
        self.assertTrue(math.isclose(float(said), value, rel_tol=1e-3), f"{what}: {said}, {value}")

    def problem(self, kind):
        path = self.folder / f"{kind}.toml"
        path.write_text(WHITE.read_text().replace("scale_bound",
                                                  GRANTED.get(kind, "") + "scale_bound"))
        return path

    def assert_row(self, said, what, *arguments):
        done = run(*arguments, "--json")
        if said.strip() == "-":
            self.assertEqual(done.returncode, 3, what)
            return
        self.assertEqual(done.returncode, 0, f"{what}: {done.stderr}")
        found = json.loads(done.stdout)
        found = found.get("certificate", found)
        self.assertEqual(found["kind"], arguments[arguments.index("--certificate") + 1])
        self.assert_shown(said, found["value"], what)

    def test_each_kind_minimized(self):
        rows = table(section(page("docs/certificates.md"), "### Each kind minimized"))
        self.assertEqual(sorted(rows), sorted(pac_bayes_kinds()))
        for kind, cells in rows.items():
            oracle = kind.startswith("oracle") or kind == "posterior-localized"
            method = "oracle-pac-bayes" if oracle else "pac-bayes"
            for n, said in zip(N, cells, strict=True):
                self.assert_row(said, f"{kind}, n = {n}", "learn", self.problem(kind), "--sample", n,
                                "--seed", 1, "--method", method, "--certificate", kind)

    def test_at_one_posterior(self):
        text = section(page("docs/certificates.md"), "### At one posterior")
        rows = table(text)
        self.assertEqual(sorted(rows), sorted(AT_ONE_POSTERIOR))
        cost = re.search(r"^\| L\(mu_rho\) \|(.*)\|$", text, re.M)[1].split("|")
        for i, n in enumerate(N):
            found = learn(WHITE, n)
            self.assert_shown(cost[i], found["population_cost"], f"L, n = {n}")
            self.assert_shown(rows["data-driven"][i], found["certificate"]["value"], n)
            self.assert_shown(rows["oracle"][i], found["prescient_certificate"], n)
            for kind in ("hold-out", "hold-out-scale-free"):
                run("learn", WHITE, "--sample", n, "--seed", 1, "--out", self.folder / "pac")
                self.assert_row(rows[kind][i], f"{kind}, n = {n}", "certify", WHITE, "--controller",
                                self.folder / "pac/controller.json", "--certificate", kind,
                                "--sample", n, "--seed", 1)

    def test_lqr(self):
        rows = table(section(page("docs/certificates.md"), "### LQR"))
        kinds = [kind for kind in help_list("certify", "--certificate")
                 if kind != "best" and not kind.startswith("improvement")]
        self.assertEqual(sorted(rows), sorted(kinds))
        run("learn", WHITE, "--method", "lqr", "--out", self.folder / "lqr")
        for kind, cells in rows.items():
            for n, said in zip(N, cells, strict=True):
                self.assert_row(said, f"{kind}, n = {n}", "certify", self.problem(kind),
                                "--controller", self.folder / "lqr/controller.json",
                                "--certificate", kind, "--sample", n, "--seed", 1)


class EffectiveRank(FolderTest):
    """The table of docs/theory/data-driven.md."""

    def test_table(self):
        few = self.folder / "few.toml"
        few.write_text(WHITE.read_text().replace("covariance  = 0.1",
                                                 "covariance  = { x0 = 0.1, w = 0.001 }"))
        rows = re.findall(r"^\| (\d+) \| ([\d. |]+) \|$", section(
            page("docs/theory/data-driven.md"), "## Effective rank"), re.M)
        self.assertEqual([int(n) for n, _ in rows], [10, 40, 100, 400])
        for n, cells in rows:
            eps, values = {}, []
            for path in (WHITE, few):
                for kind in ("data-driven-rank-aware", "data-driven-effective-rank"):
                    found = learn(path, n, "--certificate", kind)["certificate"]
                    event = next(e for e in found["events"] if e["id"] == "covariance")
                    eps[path, kind] = event["statement"]["parameters"]["eps"]
                    values.append(f"{found['value']:.4g}")
            paper, all_, same, less = eps.values()
            self.assertEqual(paper, same)
            said = [f"{x:.3f}" for x in (paper, all_, less)] + values
            self.assertEqual(cells.split(" | "), said, n)


class Margins(FolderTest):
    """The table of docs/theory/chi-square.md: by NumPy, and by the program."""

    def test_exponent_and_quantile(self):
        sys.path.append(str(SOURCE / "docs/scripts"))
        from quantile_attack import quantile
        M = DenseProblem(10, [[1, 1], [0, 1]], [[0.5], [1]], np.diag([1, 0.1]), [[0.5]],
                         np.diag([2, 0.2]), start="lqr").M_0
        s = 0.1 * np.linalg.eigvalsh(M.T @ M)
        x = np.exp(np.linspace(-4, 4, 4001))[:, None]  # lambda
        cumulant = (x * s - np.log1p(2 * x * s) / 2).sum(1)
        rows = re.findall(r"^\| (?:by the exponent|item 6) \| (.*) \|$",
                          page("docs/theory/chi-square.md"), re.M)
        exponents, quantiles = (row.split(" | ") for row in rows)
        run("learn", WHITE, "--method", "lqr", "--out", self.folder / "lqr")
        for n, exponent, margin in zip(N, exponents, quantiles, strict=True):
            found = s.sum() - quantile(s, n / 2, 0.05) * 2 / n
            self.assertGreater(found, 2 / n * s.max())
            self.assertEqual(margin, f"{found:.3f}")
            self.assertEqual(exponent, f"{np.min((np.log(20) / n + cumulant) / x[:, 0]):.3f}")
            done = run_json("certify", WHITE, "--controller", self.folder / "lqr/controller.json",
                            "--certificate", "hold-out", "--sample", n, "--seed", 2)
            terms = {term["id"]: term["value"] for term in done.get("certificate", done)["terms"]}
            self.assertAlmostEqual(terms["margin"], found, delta=1e-7)


class BestByName(FolderTest):
    """Kind best is within 5 % of the best kind asked for by name, and of what the page says."""

    def test_table(self):
        done = subprocess.run([sys.executable, SOURCE / "docs/scripts/best_table.py"],
                              capture_output=True, text=True, check=True)
        text = section(page("docs/certificates.md"), "### Best and the right name")
        for line in done.stdout.splitlines():
            self.assertIn(line, text)
            for best, name in re.findall(r"([\d.]+), ([\d.]+) \(", line):
                self.assertLessEqual(float(best), 1.05 * float(name), line)


class Tight(FolderTest):
    """What auto certifies: the whole sweep again, and every row of its tables on the page."""

    def test_tables(self):
        done = run("sweep", SOURCE / "examples/sweeps/tight.toml", "--out", self.folder / "tight",
                   "--jobs", 2)
        self.assertEqual(done.returncode, 0, done.stderr)
        printed = subprocess.run([sys.executable, SOURCE / "docs/scripts/tight_tables.py",
                                  self.folder / "tight/results.csv"],
                                 capture_output=True, text=True, check=True).stdout
        text = section(page("docs/certificates.md"), "### What auto certifies")
        for line in printed.splitlines():
            self.assertIn(line, text)


class Tour(FolderTest):
    def test_numbers(self):
        text = page("docs/tour.md")
        found = learn(WHITE, 40, "--compare", "erm,ridge", "--out", self.folder)
        mean = run_json("simulate", WHITE, "--controller", self.folder / "controller.json",
                        "--sample", 5000, "--seed", 1)
        certificate = found["certificate"]
        numbers = [found["population_cost"], found["empirical_cost"], found["lqr_empirical_cost"],
                   found["prescient_certificate"], certificate["value"], certificate["lambda"],
                   mean["mean"], mean["standard_error"]]
        numbers += [term["value"] for term in certificate["terms"]]
        numbers += [b[key] for b in found["baselines"]
                    for key in ("empirical_cost", "population_cost", "sensitivity")]
        said = [f"{number:.6f}" for number in numbers]
        said += [f"p = {found['p']}", f"{found['lqr_cost']:.12f}", f"KL = {certificate['kl']:.4f}",
                 certificate["inputs"]["problem_sha256"][:16]]
        for number in said:
            self.assertIn(number, text)
        start = learn(WHITE, 40, "--method", "ridge", "--gamma", "1e15")  # Z = 0: minimum norm
        self.assertIn(f"{start['population_cost']:.9f}", text)


class AfterTheHorizon(FolderTest):
    def test_costs_per_step(self):
        rows = re.findall(r"^\| (learned|LQR) \| ([\d.]+) \| ([\d.]+) \|$", page("docs/deploy.md"),
                          re.M)
        self.assertEqual([row[0] for row in rows], ["learned", "LQR"])
        learns = {"learned": ("--sample", 400, "--seed", 1, "--method", "auto"),
                  "LQR": ("--method", "lqr")}
        for name, *said in rows:
            done = run("learn", COLOURED, *learns[name], "--out", name, cwd=self.folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            for after, number in zip(("restart", "hold"), said):
                done = run("simulate", COLOURED, "--controller", f"{name}/controller.json",
                           "--sample", 5000, "--steps", 60, "--after", after, "--json",
                           cwd=self.folder)
                cost = json.loads(done.stdout)
                self.assertEqual(f"{cost['mean'] / 60:.3f}", number, f"{name}, {after}")
                self.assertLess(cost["standard_error"] / 60, 0.003)
