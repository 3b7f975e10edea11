#!/usr/bin/python3
"""Checks that a room includes only the rooms that cmake/rooms.txt lists for it and that installed headers
include installed ones, that the Python
bindings of a room include that room, those below it and the problem, that plugins include nothing of the
library but what both sides say to each other, device/plugin_api.h, and that the independent checker,
apps/verify, includes nothing of the project or of its numerical libraries, and of itself only folders that
one has read before.

    check_layers.py [root]

Prints one line per breach, `file:line: room X may not include room Y`, and exits with 1.
"""

import pathlib
import re
import sys

# "loopcert/room/header.hpp" is installed, "room/header.hpp" is the library's own.
INCLUDE = re.compile(r'^\s*#\s*include\s*["<](loopcert/)?(?:([^/">]+)/)?[^">]*[">]')

DOOR = "loopcert.hpp"


def read_rooms(path):
    """{room: set of rooms it may include}; a room may list only rooms above it."""
    rooms = {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        line = line.split("#")[0].strip()
        if not line:
            continue
        room, colon, allowed = line.partition(":")
        if not colon:
            raise SystemExit(f"{path}:{number}: expected 'room: rooms', got '{line}'")
        for other in allowed.split():
            if other not in rooms:
                raise SystemExit(f"{path}:{number}: room {room} lists {other}, not a room above it")
        rooms[room] = set(allowed.split())
    return rooms


def check_file(path, room, rooms, root, promised=False):
    for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
        match = INCLUDE.match(line)
        if not match or not match[1] and match[2] not in rooms:
            continue  # a library's header, or one of the room's own folders
        if match[2] != room and match[2] not in rooms[room] and "loopcert/" + DOOR not in line:
            yield (f"{path.relative_to(root)}:{number}: "
                   f"room {room} may not include room {match[2] or '(none)'}")
        if promised and not match[1]:
            yield f"{path.relative_to(root)}:{number}: {match[2]} is not installed, this header is"


def check_tree(root):
    rooms = read_rooms(root / "cmake" / "rooms.txt")
    for base in (root / "include" / "loopcert", root / "src"):
        for path in sorted(base.rglob("*")):
            if path.suffix not in (".hpp", ".cpp", ".h", ".inc"):
                continue
            room = path.relative_to(base).parts[0]
            if room == DOOR:
                continue  # includes what is promised, of every room
            if room not in rooms:
                yield f"{path.relative_to(root)}:1: {room} is not a room of cmake/rooms.txt"
            else:
                yield from check_file(path, room, rooms, root, base.name == "loopcert")


def check_bindings(root):
    """bindings/python/bind_<room>.cpp; a Problem is what Python hands over in every room."""
    rooms = read_rooms(root / "cmake" / "rooms.txt")
    for path in sorted((root / "bindings" / "python").glob("bind_*.cpp")):
        room = path.stem.partition("_")[2]
        if room not in rooms:
            yield f"{path.relative_to(root)}:1: {room} is not a room of cmake/rooms.txt"
            continue
        allowed = {**rooms, room: rooms[room] | {"core", "problem", *rooms["problem"]}}
        yield from check_file(path, room, allowed, root)


def check_plugins(root):
    """plugins/<name>: its own folder, steps/, the door, and of other libraries its device's."""
    base = root / "plugins"
    for path in sorted(base.rglob("*")):
        if path.suffix not in (".hpp", ".cpp", ".cu"):
            continue
        own_folder = path.relative_to(base).parts[0]
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
            match = ANY_INCLUDE.match(line)
            own, library = match.groups() if match else (None, None)
            if own and own != PLUGIN_DOOR and not (
                    ("/" not in own and (base / own_folder / own).is_file())
                    or (own.startswith("steps/") and (base / own).is_file())):
                yield f"{path.relative_to(root)}:{number}: a plugin may not include {own}"
            if library and re.search("[./]", library) and library not in PLUGIN_INCLUDES.get(own_folder, ()):
                yield f"{path.relative_to(root)}:{number}: {own_folder} may not include {library}"


PLUGIN_DOOR = "device/plugin_api.h"
# steps/ runs on every device.
PLUGIN_INCLUDES = {"cuda": ("cublas_v2.h", "cuda_runtime.h")}


# What apps/verify may include besides its own headers and the standard library.
# sys/time.h and unistd.h: the limit on its time.
CHECKER_INCLUDES = {"acb_calc.h", "acb_hypgeom.h", "arb.h", "arb_mat.h", "arb_hypgeom.h",
                    "nlohmann/json.hpp", "openssl/sha.h",
                    "sys/time.h", "unistd.h"}
# Its folders, in the order in which a reviewer reads them.
CHECKER_FOLDERS = ["balls", "formats", "loop", "lemmas", "kinds", "portfolio", "verdict"]
ANY_INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]*)"|<([^>]*)>)')


def check_checker(root):
    base = root / "apps" / "verify"
    for path in sorted(base.rglob("*.?pp")):
        folder = path.relative_to(base).parts[0]
        known = CHECKER_FOLDERS[:CHECKER_FOLDERS.index(folder) + 1] if folder in CHECKER_FOLDERS else (
            CHECKER_FOLDERS)
        if folder not in [*CHECKER_FOLDERS, path.name]:
            yield f"{path.relative_to(root)}:1: {folder} is not a folder of the checker"
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
            match = ANY_INCLUDE.match(line)
            if not match:
                continue
            own, library = match.groups()
            if own is not None and (own.split("/")[0] not in known or not (base / own).is_file()):
                yield f"{path.relative_to(root)}:{number}: the checker may not include {own}"
            # Names without a dot or a slash are the standard library's.
            if library and re.search("[./]", library) and library not in CHECKER_INCLUDES:
                yield f"{path.relative_to(root)}:{number}: the checker may not include {library}"


def main():
    here = pathlib.Path(__file__).resolve().parent.parent
    root = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else here
    breaches = [*check_tree(root), *check_bindings(root), *check_plugins(root), *check_checker(root)]
    for breach in breaches:
        print(breach, file=sys.stderr)
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
