"""Times against PyTorch: `run.py --torch VENV [row ...]`; the method is in docs/benchmarks.md.

Both libraries run in processes of their own on the same core, in turn, for many rounds; a row is
the median of the per-round ratios with its quartiles. Read `TIME_ROWS` and `main` first.
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

BENCH = Path(__file__).resolve().parent
ROOT = BENCH.parent
BUILD = ROOT / "build" / "release"
ROUNDS = 15
COMPILE_ROUNDS = 3
QUIET_LOAD = 0.5


@dataclass(frozen=True)
class TimeRow:
    name: str
    title: str
    program: str  # micro, graphs, micro.py, ops.py or transforms.py
    argument: str
    ours: int  # iterations, so that either side runs for about a fifth of a second
    peer: int
    bar: float  # how many times faster than the peer
    own_peer: str | None = None  # compared with another row of ours instead


TIME_ROWS = [
    TimeRow(
        "cpp_add_nograd", "C++ `a + b`, no grad", "micro", "add_nograd", 4_000_000, 400_000, 15
    ),
    TimeRow("cpp_add_grad", "C++ `a + b`, grad", "micro", "add_grad", 3_000_000, 200_000, 20),
    TimeRow("cpp_backward", "C++ backward, per node", "micro", "backward_mul_chain", 2000, 60, 30),
    TimeRow(
        "py_add_nograd", "Python `a + b`, no grad", "micro.py", "add_nograd", 2_000_000, 300_000, 15
    ),
    TimeRow("py_add_grad", "Python `a + b`, grad", "micro.py", "add_grad", 2_000_000, 200_000, 20),
    *(
        TimeRow(f"small_{name}", f"C++ {name}, 4×4", "micro", f"small_{name}", 2_000_000, ours, 8)
        for name, ours in (
            ("view", 600_000),
            ("select", 500_000),
            ("slice", 400_000),
            ("empty", 800_000),
            ("sum", 200_000),
            ("cat", 300_000),
            ("relu", 300_000),
        )
    ),
]


def large(name: str, title: str, iterations: int, bar: float) -> TimeRow:
    """A row of ops.py: large tensors in Python, the same number of calls on both sides."""
    return TimeRow(name, title, "ops.py", name, iterations, iterations, bar)


TIME_ROWS += [
    *(
        large(f"{name}_1e5", f"{name}, 1e5 f32", 2000, 0.95)
        for name in ("add", "mul", "exp", "tanh", "gelu")
    ),
    *(
        large(f"{name}_1e7", f"{name}, 1e7 f32, fresh outputs", 10, 3)
        for name in ("add", "mul", "exp", "tanh", "gelu")
    ),
    large("sum_all", "sum of all of 4096²", 40, 0.95),
    large("sum_last", "sum over the last dimension of 4096²", 40, 0.95),
    large("sum_first", "sum over the first dimension of 4096²", 40, 2),
    large("softmax", "softmax of 4096²", 5, 2),
    large("layer_norm", "layer_norm of 4096²", 5, 2),
    large("cross_entropy", "cross_entropy of 4096²", 5, 2),
    large("mm_8", "matmul 8", 100_000, 5),
    large("mm_64", "matmul 64", 20_000, 0.95),
    large("mm_256", "matmul 256", 500, 0.95),
    large("mm_1024", "matmul 1024", 5, 0.95),
    large("transposed_copy", "transposed copy of 4096²", 4, 2),
    large("transposed_add", "transposed add of 4096²", 4, 2),
    large("sort", "sort of 1e6", 4, 2),
    large("broadcast_add", "broadcast add, 1e6", 200, 0.95),
    large("strided_add", "strided add, 1e6", 200, 0.95),
    large("gather", "gather of 1e6", 50, 0.95),
    large("scatter_add", "scatter_add of 1e6", 50, 0.95),
    large("randn_1e7", "randn of 1e7", 5, 2),
]
TIME_ROWS += [
    TimeRow(f"graph_{name}", title, "graphs", name, ours, peer, bar)
    for name, title, ours, peer, bar in (
        ("mul_and_grad", "C++ one product and `grad()`", 1_000_000, 30_000, 20),
        ("long_chain", "C++ backward of 1 M products, per node", 2, 1, 20),
        ("second_order", "C++ second derivative of 100 products", 3000, 150, 10),
        ("wide", "C++ sum of 1000 leaves, forward and backward", 2000, 100, 10),
        ("diamond", "C++ diamond of depth 1000, backward", 2000, 80, 10),
        ("hooks", "C++ backward of 100 products with 10 hooks each", 2000, 200, 10),
        ("mlp", "C++ training step of an MLP 64-64-64-10, batch 32", 8000, 2000, 5),
        ("custom_function", "C++ Function<T>: apply and backward", 200000, 20000, 10),
        ("threads", "C++ 8 threads with graphs of their own, 100 products", 2000, 50, 10),
    )
]
TIME_ROWS += [
    TimeRow(
        "jvp_chain",
        "jvp of 100 pointwise operators (peer: our forward)",
        "transforms.py",
        "jvp_chain",
        1000,
        2000,
        0.4,
        "forward_chain",
    ),
    TimeRow("hessian", "Hessian of 64 variables", "transforms.py", "hessian", 1000, 200, 10),
    TimeRow(
        "vmap_mlp",
        "gradients of 64 samples of an MLP (peer: torch.func)",
        "transforms.py",
        "vmap_mlp",
        500,
        100,
        3,
    ),
    TimeRow(
        "vmap_mlp_loop",
        "the same (peer: our loop)",
        "transforms.py",
        "vmap_mlp",
        500,
        50,
        5,
        "loop_mlp",
    ),
]
CPP_PROGRAMS = ("micro", "graphs")
SERVERS = ("ops.py", "transforms.py")
COMPILE_ROW = "compile"
COMPILE_BAR, COMPILE_MB = 10, 250
CHAIN_ROW = "chain"
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


def shown_time(nanoseconds: float) -> str:
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
        shown_time(statistics.median(ours for ours, _ in pairs)),
        shown_time(statistics.median(peer for _, peer in pairs)),
        f"{median:.2f}× ({low:.2f}–{high:.2f})",
        f"≥ {row.bar:g}×",
        median >= row.bar,
        pairs,
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
    names = [row.name for row in TIME_ROWS] + [COMPILE_ROW, CHAIN_ROW]
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
