"""Times against PyTorch: `run.py --torch VENV [row ...]`; the method is in docs/benchmarks.md.

Both libraries run in processes of their own on the same core, in turn, for many rounds; a row is
the median of the per-round ratios with its quartiles. Read time_rows.py and `main` first.
Prints a Markdown table, writes build/bench.json, and ends with status 1 when a bar is missed.
"""

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from compile_cost import compile_ours, compile_peer
from libtorch import Libtorch
from time_rows import (
    SIZED_BARS,
    SIZED_CALLS,
    SMALL_CALL_BAR,
    SMALL_CALL_SLACK,
    SMALL_CALLS,
    SMALL_CALLS_MEAN_BAR,
    TIME_ROWS,
    TimeRow,
    call,
    call_bar,
)

BENCH = Path(__file__).resolve().parent
ROOT = BENCH.parent
BUILD = ROOT / "build" / "release"
ROUNDS = 15
COMPILE_ROUNDS = 3
QUIET_LOAD = 0.5

CPP_PROGRAMS = ("micro", "graphs")
SERVERS = ("ops.py", "transforms.py", "calls.py")
COMPILE_ROW = "compile"
COMPILE_BAR, COMPILE_MB = 10, 250
CHAIN_ROW = "chain"
SMALL_CALLS_ROW = "py_small_calls"
IMPORT_ROW = "py_import"
IMPORT_MS, IMPORT_MB = 20, 12
CHAIN_NODES = 10_000_000
LINEAR = 2.6  # twice the nodes may take this many times as long, noise included


@dataclass
class Result:
    name: str
    title: str
    ours: str
    peer: str
    ratio: str
    bar: str
    met: bool
    rounds: list


ENVIRONMENT = os.environ | {"PYTHONPATH": str(BUILD / "python"), "OMP_NUM_THREADS": "1"}
# Compiled files of Python are kept, as an installed package has them.
ENVIRONMENT |= {"PYTHONPYCACHEPREFIX": str(BUILD / "pycache")}
ENVIRONMENT.pop("PYTHONDONTWRITEBYTECODE", None)


def run_pinned(command: list[str], core: int) -> str:
    """Runs a program alone on `core` and returns what it printed."""
    result = subprocess.run(
        ["taskset", "-c", str(core), *command], env=ENVIRONMENT, capture_output=True, text=True
    )
    if result.returncode != 0:
        sys.exit(f"run: {' '.join(command)} failed:\n{result.stderr[-2000:]}")
    return result.stdout


class Server:
    """A process on `core` that runs a round whenever it is asked: importing torch takes seconds."""

    def __init__(self, command: list[str], core: int):
        self.command = command
        self.process = subprocess.Popen(
            ["taskset", "-c", str(core), *command],
            env=ENVIRONMENT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def round(self) -> float:
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            sys.exit(f"run: {' '.join(self.command)} failed")
        return float(answer)

    def end(self) -> None:
        self.process.communicate()


def alternate(rounds: int, ours, peer) -> list[tuple]:
    """Measures both sides in every round; who goes first changes, so a drift favours nobody."""
    results = []
    for index in range(rounds):
        if index % 2 == 0:
            first = ours()
            results.append((first, peer()))
        else:
            first = peer()
            results.append((ours(), first))
    return results


def spread(values: list[float]) -> tuple[float, float, float]:
    if len(values) < 2:
        return values[0], values[0], values[0]
    low, median, high = statistics.quantiles(values, n=4, method="inclusive")
    return low, median, high


def time_text(nanoseconds: float) -> str:
    for unit, factor in (("ms", 1e6), ("µs", 1e3)):
        if nanoseconds >= 10 * factor:
            return f"{nanoseconds / factor:.1f} {unit}"
    return f"{nanoseconds:.1f} ns"


def rounds_of(row: TimeRow, libtorch: Libtorch, core: int, rounds: int) -> list[tuple]:
    if row.program in CPP_PROGRAMS:
        programs = [str(BUILD / "bench" / row.program)], [str(libtorch.program(row.program))]
    else:
        script = str(BENCH / row.program)
        programs = [sys.executable, script, "eagre"], [str(libtorch.python), script, "torch"]
    ours = [*programs[0], row.argument, str(row.ours)]
    peer = [*programs[1], row.argument, str(row.peer)]
    if row.own_peer is not None:
        peer = [*programs[0], row.own_peer, str(row.peer)]
    if row.program not in SERVERS:
        return alternate(
            rounds,
            lambda: float(run_pinned(ours, core)),
            lambda: float(run_pinned(peer, core)),
        )
    servers = Server(ours, core), Server(peer, core)
    for server in servers:
        server.round()  # both are warm and idle before the first round counts
    pairs = alternate(rounds, servers[0].round, servers[1].round)
    for server in servers:
        server.end()
    return pairs


def time_row(row: TimeRow, libtorch: Libtorch, core: int, rounds: int) -> Result:
    pairs = rounds_of(row, libtorch, core, rounds)
    low, median, high = spread([peer / ours for ours, peer in pairs])
    return Result(
        row.name,
        row.title,
        time_text(statistics.median(ours for ours, _ in pairs)),
        time_text(statistics.median(peer for _, peer in pairs)),
        f"{median:.2f}× ({low:.2f}–{high:.2f})",
        f"≥ {row.bar:g}×",
        median >= row.bar,
        pairs,
    )


def measured_calls(names: list[str], libtorch: Libtorch, core: int, rounds: int):
    """Of each: the median ratio, the median of our times, and what was measured."""
    ratios, times, pairs = {}, {}, []
    for name in names:
        measured = rounds_of(call(name, name, 100_000, 10_000, 0), libtorch, core, rounds)
        ratios[name] = statistics.median(peer / ours for ours, peer in measured)
        times[name] = statistics.median(ours for ours, _ in measured)
        pairs.append((name, measured))
    return ratios, times, pairs


def calls_row(row: str, title: str, bar: str, measured, mean_bar: float, slow: list) -> Result:
    ratios, times, pairs = measured
    mean = statistics.geometric_mean(ratios.values())
    ratios_text = ", ".join(f"{name} {times[name]:.0f} ns {ratios[name]:.1f}×" for name in ratios)
    return Result(
        row,
        f"Python, {title} ({ratios_text})",
        f"{statistics.geometric_mean(times.values()):.0f} ns",
        "",
        f"{mean:.2f}×" + (f"; too slow: {', '.join(slow)}" if slow else ""),
        bar,
        mean >= mean_bar and not slow,
        pairs,
    )


def small_calls_row(libtorch: Libtorch, core: int, rounds: int) -> Result:
    """The geometric mean of all, and which of them miss their own bar."""
    names = ["empty_call", *SMALL_CALLS]
    ratios, times, pairs = measured_calls(names, libtorch, core, rounds)
    near = times.pop("empty_call") + SMALL_CALL_SLACK
    del ratios["empty_call"]
    slow = [n for n in ratios if ratios[n] < call_bar(n) and times[n] > near]
    bar = f"≥ {SMALL_CALLS_MEAN_BAR}×, each ≥ {SMALL_CALL_BAR}× or its own"
    title = f"{len(SMALL_CALLS)} small calls"
    return calls_row(
        SMALL_CALLS_ROW, title, bar, (ratios, times, pairs), SMALL_CALLS_MEAN_BAR, slow
    )


def sized_calls_row(size: str, libtorch: Libtorch, core: int, rounds: int) -> Result:
    names = [f"{name}:{size}{grad}" for name in SIZED_CALLS for grad in ("", ":grad")]
    ratios, times, pairs = measured_calls(names, libtorch, core, rounds)
    slow = [n for n in ratios if ratios[n] < call_bar(n.partition(":")[0], size)]
    bars = sorted({call_bar(name, size) for name in SIZED_CALLS})
    bar = "each ≥ " + " or ".join(f"{value:g}×" for value in bars)
    title = f"calls on {size.replace('x', '×')}"
    return calls_row(sized_row_name(size), title, bar, (ratios, times, pairs), 0, slow)


def sized_row_name(size: str) -> str:
    return f"py_calls_{size}"


# Prints milliseconds and megabytes; files are in the cache of the system, as in the next run.
IMPORT_PROGRAM = """
import time
def resident():
    with open("/proc/self/statm") as pages:
        return int(pages.read().split()[1]) * 4096 / 1e6
before, start = resident(), time.perf_counter()
import {library}
print((time.perf_counter() - start) * 1e3, resident() - before)
"""


def import_row(libtorch: Libtorch, core: int, rounds: int) -> Result:
    def measured(python, library: str) -> tuple[float, float]:
        output = run_pinned([str(python), "-c", IMPORT_PROGRAM.format(library=library)], core)
        milliseconds, megabytes = output.split()
        return float(milliseconds), float(megabytes)

    measured(sys.executable, "eagre")
    ours = [measured(sys.executable, "eagre") for _ in range(rounds)]
    peer = measured(libtorch.python, "torch")
    milliseconds = statistics.median(ms for ms, _ in ours)
    megabytes = statistics.median(mb for _, mb in ours)
    return Result(
        IMPORT_ROW,
        "`import eagre`",
        f"{milliseconds:.1f} ms, {megabytes:.1f} MB",
        f"{peer[0]:.0f} ms, {peer[1]:.0f} MB",
        f"{peer[0] / milliseconds:.0f}×",
        f"≤ {IMPORT_MS} ms, ≤ {IMPORT_MB} MB",
        milliseconds <= IMPORT_MS and megabytes <= IMPORT_MB,
        ours,
    )


def compile_row(libtorch: Libtorch, core: int, rounds: int) -> Result:
    source = BENCH / "hello.cpp"
    pairs = alternate(
        min(rounds, COMPILE_ROUNDS),
        lambda: compile_ours(BUILD, source, core),
        lambda: compile_peer(libtorch, source, core),
    )
    low, median, high = spread([peer.seconds / ours.seconds for ours, peer in pairs])
    our_mb = max(ours.megabytes for ours, _ in pairs)
    peer_mb = max(peer.megabytes for _, peer in pairs)
    our_seconds = statistics.median(ours.seconds for ours, _ in pairs)
    peer_seconds = statistics.median(peer.seconds for _, peer in pairs)
    return Result(
        COMPILE_ROW,
        "compile `hello.cpp`",
        f"{our_seconds:.2f} s, {our_mb:.0f} MB",
        f"{peer_seconds:.1f} s, {peer_mb:.0f} MB",
        f"{median:.1f}× ({low:.1f}–{high:.1f})",
        f"≥ {COMPILE_BAR}×, ≤ {COMPILE_MB} MB",
        median >= COMPILE_BAR and our_mb <= COMPILE_MB,
        [(asdict(ours), asdict(peer)) for ours, peer in pairs],
    )


def chain_row(nodes: int, core: int) -> Result:
    def columns(count: int) -> dict[str, float]:
        words = run_pinned([str(BUILD / "bench" / "chain"), str(count)], core).split()
        return {name: float(value) for name, value in zip(words[::2], words[1::2], strict=True)}

    half, full = columns(nodes // 2), columns(nodes)
    # A phase of a few milliseconds is below the noise and says nothing about growth.
    growth = {name: full[name] / half[name] for name in full if half[name] > 0.01}
    worst = max(growth, key=growth.get)
    return Result(
        CHAIN_ROW,
        f"chain of {nodes:,} nodes, 256 KB stack",
        ", ".join(f"{name} {value:.2f} s" for name, value in full.items()),
        "",
        f"2× nodes: {growth[worst]:.2f}× time ({worst})",
        "works, linear",
        growth[worst] <= LINEAR,
        [half, full],
    )


def cpu_name() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor()


def print_table(results: list[Result], facts: dict) -> None:
    print(f"\n{facts['cpu']}, libtorch {facts['libtorch']}, load at the start {facts['load']:.2f}")
    if facts["load"] > QUIET_LOAD:
        print(f"**The machine was busy (load above {QUIET_LOAD}); do not publish these times.**")
    print("\n| row | Eagre | libtorch | ratio, median (quartiles) | bar | met |")
    print("|---|---|---|---|---|---|")
    for r in results:
        verdict = "yes" if r.met else "**no**"
        print(f"| {r.title} | {r.ours} | {r.peer} | {r.ratio} | {r.bar} | {verdict} |")


def main() -> int:
    own_rows = [
        SMALL_CALLS_ROW,
        *map(sized_row_name, SIZED_BARS),
        IMPORT_ROW,
        COMPILE_ROW,
        CHAIN_ROW,
    ]
    names = [row.name for row in TIME_ROWS] + own_rows
    parser = argparse.ArgumentParser(description="times against PyTorch")
    parser.add_argument("--torch", type=Path, required=True, metavar="VENV")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--nodes", type=int, default=CHAIN_NODES, help="length of the chain row")
    parser.add_argument("rows", nargs="*", metavar="row", help=" ".join(names))
    options = parser.parse_args()
    unknown = sorted(set(options.rows) - set(names))
    if unknown:
        parser.error(f"no such row: {', '.join(unknown)}; the rows are {', '.join(names)}")

    load = os.getloadavg()[0]
    libtorch = Libtorch(options.torch)
    for program in CPP_PROGRAMS:
        libtorch.program(program)  # not between two rounds
    core = max(os.sched_getaffinity(0))
    runners = {
        row.name: lambda r=row: time_row(r, libtorch, core, options.rounds) for row in TIME_ROWS
    }
    runners[SMALL_CALLS_ROW] = lambda: small_calls_row(libtorch, core, options.rounds)
    for size in SIZED_BARS:
        runners[sized_row_name(size)] = lambda s=size: sized_calls_row(
            s, libtorch, core, options.rounds
        )
    runners[IMPORT_ROW] = lambda: import_row(libtorch, core, options.rounds)
    runners[COMPILE_ROW] = lambda: compile_row(libtorch, core, options.rounds)
    runners[CHAIN_ROW] = lambda: chain_row(options.nodes, core)

    results = []
    for name in options.rows or names:
        print(f"  {name} ...", file=sys.stderr, flush=True)
        results.append(runners[name]())
    facts = {
        "cpu": cpu_name(),
        "libtorch": libtorch.version,
        "load": load,
        "rounds": options.rounds,
    }
    print_table(results, facts)
    report = facts | {"rows": [asdict(result) for result in results]}
    (ROOT / "build" / "bench.json").write_text(json.dumps(report, indent=2) + "\n")
    return 0 if all(result.met for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())
