"""Bad .mat and .h5 files: (what is wrong, content, message)."""

import io
import struct
import zlib

import h5py
import numpy as np
import scipy.io

from bad_data import W


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


def of_class(number):
    """A struct that says it is of another class of MATLAB's."""
    content = bytearray(mat_bytes(w={"a": 1.0}))
    content[144] = number
    return bytes(content)


MAT = [
    ("no byte order mark", GOOD_MAT[:126] + b"XX" + GOOD_MAT[128:], "the byte order mark is missing"),
    ("another version", GOOD_MAT[:124] + b"\x00\x07" + GOOD_MAT[126:], "the header is damaged"),
    ("no element", GOOD_MAT[:128] + b"\x07" + GOOD_MAT[129:], "an element of type 7"),
    ("an object", of_class(3), "an object"), ("a function", of_class(16), "a function"),
    ("an opaque object", of_class(17), "an object"), ("no class", of_class(0), "something else"),
    ("ten other names", mat_bytes(**{f"v{i}": W for i in range(10)}), "v6, v7, v8, v9"),
    ("empty", b"", "the file is empty"), ("text", b"hello\n" * 50, "its mark is missing"),
    ("only a header", GOOD_MAT[:128], "the file contains none"), ("cut header", GOOD_MAT[:60], "w.mat"),
    ("cut", GOOD_MAT[:400], "w.mat"), ("cut at the end", GOOD_MAT[:-9], "w.mat"),
    ("packed and cut", PACKED[:300], "w.mat"), ("another name", mat_bytes(v=W), "no w among v"),
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
def damaged(content, number):
    """The bytes of this number changed: checksums notice."""
    return content.replace(struct.pack("<d", number), bytes(8))


def checked(file):
    file.create_dataset("w", data=W, chunks=(5, 22), fletcher32=True)


def with_byte(content, place, value):
    return content[:place] + bytes([value]) + content[place + 1:]


CHECKED = h5_bytes(checked)
H5 = [
    ("a damaged object", with_byte(CHECKED, 811, 3), "the object is damaged"),
    ("a damaged data set", with_byte(CHECKED, 896, 4), "the data set is damaged"),
    ("a damaged chunk", damaged(CHECKED, W[2, 3]), "values are damaged or missing"),
    ("logical", h5_bytes(lambda f: f.create_dataset("w", data=W > 0)), "not numbers"),
    ("empty", b"", "the file is empty"), ("text", b"hello\n" * 50, "its mark is missing"),
    ("cut", GOOD_H5[:1000], "w.h5"), ("cut at the end", GOOD_H5[:-8], "w.h5"),
    ("only the mark", GOOD_H5[:8], "w.h5"),
    ("another name", h5_bytes(lambda f: f.create_dataset("v", data=W)), "no w among v"),
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
