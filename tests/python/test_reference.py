"""The reference names everything that the package gives, and nothing else."""

import re
import unittest

from support import SOURCE

import loopcert as lc


class Reference(unittest.TestCase):
    def test_names(self):
        text = (SOURCE / "docs/api/python.md").read_text()
        named = re.findall(r"^\.\. auto\w+:: loopcert\.(\w+)", text, re.M)
        self.assertEqual(len(set(named)), len(named))
        self.assertEqual(set(named), set(lc.__all__) - {"__version__"})


if __name__ == "__main__":
    unittest.main()
