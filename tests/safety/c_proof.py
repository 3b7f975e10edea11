"""Exported C code under compilers, sanitizers, analysers and a prover.

Shapes and hostile comments, the programs that exercise and that prove the step function, and one function
per tool: each returns what the tool found, empty when it found nothing.
"""

import json
import os
import re
import subprocess

# States, inputs, horizon. The first ones are for every day, all of them for tools/prove_c.
QUICK = [(1, 3, 4), (1, 1, 1), (2, 1, 3)]
SHAPES = [*QUICK, (3, 1, 1), (1, 1, 2), (1, 1, 40), (2, 2, 10), (4, 2, 12), (6, 6, 3), (7, 5, 2),
          (12, 4, 20)]
AFTER = ("refuse", "restart", "hold")
# Names that would like to leave the comment they stand in, and the line.
NAMES = ["*/ int x; /*", "*\\", "/\\", "??/", "?" * 7 + "/", "a\\\n*/ int y; /*", "*\\\n/ int z;",
         "a\n#error b\n", "*/", "/", "*", "//", "/*", "\r#error c", "@p@ @P@ {} %n", "*\u200b/",
         "\x00*/", "*\x00/", "\\", "_Pragma(\"x\") */", "é*/é", "*" * 40 + "/" * 40,
         "#include \"/etc/hostname\"", "\u2028*/ int w;"]
STRICT = ["-std=c99", "-Wall", "-Wextra", "-Wconversion", "-Wsign-conversion", "-Wpedantic",
          "-Wshadow", "-Wstrict-prototypes", "-Wmissing-prototypes", "-Wcast-qual", "-Wundef",
          "-Werror"]
SANITIZE = ["-O1", "-g", "-fno-sanitize-recover=all",
            "-fsanitize=address,undefined,float-divide-by-zero,float-cast-overflow"]
# What is broken, how, and in code for which `after`. Every break is an access outside an array, a use of
# nothing or a number that an int cannot hold.
BREAKS = {
    "reset one too far": ("j < @P@_HORIZON * @P@_STATES; ++j) memory->x[j] = 0.0",
                          "j <= @P@_HORIZON * @P@_STATES; ++j) memory->x[j] = 0.0", "refuse"),
    "row one too long": ("j < width;", "j <= width;", "refuse"),
    "row starts late": ("(t * (t + 1) / 2);", "(t * (t + 1) / 2) + 1;", "refuse"),
    "no end": ("if (t < 0 || t >= @P@_HORIZON) return 1;", "if (t < 0) return 1;", "refuse"),
    "no start": ("if (t < 0) return 1;", "", "restart"),
    "shift one too far": ("j < (@P@_HORIZON - 1) * @P@_STATES;", "j <= (@P@_HORIZON - 1) * @P@_STATES;",
                          "hold"),
    "sum of nothing": ("double sum = offsets[t * @P@_INPUTS + i];", "double sum;", "refuse"),
    "count of another input": ("if (input < 0 || input >= @P@_INPUTS) return 0;",
                               "if (input < 0) return 0;", "refuse"),
    "count one too far": ("++memory->clipped[i];\n    } else", "++memory->clipped[i + 1];\n    } else", "refuse"),
    "step from a state": ("memory->t = t + 1;", "memory->t = (int)x[0];", "refuse"),
}

CLIPPED = ("count of another input", "count one too far")  # breaks of code that clips

# Exact pieces of memory, so that one byte outside is noticed; states of every kind; the wrong t.
EXERCISE = r"""#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "NAME.h"

#define STEPS (3 * P_HORIZON + 5)

static unsigned seed = 1;

static double state(void) {
  const double odd[] = {0.0, -0.0, 1.0, -2.5, DBL_MAX, -DBL_MAX, DBL_MIN, 4.9e-324, -4.9e-324, 1e300};
  const unsigned kinds = (unsigned)(sizeof odd / sizeof odd[0]);
  seed = seed * 1664525u + 1013904223u;
  switch ((seed >> 16) % (kinds + 3)) {
    case 0: return (double)INFINITY;
    case 1: return -(double)INFINITY;
    case 2: return (double)NAN;
    default: return odd[(seed >> 16) % (kinds + 3) - 3];
  }
}

/* Steps until the end, with a reset after some; two memories with one history agree bit for bit. */
static int walk(NAME_memory *memory, NAME_memory *other, double *x, double *u, double *v) {
  int t, since = 0, i, said;
  NAME_reset(memory);
  NAME_reset(other);
  for (t = 0; t < STEPS; ++t, ++since) {
    if (t == P_HORIZON / 2 + 1 || t == 2 * P_HORIZON) {
      NAME_reset(memory);
      NAME_reset(other);
      since = 0;
    }
    for (i = 0; i < P_STATES; ++i) x[i] = state();
    memset(u, 1, P_INPUTS * sizeof *u);
    memset(v, 1, P_INPUTS * sizeof *v);
    said = NAME_step(memory, x, u);
    if (said != NAME_step(other, x, v) || memcmp(u, v, P_INPUTS * sizeof *u) != 0) return 2;
    if (said != (REFUSES && since >= P_HORIZON)) return 3;
    if (said == 1) {
      memset(v, 1, P_INPUTS * sizeof *v);
      if (memcmp(u, v, P_INPUTS * sizeof *u) != 0) return 4;
    }
  }
  return 0;
}

/* No number of steps that memory may claim leads outside. */
static int wrong_steps(NAME_memory *memory, const double *x, double *u) {
  const int steps[] = {INT_MIN, -1, P_HORIZON - 1, P_HORIZON, P_HORIZON + 1, INT_MAX - 1, INT_MAX};
  size_t i;
  for (i = 0; i < sizeof steps / sizeof steps[0]; ++i) {
    NAME_reset(memory);
    memory->t = steps[i];
    if ((NAME_step(memory, x, u) == 1) != (steps[i] < 0 || (REFUSES && steps[i] >= P_HORIZON))) return 5;
    if (memory->t != steps[i] && (memory->t < 1 || memory->t > P_HORIZON)) return 6;
  }
  return 0;
}

#if CLIPS
/* Inside the limits unless NaN; a count moves by one at most, and never past the end. */
static int counts(NAME_memory *memory, double *x, double *u) {
  int t, i;
  unsigned long before[P_INPUTS];
  NAME_reset(memory);
  for (i = -2; i < P_INPUTS + 3; ++i)
    if (NAME_clipped(memory, i) != 0) return 10;
  if (NAME_clipped(memory, INT_MIN) != 0 || NAME_clipped(memory, INT_MAX) != 0) return 10;
  for (t = 0; t < STEPS; ++t) {
    for (i = 0; i < P_STATES; ++i) x[i] = state();
    for (i = 0; i < P_INPUTS; ++i) before[i] = NAME_clipped(memory, i);
    if (NAME_step(memory, x, u) != 0) break;
    for (i = 0; i < P_INPUTS; ++i) {
      const unsigned long more = NAME_clipped(memory, i) - before[i];
      if (u[i] < -0.5 || u[i] > 0.25 || more > 1) return 11;
      if (more == 1 && u[i] != -0.5 && u[i] != 0.25) return 12;
    }
  }
  for (i = 0; i < P_INPUTS; ++i) memory->clipped[i] = ULONG_MAX;
  memory->t = 0;
  for (i = 0; i < P_STATES; ++i) x[i] = (double)INFINITY;
  if (NAME_step(memory, x, u) != 0) return 13;
  for (i = 0; i < P_INPUTS; ++i)
    if (NAME_clipped(memory, i) != ULONG_MAX) return 14;
  return 0;
}
#endif

int main(void) {
  NAME_memory *memory = malloc(sizeof *memory), *other = malloc(sizeof *other);
  double *x = malloc(P_STATES * sizeof *x);
  double *u = malloc(P_INPUTS * sizeof *u), *v = malloc(P_INPUTS * sizeof *v);
  double *both = malloc((P_STATES > P_INPUTS ? P_STATES : P_INPUTS) * sizeof *both);
  int said, i;
  if (!memory || !other || !x || !u || !v || !both) return 9;
  memset(memory, 0xa5, sizeof *memory);
  said = walk(memory, other, x, u, v);
  if (said == 0) said = wrong_steps(memory, x, u);
#if CLIPS
  if (said == 0) said = counts(memory, x, u);
#endif
  /* x and u in one array. */
  NAME_reset(memory);
  NAME_reset(other);
  for (i = 0; i < P_STATES; ++i) both[i] = x[i] = i + 1;
  if (NAME_step(memory, both, both) != NAME_step(other, x, u)) return 7;
  if (memcmp(both, u, P_INPUTS * sizeof *u) != 0) return 8;
  free(memory);
  free(other);
  free(x);
  free(u);
  free(v);
  free(both);
  return said;
}
"""

# Any states, any number of calls and resets; and one step on a memory that holds anything.
PROVE = r"""#include <__fc_builtin.h>

#include "NAME.h"

extern volatile double any_number; /* NaN and infinities too */
extern volatile int any_choice;

static void step(NAME_memory *memory) {
  double x[P_STATES], u[P_INPUTS];
  int i;
  for (i = 0; i < P_STATES; ++i) x[i] = any_number;
  if (NAME_step(memory, x, u) == 0)
    for (i = 0; i < P_INPUTS; ++i) any_number = u[i]; /* alarms if it was not written */
#if CLIPS
  any_choice = (int)(NAME_clipped(memory, any_choice) % 2u);
#endif
}

void after_reset(void) {
  NAME_memory memory;
  NAME_reset(&memory);
  while (any_choice) {
    if (any_choice) NAME_reset(&memory);
    step(&memory);
  }
}

void any_memory(void) {
  NAME_memory memory;
  Frama_C_make_unknown((char *)&memory, sizeof memory);
  step(&memory);
}
"""


def controller_tree(states, inputs, horizon, provenance=None):
    """Gains of all sizes, zeros of both signs among them."""
    odd = (0.0, -0.0, 5e-324, -1e300, 2.5e-310)
    gain = lambda i, j: odd[(i + j) % 5] if (i * 7 + j) % 11 == 0 else ((i * 13 + j * 5) % 17 - 8) / 16
    columns = states * (horizon + 1)
    K = [[gain(i, j) if j < (i // inputs + 1) * states else 0 for j in range(columns)]
         for i in range(inputs * horizon)]
    return {"format": "loopcert controller 1", "horizon": horizon, "n_x": states, "n_u": inputs, "K": K,
            "k": [((i * 3) % 7 - 3) / 4 for i in range(inputs * horizon)], "learned_from": [],
            "provenance": provenance or {"problem": "plain"}}


def hostile_provenance():
    """Every name as a value and as a key."""
    return {**{f"name {i}": name for i, name in enumerate(NAMES)},
            **{name + str(i): "value" for i, name in enumerate(NAMES)}}


class Code:
    """The exported code of one controller, in a folder of its own."""

    def __init__(self, program, folder, tree, after="refuse", name="controller", clip=False):
        self.folder, self.name, self.after = folder, name, after
        folder.mkdir()
        (folder / "in.json").write_text(json.dumps(tree))
        subprocess.run([program, "export", "in.json", "--format", "c", "--out", ".", "--after", after,
                        "--name", name, *(["--clip", "--limits", "-0.5,0.25"] if clip else [])],
                       cwd=folder, check=True, capture_output=True)
        for file, text in (("exercise.c", EXERCISE), ("prove.c", PROVE)):
            text = text.replace("NAME", name).replace("P_", name.upper() + "_")
            text = text.replace("REFUSES", str(int(after == "refuse")))
            (folder / file).write_text(text.replace("CLIPS", str(int(clip))))

    @property
    def source(self):
        return self.folder / f"{self.name}.c"

    def broken(self, what):
        """Breaks the code on purpose; it must fit the code as it is exported."""
        old, new, after = (word.replace("@P@", self.name.upper()) for word in BREAKS[what])
        text = self.source.read_text()
        assert after == self.after and text.count(old) == 1, what
        self.source.write_text(text.replace(old, new))
        return self

    def call(self, *words):
        # The leak checker needs ptrace, which not every machine allows; nothing here leaks. Frama-C
        # believes PWD.
        return subprocess.run(words, cwd=self.folder, capture_output=True, text=True, timeout=600,
                              env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0", "UBSAN_OPTIONS": "",
                                   "PWD": str(self.folder)})


def failure(done):
    return "" if done.returncode == 0 else f"status {done.returncode}: {done.stdout}{done.stderr}"


def warnings(code, compiler):
    """What a compiler says about the code and its self-test."""
    for file in (f"{code.name}.c", f"{code.name}_test.c"):
        found = failure(code.call(compiler, *STRICT, "-O2", "-c", file, "-o", "warnings.o"))
        if found:
            return found
    return ""


def sanitizer(code, compiler):
    """The self-test and the exercise, built with sanitizers, run."""
    for main in ("exercise.c", f"{code.name}_test.c"):
        found = failure(code.call(compiler, "-std=c99", *SANITIZE, f"{code.name}.c", main, "-o", "run")
                        ) or failure(code.call("./run"))
        if found:
            return found
    return ""


def clang_analyzer(code, bounds=False):
    """The default checkers. The one for bounds is experimental and loses what the gains' width has to do
    with the step; at horizon 1 there is nothing to lose."""
    more = ["-Xclang", "-analyzer-checker=alpha.security.ArrayBoundV2"] if bounds else []
    done = code.call("clang", "--analyze", "--analyzer-output", "text", "-std=c99", *more, f"{code.name}.c",
                     f"{code.name}_test.c")
    return failure(done) or done.stderr


def cppcheck(code):
    # It does not read <limits.h>, and would stop at the #error without a word.
    done = code.call("cppcheck", "--enable=all", "--std=c99", "--quiet", "--error-exitcode=1", "-DINT_MAX=2147483647",
                     "--suppress=missingIncludeSystem", f"{code.name}.c", f"{code.name}_test.c")
    return failure(done) or done.stderr


SUMMARY = re.compile(r"(\d+) alarms? generated")
REACHED = re.compile(r"(\d+) statements reached \(out of (\d+)\)")


def prove(code, machine="x86_64"):
    """Frama-C's analysis by abstract interpretation: what it cannot exclude."""
    for main in ("after_reset", "any_memory"):
        done = code.call("frama-c", "-machdep", machine, "-eva", "-eva-no-show-progress", "-eva-verbose",
                         "1", "-eva-msg-key=-initial-state,-final-states", "-warn-special-float", "none",
                         "-eva-auto-loop-unroll", "2000", "-eva-split-return", "full",
                         "-eva-slevel", "100", "-main", main, "prove.c", f"{code.name}.c")
        alarms, reached = SUMMARY.search(done.stdout), REACHED.search(done.stdout)
        if done.returncode != 0 or not alarms or not reached:
            return f"frama-c failed: {done.stdout[-2000:]}{done.stderr}"
        if "[eva:alarm]" in done.stdout or alarms[1] != "0" or "No errors or warnings" not in done.stdout:
            return done.stdout
        # Else it may have proved nothing: a step that returns in front of everything, say. What cannot be
        # reached is the return of 1 after a reset, and at horizon 1 the shift of `hold`.
        if 10 * int(reached[1]) < 9 * int(reached[2]):
            return f"only {reached[0]}"
    return ""


def tokens(code, compiler):
    """The code as the compiler sees it behind the preprocessor: no comments, no line marks."""
    done = code.call(compiler, "-std=c99", "-E", "-P", f"{code.name}.c")
    assert done.returncode == 0, done.stderr
    return done.stdout
