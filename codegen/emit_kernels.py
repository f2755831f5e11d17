"""CPU kernels that are instantiations of templates: pointwise loops around a scalar function, and
those of TEMPLATES. One file per function; those in kernels/isa/ are
compiled once per instruction set, those in kernels/once/ for the baseline only."""

from __future__ import annotations

from codegen.emit_structured import kernel_type
from codegen.kernel_table import table_type
from codegen.model import DTYPES, ISAS, Kind, Op, Type
from codegen.output import Outputs, in_namespace
from codegen.problem import RecordError


def emit(ops: tuple[Op, ...], out: Outputs) -> None:
    kernels: dict[str, list[Op]] = {}
    for op in ops:
        if op.kind is Kind.POINTWISE:
            kernels.setdefault(op.kernel.function, []).append(op)
    for kernel, users in kernels.items():
        folder = "isa" if users[0].per_isa else "once"
        out.add(f"kernels/{folder}/{kernel}.cpp", kernel_file(kernel, users))
    instances: dict[str, list[Op]] = {}
    for op in ops:
        if op.template is not None:
            instances.setdefault(op.kernel.function, []).append(op)
    for kernel, users in instances.items():
        folder = "isa" if users[0].per_isa else "once"
        out.add(f"kernels/{folder}/{kernel}.cpp", instances_file(kernel, users))


def shared_dtypes(users: list[Op], shown: str, shape) -> list[str]:
    """The dtypes of a kernel that several operators use, which must have one shape."""
    op = users[0]
    for other in users[1:]:
        if shape(other) != shape(op):
            message = f"'{op.name}' uses {shown} with other arguments"
            raise RecordError(other.place, other.name, "kernel", message)
    return sorted({d for user in users for d in user.kernel_dtypes}, key=list(DTYPES).index)


def instance_of(op: Op) -> tuple:
    """What two operators must have in common to share an instantiation."""
    return (kernel_type(op), op.per_isa, op.by_size, op.template)


def isa_of(op: Op) -> str:
    """The namespace of its kernels."""
    return "EAGRE_ISA" if op.per_isa else ISAS[0]


def instances_file(kernel: str, users: list[Op]) -> str:
    """The functions that a template stands for."""
    op = users[0]
    dtypes = shared_dtypes(users, f"'{kernel}'", instance_of)
    kind = f"using Kernels = {table_type(op, kernel_type(op))};"
    body = f"{kind}\n{table(op, kernel, 'Kernels', dtypes, op.template_call)}"
    return f"""
// The kernel '{kernel}' for every dtype. Generated from {op.place}; do not edit.
#include <eagre/kernels/cpu/kernel_table.h>
#include <{op.template_header}>

{in_namespace(f"eagre::kernels::cpu::{isa_of(op)}", body)}
"""


def table(op: Op, kernel: str, kind: str, dtypes: list[str], call: str) -> str:
    """Of the functions that a template is compiled to."""
    types = ", ".join(DTYPES[d].cpp for d in dtypes)
    each = "each_size" if op.by_size else f"each<{types}>"
    got = f"[]<class T>() -> {kind}::Always<T>* {{ return &{call}; }}"
    return f"extern constinit const {kind} {kernel}_kernels =\n    {kind}::{each}({got});"


def kernel_file(kernel: str, users: list[Op]) -> str:
    op = users[0]
    dtypes = shared_dtypes(users, f"the scalar function '{kernel}'", shape_of)
    operands = ["a", "b", "c"][: len(op.tensors)]
    loop = ("unary_loop", "binary_loop", "ternary_loop")[len(op.tensors) - 1]
    types = ["bool" if a.type is Type.MASK else "T" for a in op.tensors]
    result = {"compute": "T", "bool": "bool", "real": "Real<T>"}[op.results[0]]
    count = len(op.scalars)
    lines = "".join(
        f"  const T attribute_{i} = attribute<T>(attributes, {i});\n" for i in range(count)
    )
    call = ", ".join(operands + [f"attribute_{i}" for i in range(count)])
    taken = ", ".join(f"{t} {o}" for t, o in zip(types, operands, strict=True))
    function = f"[{'=' if count else ''}]({taken}) {{ return scalar::{kernel}({call}); }}"
    attributes = "const void* attributes" if count else "const void*"
    run = f"""template <class T>
void {kernel}_loop(char* const* data, const int64_t* strides, int64_t n, {attributes}) {{
{lines}  {loop}<{", ".join([result, *types])}>(data, strides, n, {function});
}}"""
    body = f"""{in_namespace("", run)}

{table(op, kernel, "PointwiseKernels", dtypes, f"{kernel}_loop<T>")}"""
    return f"""
// Loops of the pointwise kernel '{kernel}'. Generated from {op.place}; do not edit.
#include <eagre/core/half.h>
#include <eagre/kernels/cpu/kernel_table.h>
#include <eagre/kernels/cpu/pointwise_loop.h>
#include <{op.scalar_header}>

{in_namespace(f"eagre::kernels::cpu::{isa_of(op)}", body)}
"""


def shape_of(op: Op) -> tuple:
    """What two operators must have in common to share a scalar function."""
    return (
        [a.type is Type.MASK for a in op.tensors],
        len(op.scalars),
        op.results,
        (op.per_isa, op.by_size, op.scalar_header),
    )
