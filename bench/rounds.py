"""What the programs that run rounds share: `<program> <library> <row> <iterations>` times one row
whenever a line of input asks for it."""

import sys
import time


def serve(rows):
    """`rows`: by name, what makes the inputs and returns the call that is timed."""
    call, iterations = rows[sys.argv[2]](), int(sys.argv[3])
    for _ in range(max(1, iterations // 10)):
        call()
    for _ in sys.stdin:
        start = time.perf_counter_ns()
        for _ in range(iterations):
            call()
        print((time.perf_counter_ns() - start) / iterations, flush=True)
