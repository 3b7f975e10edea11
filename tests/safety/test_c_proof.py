"""Exported C code leaves no array, computes with nothing undefined and says only what it should.

Every day with gcc and its sanitizers; with clang, cppcheck and Frama-C where they are installed.
tools/prove_c does all of it for more shapes.
"""

import shutil
import unittest

import c_proof
from c_proof import AFTER, BREAKS, CLIPPED, NAMES, QUICK, Code, controller_tree
from program import PROGRAM, ProgramTest

NOTICED = "runtime error|AddressSanitizer"


def needs(program):
    return unittest.skipUnless(shutil.which(program), f"{program} is not installed")


class CProof(ProgramTest):
    def code(self, shape, after="refuse", **options):
        self.count = getattr(self, "count", 0) + 1
        provenance = options.pop("provenance", None)
        return Code(PROGRAM, self.folder / str(self.count), controller_tree(*shape, provenance), after,
                    **options)

    def broken(self, what, shape=(2, 1, 3)):
        return self.code(shape, BREAKS[what][2], clip=what in CLIPPED).broken(what)

    def test_sanitizers(self):
        for shape, after in zip(QUICK, AFTER):
            with self.subTest(shape=shape, after=after):
                for clip in (False, True):
                    code = self.code(shape, after, clip=clip)
                    self.assertEqual(c_proof.warnings(code, "gcc"), "")
                    self.assertEqual(c_proof.sanitizer(code, "gcc"), "")

    def test_sanitizers_notice_every_break(self):
        for what in BREAKS:
            if what == "sum of nothing":
                continue  # no sanitizer looks for that; the compiler does
            with self.subTest(what=what):
                self.assertRegex(c_proof.sanitizer(self.broken(what), "gcc"), NOTICED)
        self.assertIn("uninitialized", c_proof.warnings(self.broken("sum of nothing"), "gcc"))

    def test_comments_stay_comments(self):
        """Hostile names change no token."""
        plain = self.code((2, 1, 3))
        code = self.code((2, 1, 3), provenance=c_proof.hostile_provenance())
        header = (code.folder / "controller.h").read_text()
        self.assertGreater(len(header.splitlines()), 2 * len(NAMES))
        self.assertTrue(header.isascii())
        self.assertEqual(c_proof.warnings(code, "gcc"), "")
        self.assertEqual(c_proof.tokens(code, "gcc"), c_proof.tokens(plain, "gcc"))
        if shutil.which("clang"):
            self.assertEqual(c_proof.tokens(code, "clang"), c_proof.tokens(plain, "clang"))

    def test_a_comment_that_ends_early_is_noticed(self):
        plain, code = self.code((2, 1, 3)), self.code((2, 1, 3))
        header = code.folder / "controller.h"
        header.write_text(header.read_text().replace("plain", "*/ int x; /*"))
        self.assertNotEqual(c_proof.tokens(code, "gcc"), c_proof.tokens(plain, "gcc"))

    def test_too_large_for_an_int(self):
        """On a machine whose int has 16 bits the code does not compile rather than count wrong."""
        code = self.code((12, 4, 30))
        self.assertEqual(code.call("gcc", "-std=c99", "-c", "controller.c").returncode, 0)
        (code.folder / "limits.h").write_text("#define INT_MAX 32767\n")
        done = code.call("gcc", "-std=c99", "-I.", "-c", "controller.c")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("more gains than an int can count", done.stderr)

    def test_gains_at_the_ends_of_the_doubles(self):
        for gain in (5e-324, 2.3e-308, 8e307):
            tree = controller_tree(1, 1, 1)
            tree["K"], tree["k"] = [[gain, 0]], [gain / 4]
            with self.subTest(gain=gain):
                code = Code(PROGRAM, self.folder / str(gain), tree)
                self.assertEqual(c_proof.sanitizer(code, "gcc"), "")
        tree["K"] = [[1.7e308, 0]]
        self.fails(3, "export", self.write("in.json", tree), "--format", "c", "--out", "code",
                   says="K: the gains overflow")

    @needs("clang")
    def test_clang(self):
        for clip in (False, True):
            code = self.code((2, 1, 3), "hold", clip=clip)
            self.assertEqual(c_proof.warnings(code, "clang"), "")
            self.assertEqual(c_proof.sanitizer(code, "clang"), "")
            self.assertEqual(c_proof.clang_analyzer(code), "")
        self.assertEqual(c_proof.clang_analyzer(self.code((1, 1, 1)), bounds=True), "")
        self.assertRegex(c_proof.sanitizer(self.broken("row one too long"), "clang"), NOTICED)
        self.assertNotEqual(c_proof.clang_analyzer(self.broken("sum of nothing")), "")
        self.assertIn("Out of bound", c_proof.clang_analyzer(
            self.broken("reset one too far", (1, 1, 1)), bounds=True))

    @needs("cppcheck")
    def test_cppcheck(self):
        for clip in (False, True):
            self.assertEqual(c_proof.cppcheck(self.code((2, 1, 3), "hold", clip=clip)), "")
        self.assertIn("out of bounds", c_proof.cppcheck(self.broken("reset one too far")))

    @needs("frama-c")
    def test_proof(self):
        for clip in (False, True):
            self.assertEqual(c_proof.prove(self.code((2, 1, 3), "hold", clip=clip)), "")
        for what in ("row one too long", "no start", "step from a state", *CLIPPED):
            with self.subTest(what=what):
                self.assertIn("alarm", c_proof.prove(self.broken(what)))


if __name__ == "__main__":
    unittest.main()
