"""python -m codegen --ops ops --out build/release/gen [--list]"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from codegen import (
    emit_api,
    emit_batch_rules,
    emit_dispatch,
    emit_docs,
    emit_kernels,
    emit_names,
    emit_ops,
    emit_python,
    emit_stubs,
)
from codegen.load import load_ops
from codegen.output import Outputs
from codegen.problem import RecordError

EMITTERS = (
    emit_kernels,
    emit_dispatch,
    emit_ops,
    emit_batch_rules,
    emit_api,
    emit_python,
    emit_names,
    emit_stubs,
    emit_docs,
)


def generate(ops_folder: Path) -> Outputs:
    ops = load_ops(ops_folder)
    outputs = Outputs()
    for emitter in EMITTERS:
        emitter.emit(ops, outputs)
    return outputs


def main() -> int:
    parser = argparse.ArgumentParser(prog="codegen", description=__doc__)
    parser.add_argument("--ops", type=Path, required=True, help="folder of the records")
    parser.add_argument("--out", type=Path, required=True, help="folder of the generated files")
    parser.add_argument("--list", action="store_true", help="print the files, for CMake")
    arguments = parser.parse_args()
    try:
        outputs = generate(arguments.ops)
    except RecordError as error:
        print(f"codegen: {error}", file=sys.stderr)
        return 1
    changed = outputs.write(arguments.out)
    summary = f"codegen: {len(outputs.files)} files, {changed} changed"
    print("\n".join(outputs.files) if arguments.list else summary)
    return 0


if __name__ == "__main__":
    sys.exit(main())
