"""The numbers of docs/certificates.md and docs/tour.md are those that the program gives."""

import math
import re

from documents import WHITE, FolderTest, help_list, learn, page, run, run_json, section, table

N = (10, 20, 40, 100, 400)


class Measured(FolderTest):
    """The tables of docs/certificates.md, to the digits they show."""

    def assert_shown(self, said, value, what):
        self.assertTrue(math.isclose(float(said), value, rel_tol=1e-3), f"{what}: {said}, {value}")

    def bounded(self):
        problem = self.folder / "bounded.toml"
        text = WHITE.read_text().replace("scale_bound", 'model = "bounded"\nradius = 3.0\n# ')
        problem.write_text(text)
        return problem

    def test_each_kind_minimized(self):
        rows = table(section(page("docs/certificates.md"), "### Each kind minimized"))
        self.assertEqual(sorted(rows), sorted(help_list("learn", "--certificate")))
        for kind, cells in rows.items():
            problem = self.bounded() if kind == "bounded" else WHITE
            oracle = kind.startswith("oracle") or kind == "posterior-localized"
            method = "oracle-pac-bayes" if oracle else "pac-bayes"
            for n, said in zip(N, cells, strict=True):
                found = learn(problem, n, "--method", method, "--certificate", kind)
                self.assertEqual(found["certificate"]["kind"], kind)
                self.assert_shown(said, found["certificate"]["value"], f"{kind}, n = {n}")

    def test_at_one_posterior(self):
        text = section(page("docs/certificates.md"), "### At one posterior")
        rows = table(text)
        self.assertEqual(sorted(rows), sorted(help_list("learn", "--certificate") +
                                              help_list("certify", "--certificate")))
        cost = re.search(r"^\| L\(mu_rho\) \|(.*)\|$", text, re.M)[1].split("|")
        for i, n in enumerate(N):
            found = learn(WHITE, n)
            self.assert_shown(cost[i], found["population_cost"], f"L, n = {n}")
            self.assert_shown(rows["data-driven"][i], found["certificate"]["value"], n)
            self.assert_shown(rows["oracle"][i], found["prescient_certificate"], n)
            exact = learn(WHITE, n, "--certificate", "data-driven-exact")
            self.assert_shown(rows["data-driven-exact"][i], exact["certificate"]["value"], n)

    def assert_hold_out(self, rows, *arguments):
        for i, n in enumerate(N):
            folder = self.folder / f"{arguments[-1]}-{n}"
            done = run("learn", WHITE, *arguments, "--sample", n, "--seed", 1, "--out", folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            for kind in help_list("certify", "--certificate"):
                found = run_json("certify", WHITE, "--controller", folder / "controller.json",
                                 "--certificate", kind, "--sample", n, "--seed", 1)
                self.assert_shown(rows[kind][i], found["value"], f"{kind}, n = {n}")

    def test_hold_out(self):
        text = page("docs/certificates.md")
        self.assert_hold_out(table(section(text, "### At one posterior")), "--method", "pac-bayes")
        self.assert_hold_out(table(section(text, "### LQR")), "--method", "lqr")


class Tour(FolderTest):
    def test_numbers(self):
        text = page("docs/tour.md")
        found = learn(WHITE, 40, "--compare", "erm,ridge", "--out", self.folder)
        mean = run_json("simulate", WHITE, "--controller", self.folder / "controller.json",
                        "--sample", 5000, "--seed", 1)
        certificate = found["certificate"]
        numbers = [found["population_cost"], found["empirical_cost"], found["lqr_cost_estimate"],
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
