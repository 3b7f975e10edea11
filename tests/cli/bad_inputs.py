"""The catalogue of bad inputs: what is wrong, how it is made, what the one line must say.

Each entry is (name, files, command, message parts). `files` maps names to content (bytes, text, or
a JSON tree). All entries must end with exit status 3.
"""

import copy
import io
import json
import struct
import zipfile
import zlib

import h5py
import numpy as np
import scipy.io

from program import WHITE_TREE

W = np.random.RandomState(3).normal(size=(5, 22))
X = np.random.RandomState(4).normal(size=(5, 11, 2))
U = np.random.RandomState(5).normal(size=(5, 10, 1))


# --- problems: one edit away from a good one ------------------------------------------------------

def edited(path, value):
    """The good tree with the value at "section.key" replaced, or removed when it is `...`."""
    tree = copy.deepcopy(WHITE_TREE)
    *sections, key = path.split(".")
    at = tree
    for section in sections:
        at = at.setdefault(section, {})
    if value is ...:
        del at[key]
    else:
        at[key] = value
    return tree


PROBLEMS = [
    ("horizon", ..., "found nothing"), ("horizon", 0, "at least 1"), ("horizon", -3, "at least 1"),
    ("horizon", 2.5, "an integer"), ("horizon", "ten", "an integer"), ("horizon", True, "integer"),
    ("horizon", 10**9, "needs about"), ("horizon", 2**63, "integer"), ("name", 3, "a text"),
    ("horizn", 3, "did you mean 'horizon'?"), ("system", [], "a table"),
    ("system.A", ..., "a matrix"), ("system.A", 1, "list"), ("system.A", [], "empty"),
    ("system.A", [[1, 1], [0]], "system.A"), ("system.A", [[1, 1]], "system.A"),
    ("system.A", [[1, "x"], [0, 1]], "a number"), ("system.A", [[1, None], [0, 1]], "a number"),
    ("system.A", [[[1, 1], [0, 1]]] * 3, "10"), ("system.B", [[0.5], [1], [2]], "B"),
    ("system.B", [[], []], "B"), ("system.d", [1, 2, 3], "d"), ("system.d", "none", "d"),
    ("system.C", 1, "unknown key"), ("cost.Q", ..., "found nothing"), ("cost.Q", [-1, 0.1], "Q"),
    ("cost.Q", [[1, 2], [0, 1]], "Q"), ("cost.Q", [1, 2, 3], "Q"), ("cost.R", [0], "R"),
    ("cost.R", [-1], "R"), ("cost.R", [[1, 0], [0, 1]], "R"), ("cost.P", [[1]], "P"),
    ("cost.weights", 1, "unknown key"), ("response.affine", 1, "true or false"),
    ("response.start", "minnorm", "did you mean 'min-norm'?"), ("response.basis", 3, "one of"),
    ("disturbance.model", "gausian", "did you mean 'gaussian'?"),
    ("disturbance.scale_bound", 0, "positive"), ("disturbance.scale_bound", -1, "positive"),
    ("disturbance.scale_bound", "0,1", "a number"), ("disturbance.radius", 0, "positive"),
    ("disturbance.white", "yes", "true or false"), ("disturbance.kurtosis", 0.5, "kurtosis"),
    ("disturbance.covariance", [1, 2], "(T + 1) n_x"), ("disturbance.covariance", -1, "covariance"),
    ("disturbance.covariance", {"ar1": 2, "variance": 1}, "ar1"),
    ("disturbance.covariance", {"x0": 1}, "found nothing"),
    ("disturbance.mean", [1, 2, 3], "(T + 1) n_x"), ("disturbance.distribution", "cauchy", "one of"),
    ("disturbance.covarance", 1, "did you mean 'covariance'?"),
    ("learning.method", "auot", "did you mean 'auto'?"), ("learning.gamma", 0, "positive"),
    ("learning.gamma", "vc", "cv"), ("learning.prior", 3, "a table"),
    ("learning.prior", {"center": "zero"}, "one of"), ("learning.prior", {"scale": -1}, "positive"),
    ("learning.prior", {"fraction": 1.5}, "fraction"),
    ("certificate.kind", "tight", "kind"), ("certificate.delta", 0, "delta"),
    ("certificate.delta", 1, "delta"), ("certificate.delta", {"pac_bayes": 2}, "delta"),
    ("certificate.folds", 1, "folds"), ("certificate.fraction", 0, "fraction"),
    ("data.states", ["a"], "found a list of 1, expected 2 = n_x"), ("data.states", "a", "a list"),
    ("data.states", ["a", "a"], "another column"), ("data.states", ["a", ""], "a name"),
    ("data.states", ["a", {"column": "b", "factor": 0}], "other than 0"),
    ("data.states", ["a", {"name": "b"}], "unknown key"), ("data.inputs", ["a", "b"], "n_u"),
    ("data.disturbances", ["a"], "n_x"), ("data.layout", "tall", "one of wide, long"),
    ("data.layout", "long", "neither step nor time"), ("data.episode", "run", "long"),
    ("data.pattern", "{name}", "{step}"), ("data.axes", ["step", "episode"], "in the order"),
    ("data.axes", ["episode", "step", "steps"], "did you mean 'step'?"),
    ("data.axes", ["step", "step", "component"], "in the order"), ("data.axes", [], "in the order"),
    ("data.variables", {"y": "a"}, "unknown key"), ("data.variables", {"x": 3}, "a text"),
    ("data.longer", "cut", "one of refuse, first, windows"), ("data.gap", 3, "windows"),
    ("data.gap", -1, "at least 0"), ("data.repeated", True, "one of"),
    ("data.last_input", "yes", "true or false"), ("data.colums", 1, "unknown key"),
    ("data.period", 0.1, "long"),
]

TEXTS = [
    ("empty.toml", "", "found nothing"), ("cut.toml", "horizon = [1, 2", "cut.toml"),
    ("twice.toml", "horizon = 3\nhorizon = 4\n", "twice.toml"),
    ("date.toml", "horizon = 2020-01-01\n", "date.toml"),
    ("bytes.toml", b"horizon = 3\n\xff = 1\n", "bytes.toml"),
    ("nul.toml", b"horizon = 3\n\0\n", "nul.toml"),
    ("deep.toml", "a = " + "[" * 100 + "]" * 100 + "\n", "deep.toml"),
    ("list.json", "[1, 2]", "a table"), ("cut.json", "{\"horizon\": 3", "cut.json"),
    ("deep.json", "[" * 5000 + "]" * 5000, "deep.json"),
    ("nan.json", "{\"horizon\": NaN}", "nan.json"), ("problem.yaml", "horizon: 3\n", "extension"),
    ("twice.json", "{\"horizon\": 3, \"horizon\": 4}", "twice.json"),
]


# --- data -----------------------------------------------------------------------------------------

def csv_text(header, rows, end="\n"):
    return end.join([",".join(header), *(",".join(map(str, row)) for row in rows)]) + end


NAMES = [f"x0_{i}" for i in range(2)] + [f"w{t}_{i}" for t in range(10) for i in range(2)]
ROWS = [[repr(v) for v in row] for row in W.tolist()]


def changed(row, column, text):
    rows = [list(r) for r in ROWS]
    rows[row][column] = text
    return csv_text(NAMES, rows)


CSV = [
    ("empty", "", "row 1"), ("only a header", csv_text(NAMES, []), "rows: found 0"),
    ("no header", csv_text(ROWS[0], ROWS[1:]), "numbers in the header row"),
    ("nan", changed(1, 3, "nan"), "row 3, column 4 (w0_1)"), ("inf", changed(1, 3, "-inf"), "row 3"),
    ("empty field", changed(2, 0, ""), "an empty field"), ("text", changed(0, 21, "off"), "'off'"),
    ("overflow", changed(0, 1, "1e999"), "row 2"), ("hex", changed(0, 1, "0x10"), "row 2"),
    ("two points", changed(0, 1, "1.2.3"), "row 2"), ("blank inside", changed(0, 1, "1 2"), "row 2"),
    ("ragged, short", csv_text(NAMES, [ROWS[0], ROWS[1][:-1]]), "row 3: found 21 fields"),
    ("ragged, long", csv_text(NAMES, [ROWS[0], ROWS[1] + ["1"]]), "row 3: found 23 fields"),
    ("decimal commas", csv_text(NAMES, [[v.replace(".", ",") for v in ROWS[0]]]), "decimal commas"),
    ("semicolons", csv_text(NAMES, ROWS).replace(",", ";"), "';'"),
    ("tabs", csv_text(NAMES, ROWS).replace(",", "\t"), "separated by"),
    ("blank row", csv_text(NAMES, ROWS[:2]) + "\n" + csv_text(ROWS[2], ROWS[3:]), "an empty row"),
    ("no line end", csv_text(NAMES, ROWS)[:-1], "no line end"),
    ("cut in a number", csv_text(NAMES, ROWS)[:-5], "no line end"),
    ("utf-16", csv_text(NAMES, ROWS).encode("utf-16"), "row 1"),
    ("BOM and then nothing", b"\xef\xbb\xbf", "row 1"), ("zero bytes", b"\0" * 64, "row 1"),
    ("out of order", csv_text(NAMES[1::-1] + NAMES[2:], ROWS), "out of order"),
    ("old Mac line ends", csv_text(NAMES, ROWS, end="\r"), "row 1"),
    ("too few columns", csv_text(NAMES[:-2], [r[:-2] for r in ROWS]), "shape"),
    ("a name missing", csv_text([""] + NAMES[1:], ROWS), "no name"),
    ("a control character", csv_text(["x\x01"] + NAMES[1:], ROWS), "control"),
    ("repeated", csv_text(NAMES, ROWS + ROWS[:1]), "equal in every number"),
]

LONG = {"layout": "long", "episode": "run", "step": "k", "states": ["pos [m]", "vel"],
        "inputs": ["force"]}
LONG_NAMES = ["run", "k", "pos [m]", "vel", "force"]


def long_rows():
    return [[f"r{i}", str(t), *map(repr, X[i, t].tolist()),
             repr(float(U[i, t, 0])) if t < 10 else ""] for i in range(3) for t in range(11)]


def long_csv(edit=None, names=LONG_NAMES):
    rows = long_rows()
    if edit:
        edit(rows)
    return csv_text(names, rows)


def put(row, column, text):
    return lambda rows: rows[row].__setitem__(column, text)


LONG_CSV = [
    ("a column missing", long_csv(names=["run", "k", "pos [m]", "speed", "force"]), "no column 'vel'"),
    ("misspelt column", long_csv(names=["run", "k", "pos [m]", "vel", "forse"]),
     "did you mean 'forse'?"),
    ("another unit", long_csv(names=["run", "k", "pos [ft]", "vel", "force"]), "the unit 'ft'"),
    ("a name twice", long_csv(names=["run", "k", "vel", "vel", "force"]), "no column 'pos'"),
    ("twice", csv_text(LONG_NAMES + ["vel"], [r + ["1"] for r in long_rows()]), "a second time"),
    ("a row lost", long_csv(lambda rows: rows.pop(4)), "a lost or repeated row"),
    ("a row twice", long_csv(lambda rows: rows.insert(4, rows[4])), "a lost or repeated row"),
    ("a step that is no number", long_csv(put(3, 1, "three")), "row 5, column 2 (k)"),
    ("a label missing", long_csv(put(0, 0, "")), "the label of an episode"),
    ("a label again", long_csv(put(32, 0, "r0")), "to follow each other"),
    ("an episode too short", long_csv(lambda rows: rows.pop()), "9 steps, expected 10"),
    ("an episode too long", long_csv(lambda rows: (rows[-1].__setitem__(4, "1"),
                                                   rows.append(["r2", "11", "1", "1", "1"]))),
     "11 steps, expected 10"),
    ("an input missing", long_csv(put(3, 4, "")), "row 5, column 5 (force)"),
    ("a state missing", long_csv(put(10, 2, "")), "an empty field"),
    ("a state that is nan", long_csv(put(10, 2, "NaN")), "'NaN'"),
    ("ragged", long_csv(lambda rows: rows[5].pop()), "row 7: found 4 fields"),
]


def npy_header(text, version=(1, 0), data=b""):
    head = text.encode("latin1")
    size = struct.pack("<H" if version[0] == 1 else "<I", len(head))
    return b"\x93NUMPY" + bytes(version) + size + head + data


def npy_bytes(array, **options):
    buffer = io.BytesIO()
    np.save(buffer, array, **options)
    return buffer.getvalue()


GOOD_NPY = npy_bytes(W)
SHAPED = "{'descr': '<f8', 'fortran_order': False, 'shape': %s, }\n"
NPY = [
    ("empty", b"", "npy start"), ("text", b"1,2,3\n", "npy start"),
    ("no header", GOOD_NPY[:8], "truncated"), ("cut header", GOOD_NPY[:60], "truncated"),
    ("cut data", GOOD_NPY[:-1], "truncated"), ("more data", GOOD_NPY + b"\0", "w.npy"),
    ("version 9", b"\x93NUMPY\x09\x00" + GOOD_NPY[8:], "version"),
    ("8 TiB declared", npy_header(SHAPED % "(1099511627776, 22)"), "truncated"),
    ("a product that wraps", npy_header(SHAPED % "(4294967296, 4294967296)"), "truncated"),
    ("negative", npy_header(SHAPED % "(-1, 22)"), "w.npy"),
    ("objects", npy_bytes(np.array([[None] * 22]), allow_pickle=True), "|O"),
    ("complex", npy_bytes(W.astype(complex)), "<c16"), ("texts", npy_bytes(W.astype(str)), "<U"),
    ("half precision", npy_bytes(W.astype("f2")), "<f2"), ("bool", npy_bytes(W > 0), "|b1"),
    ("records", npy_bytes(np.zeros(3, dtype="f8,f8")), "w.npy"),
    ("nan", npy_bytes(np.where(W == W[2, 7], np.nan, W)), "nan"),
    ("inf", npy_bytes(np.where(W == W[2, 7], np.inf, W)), "inf"),
    ("no axes", npy_bytes(np.float64(3)), "w.npy"), ("one axis", npy_bytes(W[0]), "1 axis"),
    ("four axes", npy_bytes(W.reshape(5, 11, 2, 1)), "w.npy"),
    ("transposed", npy_bytes(W.T), "step x component x episode"),
    ("other sizes", npy_bytes(W[:, :20]), "expected n x 22"),
    ("square", npy_bytes(np.arange(484.0).reshape(22, 22)), "data.axes to say which"),
    ("no rows", npy_bytes(W[:0]), "rows: found 0"),
    ("code in the header", npy_header("{'descr': __import__('os'), 'shape': (1,)}\n"), "w.npy"),
    ("a header of 4 GiB", b"\x93NUMPY\x02\x00\xff\xff\xff\xff", "header length"),
    ("repeated", npy_bytes(np.concatenate([W, W[3:]])), "trajectories 4 and 6 equal"),
]


def npz_bytes(compress=zipfile.ZIP_STORED, **members):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compress) as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__", "/").replace("_npy", ".npy"), content)
    return buffer.getvalue()


GOOD_NPZ = npz_bytes(w_npy=GOOD_NPY)


def bomb_npz():
    """One gigabyte of zeros in a megabyte, declared honestly: more values than the shape has."""
    zeros = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = zeros.compress(bytes(1 << 26)) + zeros.flush()
    name = b"w.npy"
    size = 128 + (1 << 50)
    local = struct.pack("<4sHHHHHIIIHH", b"PK\3\4", 20, 0, 8, 0, 33, 0, len(packed),
                        size & 0xffffffff, len(name), 0) + name + packed
    entry = struct.pack("<4sHHHHHHIIIHHHHHII", b"PK\1\2", 20, 20, 0, 8, 0, 33, 0, len(packed),
                        0xfffffff0, len(name), 0, 0, 0, 0, 0, 0) + name
    end = struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, 1, 1, len(entry), len(local), 0)
    return local + entry + end


NPZ = [
    ("empty", b"", "zip end"), ("cut", GOOD_NPZ[:-1], "zip end"),
    ("cut in the middle", GOOD_NPZ[:400], "zip end"), ("text", b"x" * 200, "zip end"),
    ("no array w", npz_bytes(v_npy=GOOD_NPY), "arrays: found v, expected w"),
    ("no member", npz_bytes(), "found none"), ("a folder up", npz_bytes(**{"..__w_npy": GOOD_NPY}),
                                               ".."),
    ("a path", npz_bytes(a__w_npy=GOOD_NPY), "w.npz"), ("not an array", npz_bytes(w_npy=b"hi"),
                                                        "npy start"),
    ("a changed byte", GOOD_NPZ[:300] + b"!" + GOOD_NPZ[301:], "crc"),
    ("encrypted", GOOD_NPZ[:6] + b"\x01" + GOOD_NPZ[7:], "w.npz"),
    ("expands without end", bomb_npz(), "w.npz"),
    ("bzip2", npz_bytes(zipfile.ZIP_BZIP2, w_npy=GOOD_NPY), "w.npz"),
    ("objects", npz_bytes(w_npy=npy_bytes(np.array([[None] * 22]), allow_pickle=True)), "|O"),
    ("nan", npz_bytes(w_npy=npy_bytes(np.full((5, 22), np.nan))), "nan"),
    ("a comment", GOOD_NPZ[:-2] + b"\x02\x00hi", "zip end"),
]


def mat_bytes(**variables):
    buffer = io.BytesIO()
    scipy.io.savemat(buffer, variables)
    return buffer.getvalue()


GOOD_MAT = mat_bytes(w=W)
PACKED = io.BytesIO()
scipy.io.savemat(PACKED, {"w": W}, do_compression=True)
PACKED = PACKED.getvalue()


def mat_bomb():
    """A compressed element of 64 MiB of zeros that claims to be a matrix of 2^31 numbers."""
    body = struct.pack("<IIIIIIIIIIII", 14, 0xfffffff0, 6, 8, 6, 0, 5, 8, 1 << 16, 1 << 16, 1, 1)
    body += b"w\0\0\0\0\0\0\0" + struct.pack("<II", 9, 0x7ffffff8) + bytes(1 << 26)
    packed = zlib.compress(body, 9)
    return GOOD_MAT[:128] + struct.pack("<II", 15, len(packed)) + packed


def matlab73(tamper):
    buffer = io.BytesIO()
    with h5py.File(buffer, "w", userblock_size=512) as file:
        tamper(file)
    block = b"MATLAB 7.3 MAT-file, Platform: test".ljust(124, b" ") + b"\x00\x02IM"
    return block + buffer.getvalue()[len(block):]


def sparse73(file):
    file["w"] = W.T
    file["w"].attrs["MATLAB_sparse"] = 3


def empty73(file):
    file["w"] = np.zeros(2, dtype="u8")
    file["w"].attrs["MATLAB_empty"] = 1


def text73(file):
    file["w"] = np.zeros((3, 1), dtype="u2")
    file["w"].attrs["MATLAB_int_decode"] = 2


MAT = [
    ("empty", b"", "an empty file"), ("text", b"hello\n" * 50, "no mark"),
    ("only a header", GOOD_MAT[:128], "found none"), ("cut header", GOOD_MAT[:60], "w.mat"),
    ("cut", GOOD_MAT[:400], "w.mat"), ("cut at the end", GOOD_MAT[:-9], "w.mat"),
    ("packed and cut", PACKED[:300], "w.mat"), ("another name", mat_bytes(v=W), "variables v"),
    ("a struct", mat_bytes(w={"a": 1.0}), "a struct"),
    ("a cell array", mat_bytes(w=np.array([1, "a"], dtype=object)), "a cell array"),
    ("text in it", mat_bytes(w="hello"), "text"), ("complex", mat_bytes(w=W * 1j), "complex"),
    ("logical", mat_bytes(w=W > 0), "logical"),
    ("sparse", mat_bytes(w=scipy.sparse.csc_matrix(W)), "a sparse matrix"),
    ("four axes", mat_bytes(w=W.reshape(5, 11, 2, 1).repeat(2, 3)), "4 axes"),
    ("nan", mat_bytes(w=np.full((5, 22), np.nan)), "w: "),
    ("transposed", mat_bytes(w=W.T), "step x component x episode"),
    ("no entries", mat_bytes(w=np.zeros((0, 22))), "w.mat"),
    ("a size that lies", GOOD_MAT.replace(struct.pack("<II", 5, 22),
                                          struct.pack("<II", 1 << 30, 1 << 30)), "w.mat"),
    ("expands without end", mat_bomb(), "w.mat"),
    ("7.3, cut", matlab73(lambda f: f.create_dataset("w", data=W.T))[:900], "w.mat"),
    ("7.3, sparse", matlab73(sparse73), "sparse"), ("7.3, no entries", matlab73(empty73), "empty"),
    ("7.3, text", matlab73(text73), "text or logical"),
    ("7.3, a struct", matlab73(lambda f: f.create_group("w")), "a struct"),
]


def h5_bytes(build):
    buffer = io.BytesIO()
    with h5py.File(buffer, "w") as file:
        build(file)
    return buffer.getvalue()


def virtual(file):
    layout = h5py.VirtualLayout(shape=(5, 22), dtype="f8")
    layout[:] = h5py.VirtualSource("other.h5", "w", shape=(5, 22))
    file.create_virtual_dataset("w", layout)


def external_storage(file):
    file.create_dataset("w", (5, 22), "f8", external=[("/etc/passwd", 0, 880)])


def huge(file):
    file.create_dataset("w", (1 << 40, 22), "f8", chunks=(1024, 22))


def plain(file):
    file["w"] = W


GOOD_H5 = h5_bytes(plain)
H5 = [
    ("empty", b"", "an empty file"), ("text", b"hello\n" * 50, "no mark"),
    ("cut", GOOD_H5[:1000], "w.h5"), ("cut at the end", GOOD_H5[:-8], "w.h5"),
    ("only the mark", GOOD_H5[:8], "w.h5"),
    ("another name", h5_bytes(lambda f: f.create_dataset("v", data=W)), "variables v"),
    ("nothing", h5_bytes(lambda f: None), "none"),
    ("a group", h5_bytes(lambda f: f.create_group("w")), "a group"),
    ("another file", h5_bytes(lambda f: f.__setitem__("w", h5py.ExternalLink("a.h5", "w"))),
     "a link to elsewhere"),
    ("a soft link", h5_bytes(lambda f: f.__setitem__("w", h5py.SoftLink("/v"))), "a link"),
    ("values in other files", h5_bytes(virtual), "other files"),
    ("values in a system file", h5_bytes(external_storage), "other files"),
    ("176 TB declared", h5_bytes(huge), "at most"),
    ("texts", h5_bytes(lambda f: f.create_dataset("w", data=["a", "b"])), "text"),
    ("records", h5_bytes(lambda f: f.create_dataset("w", data=np.zeros(3, dtype="f8,f8"))),
     "records"),
    ("complex", h5_bytes(lambda f: f.create_dataset("w", data=W * 1j)), "complex"),
    ("four axes", h5_bytes(lambda f: f.create_dataset("w", data=W.reshape(5, 11, 2, 1))), "4 axes"),
    ("no axes", h5_bytes(lambda f: f.create_dataset("w", data=3.0)), "0 axes"),
    ("nan", h5_bytes(lambda f: f.create_dataset("w", data=np.full((5, 22), np.nan))), "w: "),
    ("transposed", h5_bytes(lambda f: f.create_dataset("w", data=W.T)), "component x episode"),
]


# --- controllers and certificates -----------------------------------------------------------------

CONTROLLER = {"format": "loopcert controller 1", "horizon": 10, "n_x": 2, "n_u": 1,
              "K": [[0.0] * 22 for _ in range(10)], "k": [0.0] * 10}


def controller(**changes):
    tree = copy.deepcopy(CONTROLLER)
    for key, value in changes.items():
        if value is ...:
            del tree[key]
        else:
            tree[key] = value
    return json.dumps(tree)


LATER = [[0.0] * 22 for _ in range(10)]
LATER[0][2] = 1.0
ARRAYS = {"K": np.zeros((10, 22)), "k": np.zeros(10), "horizon": np.array([10.0]),
          "n_x": np.array([2.0]), "n_u": np.array([1.0])}


def arrays(**changes):
    buffer = io.BytesIO()
    np.savez(buffer, **{key: value for key, value in {**ARRAYS, **changes}.items()
                        if value is not ...})
    return buffer.getvalue()


CONTROLLERS = [
    ("c.json", "", "no valid JSON"), ("c.json", "{}", "format"), ("c.json", "[]", "an object"),
    ("c.json", controller(format="loopcert controller 9"), "loopcert controller 1"),
    ("c.json", controller(horizon=0), "horizon"), ("c.json", controller(horizon=1e9), "horizon"),
    ("c.json", controller(horizon=9), "K"), ("c.json", controller(K=...), "K"),
    ("c.json", controller(K=[[0.0] * 21 for _ in range(10)]), "K[0]"),
    ("c.json", controller(K=LATER), "later state"), ("c.json", controller(k=[0.0] * 9), "k"),
    ("c.json", controller(k=["a"] * 10), "k[0]"), ("c.json", controller(provenance=3), "provenance"),
    ("c.json", controller(learned_from=["xyz"]), "16 hexadecimal digits"),
    ("c.json", controller(learned_from="all"), "a list"), ("c.json", controller()[:300], "JSON"),
    ("c.json", controller().replace("0.0", "1e999", 1), "c.json"),
    ("c.npz", arrays(K=...), "K: found nothing"), ("c.npz", arrays(K=np.zeros((3, 3))), "K"),
    ("c.npz", arrays(horizon=np.array([2.5])), "horizon"), ("c.npz", b"hello", "zip end"),
    ("c.npz", arrays(n_x=np.array([1.0, 2.0])), "n_x"), ("c.npz", arrays(n_u=np.array([0.0])), "n_u"),
    ("c.npz", arrays(learned_from=np.array([[0.5, 1.0]])), "learned_from"),
    ("c.npz", arrays(K=np.array(LATER)), "later state"), ("c.mat", GOOD_MAT, "variables w"),
]

CERTIFICATES = [
    ("", "no valid JSON"), ("{}", "format"), ("[]", "certificate.json"),
    ('{"format": "loopcert certificate 1"}', "certificate.json"),
    ('{"format": "loopcert certificate 7"}', "format"), ("{\"format\": 3", "JSON"),
]


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
