"""Large operators on all cores, next to PyTorch: `scaling.py --torch PYTHON [row ...]`.

The libraries run in processes of their own on the same processors and take turns, several times a
row: the speed of a shared machine changes within seconds. A row is the median over the rounds of
PyTorch's time over ours. Prints a Markdown table, and ends with status 1 when a bar is missed. Read
ROWS and `main` first.
"""

import argparse
import functools
import importlib
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

from network_rows import NETWORK_ROWS

PACKAGE = Path(__file__).resolve().parent.parent / "build" / "release" / "python"
SECONDS = 0.1  # of a row in a round, once it is warm
LEAST_CALLS = 3
LEAST_SECONDS = 2e-4  # that are timed at once


def product(lib, edge, dtype="float32"):
    x, y = (lib.randn(edge, edge).to(getattr(lib, dtype)) for _ in range(2))
    return lambda: x @ y


def batched_product(lib):
    x, y = lib.randn(64, 128, 128), lib.randn(64, 128, 128)
    return lambda: lib.bmm(x, y)


def index(lib, size):
    x, places = lib.randn(size), lib.randint(0, size, (size,))
    return lambda: x[places]


def gather(lib, size):
    x, places = lib.randn(size), lib.randint(0, size, (size,))
    return lambda: lib.gather(x, 0, places)


def scatter_add(lib, size):
    x, places, values = lib.zeros(size), lib.randint(0, size, (size,)), lib.randn(size)
    return lambda: lib.scatter_add(x, 0, places, values)


def cat(lib, size):
    parts = [lib.randn(size // 4) for _ in range(4)]
    return lambda: lib.cat(parts)


def unique(lib, size):
    x = lib.randint(0, size // 10, (size,))
    return lambda: lib.unique(x)


def nonzero(lib, size):
    x = lib.randn(size) > 0
    return lambda: lib.nonzero(x)


def unary(function, lib, size):
    x = lib.randn(size)
    return lambda: function(lib, x)


def matrix_sum(lib, dim):
    x = lib.randn(4096, 4096)
    return lambda: x.sum(dim)


def mlp_step(lib):
    """Forward, backward and a step of a 1024-4096-1024 network, 256 samples."""
    functional = importlib.import_module(f"{lib.__name__}.nn.functional")
    weights = [(lib.randn(n, m) * 0.02).requires_grad_() for n, m in ((4096, 1024), (1024, 4096))]
    biases = [lib.zeros(n, requires_grad=True) for n in (4096, 1024)]
    x, target = lib.randn(256, 1024), lib.randn(256, 1024)

    def step():
        hidden = lib.relu(functional.linear(x, weights[0], biases[0]))
        output = functional.linear(hidden, weights[1], biases[1])
        functional.mse_loss(output, target).backward()
        with lib.no_grad():
            for p in weights + biases:
                p.sub_(p.grad, alpha=0.01)
                p.grad = None

    return step


SIZES = {"1e6": 1_000_000, "1e7": 10_000_000}
SIZED = {
    "index": index,
    "gather": gather,
    "scatter_add": scatter_add,
    "sort": functools.partial(unary, lambda lib, x: lib.sort(x)),
    "topk": functools.partial(unary, lambda lib, x: lib.topk(x, 100)),
    "cumsum": functools.partial(unary, lambda lib, x: lib.cumsum(x, 0)),
    "nonzero": nonzero,
    "unique": unique,
    "cat": cat,
}
# By name: what makes the inputs and returns the call that is timed, and the bar.
ROWS = {
    **{
        f"matmul {edge}": (functools.partial(product, edge=edge), 0.95)
        for edge in (256, 512, 1024, 2048, 4096)
    },
    **{
        f"matmul {edge} bfloat16": (functools.partial(product, edge=edge, dtype="bfloat16"), 0.9)
        for edge in (1024, 4096)
    },
    "bmm 64×128³": (batched_product, 1.0),
    **{
        f"{name} {text}": (functools.partial(make, size=size), 1.0)
        for name, make in SIZED.items()
        for text, size in SIZES.items()
    },
    "sum over dim 0 of 4096²": (functools.partial(matrix_sum, dim=0), 1.0),
    "sum over dim 1 of 4096²": (functools.partial(matrix_sum, dim=1), 1.0),
    "MLP step": (mlp_step, 1.0),
    **NETWORK_ROWS,
}


def seconds_of(call) -> float:
    """The median time of a call, over as many as fit into SECONDS, short ones timed together."""
    start = time.perf_counter()
    call()
    call()
    together = max(1, int(LEAST_SECONDS * 2 / (time.perf_counter() - start)))
    times = []
    while len(times) < LEAST_CALLS or (sum(times) < SECONDS and time.perf_counter() < start + 5):
        begun = time.perf_counter()
        for _ in range(together):
            call()
        times.append(time.perf_counter() - begun)
    return statistics.median(times) / together


def serve(library: str, threads: int) -> None:
    """Reads commands: the name of a row makes it ready, an empty line times it once."""
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])
    lib = importlib.import_module(library)
    lib.set_num_threads(threads)
    call = None
    for line in sys.stdin:
        if line.strip():
            call = None  # the memory of the last row goes first
            call = ROWS[line.strip()][0](lib)
        print(seconds_of(call), flush=True)


class Server:
    """A process with one of the libraries. It sleeps while the other works."""

    def __init__(self, python: str, library: str, threads: int):
        environment = os.environ | {"PYTHONPATH": str(PACKAGE), "OMP_NUM_THREADS": str(threads)}
        self.command = [python, __file__, "--serve", library, "--threads", str(threads)]
        self.process = subprocess.Popen(
            self.command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, line: str) -> float:
        print(line, file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline()
        if not answer:
            sys.exit(f"scaling: {' '.join(self.command)} ended in the row {line!r}")
        return float(answer)


def shown(seconds: float) -> str:
    if seconds >= 0.01:
        return f"{seconds * 1e3:.1f} ms"
    return f"{seconds * 1e6:.1f} µs" if seconds < 1e-4 else f"{seconds * 1e6:.0f} µs"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", nargs="*", help="those whose names begin so; all if none is named")
    parser.add_argument(
        "--torch", metavar="PYTHON", default=sys.executable, help="an interpreter that has PyTorch"
    )
    parser.add_argument("--threads", default=f"1,4,{os.cpu_count()}", help="numbers, with commas")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--serve", metavar="LIBRARY", help=argparse.SUPPRESS)
    args = parser.parse_args()
    rows = [row for row in ROWS if not args.rows or row.startswith(tuple(args.rows))]
    counts = sorted({int(count) for count in args.threads.split(",")})
    if args.serve:
        serve(args.serve, counts[0])
        return 0
    print("| row | threads | Eagre | PyTorch | ratio, median (lowest–highest) | bar | met |")
    print("|---|---|---|---|---|---|---|")
    missed = 0
    for threads in counts:
        servers = (
            Server(sys.executable, "eagre", threads),
            Server(args.torch, "torch", threads),
        )
        for row in rows:
            for server in servers:
                server.ask(row)
            rounds = []
            for i in range(args.rounds):
                turn = servers if i % 2 == 0 else servers[::-1]
                times = {server: server.ask("") for server in turn}
                rounds.append([times[server] for server in servers])
            ratios = [theirs / ours for ours, theirs in rounds]
            mine, theirs = map(statistics.median, zip(*rounds, strict=True))
            ratio, bar = statistics.median(ratios), ROWS[row][1]
            missed += ratio < bar
            print(
                f"| {row} | {threads} | {shown(mine)} | {shown(theirs)} "
                f"| {ratio:.2f}× ({min(ratios):.2f}–{max(ratios):.2f}) | ≥ {bar}× "
                f"| {'yes' if ratio >= bar else '**no**'} |",
                flush=True,
            )
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
