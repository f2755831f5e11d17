"""The table of an operator's CPU kernels: declarations, rows by dtype, and the OpEntry."""

from __future__ import annotations

from codegen.model import DTYPES, LEVELS, Op


def kernel_declarations(op: Op, function_type: str) -> str:
    """Kernels are declared here and defined in kernels/: a wrong signature is a link error."""
    returns, _, params = function_type.partition("(")
    out = []
    for level in LEVELS if op.levels else LEVELS[:1]:
        functions = "\n".join(
            f"{returns} {op.kernel.function}_{DTYPES[d].suffix}({params};" for d in op.kernel_dtypes
        )
        out.append(f"namespace {level} {{\n{functions}\n}}  // namespace {level}")
    return "\n".join(out)


def kernel_rows(op: Op, function_type: str) -> tuple[str, str]:
    """The rows, and the initialiser of OpEntry."""
    levels = LEVELS if op.levels else LEVELS[:1]
    rows = []
    for level in levels:
        name = f"k{level.capitalize()}"
        prefix = f"&kernels::cpu::{level}::{op.kernel.function}_"
        by_dtype = row_cells(op, prefix, lambda d: d in op.dtypes)
        direct = row_cells(op, prefix, lambda d: d in op.dtypes and is_direct(op, d))
        rows.append(
            f"constexpr TypedRow<Function> {name}{{\n    {{{by_dtype}}},\n    {{{direct}}}}};"
        )
    used = [f"&k{level.capitalize()}" for level in levels]
    pointers = ", ".join(used if len(used) == 3 else used * 3)
    rows.insert(0, f"using Function = {function_type};")
    return "\n".join(rows), (f'{{"{op.name}", "{op.signature}", "{op.public}", {{{pointers}}}}}')


def is_direct(op: Op, dtype: str) -> bool:
    return op.by_size or op.kernel_dtype(dtype) == dtype


def row_cells(op: Op, prefix: str, has_kernel) -> str:
    cells = (
        f"{prefix}{DTYPES[op.kernel_dtype(d)].suffix}" if has_kernel(d) else "nullptr"
        for d in DTYPES
    )
    return ",\n     ".join(cells)
