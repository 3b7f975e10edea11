"""Sphinx settings of the site. tools/docs prepares the pages and calls Sphinx."""

import os
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))
if python_package := os.environ.get("LOOPCERT_PYTHON"):
    sys.path.insert(0, python_package)

project = "loopcert"
project_copyright = ""
version = re.search(r"project\(loopcert\s+VERSION ([\d.]+)",
                    (HERE.parents[1] / "CMakeLists.txt").read_text())[1]
release = version
extensions = ["myst_parser", "breathe", "sphinx.ext.autodoc", "plain_docstrings", "source_order", "katex_math",
              "local_files"]

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4
myst_dmath_double_inline = True
breathe_default_project = "loopcert"
breathe_show_include = False
autodoc_member_order = "bysource"
autodoc_class_signature = "mixed"
autodoc_type_aliases = {name: name for name in ("ArrayLike", "DataLike", "Callback", "PathLike")}
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
add_module_names = False

html_theme = "furo"
html_title = f"loopcert {version}"
html_math_renderer = "katex"
html_static_path = [str(HERE / "static")]
html_css_files = ["katex.css", "site.css"]
html_domain_indices = False
html_show_sphinx = False
html_show_copyright = False
html_copy_source = False
html_show_sourcelink = False
highlight_language = "text"
smartquotes = False  # the prime of v' is no apostrophe
