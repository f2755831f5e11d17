"""Micro benchmarks of the Python border: `micro.py <library> <row> <iterations>`.

Prints the nanoseconds per operation beyond the bare loop, which is timed in the same process. One
row per process, as in micro.cpp, so that callgrind can take the difference of two runs. In
`add_grad` one of the two inputs requires grad, as there.
"""

import importlib
import sys
import time
from itertools import repeat


def loop(a, b, iterations):
    for _ in repeat(None, iterations):
        pass


def add(a, b, iterations):
    for _ in repeat(None, iterations):
        a + b


def f_relu(a, functional, iterations):
    for _ in repeat(None, iterations):
        functional.relu(a)


ROWS = {
    "loop": (loop, False),
    "add_nograd": (add, False),
    "add_grad": (add, True),
    "f_relu": (f_relu, False),
}


def nanoseconds_each(body, a, b, iterations):
    start = time.perf_counter_ns()
    body(a, b, iterations)
    return (time.perf_counter_ns() - start) / iterations


def main(arguments):
    if len(arguments) != 3 or arguments[1] not in ROWS:
        print(f"usage: micro.py eagre|torch {'|'.join(ROWS)} <iterations>", file=sys.stderr)
        return 2
    library = importlib.import_module(arguments[0])
    body, recorded = ROWS[arguments[1]]
    iterations = int(arguments[2])
    a = library.randn(1, requires_grad=recorded)
    b = library.randn(1)
    if body is f_relu:
        b = importlib.import_module(f"{arguments[0]}.nn.functional")
    cost = nanoseconds_each(body, a, b, iterations)
    if body is not loop:
        cost -= nanoseconds_each(loop, a, b, iterations)
    print(f"{cost:.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
