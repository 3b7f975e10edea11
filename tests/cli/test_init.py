"""loopcert init: from log files to a problem file that runs, a controller and its page; what it finds
in the files is recomputed here."""

import csv
import json
import os
import pty
import re
import subprocess
import tomllib
import unittest

import numpy as np

from program import PATIENCE, PROGRAM, SOURCE, ProgramTest

DRIVE = SOURCE / "examples/drive/logs.csv"
PROCESS = SOURCE / "examples/process/log.csv"


def draw(n, steps, seed=0, around=(0.0, 0.0, 0.0)):
    """Logs of a damped cart under a weak controller and noise: x (n, steps + 1, 2), u (n, steps, 1)."""
    random = np.random.RandomState(seed)
    A, B = np.array([[0.9, 0.2], [-0.1, 0.8]]), np.array([[0.1], [0.5]])
    x = np.zeros((n, steps + 1, 2))
    u = random.normal(size=(n, steps, 1))
    x[:, 0] = 0.3 * random.normal(size=(n, 2))
    for t in range(steps):
        noise = 0.05 * random.normal(size=(n, 2))
        x[:, t + 1] = x[:, t] @ A.T + u[:, t] @ B.T + noise
    return x + np.array(around[:2]), u + around[2]


class InitTest(ProgramTest):
    def table(self, name, x, u, header="run,t [s],p [m],v [m/s],f [N]", period=0.1, restart=True):
        """A row for each step; the last input of an episode is empty."""
        with open(self.folder / name, "w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(header.split(","))
            row = 0
            for i in range(len(x)):
                for t in range(x.shape[1]):
                    force = f"{u[i, t, 0]:.6f}" if t < u.shape[1] else ""
                    time = period * (t if restart else row)
                    writer.writerow([f"r{i}", f"{time:.6g}", *(f"{v:.6f}" for v in x[i, t]), force])
                    row += 1
        return name

    def init(self, *arguments):
        found = self.ok_json("init", *arguments, "--force")
        return found, tomllib.loads((self.folder / found["problem"]).read_text())

    ROLES = ("--states", "p,v", "--inputs", "f")


class Tables(InitTest):
    def test_episodes(self):
        x, u = draw(40, 12)
        self.table("logs.csv", x, u)
        found, file = self.init("logs.csv", *self.ROLES)
        self.assertEqual((found["episodes"], found["shortest"], found["longest"]), (40, 12, 12))
        self.assertEqual(file["horizon"], 12)
        self.assertEqual(file["system"]["identify"], True)
        self.assertEqual(file["data"]["episode"], "run")
        self.assertEqual((file["data"]["time"], file["data"]["period"]), ("t [s]", 0.1))
        self.assertEqual(file["data"]["states"], ["p [m]", "v [m/s]"])
        for weights, values in ((file["cost"]["Q"], x.reshape(-1, 2)), (file["cost"]["R"], u.reshape(-1, 1))):
            np.testing.assert_allclose(weights, 1 / np.abs(values).max(0) ** 2, rtol=6e-3)
        for signal, values in zip(found["states"] + found["inputs"],
                                  [*x.reshape(-1, 2).T, u.reshape(-1)]):
            np.testing.assert_allclose(
                [signal[key] for key in ("least", "largest", "mean", "deviation")],
                [values.min(), values.max(), values.mean(), values.std()], atol=2e-6)

    def test_two_commands(self):
        """From a table to a controller with a certificate, and its page."""
        x, u = draw(60, 10, seed=1)
        self.table("logs.csv", x, u)
        said = self.ok("init", "logs.csv", *self.ROLES)
        line = said.strip().split("\n")[-1]
        self.assertTrue(line.startswith("next"), said)
        words = line.split()[1:]
        self.assertEqual(words[0], "loopcert")
        done = self.run_program(*words[1:])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(done.stdout.startswith("certificate "), done.stdout)
        self.assertIn("identified", done.stdout)
        for name in ("controller.json", "certificate.json", "report.html"):
            self.assertTrue((self.folder / "result" / name).is_file(), name)
        self.assertIn("p [m]", json.loads((self.folder / "result/controller.json").read_text())["provenance"]["states"])

    def test_the_examples(self):
        found, file = self.init(DRIVE, "--states", "position,speed", "--inputs", "torque")
        self.assertEqual((file["horizon"], file["data"]["step"]), (25, "k"))
        # Positions are the sum of speeds: that row holds exactly.
        self.assertEqual((file["system"]["identify"], file["system"]["A"][0]), ([2], [1, 0.02]))
        self.assertIn("1 of 2 rows", found["plant"])
        learned = self.ok_json("learn", found["problem"], "--rollouts", DRIVE)
        self.assertEqual(learned["n"], 80)
        found, file = self.init(PROCESS, "--outputs", "outlet", "--inputs", "valve")
        self.assertEqual((file["horizon"], file["system"]["lags"]), ("infinite", 2))
        learned = self.ok_json("learn", found["problem"], "--rollouts", PROCESS)
        self.assertLess(learned["certificate"]["value"], 1)

    def test_clocks(self):
        x, u = draw(30, 8)
        self.table("on.csv", x, u, restart=False)
        found, _ = self.init("on.csv", *self.ROLES)
        self.assertEqual(found["episodes"], 30)
        # Timestamps, and a label that is not the first column.
        with open(self.folder / "iso.csv", "w") as file:
            file.write("when;f;p;v;trial\n")
            for i in range(30):
                for t in range(9):
                    values = ";".join(f"{v:.5f}".replace(".", ",")
                                      for v in (u[i, t, 0] if t < 8 else 0, *x[i, t]))
                    file.write(f"2026-01-{i + 1:02d}T12:00:{2 * t:02d};{values};{i + 7}\n")
        found, file = self.init("iso.csv", *self.ROLES)
        self.assertEqual((found["episodes"], file["data"]["period"]), (30, 2))
        self.assertEqual((file["data"]["time"], file["data"]["episode"]), ("when", "trial"))
        self.assertEqual(self.ok_json("learn", found["problem"], "--rollouts", "iso.csv")["n"], 30)

    def test_operating_points(self):
        """Columns far from zero are shifted, and the result is that of the deviations."""
        x, u = draw(1, 800, seed=3, around=(350.0, -20.0, 40.0))
        self.table("far.csv", x, u, header="run,t,p,v,f", period=1)
        found, file = self.init("far.csv", *self.ROLES)
        zeros = {column["column"]: column["zero"]
                 for column in file["data"]["states"] + file["data"]["inputs"]}
        np.testing.assert_allclose(list(zeros.values()), [350, -20, 40], atol=1)
        self.assertTrue(any("setpoint" in remark for remark in found["remarks"]))
        far = self.ok_json("learn", "problem.toml", "--rollouts", "far.csv", "--out", "far")
        near = np.array(list(zeros.values()))
        self.table("near.csv", x - near[:2], u - near[2], header="run,t,p,v,f", period=1)
        text = (self.folder / "problem.toml").read_text()
        for name, zero in zeros.items():
            text, count = re.subn(rf'{{ column = "{name}", zero = \S+ }}', f'"{name}"', text)
            self.assertEqual(count, 1)
        self.write("near.toml", text)
        near = self.ok_json("learn", "near.toml", "--rollouts", "near.csv")
        self.assertAlmostEqual(far["certificate"]["value"] / near["certificate"]["value"], 1, places=4)
        controller = json.loads((self.folder / "far/controller.json").read_text())
        self.assertIn("p - 350", controller["provenance"]["states"])

    def test_known_plant(self):
        x, u = draw(60, 10)
        self.table("logs.csv", x, u)
        self.write("plant.toml", "[system]\nA = [[0.9, 0.2], [-0.1, 0.8]]\nB = [[0.1], [0.5]]\n")
        found, file = self.init("logs.csv", *self.ROLES, "--model", "plant.toml")
        self.assertEqual((file["horizon"], file["learning"]["method"]), (10, "auto"))
        self.assertTrue(any("beforehand" in remark for remark in found["remarks"]))
        run = self.ok_json("learn", found["problem"], "--rollouts", "logs.csv")
        self.assertEqual(run["n"], 60)
        found, _ = self.init("logs.csv", *self.ROLES, "--model", "plant.toml", "--largest", "p=1,v=1,f=1")
        self.assertFalse(any("beforehand" in remark for remark in found["remarks"]))
        self.fails(3, "init", "logs.csv", "--states", "p", "--inputs", "f", "--model", "plant.toml",
                   "--force", says=["plant.toml: system.A: found 2 rows, expected 1"])

    def test_what_the_user_says(self):
        x, u = draw(40, 12)
        self.table("logs.csv", x, u)
        _, file = self.init("logs.csv", *self.ROLES, "--largest", "p=0.5,f=2", "--horizon", 5,
                            "--name", "cart", "--time", "t", "--episode", "run")
        self.assertEqual((file["name"], file["horizon"], file["data"]["longer"]), ("cart", 5, "first"))
        self.assertEqual((file["cost"]["Q"][0], file["cost"]["R"]), (4, [0.25]))
        _, file = self.init("logs.csv", *self.ROLES, "--horizon", "infinite")
        self.assertEqual(file["horizon"], "infinite")

    def test_rows_of_episodes(self):
        x, u = draw(30, 3)
        names = [f"{name}_{t}" for t in range(4) for name in "pv"] + [f"f_{t}" for t in range(3)]
        rows = np.hstack([x.reshape(30, -1), u.reshape(30, -1)])
        np.savetxt(self.folder / "wide.csv", rows, delimiter=",", header=",".join(names), comments="")
        found, file = self.init("wide.csv", *self.ROLES)
        self.assertEqual((found["episodes"], file["data"]["layout"], file["horizon"]), (30, "wide", 3))
        own = [f"x{t}_{i}" for t in range(4) for i in range(2)] + [f"u{t}_0" for t in range(3)]
        np.savetxt(self.folder / "own.csv", rows, delimiter=",", header=",".join(own), comments="")
        found, file = self.init("own.csv")
        self.assertEqual((found["episodes"], "data" in file), (30, False))


class Arrays(InitTest):
    def test_axes(self):
        x, u = draw(40, 12)
        orders = {"usual.npz": (0, 1, 2), "matlab.npz": (2, 1, 0)}
        for name, order in orders.items():
            np.savez(self.folder / name, pos=x.transpose(order), force=u.transpose(order))
            found, file = self.init(name, "--states", "pos", "--inputs", "force", "--out", name + ".toml")
            self.assertEqual((found["episodes"], found["longest"], len(found["states"])), (40, 12, 2))
            self.assertEqual(file["data"]["variables"], {"x": "pos", "u": "force"})
            self.assertEqual(self.ok_json("learn", found["problem"], "--rollouts", name)["n"], 40)
        np.save(self.folder / "x.npy", x)
        np.save(self.folder / "u.npy", u)
        found, _ = self.init("x.npy", "u.npy")
        self.assertEqual(found["episodes"], 40)


class Refusals(InitTest):
    def setUp(self):
        super().setUp()
        self.x, self.u = draw(30, 6)
        self.table("logs.csv", self.x, self.u)

    def test_roles(self):
        self.fails(2, "init", "logs.csv", says=["p [m], v [m/s], f [N]", "--states"])
        self.fails(3, "init", "logs.csv", "--states", "p,w", "--inputs", "f", says="no 'w'")
        self.fails(3, "init", "logs.csv", "--states", "p,f", "--inputs", "f", says="a state as well")
        self.fails(3, "init", "logs.csv", "--states", "t", "--inputs", "f", says="constant step")
        self.fails(2, "init", "logs.csv", "--states", "p", "--outputs", "v", "--inputs", "f")
        self.fails(3, "init", "logs.csv", *self.ROLES, "--largest", "q=1", says="largest: found q")
        self.fails(2, "init", "logs.csv", *self.ROLES, "--largest", "p")
        self.fails(2, "init", "logs.csv", *self.ROLES, "--horizon", "x")
        self.fails(3, "init", "logs.csv", *self.ROLES, "--horizon", 7, says="at most 6")

    def test_is_there_already(self):
        self.write("problem.toml", "mine")
        self.fails(2, "init", "logs.csv", *self.ROLES, says="--force")
        self.assertEqual((self.folder / "problem.toml").read_text(), "mine")

    def test_signals(self):
        constant = self.u * 0 + 3
        self.table("still.csv", self.x, constant)
        self.fails(3, "init", "still.csv", *self.ROLES, says=["input f [N]: found nothing but 3", "moves"])
        self.write("words.csv", "k,a,b\n0,1,x\n1,2,y\n2,4,z\n")
        self.fails(3, "init", "words.csv", "--states", "a", "--inputs", "b", says="no numbers")
        self.write("none.csv", "a,b\n1,2\n5,1\n2,2\n")
        self.fails(3, "init", "none.csv", "--states", "a", "--inputs", "b", says="constant step")
        text = (self.folder / "logs.csv").read_text().split("\n")
        self.write("lost.csv", "\n".join(line.partition(",")[2] for line in text[:4] + text[5:7]) + "\n")
        self.fails(3, "init", "lost.csv", *self.ROLES, says=["row 5", "rows are lost"])

    def test_a_model_of_deviations(self):
        """A model that keeps the mean of the logs counts as they do; one that does not, from their mean."""
        self.write("plant.toml", "[system]\nA = [[0.9, 0.2], [-0.1, 0.8]]\nB = [[0.1], [0.5]]\n")
        options = (*self.ROLES, "--model", "plant.toml")
        for around, shifted in ((30, 10, 10), False), ((7, -3, 5), True):  # (I - A) (30, 10) = 10 B
            with self.subTest(around=around):
                self.table("logs.csv", *draw(30, 12, around=around))
                found, file = self.init("logs.csv", *options)
                columns = [*file["data"]["states"], *file["data"]["inputs"]]
                self.assertEqual([isinstance(c, dict) for c in columns], 3 * [shifted])
                self.assertEqual(any("would not keep the mean" in r for r in found["remarks"]), shifted)
                for column, mean in zip(columns, around):
                    if shifted:
                        self.assertAlmostEqual(column["zero"], mean, delta=0.5)
                self.assertNotIn("more than twice as badly", self.run_program(
                    "learn", found["problem"], "--rollouts", "logs.csv", "--method", "lqr").stderr)

    def test_constant_columns_and_words(self):
        self.table("logs.csv", self.x, self.u)
        rows = (self.folder / "logs.csv").read_text().splitlines()
        self.write("more.csv", rows[0] + ",supply [bar],room\n" +
                   "".join(f"{row},21.5,{k % 7}\n" for k, row in enumerate(rows[1:])))
        said = self.ok("init", "more.csv", *self.ROLES)
        self.assertIn("look at   supply [bar]: constant, not used\n", said)
        self.assertIn("look at   room: not used\n", said)
        row = rows[5].split(",")
        self.write("word.csv", "\n".join([*rows[:5], ",".join([*row[:2], "off", *row[3:]]), *rows[6:]]) + "\n")
        self.fails(3, "init", "word.csv", *self.ROLES, "--force", says=["found a field that is no number"])

    def test_whole_numbers_and_others_are_looked_at(self):
        self.table("coarse.csv", np.round(10 * self.x), self.u)
        said = self.ok("init", "coarse.csv", "--states", "p", "--inputs", "f")
        self.assertIn("look at   p [m]: nothing but whole numbers", said)
        self.assertIn("look at   v [m/s]: not used", said)

    def test_columns(self):
        said = self.ok("init", "logs.csv", "--columns")
        for part in (r"run +episode: text, 210 fields", r"t \[s\] +time: 0 to 0.6", r"f \[N\] +-?\d"):
            self.assertRegex(said, part)
        self.assertFalse((self.folder / "problem.toml").exists())
        columns = self.ok_json("init", "logs.csv", "--columns")["columns"]
        self.assertEqual([c["role"] for c in columns], ["episode", "time", "", "", ""])

    def test_names_that_are_no_toml(self):
        """Quotes and backslashes of a header stay what they are."""
        name = 'p"\\n] [m]'
        header = f"run,t [s],{name},v [m/s],f [N]"
        text = (self.folder / "logs.csv").read_text().split("\n")
        self.write("odd.csv", "\n".join([header, *text[1:]]))
        _, file = self.init("odd.csv", "--states", f"{name},v", "--inputs", "f")
        self.assertEqual(file["data"]["states"], [name, "v [m/s]"])


class Dialogue(InitTest):
    def test_a_person_is_asked(self):
        x, u = draw(30, 6)
        self.table("logs.csv", x, u)
        master, slave = pty.openpty()
        with subprocess.Popen([PROGRAM, "init", "logs.csv"], stdin=slave, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, cwd=self.folder, text=True) as process:
            os.write(master, b"p, v\nf\n")
            out, err = process.communicate(timeout=PATIENCE)
        os.close(master)
        os.close(slave)
        self.assertEqual(process.returncode, 0, err)
        self.assertIn("what is measured", err)
        self.assertIn("state     p [m]", out)
        self.assertEqual(tomllib.loads((self.folder / "problem.toml").read_text())["system"]["states"], 2)


if __name__ == "__main__":
    unittest.main()
