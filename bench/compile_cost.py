"""Time and memory of compiling one source file, with our headers and with the peer's."""

import json
import os
import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path

COMPILER = ["g++", "-std=c++20", "-O2", "-DNDEBUG", "-c", "-o", "/dev/null"]
# What carries over from the build's own command line: where headers are and how they are read.
KEPT_PREFIXES = ("-I", "-D", "-isystem", "-f")


@dataclass
class Cost:
    seconds: float  # processor time of the compiler, which feels load less than the wall clock
    megabytes: float


def compile_cost(flags: list[str], source: Path, core: int) -> Cost:
    # wait4 reports this child and what it waited for: g++ itself and cc1plus.
    process = subprocess.Popen(["taskset", "-c", str(core), *COMPILER, *flags, str(source)])
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"compile_cost: {source} does not compile")
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def flags_of_build(build: Path, source: Path) -> list[str]:
    """The header paths and definitions that CMake uses for `source`."""
    for entry in json.loads((build / "compile_commands.json").read_text()):
        if Path(entry["file"]) == source:
            words = iter(shlex.split(entry["command"]))
            break
    else:
        raise SystemExit(f"compile_cost: {source} is not part of {build}")
    flags = []
    for word in words:
        if word in ("-I", "-isystem", "-D"):
            flags += [word, next(words)]
        elif word.startswith(KEPT_PREFIXES):
            flags.append(word)
    return flags


def compile_ours(build: Path, source: Path, core: int) -> Cost:
    return compile_cost(flags_of_build(build, source), source, core)


def compile_peer(libtorch, source: Path, core: int) -> Cost:
    return compile_cost(libtorch.compile_flags(), source, core)
