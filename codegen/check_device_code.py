"""python -m codegen.check_device_code [header ...]: is all of eagre/kernels/scalar/ code for GPUs?

For each scalar function and dtype, and each operation that reductions fold with, a kernel is made
that stores what it gives, and compiled by nvcc without a warning. A call of a function of the host
is one; and a function that compiles to nothing shows as a kernel that stores nothing. Without nvcc
there is nothing to check.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from codegen.load import load_ops
from codegen.model import DTYPES, Kind, Op, Type

ROOT = Path(__file__).resolve().parents[1]
ARCHITECTURE = "sm_90"
FOLD_OPS = "eagre/kernels/scalar/fold_ops.h"
# A template for all dtypes asks whether a number is negative, which an unsigned one never is.
SUPPRESSED = ["-diag-suppress", "186"]


def kernel(op: Op, dtype: str) -> str:
    """Stores the scalar function of each element."""
    element = DTYPES[dtype].cpp
    types = ["bool" if a.type is Type.MASK else element for a in op.tensors]
    types += [element] * len(op.scalars)
    result = {"compute": element, "bool": "bool", "real": f"Real<{element}>"}[op.results[0]]
    names = "abcdefgh"[: len(types)]
    taken = ", ".join(f"const {t}* {n}" for t, n in zip(types, names, strict=True))
    given = ", ".join(f"{n}[i]" for n in names)
    function = op.kernel.function
    return f"""__global__ void {function}_{DTYPES[dtype].suffix}({result}* out, {taken}) {{
  const int i = threadIdx.x;
  out[i] = scalar::{function}({given});
}}
"""


def fold_kernel(op: Op, dtype: str) -> str:
    """Folds two numbers with the operation of a reduction."""
    element = DTYPES[dtype].cpp
    operation = f"scalar::{op.kernel_class}<{element}>"
    name = f"{op.kernel.function}_{DTYPES[dtype].suffix}"
    return f"""__global__ void {name}({element}* out, const {element}* a) {{
  using Fold = {operation};
  const auto first = Fold::map(a[0], {{}}), second = Fold::map(a[1], {{}});
  out[0] = Fold::finish(Fold::combine(first, second), 2);
}}
"""


def source(header: str, ops: list[Op]) -> str:
    kernels = {
        (op.kernel.function, dtype): (kernel if op.kind is Kind.POINTWISE else fold_kernel)(
            op, dtype
        )
        for op in ops
        for dtype in op.kernel_dtypes
    }
    body = "\n".join(kernels.values())
    return f"""#include <eagre/core/complex.h>
#include <eagre/core/dtype.h>
#include <{header}>

namespace eagre {{
{body}
}}  // namespace eagre
"""


def by_header() -> dict[str, list[Op]]:
    headers: dict[str, list[Op]] = {}
    for op in load_ops(ROOT / "ops"):
        if op.kind is Kind.POINTWISE:
            headers.setdefault(op.scalar_header, []).append(op)
        elif op.template == "reduce":
            headers.setdefault(FOLD_OPS, []).append(op)
    # Those that no record names serve kernels of other families; their functions compile too.
    for path in sorted((ROOT / "eagre/kernels/scalar").glob("*.h")):
        headers.setdefault(str(path.relative_to(ROOT)), [])
    return headers


def problems(nvcc: str, header: str, text: str, folder: Path) -> list[str]:
    """What is wrong with the kernels of a header."""
    name = Path(header).stem
    path, ptx = folder / f"{name}.cu", folder / f"{name}.ptx"
    path.write_text(text)
    flags = ["-std=c++20", "--expt-relaxed-constexpr", f"-arch={ARCHITECTURE}", "-ptx"]
    flags += ["-Werror", "all-warnings", *SUPPRESSED]
    command = [nvcc, *flags, f"-I{ROOT}", "-o", str(ptx), str(path)]
    compiled = subprocess.run(command, capture_output=True, text=True, check=False)
    if compiled.returncode != 0:
        return [f"{header}: {line}" for line in compiled.stderr.splitlines() if line.strip()]
    kernels = re.split(r"\.entry\s+", ptx.read_text())[1:]
    return [
        f"{header}: the kernel {kernel.split('(')[0]} stores nothing"
        for kernel in kernels
        if "st.global" not in kernel
    ]


def find_nvcc() -> str | None:
    return shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")


def main() -> int:
    nvcc = find_nvcc()
    if nvcc is None:
        print("check_device_code: there is no nvcc, so nothing was checked")
        return 0
    wanted = sys.argv[1:]
    headers = {h: o for h, o in by_header().items() if not wanted or Path(h).stem in wanted}
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        found = pool.map(
            lambda item: problems(nvcc, item[0], source(*item), Path(folder)), headers.items()
        )
        lines = [line for problem in found for line in problem]
    print("\n".join(lines))
    print(f"check_device_code: {len(headers)} headers, {len(lines)} lines of problems")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
