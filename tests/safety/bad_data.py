"""Bad .csv, .npy and .npz files: (what is wrong, content, message)."""

import io
import struct
import zipfile
import zlib

import numpy as np

W = np.random.RandomState(3).normal(size=(5, 22))
X = np.random.RandomState(4).normal(size=(5, 11, 2))
U = np.random.RandomState(5).normal(size=(5, 10, 1))


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
    ("two decimal signs", csv_text(NAMES, ROWS).replace(",", ";").replace(".", ",", 1),
     "in every number"),
    ("UTF-16", "x0_0".encode("utf-16"), "UTF-16"),
    ("blank row", csv_text(NAMES, ROWS[:2]) + "\n" + csv_text(ROWS[2], ROWS[3:]), "the row is empty"),
    ("no line end", csv_text(NAMES, ROWS)[:-1], "the file is truncated: no line end"),
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
    ("twice", csv_text(LONG_NAMES + ["vel"], [r + ["1"] for r in long_rows()]), "occurs twice"),
    ("a row lost", long_csv(lambda rows: rows.pop(4)), "a lost or repeated row"),
    ("a row twice", long_csv(lambda rows: rows.insert(4, rows[4])), "a lost or repeated row"),
    ("a step that is no number", long_csv(put(3, 1, "three")), "row 5, column 2 (k)"),
    ("a label missing", long_csv(put(0, 0, "")), "the label of an episode"),
    ("a label again", long_csv(put(32, 0, "r0")), "must follow each other"),
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
    ("no entries and axes that wrap", npy_header(SHAPED % "(0, 4611686018427387904, 4)"), "w.npy"),
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
    ("no array w", npz_bytes(v_npy=GOOD_NPY), "variables: no w among v"),
    ("another ending", npz_bytes(w_npy_npy=GOOD_NPY), "variables: no w among w.npy"),
    ("no member", npz_bytes(), "the file contains none"), ("a folder up", npz_bytes(**{"..__w_npy": GOOD_NPY}),
                                               ".."),
    ("a path", npz_bytes(a__w_npy=GOOD_NPY), "w.npz"), ("not an array", npz_bytes(w_npy=b"hi"),
                                                        "npy start"),
    ("a changed byte", GOOD_NPZ[:300] + b"!" + GOOD_NPZ[301:], "checksum"),
    ("encrypted", GOOD_NPZ[:6] + b"\x01" + GOOD_NPZ[7:], "w.npz"),
    ("expands without end", bomb_npz(), "w.npz"),
    ("bzip2", npz_bytes(zipfile.ZIP_BZIP2, w_npy=GOOD_NPY), "w.npz"),
    ("objects", npz_bytes(w_npy=npy_bytes(np.array([[None] * 22]), allow_pickle=True)), "|O"),
    ("nan", npz_bytes(w_npy=npy_bytes(np.full((5, 22), np.nan))), "nan"),
    ("a comment", GOOD_NPZ[:-2] + b"\x02\x00hi", "zip end"),
]
