"""The catalogue of bad inputs: what is wrong, how it is made, what the one line must say.

Each entry is (name, files, command, message parts). `files` maps names to content (bytes, text, or
a JSON tree). All entries must end with exit status 3.
"""

import json

from bad_controllers import CERTIFICATES, CONTROLLERS
from bad_data import CSV, GOOD_NPY, LONG, LONG_CSV, NPY, NPZ, U, X, npy_bytes
from bad_foreign import H5, MAT
from bad_problems import PROBLEMS, TEXTS, edited
from program import WHITE_TREE


def entries():
    """(name, files, command, message parts) of every entry."""
    learn = ("learn", "p.json", "--method", "lqr", "--out", "out")
    for number, (path, value, says) in enumerate(PROBLEMS):
        shown = "nothing" if value is ... else json.dumps(value)[:40]
        yield f"problem {number}: {path} = {shown}", {"p.json": edited(path, value)}, learn, [says]
    for name, content, says in TEXTS:
        yield f"problem {name}", {name: content}, ("learn", name, *learn[2:]), [name, says]
    for extension, group in (("csv", CSV), ("npy", NPY), ("npz", NPZ), ("mat", MAT), ("h5", H5)):
        file = f"w.{extension}"
        for name, content, says in group:
            yield (f".{extension} {name}", {"p.json": WHITE_TREE, file: content},
                   ("learn", "p.json", "--data", file, "--out", "out"), [file, says])
    for name, content, says in LONG_CSV:
        yield (f"long .csv {name}", {"p.json": {**WHITE_TREE, "data": LONG}, "a.csv": content},
               ("learn", "p.json", "--rollouts", "a.csv", "--out", "out"), ["a.csv", says])
    for number, (file, content, says) in enumerate(CONTROLLERS):
        yield (f"controller {number}", {"p.json": WHITE_TREE, file: content},
               ("simulate", "p.json", "--controller", file, "--sample", "3"), [file, says])
    for number, (content, says) in enumerate(CERTIFICATES):
        yield (f"certificate {number}", {"certificate.json": content, "w.npy": GOOD_NPY},
               ("verify", "certificate.json", "--data", "w.npy"), [says])
    for extension in ("csv", "npy", "npz", "mat", "h5", "txt"):
        yield (f"no file .{extension}", {"p.json": WHITE_TREE},
               ("learn", "p.json", "--data", f"none.{extension}", "--out", "out"), ["none."])
    for extension in ("csv", "npy", "npz", "mat", "h5"):
        yield (f"a folder .{extension}", {"p.json": WHITE_TREE, f"w.{extension}/a": ""},
               ("learn", "p.json", "--data", f"w.{extension}", "--out", "out"), [f"w.{extension}"])
    for name, files in (("inputs first", ("u.npy", "x.npy")), ("states alone", ("x.npy",)),
                        ("three files", ("x.npy", "u.npy", "x.npy")), ("swapped", ("x.npy", "x.npy"))):
        yield (f"rollouts {name}", {"p.json": WHITE_TREE, "x.npy": npy_bytes(X),
                                    "u.npy": npy_bytes(U)},
               ("learn", "p.json", "--rollouts", *files, "--out", "out"), [".npy"])
