"""loopcert in a process of its own: one request and one answer at a time."""

import json
import subprocess


class Reference:
    def __init__(self, program):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True)

    def ask(self, do, sizes, **details):
        n_x, n_u, T = sizes
        request = {"do": do, "n_x": n_x, "n_u": n_u, "T": T, **details}
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise RuntimeError(f"no answer to {do}")
        return json.loads(answer)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()
