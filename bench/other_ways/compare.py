"""All comparisons of bench/alternatives: tables and JSON."""

import json
import os

import numpy
import scipy

from compare_controllers import compare_erm, compare_lqr
from compare_learning import compare_evaluations, compare_learning
from reference import Reference


def loaded_blas():
    """The file names of the BLAS libraries in this process."""
    with open("/proc/self/maps") as maps:
        paths = {line.split()[-1] for line in maps}
    names = {os.path.basename(os.path.realpath(path)) for path in paths}
    return sorted(name for name in names if name.startswith(("libblas.", "libopenblas", "libmkl")))


def run(program, output, quick):
    about = {"numpy": numpy.__version__, "scipy": scipy.__version__, "blas": loaded_blas(),
             "load": os.getloadavg()[0]}
    print(f"NumPy {about['numpy']}, SciPy {about['scipy']}, {', '.join(about['blas'])}; "
          f"load {about['load']:.1f}")
    with Reference(program) as reference:
        results = {"about": about,
                   "evaluations": compare_evaluations(reference, quick),
                   "learning": compare_learning(reference, quick),
                   "lqr": compare_lqr(reference),
                   "erm": compare_erm(reference, quick)}
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(json.dumps(results, indent=2) + "\n")
