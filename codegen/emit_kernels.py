"""CPU kernels that are instantiations of templates: pointwise loops around a scalar function, and
the typed kernels of kernels/cpu/typed/. One file per function; those in kernels/levels/ are
compiled once per instruction-set level, those in kernels/once/ for the baseline only."""

from __future__ import annotations

from codegen.emit_structured import kernel_type
from codegen.model import DTYPES, LEVELS, Kind, Op, Type
from codegen.output import Outputs
from codegen.problem import RecordError


def emit(ops: tuple[Op, ...], out: Outputs) -> None:
    kernels: dict[str, list[Op]] = {}
    for op in ops:
        if op.kind is Kind.POINTWISE:
            kernels.setdefault(op.kernel.function, []).append(op)
    for kernel, users in kernels.items():
        folder = "levels" if users[0].levels else "once"
        out.add(f"kernels/{folder}/{kernel}.cpp", kernel_file(kernel, users))
    typed: dict[str, list[Op]] = {}
    for op in ops:
        if op.typed:
            typed.setdefault(op.kernel.function, []).append(op)
    for kernel, users in typed.items():
        folder = "levels" if users[0].levels else "once"
        out.add(f"kernels/{folder}/{kernel}.cpp", typed_file(kernel, users))


def shared_dtypes(users: list[Op], shown: str, shape) -> list[str]:
    """The dtypes of a kernel that several operators use, which must have one shape."""
    op = users[0]
    for other in users[1:]:
        if shape(other) != shape(op):
            message = f"'{op.name}' uses {shown} with other arguments"
            raise RecordError(other.place, other.name, "kernel", message)
    return sorted({d for user in users for d in user.kernel_dtypes}, key=list(DTYPES).index)


def level_of(op: Op) -> str:
    """The namespace of its kernels."""
    return "EAGRE_LEVEL" if op.levels else LEVELS[0]


def typed_file(kernel: str, users: list[Op]) -> str:
    """The functions that a template in kernels/cpu/typed/ stands for."""
    op = users[0]
    level = level_of(op)
    types = kernel_type(op).removeprefix("void(").removesuffix(")").split(", ")
    dtypes = shared_dtypes(users, f"'{kernel}'", lambda o: (kernel_type(o), o.levels))
    taken = ", ".join(f"{t} p{i}" for i, t in enumerate(types))
    passed = ", ".join(f"p{i}" for i in range(len(types)))
    functions = "\n".join(
        f"void {kernel}_{DTYPES[d].suffix}({taken}) {{\n"
        f"  typed::{kernel}<{DTYPES[d].cpp}>({passed});\n}}"
        for d in dtypes
    )
    return f"""
// The kernel '{kernel}' for every dtype. Generated from {op.place}; do not edit.
#include <eagre/kernels/cpu/typed/{kernel}.h>

namespace eagre::kernels::cpu::{level} {{

{functions}

}}  // namespace eagre::kernels::cpu::{level}
"""


def kernel_file(kernel: str, users: list[Op]) -> str:
    op = users[0]
    level = level_of(op)
    dtypes = shared_dtypes(users, f"the scalar function '{kernel}'", shape_of)
    operands = ["a", "b", "c"][: len(op.tensors)]
    loop = ("unary_loop", "binary_loop", "ternary_loop")[len(op.tensors) - 1]
    types = ["bool" if a.type is Type.MASK else "T" for a in op.tensors]
    result = {"compute": "T", "bool": "bool", "real": "Real<T>"}[op.results[0]]
    count = len(op.scalars)
    capture = "=" if count else ""
    lines = "".join(
        f"  const T attribute_{i} = attribute<T>(attributes, {i});\n" for i in range(count)
    )
    call = ", ".join(operands + [f"attribute_{i}" for i in range(count)])
    taken = ", ".join(f"{t} {o}" for t, o in zip(types, operands, strict=True))
    functions = "\n".join(
        f"void {kernel}_{DTYPES[d].suffix}(char* const* data, const int64_t* strides, int64_t n,\n"
        f"    const void* attributes) {{\n"
        f"  run<{DTYPES[d].cpp}>(data, strides, n, attributes);\n}}"
        for d in dtypes
    )
    return f"""
// Loops of the pointwise kernel '{kernel}'. Generated from {op.place}; do not edit.
#include <eagre/core/complex.h>
#include <eagre/core/half.h>
#include <eagre/kernels/cpu/pointwise_loop.h>
#include <eagre/kernels/scalar/{kernel}.h>

namespace eagre::kernels::cpu::{level} {{
namespace {{

template <class T>
void run(char* const* data, const int64_t* strides, int64_t n,
         [[maybe_unused]] const void* attributes) {{
{lines}  {loop}<{", ".join([result, *types])}>(data, strides, n, [{capture}]({taken}) {{
    return scalar::{kernel}({call});
  }});
}}

}}  // namespace

{functions}

}}  // namespace eagre::kernels::cpu::{level}
"""


def shape_of(op: Op) -> tuple:
    """What two operators must have in common to share a scalar function."""
    return [a.type is Type.MASK for a in op.tensors], len(op.scalars), op.results, op.levels
