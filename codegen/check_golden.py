"""python -m codegen.check_golden [--update]: compares the C++ of some operators with golden/.

A change of the generator shows there what it does to the code, one file per operator.
"""

from __future__ import annotations

import difflib
import sys
from pathlib import Path

from codegen import emit_api, emit_dispatch, emit_kernels, emit_ops, emit_python
from codegen.load import load_ops
from codegen.output import Outputs

ROOT = Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "codegen" / "golden"
TABLES = ("dispatch/dtypes.cpp", "dispatch/op_table.cpp", "python/table.cpp")
# One of every shape that the generator makes.
CHOSEN = {
    "add": "pointwise, with a number, an attribute and an operator",
    "mul": "pointwise, saving its inputs",
    "exp": "pointwise, saving its result",
    "eq": "pointwise with bool results",
    "cast": "pointwise in a dtype that the call chooses",
    "copy": "in place only, by hand",
    "sum": "structured, with optional arguments",
    "matmul": "structured, with two inputs of one dtype",
    "full": "without inputs, a typed kernel",
    "randn": "with a generator",
    "transpose": "a view",
    "to_device": "a transfer",
}


def collect(ops_folder: Path) -> dict[str, str]:
    """File name in golden/ → text."""
    ops = tuple(op for op in load_ops(ops_folder) if op.name in CHOSEN)
    golden = {}
    for op in ops:
        files = emitted((op,), emit_ops, emit_dispatch, emit_kernels, emit_python)
        golden[f"{op.name}.cpp"] = join({n: t for n, t in files.items() if n not in TABLES})
    files = emitted(ops, emit_dispatch, emit_python)
    golden["tables.cpp"] = join({name: files[name] for name in TABLES})
    golden["public_api.h"] = join(emitted(ops, emit_api))
    return golden


def emitted(ops, *emitters) -> dict[str, str]:
    outputs = Outputs()
    for emitter in emitters:
        emitter.emit(ops, outputs)
    return outputs.files


def join(files: dict[str, str]) -> str:
    title = "// What the generator makes of the records, file after file; for review.\n\n"
    return title + "\n".join(f"// ======== {name}\n{text}" for name, text in files.items())


def differences() -> list[str]:
    expected = collect(ROOT / "ops")
    present = {path.name: path.read_text() for path in GOLDEN.iterdir()} if GOLDEN.exists() else {}
    lines: list[str] = []
    for name in sorted(expected.keys() | present.keys()):
        lines += difflib.unified_diff(
            present.get(name, "").splitlines(),
            expected.get(name, "").splitlines(),
            f"codegen/golden/{name}",
            "generated now",
            lineterm="",
        )
    return lines


def update() -> None:
    GOLDEN.mkdir(exist_ok=True)
    expected = collect(ROOT / "ops")
    for path in GOLDEN.iterdir():
        if path.name not in expected:
            path.unlink()
    for name, text in expected.items():
        (GOLDEN / name).write_text(text)


def main() -> int:
    if sys.argv[1:] == ["--update"]:
        update()
        return 0
    lines = differences()
    print("\n".join(lines))
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
