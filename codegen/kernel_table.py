"""The tables of an operator's CPU kernels: where they are declared, and the OpEntry."""

from __future__ import annotations

from collections.abc import Iterable

from codegen.cpp import designated
from codegen.model import DTYPE_CASE, DTYPE_GROUPS, DTYPES, ISAS, Kind, Op, in_groups

_CPU = "eagre::kernels::cpu"


def isas_of(op: Op) -> tuple[str, ...]:
    return ISAS if op.per_isa else ISAS[:1]


def is_generated(op: Op) -> bool:
    """Does the file of its kernel hold the table? Else that is written here, of functions."""
    return op.kind is Kind.POINTWISE or op.template is not None


def table_name(op: Op) -> str:
    return f"{op.kernel.function if is_generated(op) else op.name}_kernels"


def table_type(op: Op, function_type: str) -> str:
    return "PointwiseKernels" if op.kind is Kind.POINTWISE else f"KernelTable<{function_type}>"


def kernel_declarations(op: Op, function_type: str) -> tuple[tuple[str, str], ...]:
    """Lines for the top of a file, with the namespace of each."""
    table = table_name(op)
    if is_generated(op):
        line = f"extern const {table_type(op, function_type)} {table};"
        return tuple((f"{_CPU}::{isa}", line) for isa in isas_of(op))
    # Functions are declared: a wrong signature is a link error.
    kind = f"{op.node_name}Kernel"
    functions = ", ".join(f"{op.kernel.function}_{DTYPES[d].suffix}" for d in op.kernel_dtypes)
    types = ", ".join(DTYPES[d].cpp for d in op.kernel_dtypes)
    made = f"constexpr auto {table} = KernelTable<{kind}>::of<{types}>({functions});"
    lines = [(_CPU, f"using {kind} = {function_type};")]
    for isa in isas_of(op):
        lines += [(f"{_CPU}::{isa}", line) for line in (f"{kind} {functions};", made)]
    return tuple(lines)


def entry(op: Op, column: int) -> str:
    """The initialiser of OpEntry, whose fields begin in `column`."""
    tables = ", ".join(f"{isa}::{table_name(op)}" for isa in isas_of(op))
    fields = {
        "name": f'"{op.name}"',
        "signature": f'"{op.signature}"',
        "public_name": f'"{op.public}"',
        "dtypes": dtype_set(op.dtypes),
        "native": dtype_set(tuple(DTYPES) if op.by_size else op.native),
        "cpu": f"{{{tables}}}",
        "no_bools": f'"{op.no_bools}"' if op.no_bools else "",
    }
    return designated(fields, column)


def dtype_set(dtypes: tuple[str, ...]) -> str:
    """A DTypeSet, by the names of groups as records have them."""
    groups, left = in_groups(dtypes)
    parts = [plain_set(left, named=bool(groups))] if left else []
    return " | ".join(parts + [group_name(group) for group in groups])


def group_name(group: str) -> str:
    return f"dtypes::k{group.capitalize()}"


def plain_set(dtypes: Iterable[str], named: bool = True) -> str:
    single = ", ".join(f"k{DTYPE_CASE[d]}" for d in dtypes)
    return f"DTypeSet{{{single}}}" if named else f"{{{single}}}"


def dtype_checks() -> str:
    """That the generator's table of dtypes is the library's, for the compiler to see."""
    lines = [f"static_assert(kDTypeCount == {len(DTYPES)});"]
    for name, dtype in DTYPES.items():
        case = f"k{DTYPE_CASE[name]}"
        facts = [
            f'to_string({case}) == "{name}"',
            f"static_cast<int>({case}) == EAGRE_{name.upper()}",
            f"DTypeOf<{dtype.cpp}>::value == {case}",
            f"element_size({case}) == {dtype.size}",
            f"cpu_compute_dtype({case}) == k{DTYPE_CASE[dtype.computed_in]}",
        ]
        lines.append(f"static_assert({' && '.join(facts)});")
    for group, members in DTYPE_GROUPS.items():
        lines.append(f"static_assert({group_name(group)} == {plain_set(members)});")
    return "\n".join(lines)
