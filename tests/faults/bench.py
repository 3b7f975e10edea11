"""Runs commands in folders of their own, with and without faults, and judges what they leave."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from commands import make_inputs

SECONDS = re.compile(rb'"seconds": ?[0-9.e+-]+')
STORE = re.compile(r"(sweep|shard-\d+-of-\d+)\.(lock|sqlite(-wal|-shm|-journal)?)\Z")
LINE = re.compile(r"loopcert: (?!warning)[^\n]+: [^\n]+\Z|loopcert: out of memory\Z")
HANGS = 60  # seconds; the commands take a small part of one


def hidden(name):
    return pathlib.Path(name).name.startswith(".")


def snapshot(folder, store):
    """Name to bytes of what is there; a folder's name ends in /. The time that a run took is not
    compared, nor are the files in which a sweep keeps what it has."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_dir():
            if not store:
                found[name + "/"] = b""
        elif not (store and STORE.fullmatch(path.name)):
            found[name] = SECONDS.sub(b'"seconds": 0', path.read_bytes())
    return found


class Bench:
    """The inputs, and for each command and state the folder before and after a run that nothing
    disturbs."""

    def __init__(self, program, preload, folder):
        self.program, self.preload, self.folder = str(program), str(preload), pathlib.Path(folder)
        make_inputs(self.program, self.folder / "inputs")
        self.states = {}

    def line(self, arguments):
        return [self.program, *(a.replace("IN/", f"{self.folder}/inputs/") for a in arguments)]

    def run(self, arguments, cwd, fault=None, **options):
        environment = dict(os.environ)
        if fault:
            environment.update(fault, LD_PRELOAD=self.preload)
        return subprocess.run(self.line(arguments), cwd=cwd, env=environment, capture_output=True,
                              text=True, errors="replace", timeout=HANGS, **options)

    def ok(self, arguments, cwd):
        done = self.run(arguments, cwd)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(arguments)}: {done.stderr}")

    def state(self, command, name):
        """(folder with what is there before, files before, files after)"""
        key = command.name, name
        if key not in self.states:
            start = self.folder / f"start-{len(self.states)}"
            start.mkdir()
            for line in [*command.base, *(command.before if name == "old" else [])]:
                self.ok(line, start)
            end = shutil.copytree(start, self.folder / f"end-{len(self.states)}")
            self.ok(command.arguments, end)
            self.states[key] = (start, snapshot(start, command.store), snapshot(end, command.store))
        return self.states[key]

    def fresh(self, command, state):
        """A copy of what is there before."""
        work = pathlib.Path(tempfile.mkdtemp(dir=self.folder)) / "work"
        shutil.copytree(self.state(command, state)[0], work)
        return work

    def attempt(self, command, state, fault, loses=False, **options):
        """One run with a fault, and one without. Returns (exit status or None, complaints).
        `loses`: the process is killed or every call fails from some point on, so that it cannot put
        things back; or a function that knows it after the run."""
        work = self.fresh(command, state)
        try:
            try:
                done = self.run(command.arguments, work, fault, **options)
            except subprocess.TimeoutExpired:
                return None, ["hangs"]
            lost = loses() if callable(loses) else loses
            complaints = self.judge(command, state, work, done, lost)
            return done.returncode, complaints + self.recover(command, state, work)
        finally:
            shutil.rmtree(work.parent)

    def judge(self, command, state, work, done, loses):
        complaints = judge_end(done, loses)
        _, before, after = self.state(command, state)
        found = snapshot(work, command.store)
        visible = {name: bytes for name, bytes in found.items() if not hidden(name)}
        if done.returncode == 0 and visible != after:
            complaints.append("exit status 0 and other files than those of a run without a fault")
        if done.returncode != 0 and visible not in (before, after):
            complaints += judge_files(visible, before, after, command.steps, loses)
        if visible != found and not loses:
            complaints.append(f"left behind: {sorted(set(found) - set(visible))}")
        return complaints

    def recover(self, command, state, work):
        """The same command without a fault gives what it always gives."""
        done = self.run(command.again or command.arguments, work)
        if done.returncode != 0:
            return [f"the next run fails: {done.stderr.strip()}"]
        if snapshot(work, command.store) != self.state(command, state)[2]:
            return ["the next run leaves other files than one without a fault"]
        return []


def judge_end(done, loses):
    """One line and a status, whatever happened."""
    if done.returncode == -9 and loses:
        return []
    if done.returncode < 0:
        return [f"ended by signal {-done.returncode}: {done.stderr.strip()}"]
    lines = [line for line in done.stderr.splitlines() if not line.startswith("loopcert: warning: ")]
    if done.returncode == 0:
        return [f"exit status 0 and {lines}"] if lines else []
    if len(lines) != 1 or not LINE.match(lines[0]):
        return [f"exit status {done.returncode} and not one clear line: {lines}"]
    return []


def judge_files(visible, before, after, steps, loses):
    """Files that are neither all old nor all new. Those that a command writes in one step belong
    together; steps that are done stay done."""
    complaints = []
    for step in steps or [""]:
        def part(files):
            return {n: b for n, b in files.items() if n.endswith(step)}
        if part(visible) not in (part(before), part(after)):
            complaints += judge_step(part(visible), before, after, loses)
    return complaints


def judge_step(visible, before, after, loses):
    complaints, kinds = [], set()
    for name, content in visible.items():
        is_old, is_new = before.get(name) == content, after.get(name) == content
        if not is_old and not is_new:
            complaints.append(f"{name} is neither the old nor the new one")
        if is_old != is_new:
            kinds.add("old" if is_old else "new")
    if len(kinds) == 2:
        complaints.append("a mixture of old and new files")
    if not complaints and not loses:
        complaints.append(f"neither all old nor all new files: {sorted(visible)}")
    return complaints
