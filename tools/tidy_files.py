"""Prepares clang-tidy: prints the files it is to read, and writes the commands to compile them.

    python tools/tidy_files.py build/release build/tidy

Every hand-written source of the build, once; generated code is not ours to polish. The commands are
those of the build without its precompiled headers: clang cannot read g++'s, and they would hide
what a file forgets to include.
"""

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# Files with g++'s vector builtins, which clang cannot read.
GCC_ONLY = ("/kernels/cpu/isa/", "/kernels/cpu/transpose_tile", "/tests/cpp/kernels/")
PRECOMPILED = re.compile(r" -Winvalid-pch| -include \S*/cmake_pch\.hxx")


def is_ours(file: str) -> bool:
    path = Path(file)
    if path.suffix != ".cpp" or not path.is_relative_to(ROOT):
        return False
    return not path.is_relative_to(ROOT / "build") and not any(part in file for part in GCC_ONLY)


def main() -> None:
    build, out = map(Path, sys.argv[1:])
    commands = {}  # one per file
    for entry in json.loads((build / "compile_commands.json").read_text()):
        if is_ours(entry["file"]):
            entry["command"] = PRECOMPILED.sub("", entry["command"])
            commands[entry["file"]] = entry
    out.mkdir(parents=True, exist_ok=True)
    (out / "compile_commands.json").write_text(json.dumps(list(commands.values()), indent=1))
    print(*sorted(commands), sep="\n")


if __name__ == "__main__":
    main()
