"""The type stubs say what the compiled module has, no more and no less; everything has words."""

import ast
import inspect
import unittest
from pathlib import Path

import loopcert as lc
from loopcert import _core

STUB = ast.parse(Path(lc.__file__).with_name("_core.pyi").read_text())


def public(names):
    return {n for n in names if not n.startswith("_") or n == "_repr_html_"}


class Stubs(unittest.TestCase):
    def setUp(self):
        self.classes = {n.name: n for n in STUB.body if isinstance(n, ast.ClassDef)}
        self.functions = {n.name: n for n in STUB.body if isinstance(n, ast.FunctionDef)}

    def test_names(self):
        found = {name for name in public(vars(_core))}
        self.assertEqual(found, public(self.classes) | public(self.functions))

    def test_members(self):
        for name, node in self.classes.items():
            if issubclass(getattr(_core, name), Exception):
                continue
            stubbed = {n.name for n in node.body if isinstance(n, ast.FunctionDef)}
            self.assertEqual(public(stubbed), public(vars(getattr(_core, name))), name)

    def test_arguments(self):
        """pybind11 writes a function's arguments into the first line of its docstring."""
        for name, node in self.functions.items():
            first = getattr(_core, name).__doc__.splitlines()[0]
            inside = first[first.index("(") + 1 : first.rindex(") ->")]
            found = [part.split(":")[0].strip() for part in _top_level(inside)]
            arguments = [a.arg for a in node.args.args + node.args.kwonlyargs]
            self.assertEqual(found, arguments, name)

    def test_everything_public_is_explained(self):
        for name in lc.__all__:
            item = getattr(lc, name)
            if name == "__version__":
                continue
            self.assertTrue(inspect.getdoc(item), name)
            for member, value in vars(item).items() if inspect.isclass(item) else ():
                if inspect.isfunction(value) and not member.startswith("_"):
                    self.assertTrue(inspect.getdoc(value) or member == "to_dict", (name, member))


def _top_level(text):
    """Parts of an argument list between commas that are inside no bracket."""
    parts, depth, part = [], 0, ""
    for letter in text:
        depth += (letter in "[({") - (letter in "])}")
        if letter == "," and depth == 0:
            parts.append(part)
            part = ""
        else:
            part += letter
    return [p for p in parts + [part] if p.strip()]


if __name__ == "__main__":
    unittest.main()
