"""Exact costs: instructions, heap calls and bytes per operation, and the gate on them.

    python tools/count.py             print the table
    python tools/count.py --check     fail when a row is above its bar or has grown
    python tools/count.py --record    make today's values the recorded ones
    python tools/count.py --torch V   the libtorch side, from the environment V (after ./dev bench)

Every value is the difference between a run with more and one with fewer iterations, divided by the
extra units, so start-up and set-up cancel. bench/limits.json holds, per row, a bar, a recorded
value that may be exceeded by 3 %, or both; a ratio is not recorded, since it grows when the fast
path gets faster. Read `measure_all` first.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIMITS = ROOT / "bench" / "limits.json"
BUILD = ROOT / "build" / "release"
HEADROOM = 1.03  # a row may have its own, where the interpreter's build matters

# Iteration counts of the short and of the long run. The short one fills the free lists.
ADD_RUNS = (2000, 6000)
CHAIN_RUNS = (3, 6)
CHAIN_NODES = 1000
HOLD_RUNS = (500_000, 1_500_000)  # memory comes in pieces of 2 MiB
THREAD_RUNS = (100, 300)
THREADS = 8
LOCK_RUNS = 8

# A neighbour of the fast path, and the row it may cost three times of.
NEIGHBOURS = {
    "broadcast": "add_grad",
    "transposed": "add_grad",
    "int_float": "add_grad",
    "scalar": "add_grad",
    "f64": "add_grad",
    "six_d": "add_grad",
    "second_thread": "add_grad",
    "no_grad": "add_nograd",
    "pack_hook": "mul_grad",
}

# Rows on 8×8 tensors, each also with a gradient to be recorded.
SMALL_ROWS = ("softmax", "layer_norm", "cross_entropy", "cat", "stack")


class Subject:
    """The library that is counted: Eagre's build, or the libtorch twin."""

    def __init__(self, torch_venv: Path | None = None):
        if torch_venv:
            self.micro = ROOT / "build" / "bench-libtorch" / "micro"
            self.python = [
                str(torch_venv / "bin" / "python"),
                str(ROOT / "bench/micro.py"),
                "torch",
            ]
        else:
            self.micro = BUILD / "bench" / "micro"
            self.python = [sys.executable, str(ROOT / "bench/micro.py"), "eagre"]
        self.has_hooks = torch_venv is None
        if not self.micro.exists():
            sys.exit(f"count: {self.micro} is not built; run ./dev test or ./dev bench")

    def cpp(self, row: str, iterations: int) -> list[str]:
        return [str(self.micro), row, str(iterations)]

    def graphs(self, row: str, iterations: int) -> list[str]:
        return [str(self.micro.with_name("graphs")), row, str(iterations)]

    def py(self, row: str, iterations: int) -> list[str]:
        return [*self.python, row, str(iterations)]


def run(command: list[str], **environment: str) -> str:
    """Runs a command in a fixed environment and returns its standard error."""
    fixed = {"PYTHONPATH": str(BUILD / "python"), "PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1"}
    result = subprocess.run(
        command, env=os.environ | fixed | environment, capture_output=True, text=True
    )
    if result.returncode != 0:
        sys.exit(f"count: {' '.join(command)} failed:\n{result.stderr[-2000:]}")
    return result.stderr


def instructions(command: list[str]) -> int:
    valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    match = re.search(r"Collected : (\d+)", run([*valgrind, *command]))
    if not match:
        sys.exit("count: callgrind printed no total; is valgrind installed?")
    return int(match[1])


def heap(command: list[str]) -> dict[str, int]:
    with tempfile.NamedTemporaryFile("r", suffix=".heap") as report:
        library = str(BUILD / "bench" / "libheap_count.so")
        run(command, LD_PRELOAD=library, BENCH_HEAP_OUT=report.name)
        words = report.read().split()
    if not words:
        sys.exit(f"count: no report of {library}")
    return {name: int(value) for name, value in zip(words[::2], words[1::2], strict=True)}


def heap_calls(command: list[str]) -> int:
    return heap(command)["calls"]


def peak_bytes(command: list[str]) -> int:
    return heap(command)["peak_bytes"]


def locks(command: list[str]) -> int:
    """The fewest of some runs: threads that meet while they start take a few more, in any run."""
    return min(heap(command)["locks"] for _ in range(LOCK_RUNS))


def measure_all(subject: Subject) -> dict[str, float]:
    """All rows by name. Counts do not feel load, so the runs share the cores."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:

        def each(counter, command, row, runs):
            """A promise of the cost per iteration of `row`."""
            low, high = (pool.submit(counter, command(row, iterations)) for iterations in runs)
            return lambda: (high.result() - low.result()) / (runs[1] - runs[0])

        fast_paths = ["add_nograd", "add_grad", "add_grad_both", "mul_grad"]
        small = [name for row in SMALL_ROWS for name in (row, f"{row}_grad")]
        neighbours = [n for n in NEIGHBOURS if subject.has_hooks or n != "pack_hook"]
        cpp = {
            row: each(instructions, subject.cpp, row, ADD_RUNS)
            for row in fast_paths + neighbours + small
        }
        build = each(instructions, subject.cpp, "build_mul_chain", CHAIN_RUNS)
        whole = each(instructions, subject.cpp, "backward_mul_chain", CHAIN_RUNS)
        rows = ["loop", "add_nograd", "add_grad", "f_relu"]
        python = {row: each(instructions, subject.py, row, ADD_RUNS) for row in rows}
        calls = {row: each(heap_calls, subject.cpp, row, ADD_RUNS) for row in fast_paths}
        chain_calls = each(heap_calls, subject.cpp, "backward_mul_chain", CHAIN_RUNS)
        held = each(peak_bytes, subject.cpp, "hold_mul_chain", HOLD_RUNS)
        locked = each(locks, subject.graphs, "threads", THREAD_RUNS)

        rows_of_cpp = fast_paths + neighbours + small
        values = {f"instructions: C++ {row}": cpp[row]() for row in rows_of_cpp}
        values["instructions: backward per node"] = (whole() - build()) / CHAIN_NODES
        for row in rows[1:]:
            values[f"instructions: Python {row}"] = python[row]() - python["loop"]()
        for row in fast_paths:
            values[f"heap calls: {row}"] = calls[row]()
        values["heap calls: chain, forward + backward, per node"] = chain_calls() / CHAIN_NODES
        values["bytes per recorded op"] = held()
        values["locks: chain with one leaf, in one of 8 threads"] = locked() / THREADS
        for row in neighbours:
            values[f"ratio: {row} / {NEIGHBOURS[row]}"] = cpp[row]() / cpp[NEIGHBOURS[row]]()
    return {name: round(value, 3) for name, value in values.items()}


def complaints(values: dict[str, float], limits: dict) -> list[str]:
    """What --check has to say; empty when every row is within its bar and has not grown."""
    found = [
        f"'{name}' is in limits.json but was not measured" for name in limits if name not in values
    ]
    for name, value in values.items():
        limit = limits.get(name)
        if limit is None:
            found.append(f"'{name}' has no limit in limits.json")
            continue
        if "bar" in limit and value > limit["bar"]:
            found.append(f"'{name}' is {value:g}, above its bar of {limit['bar']:g}")
        if "recorded" not in limit:
            continue
        recorded = limit["recorded"]
        if recorded is None:
            found.append(f"'{name}' is not recorded yet; run tools/count.py --record")
        elif value > recorded * limit.get("headroom", HEADROOM):
            found.append(
                f"'{name}' grew from {recorded:g} to {value:g}; make it small again, or record it"
            )
    return found


def record(values: dict[str, float], limits: dict) -> None:
    for name, limit in limits.items():
        if "recorded" in limit:
            limit["recorded"] = values[name]
    LIMITS.write_text(json.dumps(limits, indent=2) + "\n")


def print_table(values: dict[str, float], limits: dict) -> None:
    print(f"{'row':50} {'value':>10} {'recorded':>10} {'bar':>8}")
    for name, value in values.items():
        limit = limits.get(name, {})
        recorded, bar = limit.get("recorded"), limit.get("bar")
        columns = [f"{x:g}" if x is not None else "-" for x in (recorded, bar)]
        print(f"{name:50} {value:10g} {columns[0]:>10} {columns[1]:>8}")


def main() -> int:
    parser = argparse.ArgumentParser(description="exact costs per operation")
    parser.add_argument("--check", action="store_true", help="fail above a bar or a recorded value")
    parser.add_argument("--record", action="store_true", help="rewrite the recorded values")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--torch", type=Path, metavar="VENV", help="count libtorch, from VENV")
    options = parser.parse_args()
    if options.torch and (options.check or options.record):
        parser.error("limits are about Eagre; --torch goes alone or with --json")

    limits = json.loads(LIMITS.read_text())
    values = measure_all(Subject(options.torch))
    if options.json:
        print(json.dumps(values, indent=2))
    else:
        print_table(values, {} if options.torch else limits)
    if options.record:
        record(values, limits)
    found = complaints(values, limits) if options.check else []
    for complaint in found:
        print(f"count: {complaint}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
