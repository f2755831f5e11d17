"""python -m codegen.check_device_code [header ...]: is all of eagre/kernels/scalar/ code for GPUs?

For each scalar function and dtype, and each operation of a family (`kernel: {reduce: …}`), a kernel
is made that stores what it gives, and compiled by nvcc without a warning. A call of a function of
the host is one; and a function that compiles to nothing shows as a kernel that stores nothing.
Without nvcc there is nothing to check.
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
from codegen.model import DTYPES, TEMPLATES, Kind, Op, Type

ROOT = Path(__file__).resolve().parents[1]
ARCHITECTURE = "sm_90"
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


# What a kernel does with an operation Op of elements T, by family. Of operations that begin with
# numbers it gets one.
_USES = {
    "reduce": """
  const auto first = Op::map(a[0], {}), second = Op::map(a[1], {});
  out[0] = Op::finish(Op::combine(first, second), 2);""",
    "scan": """
  if constexpr (Op::kPlaces) {
    out[0] = op->takes_over(a[0], a[1]) ? a[1] : a[0];
  } else {
    typename Op::State state = Op::kIdentity;
    Op::join(state, typename Op::State(a[0]));
    out[0] = static_cast<T>(state);
  }""",
    "generate": "\n  out[0] = op->at(threadIdx.x);",
    "random": """
  typename Op::Draw::Number drawn[Op::Draw::kPerBlock];
  Op::Draw::draw(scalar::philox(1, threadIdx.x), drawn);
  if constexpr (requires { op->finish(drawn[0], a[0], a[1]); }) {
    out[0] = T(op->finish(drawn[0], a[0], a[1]));
  } else if constexpr (requires { op->finish(drawn[0], a[0]); }) {
    out[0] = T(op->finish(drawn[0], a[0]));
  } else {
    out[0] = T(op->finish(drawn[0]));
  }""",
    "scatter": "\n  Op::join(out[0], a[0]);",
}


def use(family: str) -> str:
    return f"""template <class Op, class T>
__device__ __forceinline__ void use_{family}(T* out, const T* a, const Op* op) {{{_USES[family]}
}}
"""


def operation_kernel(op: Op, dtype: str) -> str:
    """Stores what the operation of a family gives."""
    element = DTYPES[dtype].cpp
    name = f"{op.kernel.function}_{DTYPES[dtype].suffix}"
    operation = f"scalar::{op.kernel_class}<{element}>"
    return f"""__global__ void {name}({element}* out, const {element}* a, const {operation}* op) {{
  use_{op.template}(out, a, op);
}}
"""


def source(header: str, ops: list[Op]) -> str:
    kernels = {
        (op.kernel.function, dtype): made(op, dtype)
        for op in ops
        for made in [kernel if op.kind is Kind.POINTWISE else operation_kernel]
        for dtype in op.kernel_dtypes
    }
    families = sorted({op.template for op in ops if op.template is not None})
    body = "\n".join([*map(use, families), *kernels.values()])
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
        elif op.template is not None and TEMPLATES[op.template].operations is not None:
            headers.setdefault(TEMPLATES[op.template].operations, []).append(op)
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
