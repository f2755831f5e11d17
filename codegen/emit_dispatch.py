"""The dispatch entry of every operator: its kernel table and the function that calls kernels.
Operators with a dense kernel are in emit_structured.py."""

from __future__ import annotations

from codegen import emit_structured
from codegen.cpp import banner, includes_for, names, out_parameters, parameters, result_type
from codegen.kernel_table import kernel_declarations, kernel_rows
from codegen.model import DTYPES, Kind, Op, Type
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
    out.add_sources("dispatch", "Dispatch to kernels.", [source(op) for op in dispatched])
    out.add("dispatch/op_table.cpp", op_table([op for op in dispatched if has_entry(op)]))


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
    extra = {
        Kind.POINTWISE: (*(["dispatch/meta/meta.h"] if op.meta else []), "dispatch/pointwise.h"),
        Kind.STRUCTURED: ("dispatch/meta/meta.h", "dispatch/structured.h"),
        Kind.UPDATE: ("dispatch/meta/meta.h", "dispatch/structured.h"),
        Kind.VIEW: ("dispatch/meta/meta.h",),
        Kind.TRANSFER: ("dispatch/output.h", "dispatch/transfer.h"),
    }[op.kind]
    included = (f"dispatch/ops/{op.name}.h", *extra)
    return Source(op.family, str(op.place), tuple(f"eagre/{name}" for name in included), body)


def op_table(ops: list[Op]) -> str:
    declarations = "\n".join(f"extern OpEntry& {op.name}_entry;" for op in ops)
    entries = ",\n    ".join(f"&{op.name}_entry" for op in ops)
    return f"""
// All operators that have kernels. Generated from ops/*.yaml; do not edit.
#include <eagre/dispatch/registry.h>

namespace eagre::dispatch {{

{declarations}

OpTable all_ops() {{
  static OpEntry* const entries[] = {{
    {entries},
  }};
  return {{entries, {len(ops)}}};
}}

}}  // namespace eagre::dispatch
"""


# --- pointwise ---


def pointwise(op: Op) -> str:
    rows, entry = kernel_rows(op, _LOOP)
    taken = ", ".join(parameters(op.arguments))
    own = f"  using namespace {op.name}_op;\n{check_line(op)}"
    functions = [f"{result_type(op)} {op.name}({taken}) {{\n{own}{call_lines(op)}\n}}"]
    if op.inplace:
        functions.append(f"void {op.name}_({taken}) {{\n{own}{inplace_lines(op)}\n}}")
    if op.out:
        more = ", ".join([*parameters(op.arguments), *out_parameters(op)])
        functions.append(f"void {op.name}_out({more}) {{\n{own}{out_lines(op)}\n}}")
    if reuses(op):
        call = f"binary_reusing({', '.join(['op', *names(op.tensors), *attributes(op)])})"
        functions.append(
            f"bool {op.name}_reusing({taken}) {{\n{own}{attribute_line(op)}  return {call};\n}}"
        )
    newline = "\n\n"
    return f"""
namespace eagre::kernels::cpu {{
{kernel_declarations(op, _LOOP)}
}}  // namespace eagre::kernels::cpu

namespace eagre::dispatch {{
namespace {op.name}_op {{
namespace {{
{rows}
constinit PointwiseOp op{definition(op, entry)};
}}  // namespace
}}  // namespace {op.name}_op

OpEntry& {op.name}_entry = {op.name}_op::op.entry;

{newline.join(functions)}

}}  // namespace eagre::dispatch
"""


def check_line(op: Op) -> str:
    """What is asked of the arguments besides their dtypes and shapes."""
    if op.meta is None:
        return ""
    shown = f'"{op.public}"'
    arguments = [
        f'{name}.get({shown}, "{name}")' if op.argument(name).type.is_single_tensor else name
        for name in op.meta.arguments
    ]
    return f"  meta::{op.meta.function}({', '.join([shown, *arguments])});\n"


def definition(op: Op, entry: str) -> str:
    """The initialiser of PointwiseOp."""
    inputs = ", ".join(f'"{a.name}"' for a in op.tensors)
    attribute_names = ", ".join(f'"{a.name}"' for a in op.scalars)
    native = sum(1 << i for i, d in enumerate(DTYPES) if op.by_size or d in op.native)
    masks = sum(1 << i for i, a in enumerate(op.tensors) if a.type is Type.MASK)
    return (
        f"{{{entry}, ComputeRule::{_COMPUTE_RULES[op.compute[0].function]}, "
        f"ResultRule::{_RESULT_RULES[op.results[0]]}, "
        f"{native:#x}, {len(op.scalars)}, {masks}, "
        f"{{{inputs}}}, {{{attribute_names}}}}}"
    )


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
        f"({', '.join(['op', *names(op.tensors), *more])});"
    )


def inplace_lines(op: Op) -> str:
    shape = fast_shape(op)
    if shape is not None and not chosen_dtype(op):
        call = f"{shape}_inplace({', '.join(['op', *names(op.tensors), *attributes(op)])})"
        return f"{attribute_line(op)}  {call};"
    target = f"&{op.tensors[0].name}"
    return f"{operands_line(op)}{attribute_line(op)}  {general(op, target)};"


def out_lines(op: Op) -> str:
    call = ", ".join(
        ["op", f"{{operands, {len(op.tensors)}}}", "attributes" if op.scalars else "nullptr"]
    )
    chosen = chosen_dtype(op)
    more = f", {chosen[0]}" if chosen else ", {}"
    return f"{operands_line(op)}{attribute_line(op)}  pointwise_out({call}{more}, out);"


def operands_line(op: Op) -> str:
    return f"  const Operand operands[] = {{{', '.join(names(op.tensors))}}};\n"


def general(op: Op, target: str = "nullptr") -> str:
    chosen = chosen_dtype(op)
    arguments = [
        "op",
        f"{{operands, {len(op.tensors)}}}",
        "attributes" if op.scalars else "nullptr",
        chosen[0] if chosen else "{}",
        target,
    ]
    return f"pointwise({', '.join(arguments)})"


# --- views and transfers ---


def view(op: Op) -> str:
    base = op.tensors[0].name
    shown = f'"{op.public}"'
    arguments = [
        f'{name}.get({shown}, "{name}")' if op.argument(name).type.is_tensor else name
        for name in op.meta.arguments
    ]
    call = f"meta::{op.meta.function}({', '.join([shown, *arguments])})"
    if op.returns_list:
        body = f"""  TensorVector results;
  for (const meta::ViewGeometry& view : {call}) {{
    results.push_back(meta::one_of_many(meta::view_of({base}.get(), view)));
  }}
  return results;"""
    else:
        body = f"  return meta::view_of({base}.get(), {call});"
    taken = ", ".join(parameters(op.arguments))
    inplace = ""
    if op.inplace:
        call = call.replace(shown, f'"{op.public}_"')
        inplace = f"\nvoid {op.name}_({taken}) {{\n  meta::look_at({base}.get(), {call});\n}}\n"
    return f"""
namespace eagre::dispatch {{

{result_type(op)} {op.name}({taken}) {{
{body}
}}
{inplace}
}}  // namespace eagre::dispatch
"""


def transfer(op: Op) -> str:
    return f"""
namespace eagre::dispatch {{

// Always a new tensor: recording gives the result a history.
TensorBase {op.name}({", ".join(parameters(op.arguments))}) {{
  TensorBase moved = on_device({", ".join(names(op.arguments))});
  return moved.is_same({op.arguments[0].name}) ? copy_of(moved) : moved;
}}

}}  // namespace eagre::dispatch
"""
