"""Checks the kernel objects of each instruction set: shared code, and roundings.

    python tools/check_isa.py BUILD_DIR

An inline function compiled into an AVX-512 object is a weak symbol there, and the linker may keep
that copy for the whole program, which then stops on older machines. So such an object defines no
weak symbol at all (nm types W, V and u; a weak *reference*, lower-case w or v, is harmless).

All instruction sets give the same bits, but for what is made of products of matrices: no other
object multiplies and adds with one rounding. GCC does so in places although it is told not to.
"""

import re
import subprocess
import sys
from pathlib import Path

ISAS = ["eagre_cpu_baseline", "eagre_cpu_avx2", "eagre_cpu_avx512", "eagre_cpu_avx512_bf16"]
WEAK_TYPES = {"W", "V", "u"}
NO_CODE = "DW.ref."  # an address that objects with destructors share; the same in all of them
FUSED = re.compile(r"\t(vfn?m(?:add|sub)\w+)")
MAY_FUSE = ("matmul", "conv_", "attention", "rnn_")  # how the names of such files begin
PRINTED = 10


def weak_symbols(object_file: Path) -> list[str]:
    command = ["nm", "--defined-only", "--demangle", "--format=posix", str(object_file)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found = []
    for line in output.splitlines():
        # "<name> <type> <value> <size>"; a demangled name may hold spaces, the rest may not.
        head = line.rsplit(" ", 2)[0].rstrip()
        name, _, kind = head.rpartition(" ")
        if kind in WEAK_TYPES and not name.startswith(NO_CODE):
            found.append(name)
    return found


def fused_instructions(object_file: Path) -> list[str]:
    if object_file.name.startswith(MAY_FUSE):
        return []
    command = ["objdump", "--disassemble", "--no-show-raw-insn", str(object_file)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return sorted(set(FUSED.findall(output)))


def isa_objects(build: Path, isa: str) -> list[Path]:
    # The folder of the target is searched for: it moves with the CMakeLists that defines it.
    return sorted(build.glob(f"**/CMakeFiles/{isa}.dir/**/*.o"))


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print("usage: check_isa.py BUILD_DIR", file=sys.stderr)
        return 2
    build = Path(arguments[0])
    status = 0
    for isa in ISAS:
        objects = isa_objects(build, isa)
        if not objects:
            print(f"check_isa: no object file of {isa} in {build}; is it built?")
            status = 1
        for object_file in objects:
            for problem, found in (
                ("weak symbols in an object per isa", weak_symbols(object_file)),
                (
                    "instructions that round once what others round twice",
                    fused_instructions(object_file),
                ),
            ):
                if not found:
                    continue
                status = 1
                print(f"{object_file}: {len(found)} {problem}:")
                for name in found[:PRINTED]:
                    print(f"    {name}")
                if len(found) > PRINTED:
                    print(f"    and {len(found) - PRINTED} more")
        print(f"check_isa: {isa}: {len(objects)} objects")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
