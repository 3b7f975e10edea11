"""Every page that the program writes, with any string at any place that a string can come from."""

import base64
import hashlib
import html.parser
import json
import pathlib
import re
import shutil
import sqlite3
import subprocess

import hostile

STYLE = re.compile(r"<style>(.*?)</style>", re.S)
# May differ between a page and its harmless twin: words, and what is drawn to make room for them.
FREE = {"aria-label", "data-name", "x", "y", "d", "width", "height", "viewbox"}
TWIN = "plain"
# Words that the program compares with those it knows: another one is refused. The rest is free.
KNOWN = {"run.json": r"(certificate|improvement|limits\.certificate)\.(format|subject|(terms|assumptions|events.*statement).*)",
         "controller.json": r"format|(learned_from|recordings).*",
         "certificate.json": r"(?!inputs\.problem\.name).*",
         "certified.json": r"(?!inputs\.problem\.name|warnings\[\]\.text).*",
         "measured.json": r"(?!warnings\[\]\.text).*", "measured-limits.json": r"(?!rows).*",
         "results.json": r"format", "sweep.sqlite": r"method|problem"}


class Shape(html.parser.HTMLParser):
    """A page without its words: tags, attributes, and the texts of scripts."""

    def __init__(self, page):
        super().__init__()
        self.parts, self.scripts, self.inside = [], [], None
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.parts.append((tag, tuple((k, None if k in FREE else v) for k, v in attributes)))
        self.inside = tag
        if tag == "script":
            self.scripts.append("")

    def handle_endtag(self, tag):
        self.parts.append("/" + tag)
        self.inside = None

    def handle_data(self, data):
        if self.inside == "script":
            self.scripts[-1] += data

    def handle_comment(self, data):
        self.parts.append("comment " + data)

    def handle_decl(self, decl):
        self.parts.append("declaration " + decl)

    def unknown_decl(self, data):
        self.parts.append("declaration " + data)

    def handle_pi(self, data):
        self.parts.append("instruction " + data)


def source_hash(text):
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def policy_of(page):
    """What the page must say of itself: its own style, its own script, and nothing else."""
    return ("default-src 'none'; style-src " + source_hash(STYLE.search(page)[1]) + "; script-src " +
            source_hash(Shape(page).scripts[-1]) +
            "; img-src data:; base-uri 'none'; form-action 'none'")


def faults(page, twin):
    """What is wrong with a page that should differ from `twin` in words only; empty: nothing."""
    found, expected = Shape(page), Shape(twin)
    if found.parts != expected.parts:
        at = next((i for i, (a, b) in enumerate(zip(found.parts, expected.parts)) if a != b),
                  min(len(found.parts), len(expected.parts)))
        return [f"part {at} is {found.parts[at:at + 1]}, of the twin {expected.parts[at:at + 1]}"]
    wrong = []
    if len(found.scripts) != 2 or found.scripts[-1] != expected.scripts[-1]:
        wrong.append("the script is another one")
    else:
        json.loads(found.scripts[0])
    # Before anything that it should guard: after <!DOCTYPE>, <html>, <head>, <meta charset>.
    guard = ("meta", (("http-equiv", "Content-Security-Policy"), ("content", policy_of(page))))
    if found.parts[4:5] != [guard]:
        wrong.append("no policy, or not the one of this script and style")
    if re.search("google|gvt1|gstatic", page, re.I):
        wrong.append("a host that the browser asks by itself: nobody could tell who asked")
    if page.count("<style>") != 1 or STYLE.search(page)[1] != STYLE.search(twin)[1]:
        wrong.append("the style is another one")
    return wrong


class Case:
    """A place, and how to get the page with a text there: make(text) gives None when refused."""

    def __init__(self, page, place, make):
        self.page, self.place, self.make = page, place, make
        self._twin = None

    def twin(self):
        if self._twin is None:
            self._twin = self.make(TWIN) or ""
        return self._twin


def log_text(columns, runs=8):
    """Episodes of three steps as long rows; the numbers obey no model."""
    rows = [f"{run},{step},{(run * 7 + step * 3) % 11 / 4},{(run * 5 + step) % 7 / 8},"
            f"{(run + step * step) % 5 / 16}" for run in range(runs) for step in range(4)]
    return "\n".join([",".join(["run", "t", *columns]), *rows]) + "\n"


def problem_tree(name="plant", states=("position [m]", "speed"), inputs=("force [N]",),
                 limit="stop"):
    return {"name": name, "horizon": 3,
            "system": {"A": [[1, 1], [0, 1]], "B": [[0.5], [1]]},
            "cost": {"Q": [1, 0.1], "R": [0.5], "P": [2, 0.2]},
            "disturbance": {"model": "gaussian"}, "learning": {"method": "auto"},
            "limits": {"rows": [{"name": limit, "x": [1, 0], "max": 100}]},
            "data": {"layout": "long", "episode": "run", "time": "t", "period": 1,
                     "states": list(states), "inputs": list(inputs)}}


class Workbench:
    def __init__(self, program, folder):
        self.program, self.folder, self.count = program, pathlib.Path(folder), 0
        self.refusals = []  # what was said on standard error
        self.base = self.folder / "base"
        self.base.mkdir()
        (self.base / "problem.json").write_text(json.dumps(problem_tree()))
        (self.base / "log.csv").write_text(log_text(("position [m]", "speed", "force [N]")))
        self.must("learn", "problem.json", "--rollouts", "log.csv", "--compare", "erm", "--out",
                  "run", cwd=self.base)
        self.must("learn", "problem.json", "--rollouts", "log.csv", "--method", "lqr", "--out", "lqr",
                  cwd=self.base)
        self.must("certify", "problem.json", "--controller", "lqr/controller.json", "--rollouts",
                  "log.csv", "--out", "certified", cwd=self.base)
        self.must("measure", "problem.json", "--rollouts", "log.csv", "--largest", 1e6, "--out",
                  "measured", cwd=self.base)
        self.must("reproduce", "--seeds", 1, "--out", "reproduce", cwd=self.base)

    def call(self, *arguments, cwd):
        done = subprocess.run([self.program, *map(str, arguments)], cwd=cwd, capture_output=True,
                              timeout=120)
        if done.returncode not in (0, 1, 2, 3, 4):
            raise RuntimeError(f"{arguments}: status {done.returncode}, {done.stderr}")
        if done.returncode != 0:
            self.refusals.append(done.stderr)
        return done.returncode

    def must(self, *arguments, cwd):
        if self.call(*arguments, cwd=cwd) != 0:
            raise RuntimeError(f"{arguments}: {self.refusals[-1]}")

    def room(self):
        """A new folder."""
        self.count += 1
        folder = self.folder / str(self.count)
        folder.mkdir()
        return folder

    def page(self, folder, name, *arguments):
        """The text of the page that a command writes, None when the command refuses."""
        text = None
        if self.call(*arguments, cwd=folder) == 0:
            text = (folder / name).read_text()
        shutil.rmtree(folder)
        return text

    # Each of these writes one page.

    def learned(self, name="plant", position="position [m]", speed="speed", force="force [N]",
                limit="stop", out="run", problem="problem.json", log="log.csv"):
        folder = self.room()
        tree = problem_tree(name, (position, speed), (force,), limit)
        (folder / problem).write_text(json.dumps(tree))
        (folder / log).write_text(log_text((position, speed, force)))
        return self.page(folder, f"{out}/report.html", "learn", problem, "--rollouts", log,
                         "--method", "shrinkage", "--compare", "erm", "--out", out)

    def inspected(self, name="plant", position="position [m]", speed="speed", force="force [N]",
                  out="out", problem="problem.json", log="log.csv"):
        folder = self.room()
        (folder / problem).write_text(json.dumps(problem_tree(name, (position, speed), (force,))))
        (folder / log).write_text(log_text((position, speed, force)))
        return self.page(folder, f"{out}/inspection.html", "inspect", problem, "--rollouts", log,
                         "--out", out)

    def certified(self, name="plant", position="position [m]", speed="speed", force="force [N]",
                  limit="stop", out="out", problem="problem.json", log="log.csv"):
        folder = self.room()
        tree = problem_tree(name, (position, speed), (force,), limit)
        (folder / problem).write_text(json.dumps(tree))
        (folder / log).write_text(log_text((position, speed, force)))
        if self.call("learn", problem, "--rollouts", log, "--method", "lqr", "--out", "lqr",
                     cwd=folder) != 0:
            shutil.rmtree(folder)
            return None
        return self.page(folder, f"{out}/report.html", "certify", problem, "--controller",
                         "lqr/controller.json", "--rollouts", log, "--out", out)

    def measured(self, position="position [m]", speed="speed", force="force [N]", limit="stop",
                 out="out", problem="problem.json", log="log.csv"):
        folder = self.room()
        tree = problem_tree("plant", (position, speed), (force,), limit)
        (folder / problem).write_text(json.dumps(tree))
        (folder / log).write_text(log_text((position, speed, force)))
        return self.page(folder, f"{out}/report.html", "measure", problem, "--rollouts", log,
                         "--largest", 1e6, "--out", out)

    def identified(self, name="plant", position="position [m]", speed="speed", force="force [N]",
                   out="out", problem="problem.json", log="log.csv"):
        folder = self.room()
        tree = problem_tree(name, (position, speed), (force,))
        tree["system"] = {"identify": True, "states": 2, "inputs": 1}
        for key in ("limits", "learning", "disturbance"):
            del tree[key]
        (folder / problem).write_text(json.dumps(tree))
        (folder / log).write_text(log_text((position, speed, force), 60))
        return self.page(folder, f"{out}/identification.html", "identify", problem, "--rollouts", log,
                         "--out", out)

    def swept(self, name="quick", problem="plant", label="ridge, one tenth", out="out",
              file="sweep.json"):
        folder = self.room()
        tree = problem_tree(problem)
        tree["disturbance"]["covariance"] = 0.1
        (folder / "problem.json").write_text(json.dumps(tree))
        (folder / file).write_text(json.dumps({
            "name": name, "problems": ["problem.json"], "n": [5, 10], "seeds": [1, 2],
            "methods": ["lqr", {"method": "ridge", "gamma": 0.1, "label": label}], "test": 10}))
        if self.call("sweep", file, "--out", out, cwd=folder) != 0:
            shutil.rmtree(folder)
            return None
        return self.page(folder, f"{out}/report.html", "report", out)

    def reported(self, files, *arguments, of="run"):
        """The page of the learned run with some of its files written anew, or taken away."""
        folder = self.room()
        shutil.copytree(self.base / of, folder / "run")
        for name, tree in files.items():
            if tree is None:
                (folder / "run" / name).unlink()
            else:
                (folder / "run" / name).write_text(json.dumps(tree))
        return self.page(folder, "run/report.html", "report", "run", *arguments)

    def results(self, tree):
        folder = self.room()
        (folder / "results.json").write_text(json.dumps(tree))
        return self.page(folder, "report.html", "report", ".")

    def reproduced(self, record):
        folder = self.room()
        shutil.copytree(self.base / "reproduce", folder / "out")
        with sqlite3.connect(folder / "out/sweep.sqlite") as store:
            key = store.execute("select key from results order by key").fetchone()[0]
            store.execute("update results set record = ? where key = ?", (json.dumps(record), key))
        store.close()
        return self.page(folder, "out/report.html", "reproduce", "--seeds", 1, "--out", "out")

    # What there is to change.

    def run_tree(self):
        tree = json.loads((self.base / "run/run.json").read_text())
        tree["warnings"] = [{"id": "model", "text": "what nobody should miss"}]
        tree["details"] = {"deployed": "lqr", "why": "nothing was better"}
        tree["certificate"]["solver"]["status"] = "converged"
        return tree

    def record(self, folder, file="certificate.json"):
        """Of a certificate, with a warning where it may have some."""
        tree = json.loads((self.base / folder / file).read_text())
        if "warnings" in tree:
            tree["warnings"] = [{"id": "model", "text": "what nobody should miss"}]
        return tree

    def store_record(self):
        with sqlite3.connect(self.base / "reproduce/sweep.sqlite") as store:
            text = store.execute("select record from results order by key").fetchone()[0]
        store.close()
        return json.loads(text)

    @staticmethod
    def results_tree():
        row = {"problem": "plant", "label": "erm", "method": "erm", "n": 10, "seed": "first",
               "status": "done", "population_cost": 3.5, "lqr_cost": 3.1, "optimal_cost": 3.0,
               "certificate": {"kind": "data-driven", "value": 9}}
        return {"name": "quick", "format": "loopcert sweep results 1", "results": [
            row, {**row, "seed": 2, "n": 40, "certificate": "hold-out"}]}

    def trees(self):
        """Pages made from a tree: name, tree, how."""
        controller = json.loads((self.base / "run/controller.json").read_text())
        certificate = json.loads((self.base / "run/certificate.json").read_text())
        return [
            ("run.json", self.run_tree(), lambda tree: self.reported({"run.json": tree})),
            ("controller.json", controller,
             lambda tree: self.reported({"controller.json": tree, "certificate.json": None})),
            ("certificate.json", certificate,
             lambda tree: self.reported({"certificate.json": tree})),
            ("certified.json", self.record("certified"),
             lambda tree: self.reported({"certificate.json": tree}, of="certified")),
            ("measured.json", self.record("measured"),
             lambda tree: self.reported({"certificate.json": tree}, of="measured")),
            ("measured-limits.json", self.record("measured", "limits.json"),
             lambda tree: self.reported({"limits.json": tree}, of="measured")),
            ("results.json", self.results_tree(), self.results),
            ("sweep.sqlite", self.store_record(), self.reproduced),
        ]

    def options(self):
        """Pages made from single texts: name, what may be said, how."""
        names = ("name", "position", "speed", "force")
        paths = ("out", "problem", "log")
        return [("learn", (*names, "limit"), self.learned, paths), ("inspect", names, self.inspected, paths),
                ("certify", (*names, "limit"), self.certified, paths),
                ("measure", ("limit",), self.measured, paths),
                ("identify", names, self.identified, paths),
                ("sweep", ("name", "problem", "label"), self.swept, ("out", "file"))]

    def everywhere(self, text, short):
        """The pages with `text` at all places at once, or one of `short` where names are short."""
        made = {}
        for page, tree, make in self.trees():
            known = re.compile(KNOWN[page])
            for place in [*hostile.texts(tree)]:
                if place[-1] is not None and not known.fullmatch(hostile.place_text(place)):
                    tree = hostile.replaced(tree, place, text)
            made[page] = make(tree)
        column = dict(zip(("position", "speed", "force"), short))
        made["learn"] = self.learned(name=text, limit=text, **column)
        made["inspect"] = self.inspected(name=text, **column)
        made["certify"] = self.certified(name=text, limit=text, **column)
        made["measure"] = self.measured(limit=text, **column)
        made["identify"] = self.identified(name=text, **column)
        made["sweep"] = self.swept(text, text, text)
        return made

    def cases(self):
        """One case for each place; of equal entries of a list the first."""
        found = []
        for page, tree, make in self.trees():
            seen = set()
            for place in hostile.texts(tree):
                text = hostile.place_text(place)
                if text in seen:
                    continue
                seen.add(text)
                found.append(Case(page, text, lambda word, tree=tree, place=place, make=make: make(
                    hostile.replaced(tree, place, word))))
        for page, names, make, paths in self.options():
            for name in names:
                found.append(Case(page, name,
                                  lambda word, name=name, make=make: make(**{name: word})))
            for name in paths:
                end = {"problem": ".json", "file": ".json", "log": ".csv"}.get(name, "")
                found.append(Case(page, "path of " + name, lambda word, name=name, make=make, end=end:
                                  make(**{name: path_text(word) + end})))
        return found


def path_text(word):
    """As much of a text as a file's name can hold."""
    word = word.replace("/", "\\").replace("\0", "0")
    return word.encode()[:200].decode(errors="ignore")
