"""The dispatch entry of every operator: its kernel table and the function that calls kernels.
Operators with a dense kernel are in emit_structured.py."""

from __future__ import annotations

from codegen import emit_structured
from codegen.cpp import (
    HEADERS,
    banner,
    designated,
    includes_for,
    names,
    out_parameters,
    parameters,
    result_type,
)
from codegen.kernel_table import dtype_checks, entry, kernel_declarations
from codegen.model import Kind, Op, Type
from codegen.output import Outputs, Source

_LOOP = "void(char* const*, const int64_t*, int64_t, const void*)"
_RESULT_RULES = {"compute": "kCompute", "bool": "kBool", "real": "kReal"}
_COMPUTE_RULES = {
    "promote": "kPromote",
    "promote_number": "kPromoteNumber",
    "promote_float": "kPromoteFloat",
    "first": "kFirst",
    "arg": "kArgument",
}


def emit(ops: tuple[Op, ...], out: Outputs) -> None:
    dispatched = [op for op in ops if op.kind is not Kind.COMPOSITE]
    for op in dispatched:
        out.add(f"include/eagre/dispatch/ops/{op.name}.h", header(op))
    sources = [source(op) for op in dispatched]
    out.add_sources("dispatch", "Dispatch to kernels.", "eagre::dispatch", sources)
    out.add("dispatch/op_table.cpp", op_table([op for op in dispatched if has_entry(op)]))
    out.add("dispatch/dtypes.cpp", dtypes_file())


def has_entry(op: Op) -> bool:
    return op.kind in (Kind.POINTWISE, Kind.STRUCTURED, Kind.UPDATE)


def header(op: Op) -> str:
    taken = ", ".join(parameters(op.arguments))
    lines = [f"{result_type(op)} {op.name}({taken});"]
    if op.inplace:
        lines.append(f"void {op.name}_({taken});")
    if op.out:
        lines.append(
            f"void {op.name}_out({', '.join([*parameters(op.arguments), *out_parameters(op)])});"
        )
    if reuses(op):
        lines.append(f"bool {op.name}_reusing({taken});")
    return f"""
{banner(op, f"{op.name}: dispatch to kernels, without recording.")}
#pragma once

{chr(10).join(includes_for(op))}

namespace eagre::dispatch {{

{chr(10).join(lines)}

}}  // namespace eagre::dispatch
"""


def reuses(op: Op) -> bool:
    """Has it a form that reuses the buffer of its first argument?"""
    return (
        op.kind is Kind.POINTWISE
        and op.inplace
        and len(op.tensors) == 2
        and op.results == ("compute",)
        and op.tensors[0].type is Type.TENSOR
    )


def source(op: Op) -> Source:
    body = {
        Kind.POINTWISE: pointwise,
        Kind.STRUCTURED: emit_structured.structured,
        Kind.UPDATE: emit_structured.update,
        Kind.VIEW: view,
        Kind.TRANSFER: transfer,
    }[op.kind](op)
    used = {
        Kind.POINTWISE: (*(["meta"] if op.meta else []), "pointwise"),
        Kind.STRUCTURED: ("meta", "structured", *(["shortcut"] if op.shortcut else [])),
        Kind.UPDATE: ("meta", "structured"),
        Kind.VIEW: ("meta",),
        Kind.TRANSFER: ("output", "transfer"),
    }[op.kind]
    includes = (f"eagre/dispatch/ops/{op.name}.h", *(h for name in used for h in HEADERS[name]))
    return Source(op.family, str(op.place), includes, body, declared_kernels(op))


def declared_kernels(op: Op) -> tuple[tuple[str, str], ...]:
    if not has_entry(op):
        return ()
    kind = _LOOP if op.kind is Kind.POINTWISE else emit_structured.kernel_type(op)
    return kernel_declarations(op, kind)


def op_table(ops: list[Op]) -> str:
    declarations = "\n".join(
        f"extern {'PointwiseOp' if op.kind is Kind.POINTWISE else 'OpEntry'} {op.name}_op;"
        for op in ops
    )
    entries = "\n".join(
        f"      &{op.name}_op{'.entry' if op.kind is Kind.POINTWISE else ''}," for op in ops
    )
    return f"""
// All operators that have kernels. Generated from ops/*.yaml; do not edit.
#include <eagre/dispatch/pointwise.h>

namespace eagre::dispatch {{

{declarations}

OpTable all_ops() {{
  static OpEntry* const entries[] = {{
{entries}
  }};
  return {{entries, {len(ops)}}};
}}

}}  // namespace eagre::dispatch
"""


def dtypes_file() -> str:
    return f"""
// What the generator took for granted about dtypes. Generated from codegen/model.py; do not edit.
#include <eagre/core/dtype.h>
#include <eagre/dispatch/device_plugin.h>

namespace eagre {{

{dtype_checks()}

}}  // namespace eagre
"""


# --- pointwise ---


def pointwise(op: Op) -> str:
    taken = ", ".join(parameters(op.arguments))
    check = check_line(op)
    functions = [f"{result_type(op)} {op.name}({taken}) {{\n{check}{call_lines(op)}\n}}"]
    if op.inplace:
        functions.append(f"void {op.name}_({taken}) {{\n{check}{inplace_lines(op)}\n}}")
    if op.out:
        more = ", ".join([*parameters(op.arguments), *out_parameters(op)])
        functions.append(f"void {op.name}_out({more}) {{\n{check}{out_lines(op)}\n}}")
    if reuses(op):
        given = ", ".join([f"{op.name}_op", *names(op.tensors), *attributes(op)])
        functions.append(
            f"bool {op.name}_reusing({taken}) {{\n"
            f"{check}{attribute_line(op)}  return binary_reusing({given});\n}}"
        )
    return "\n".join([f"constinit PointwiseOp {op.name}_op{definition(op)}", *functions])


def check_line(op: Op) -> str:
    """What is asked of the arguments besides their dtypes and shapes."""
    if op.meta is None:
        return ""
    quoted = f'"{op.public}"'
    arguments = [
        f'{name}.get({quoted}, "{name}")' if op.argument(name).type.is_single_tensor else name
        for name in op.meta.arguments
    ]
    return f"  meta::{op.meta.function}({', '.join([quoted, *arguments])});\n"


def definition(op: Op) -> str:
    """The initialiser of PointwiseOp."""
    inputs = ", ".join(f'"{a.name}"' for a in op.tensors)
    attribute_names = ", ".join(f'"{a.name}"' for a in op.scalars)
    masks = sum(1 << i for i, a in enumerate(op.tensors) if a.type is Type.MASK)
    fields = {
        "entry": entry(op, len("    .entry = {")),
        "compute": f"ComputeRule::{_COMPUTE_RULES[op.compute[0].function]}",
        "result": f"ResultRule::{_RESULT_RULES[op.results[0]]}",
        "attributes": str(len(op.scalars) or ""),
        "masks": str(masks or ""),
        "wide_numbers": "true" if op.wide_numbers else "",
        "whole_numbers": "true" if op.whole_numbers else "",
        "input_names": f"{{{inputs}}}",
        "attribute_names": attribute_names and f"{{{attribute_names}}}",
    }
    # Open brackets at the ends of lines, as there are brackets in brackets.
    return "{\n    " + designated(fields, 4)[1:-1] + "};"


def attribute_line(op: Op) -> str:
    if not op.scalars:
        return ""
    if len(op.scalars) == 1:  # without a copy
        return f"  const Scalar* const attributes = &{op.scalars[0].name};\n"
    return f"  const Scalar attributes[] = {{{', '.join(names(op.scalars))}}};\n"


def attributes(op: Op) -> list[str]:
    return ["attributes"] if op.scalars else []


def chosen_dtype(op: Op) -> list[str]:
    return [call.arguments[0] for call in op.compute if call.function == "arg"]


def fast_shape(op: Op) -> str | None:
    """The name of the entry with a fast path, if there is one for such operands."""
    types = [a.type for a in op.tensors]
    if types == [Type.TENSOR]:
        return "unary"
    plain = types in ([Type.TENSOR, Type.OPERAND], [Type.TENSOR, Type.TENSOR])
    return "binary" if plain and not chosen_dtype(op) else None


def call_lines(op: Op) -> str:
    shape = fast_shape(op)
    if shape is None:
        return f"{operands_line(op)}{attribute_line(op)}  return {general(op)};"
    suffix = "" if op.results[0] == "compute" else f"_{op.results[0]}"
    more = attributes(op)
    if chosen_dtype(op):
        more = [*(more or ["nullptr"]), *chosen_dtype(op)]
    return (
        f"{attribute_line(op)}  return {shape}{suffix}"
        f"({', '.join([f'{op.name}_op', *names(op.tensors), *more])});"
    )


def inplace_lines(op: Op) -> str:
    shape = fast_shape(op)
    if shape is not None and not chosen_dtype(op):
        call = (
            f"{shape}_inplace({', '.join([f'{op.name}_op', *names(op.tensors), *attributes(op)])})"
        )
        return f"{attribute_line(op)}  {call};"
    target = f"&{op.tensors[0].name}"
    return f"{operands_line(op)}{attribute_line(op)}  {general(op, target)};"


def out_lines(op: Op) -> str:
    call = ", ".join(
        [
            f"{op.name}_op",
            f"{{operands, {len(op.tensors)}}}",
            "attributes" if op.scalars else "nullptr",
        ]
    )
    chosen = chosen_dtype(op)
    more = f", {chosen[0]}" if chosen else ", {}"
    return f"{operands_line(op)}{attribute_line(op)}  pointwise_out({call}{more}, out);"


def operands_line(op: Op) -> str:
    return f"  const Operand operands[] = {{{', '.join(names(op.tensors))}}};\n"


def general(op: Op, target: str = "nullptr") -> str:
    chosen = chosen_dtype(op)
    arguments = [
        f"{op.name}_op",
        f"{{operands, {len(op.tensors)}}}",
        "attributes" if op.scalars else "nullptr",
        chosen[0] if chosen else "{}",
        target,
    ]
    return f"pointwise({', '.join(arguments)})"


# --- views and transfers ---


def view(op: Op) -> str:
    base = op.tensors[0].name
    quoted = f'"{op.public}"'
    arguments = [
        f'{name}.get({quoted}, "{name}")' if op.argument(name).type.is_tensor else name
        for name in op.meta.arguments
    ]
    call = f"meta::{op.meta.function}({', '.join([quoted, *arguments])})"
    if op.returns_list:
        body = f"""  TensorVector results;
  for (const meta::ViewGeometry& view : {call}) {{
    results.push_back(meta::one_of_many(meta::view_of({base}.get(), view)));
  }}
  return results;"""
    else:
        body = f"  return meta::view_of({base}.get(), {call});"
    # What only the gradient reads has no name.
    taken = ", ".join(
        text if a.name in op.meta.arguments else text.rsplit(" ", 1)[0]
        for a, text in zip(op.arguments, parameters(op.arguments), strict=True)
    )
    functions = [f"{result_type(op)} {op.name}({taken}) {{\n{body}\n}}"]
    if op.inplace:
        call = call.replace(quoted, f'"{op.public}_"')
        functions.append(f"void {op.name}_({taken}) {{\n  meta::look_at({base}.get(), {call});\n}}")
    return "\n".join(functions)


def transfer(op: Op) -> str:
    return f"""
// Always a new tensor: recording gives the result a history.
TensorBase {op.name}({", ".join(parameters(op.arguments))}) {{
  TensorBase moved = on_device({", ".join(names(op.arguments))});
  return moved.is_same({op.arguments[0].name}) ? copy_of(moved) : moved;
}}
"""
