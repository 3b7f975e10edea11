"""The pages, opened in a real browser."""

import json
import re
import shutil
import subprocess
import tempfile
import unittest

from browser import BROWSER, Elements, Server
from program import COLOURED, WHITE_TREE, ProgramTest

UNKNOWN_COLOUR = COLOURED.parents[1] / "assumptions/unknown-colour.toml"

POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')


def evil(url):
    return (f"<script>document.title='taken'</script><img src={url}/img onerror=\"document.title="
            f"'taken'\"><link rel=stylesheet href={url}/css></script>]]>\u2028&lt;")


class ReportTest(ProgramTest):
    def open_page(self, path, *flags, fragment=""):
        """The elements after the page's script ran, and the console's lines."""
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
            done = subprocess.run([*BROWSER, f"--user-data-dir={profile}", *flags, "--dump-dom",
                                   path.as_uri() + fragment],
                                  capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        return Elements(done.stdout), [x for x in done.stderr.splitlines() if "CONSOLE" in x]

    def open_quietly(self, path, *flags, fragment=""):
        page, console = self.open_page(path, *flags, fragment=fragment)
        self.assertEqual(console, [])
        return page

    def with_script(self, path, script):
        """A copy without the policy and with one more script: for looking, not for reading."""
        text, count = POLICY.subn("", path.read_text())
        self.assertEqual(count, 1)
        copy = path.with_name("copy.html")
        copy.write_text(text.replace("</body>", f"<script>{script}</script></body>"))
        return copy

    def sweep_folder(self, problem="plant", odd="pac-bayes"):
        rows = [{"problem": problem, "label": label, "method": method, "n": n, "seed": seed,
                 "status": "done", "population_cost": 3 + 10 / n + 0.1 * seed, "sensitivity": 1 + 5 / n,
                 "certificate": {"kind": "data-driven", "value": 900 / n} if certified else None,
                 "lqr_cost": 3.1, "optimal_cost": 3.0}
                for label, method, certified in [("erm", "erm", False), ("ridge, cv", "ridge", False),
                                                 (odd, "pac-bayes", True)]
                for n in (10, 40, 100) for seed in range(3)]
        rows.append({"problem": problem, "status": "failed", "n": 10})
        folder = self.folder / "sweep"
        folder.mkdir()
        (folder / "results.json").write_text(json.dumps({"name": problem, "results": rows}))
        return folder

    def test_a_browser_is_here(self):
        self.assertTrue(shutil.which("chromium"), "chromium is in tools/packages.txt")

    def test_run_with_a_certificate(self):
        self.ok("learn", COLOURED, "--sample", 30, "--seed", 3, "--compare", "erm", "--out", "run")
        page = self.open_quietly(self.folder / "run/report.html")
        # Two states, one input; costs of whom, of what, when; terms; three maps, posterior, its spread
        # against size and curvature; colour, Q-Q, spectrum, covariance.
        self.assertEqual(len(page.all("svg", **{"class": "plot"})), 17)
        self.assertEqual(len(page.all("figure")), 17)
        # Their numbers, and the folded parts: events, bound, response, disturbances.
        self.assertEqual(len(page.all("details")), 17 + 4)
        self.assertEqual(len(page.all("details", **{"class": "part"})), 4)
        self.assertGreaterEqual(len(page.all("math")), 2)
        self.assertIn("The certificate is not below LQR's cost", page.text)
        run = json.loads((self.folder / "run/run.json").read_text())
        self.assertIn(f"{run['certificate']['value']:.4g}", page.text)
        self.assertIn(f"{run['lqr_cost']:.4g}", page.text)

        # The folder alone says as much: the data can be sampled again.
        written = (self.folder / "run/report.html").read_text()
        self.assertEqual(self.ok("report", "run"), "run/report.html\n")
        self.assertEqual((self.folder / "run/report.html").read_text(), written)

    def test_run_without_a_certificate(self):
        problem = self.write("problem.json", WHITE_TREE)
        self.ok("sample", problem, "-n", 20, "--out", "w.npy")
        self.ok("learn", problem, "--data", "w.npy", "--method", "erm", "--out", "run")
        self.ok("report", "run")
        bare = Elements((self.folder / "run/report.html").read_text())
        self.assertIn("This run has no certificate", bare.text)
        self.assertIn("--problem", bare.text)
        self.assertEqual(self.ok_json("report", "run", "--problem", problem, "--data", "w.npy"),
                         {"status": "done", "report": "run/report.html"})
        full = Elements((self.folder / "run/report.html").read_text())
        self.assertGreater(len(full.all("svg", **{"class": "plot"})),
                           len(bare.all("svg", **{"class": "plot"})))
        self.ok("sample", problem, "-n", 20, "--seed", 5, "--out", "other.npy")
        self.ok("report", "run", "--problem", problem, "--data", "other.npy")
        self.assertIn("are not the training data of the controller",
                      (self.folder / "run/report.html").read_text())

    def test_names_stay_text(self):
        with Server() as server:
            name = evil(server.url)
            problem = self.write("problem.json", {**WHITE_TREE, "name": name})
            self.ok("learn", problem, "--sample", 30, "--out", "run")
            run = self.open_quietly(self.folder / "run/report.html")
            sweep_folder = self.sweep_folder(problem=name, odd=name)
            self.ok("report", sweep_folder)
            sweep = self.open_quietly(sweep_folder / "report.html")
            self.assertEqual(server.asked, [])
            for page in run, sweep:
                self.assertEqual(page.all("img"), [])
                self.assertEqual([a.get("type") for a in page.all("script")],
                                 ["application/json", None])
                self.assertIn("document.title='taken'", page.text)

            # Would we notice? The same markup, not escaped: the policy stops it, and says so.
            text = (self.folder / "run/report.html").read_text()
            (self.folder / "bad.html").write_text(text.replace("<main>", "<main>" + name))
            bad, console = self.open_page(self.folder / "bad.html")
            self.assertEqual(server.asked, [])
            self.assertTrue(any("Content Security Policy" in line for line in console), console)
            self.assertNotIn("<title>taken", bad.text)

    def test_toggles(self):
        folder = self.sweep_folder()
        self.assertEqual(self.ok("report", folder), f"{folder}/report.html\n")
        path = folder / "report.html"
        shown = self.open_quietly(path)
        names = [a["data-name"] for a in shown.all("input", type="checkbox")]
        self.assertEqual(names, ["erm", "ridge, cv", "pac-bayes, data-driven"])
        self.assertEqual(len(shown.all("svg", **{"class": "plot"})), 4)
        self.assertIn("1 job of 28 failed", shown.text)
        hidden = self.open_quietly(path, fragment="#hide=erm,ridge%2C%20cv,%")
        clicked = self.open_quietly(self.with_script(
            path, "document.querySelector('input[data-name=erm]').click()"))
        for number, in_hidden, in_clicked in ("0", True, True), ("1", True, False), ("2", False,
                                                                                     False):
            self.assertTrue(shown.series(number))
            self.assertFalse(any("off" in c.split() for c in shown.series(number)))
            for page, expected in (hidden, in_hidden), (clicked, in_clicked):
                self.assertEqual({"off" in c.split() for c in page.series(number)}, {expected})

    def seen(self, paths, windows, expression):
        """What an expression gives in windows of these sizes before anybody scrolls: for each path a
        list with one entry for each window."""
        # A browser's window has a smallest width; a frame has none. The address says which one it is.
        script = f"""const said = {expression};
            parent.postMessage(JSON.stringify([location.search, said]), '*')"""
        frames = []
        for k, path in enumerate(paths):
            copy = self.folder / f"looked-at-{k}.html"
            self.with_script(path, script).rename(copy)
            frames += [f'<iframe width={width} height={height} frameborder=0 '
                       f'src="{copy.as_uri()}?{k},{n}"></iframe>'
                       for n, (width, height) in enumerate(windows)]
        outer = self.write("windows.html", f"""<!DOCTYPE html><body><script>
            const all = [];
            onmessage = e => {{ all.push(JSON.parse(e.data)); document.body.dataset.said = JSON.stringify(all); }}
            </script>{"".join(frames)}""")
        found = dict(json.loads(self.open_quietly(outer).all("body")[0]["data-said"]))
        return [[found[f"?{k},{n}"] for n in range(len(windows))] for k in range(len(paths))]

    def pages(self):
        """One of each command."""
        self.ok("learn", COLOURED, "--sample", 30, "--certificate", "best", "--out", "run")
        self.ok("learn", COLOURED, "--method", "lqr", "--out", "lqr")
        self.ok("certify", COLOURED, "--controller", "lqr/controller.json", "--sample", 30, "--out",
                "certified")
        costs = "\n".join(str(1 + (7 * k) % 5) for k in range(40)) + "\n"
        self.write("costs.txt", costs)
        self.ok("measure", "costs.txt", "--largest", 20, "--out", "measured")
        self.ok("watch", "--claim", 9, "--page", "watch.html", "costs.txt")
        self.ok("inspect", COLOURED, "--sample", 30, "--out", "look")
        self.ok("identify", UNKNOWN_COLOUR, "--sample", 50, "--out", "look")
        self.ok("report", self.sweep_folder())
        return {name: self.folder / path for name, path in (
            ("learn", "run/report.html"), ("certify", "certified/report.html"),
            ("measure", "measured/report.html"), ("watch", "watch.html"),
            ("inspect", "look/inspection.html"), ("identify", "look/identification.html"),
            ("sweep", "sweep/report.html"))}

    def test_first_things_first(self):
        """Without scrolling: the statement with its number, and the first picture."""
        pages = self.pages()
        windows = ((1280, 800), (420, 860), (375, 800))
        looked = self.seen(list(pages.values()), windows, """({
            page: document.documentElement.scrollWidth, window: innerWidth,
            bottoms: [".verdict", ".card.main", "figure svg.plot"].map(s => document.querySelector(s))
                .map(e => e && e.getBoundingClientRect().bottom),
            themes: document.querySelectorAll(".theme:not([hidden]) select").length})""")
        for (name, _), found in zip(pages.items(), looked):
            with self.subTest(name):
                for (width, _), seen in zip(windows, found):
                    self.assertEqual(seen["window"], width)
                    self.assertLessEqual(seen["page"], width)
                    self.assertEqual(seen["themes"], 1)
                (verdict, main, picture), phone = found[0]["bottoms"], found[1]["bottoms"]
                self.assertTrue(0 < verdict < 800, verdict)
                if name != "sweep":  # what failed comes first
                    self.assertTrue(0 < verdict < 800 and 0 < picture < 800, (verdict, picture))
                    self.assertLess(phone[0], 860)
                if name in ("learn", "certify", "measure", "watch", "inspect"):
                    self.assertTrue(0 < main < 800 and 0 < phone[1] < 860, (main, phone))

    def test_seconds(self):
        """Time in its unit where the file says how long a step is, also from the folder alone."""
        continuous = {**WHITE_TREE, "system": {"A": [[0, 1], [0, 0]], "B": [[0], [1]],
                                               "continuous": True, "dt": 0.1}}
        rows = {**WHITE_TREE, "data": {"layout": "long", "time": "t [min]", "period": 0.5,
                                       "states": ["s [m]", "v"], "inputs": ["F [N]"]}}
        pid = {**WHITE_TREE, "baseline": {"pid": {"p": [[0.2, 0.5]], "dt": 0.25}}}
        for tree, step, unit in ((continuous, 0.1, "s"), (rows, 0.5, "min"), (pid, 0.25, "s"),
                                 (WHITE_TREE, None, None)):
            with self.subTest(unit=unit, step=step):
                self.ok("learn", self.write("problem.json", tree), "--sample", 20, "--out", "run")
                run = json.loads((self.folder / "run/run.json").read_text())
                self.assertEqual((run.get("step_time"), run.get("time_unit")), (step, unit))
                page = (self.folder / "run/report.html").read_text()
                self.assertEqual(f">time, {unit}</text>" in page, step is not None)
                self.assertEqual(">step</text>" in page, step is None)
                self.ok("report", "run")
                self.assertEqual((self.folder / "run/report.html").read_text(), page)

    def test_a_watch_that_goes_on(self):
        self.write("costs.txt", "1\n2\n3\n")
        self.write("more.txt", "1\n2\n3\n" + 20 * "90\n")
        watch = ("watch", "--claim", 4, "--state", "w.json", "--page", "watch.html")
        self.ok(*watch, "costs.txt")
        self.assertIn("The claim stands after 3 costs", (self.folder / "watch.html").read_text())
        self.assertEqual(self.run_program(*watch, "more.txt").returncode, 4)
        page = (self.folder / "watch.html").read_text()
        self.assertRegex(page, r"The claim is rejected at cost \d+")
        self.assertIn("Not drawn: 3 costs", page)

    def test_what_is_not_granted_is_folded(self):
        self.ok("learn", COLOURED, "--sample", 30, "--certificate", "best", "--out", "run")
        path = self.folder / "run/report.html"
        page = self.open_quietly(path)
        parts = page.all("details", **{"class": "part"})
        self.assertGreaterEqual(len(parts), 5)
        self.assertFalse(any("open" in part for part in parts))
        text = path.read_text()
        self.assertLess(text.index("<h2>Details</h2>"), text.index("<summary>Not granted"))
        self.assertLess(text.index("<summary>Not granted"), text.index("assumptions missing"))
        self.assertLess(text.index("<h2>Closed loop</h2>"), text.index("<h2>What is certified"))
        # Looked at: each part is a line until it is opened.
        heights = "[...document.querySelectorAll('details.part')].map(d => d.offsetHeight)"
        opened = "(document.querySelectorAll('details').forEach(d => d.open = true), " + heights + ")"
        [[[shut, open]]] = self.seen([path], [(1280, 800)], f"[{heights}, {opened}]")
        self.assertTrue(all(0 < height < 80 for height in shut))
        self.assertTrue(all(height > 80 for height in open))

    def test_themes(self):
        """As the system says, or as the reader does; the policy stays what it is."""
        self.ok("learn", COLOURED, "--sample", 30, "--out", "run")
        path = self.folder / "run/report.html"
        self.assertEqual(self.open_quietly(path).all("html"), [{"lang": "en"}])
        dark = self.open_quietly(path, fragment="#theme=dark").all("html")[0]
        self.assertEqual(dark["data-theme"], "dark")
        ground = "getComputedStyle(document.body).backgroundColor"
        choose = ("(t => (t.value = %r, t.dispatchEvent(new Event('change')), new Promise(r => setTimeout(r, 50))))"
                  "(document.querySelector('.theme select'))")
        for theme, colour in ("light", "rgb(255, 255, 255)"), ("dark", "rgb(20, 23, 26)"):
            script = (choose % theme) + ".then(() => document.body.dataset.said = " + ground + " + location.hash)"
            said = self.open_quietly(self.with_script(path, script)).all("body")[0]["data-said"]
            self.assertEqual(said, colour + "#theme=" + theme)

    def test_on_paper(self):
        """A few pages, the folded parts as lines."""
        self.ok("learn", COLOURED, "--sample", 30, "--certificate", "best", "--out", "run")
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
            subprocess.run([*BROWSER, f"--user-data-dir={profile}", "--no-pdf-header-footer",
                            f"--print-to-pdf={self.folder / 'page.pdf'}",
                            (self.folder / "run/report.html").as_uri()],
                           capture_output=True, timeout=60, check=True)
        pages = len(re.findall(rb"/Type\s*/Page\b", (self.folder / "page.pdf").read_bytes()))
        self.assertIn(pages, range(2, 6))

    def test_a_long_label_stays_in_its_figure(self):
        """What is drawn must not cover what another part of the page says."""
        self.ok("learn", COLOURED, "--sample", 30, "--certificate", "best", "--out", "run")
        record = self.folder / "run/run.json"
        tree = json.loads(record.read_text())
        for row in tree["certificate"]["all"]:
            if row["value"] is not None:
                row["kind"] = "no assumption is needed " * 20
        record.write_text(json.dumps(tree))
        self.ok("report", "run")
        script = """
            let outside = 0, seen = 0;
            for (let x = 5; x < innerWidth; x += 10) for (let y = 5; y < innerHeight; y += 5) {
              const found = document.elementFromPoint(x, y);
              const plot = found && found.closest("svg.plot");
              if (!plot) continue;
              const box = plot.closest("figure").getBoundingClientRect();
              ++seen;
              outside += x > box.right + 20 || x < box.left - 20;
            }
            document.body.dataset.outside = outside + " of " + seen"""
        copy = self.with_script(self.folder / "run/report.html", script)
        found = self.open_quietly(copy, "--window-size=1100,1600").all("body")[0]["data-outside"]
        self.assertRegex(found, r"^0 of [1-9]\d\d")

    def same_again(self, folder, *arguments):
        """The page that a command wrote, from its folder."""
        path = self.folder / folder / "report.html"
        written = path.read_text()
        path.unlink()
        self.assertEqual(self.ok("report", folder, *arguments), f"{folder}/report.html\n")
        again = path.read_text()
        self.assertEqual(again == written, True, "another page")
        return Elements(again)

    def test_folder_of_certify(self):
        tree = {**WHITE_TREE, "limits": {"u": [-4, 4], "probability": 0.2},
                "data": {"states": ["s [m]", "v"], "inputs": ["F [N]"]}}
        problem = self.write("problem.json", tree)
        self.ok("learn", problem, "--method", "lqr", "--out", "lqr")
        certify = ("certify", problem, "--controller", "lqr/controller.json", "--out", "certified")
        self.ok(*certify, "--sample", 60, "--seed", 4)
        bare = self.folder / "certified/report.html"
        self.same_again("certified", "--sample", 60, "--seed", 4)
        self.ok("report", "certified")
        page = Elements(bare.read_text())
        value = json.loads((self.folder / "certified/certificate.json").read_text())["value"]
        self.assertIn("Only the files of the certificate were available", page.text)
        self.assertIn(f"{value:.2g}"[:3], page.text)
        # Other trajectories, or another controller, are not what was certified.
        self.fails(3, "report", "certified", "--sample", 60, "--seed", 5, says=["data", "SHA-256"])
        self.fails(2, "report", "certified", "--problem", problem, says="--problem")
        # Against another controller, and without data at all.
        self.ok(*certify, "--sample", 60, "--certificate", "improvement", "--baseline", "lqr")
        self.same_again("certified", "--sample", 60)
        self.ok(*certify, "--certificate", "assumed-scale")
        self.same_again("certified")
        controller = self.folder / "certified/controller.json"
        controller.write_text(controller.read_text().replace('"horizon"', ' "horizon"'))
        self.fails(3, "report", "certified", says=["certificate.json", "controller", "SHA-256"])

    def test_folder_of_measure(self):
        tree = {**WHITE_TREE, "limits": {"u": [-0.4, 0.4], "x": [-2, 2], "each": 0.2}}
        problem = self.write("problem.json", tree)
        self.ok("learn", problem, "--method", "lqr", "--out", "lqr")
        self.ok("simulate", problem, "--controller", "lqr/controller.json", "--sample", 30, "--paths", "log.csv")
        self.ok("measure", problem, "--rollouts", "log.csv", "--gaussian", "--out", "measured")
        limits = self.same_again("measured")
        self.assertIn("any of them", limits.text)
        names = json.loads((self.folder / "measured/limits.json").read_text())["rows"]
        for name in names:
            self.assertIn(name, limits.text)
        self.fails(2, "report", "measured", "--sample", 5, says="measure")
        self.write("a.txt", "".join(f"{1 + k % 5}\n" for k in range(40)))
        self.write("b.txt", "".join(f"{2 + k % 7}\n" for k in range(40)))
        for more in ((), ("--against", "b.txt"), ("--against", "b.txt", "--paired")):
            self.ok("measure", "a.txt", *more, "--largest", 20, "--out", "costs")
            self.same_again("costs")
        costs = self.folder / "costs/costs.npy"
        costs.write_bytes(costs.read_bytes()[:-8] + b"\0" * 8)
        self.fails(3, "report", "costs", says=["certificate.json", "costs"])
        # Records of an earlier version name no rows.
        path = self.folder / "measured/limits.json"
        tree = json.loads(path.read_text())
        del tree["rows"]
        path.write_text(json.dumps(tree))
        self.ok("report", "measured")

    def test_what_cannot_be_reported(self):
        empty = self.folder / "empty"
        empty.mkdir()
        self.fails(3, "report", empty, says=["run.json", "results.json"])
        self.fails(3, "report", "nowhere", says="nowhere")
        self.fails(2, "report")
        (empty / "results.json").write_text("{}")
        self.fails(3, "report", empty, says=["results.json", "results"])
        (empty / "results.json").write_text("[")
        self.fails(3, "report", empty, says="JSON")
        (empty / "results.json").write_text("[" * 100000 + "]" * 100000)
        self.fails(3, "report", empty, says="nested deeper than 32 levels")
        (empty / "results.json").write_text("[]")
        self.fails(2, "report", empty, "--problem", COLOURED, says="sweep")
        (empty / "run.json").write_text("[]")
        self.fails(3, "report", empty, says="controller.json")


if __name__ == "__main__":
    unittest.main()
