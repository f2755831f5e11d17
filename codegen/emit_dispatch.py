"""The dispatch entry of every operator: its kernel table and the function that calls kernels."""

from __future__ import annotations

from codegen.cpp import banner, includes_for, names, parameters
from codegen.model import DTYPES, LEVELS, Argument, Kind, Op, Type
from codegen.output import Outputs

_LOOP = "void(char* const*, const int64_t*, int64_t, const void*)"
# What kernels get for an argument, by type.
_KERNEL_TYPES = {Type.TENSOR: "const TensorView&", Type.GENERATOR: "RandomStretch"}


def emit(ops: tuple[Op, ...], out: Outputs) -> None:
    dispatched = [op for op in ops if op.kind is not Kind.COMPOSITE]
    for op in dispatched:
        out.add(f"include/eagre/dispatch/ops/{op.name}.h", header(op))
        out.add(f"dispatch/{op.name}.cpp", source(op))
    out.add("dispatch/op_table.cpp", op_table([op for op in dispatched if has_entry(op)]))


def has_entry(op: Op) -> bool:
    return op.kind in (Kind.POINTWISE, Kind.STRUCTURED)


def header(op: Op) -> str:
    inplace = ""
    if op.inplace:
        inplace = f"\nvoid {op.name}_({', '.join(parameters(op.arguments))});"
        if len(op.tensors) == 2:
            inplace += f"\nbool {op.name}_reusing({', '.join(parameters(op.arguments))});"
    return f"""
{banner(op, f"{op.name}: dispatch to kernels, without recording.")}
#pragma once

#include <optional>

{chr(10).join(includes_for(op))}

namespace eagre::dispatch {{

TensorBase {op.name}({", ".join(parameters(op.arguments))});{inplace}

}}  // namespace eagre::dispatch
"""


def source(op: Op) -> str:
    body = {
        Kind.POINTWISE: pointwise,
        Kind.STRUCTURED: structured,
        Kind.VIEW: view,
        Kind.TRANSFER: transfer,
    }[op.kind](op)
    extra = {
        Kind.POINTWISE: ["dispatch/pointwise.h"],
        Kind.STRUCTURED: ["dispatch/meta/meta.h", "dispatch/structured.h"],
        Kind.VIEW: ["dispatch/meta/meta.h"],
        Kind.TRANSFER: ["dispatch/transfer.h"],
    }[op.kind]
    includes = "\n".join(f"#include <eagre/{name}>" for name in extra)
    return f"""
{banner(op, f"{op.name}: dispatch to kernels.")}
#include <eagre/dispatch/ops/{op.name}.h>

{includes}
{body}
"""


# --- kernel tables ---


def kernel_declarations(op: Op, function_type: str) -> str:
    """Kernels are declared here and defined in kernels/: a wrong signature is a link error."""
    returns, _, params = function_type.partition("(")
    out = []
    for level in LEVELS if uses_levels(op) else LEVELS[:1]:
        functions = "\n".join(
            f"{returns} {op.kernel.function}_{DTYPES[d].suffix}({params};" for d in op.kernel_dtypes
        )
        out.append(f"namespace {level} {{\n{functions}\n}}  // namespace {level}")
    return "\n".join(out)


def uses_levels(op: Op) -> bool:
    return op.levels or op.kind is Kind.POINTWISE


def kernel_rows(op: Op, function_type: str) -> tuple[str, str]:
    """The rows, and the initialiser of OpEntry."""
    levels = LEVELS if uses_levels(op) else LEVELS[:1]
    rows = []
    for level in levels:
        name = f"k{level.capitalize()}"
        prefix = f"&kernels::cpu::{level}::{op.kernel.function}_"
        by_dtype = row_cells(op, prefix, lambda d: d in op.dtypes)
        direct = row_cells(op, prefix, lambda d: d in op.dtypes and op.kernel_dtype(d) == d)
        rows.append(
            f"constexpr TypedRow<Function> {name}{{\n    {{{by_dtype}}},\n    {{{direct}}}}};"
        )
    used = [f"&k{level.capitalize()}" for level in levels]
    pointers = ", ".join(used if len(used) == 3 else used * 3)
    rows.insert(0, f"using Function = {function_type};")
    return "\n".join(rows), f'{{"{op.name}", "{op.signature}", {{{pointers}}}}}'


def row_cells(op: Op, prefix: str, has_kernel) -> str:
    cells = (
        f"{prefix}{DTYPES[op.kernel_dtype(d)].suffix}" if has_kernel(d) else "nullptr"
        for d in DTYPES
    )
    return ",\n     ".join(cells)


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
    attributes = [a for a in op.arguments if a.type is Type.SCALAR]
    rule = {"promote": "kPromote", "promote_float": "kPromoteFloat", "arg": "kArgument"}
    inputs = ", ".join(f'"{a.name}"' for a in op.tensors)
    attribute_names = ", ".join(f'"{a.name}"' for a in attributes)
    definition = (
        f"{{{entry}, ComputeRule::{rule[op.compute.function]}, {str(op.native).lower()}, "
        f"{len(attributes)}, "
        f"{{{inputs}}}, {{{attribute_names}}}}}"
    )
    shape = {1: "unary", 2: "binary"}[len(op.tensors)]
    operands = names(op.tensors)
    prepare = ""
    passed = []
    if attributes:
        prepare = f"  const Scalar attributes[] = {{{', '.join(names(tuple(attributes)))}}};\n"
        passed = ["attributes"]
    computed = (
        []
        if op.compute.function != "arg"
        else (["nullptr"] if not passed else []) + [op.compute.arguments[0]]
    )
    call = ", ".join(["op", *operands, *passed, *computed])
    inplace = ""
    if op.inplace:
        inplace = f"""
void {op.name}_({", ".join(parameters(op.arguments))}) {{
{prepare}  {shape}_inplace({", ".join(["op", *operands, *passed])});
}}
"""
        if shape == "binary":
            inplace += f"""
bool {op.name}_reusing({", ".join(parameters(op.arguments))}) {{
{prepare}  return binary_reusing({", ".join(["op", *operands, *passed])});
}}
"""
    return f"""
namespace eagre::kernels::cpu {{
{kernel_declarations(op, _LOOP)}
}}  // namespace eagre::kernels::cpu

namespace eagre::dispatch {{
namespace {{
{rows}
constinit PointwiseOp op{definition};
}}  // namespace

OpEntry& {op.name}_entry = op.entry;

TensorBase {op.name}({", ".join(parameters(op.arguments))}) {{
{prepare}  return {shape}({call});
}}
{inplace}
}}  // namespace eagre::dispatch
"""


# --- structured ---


def structured(op: Op) -> str:
    taken = [op.argument(name) for name in op.kernel.arguments]
    types = ", ".join(
        ["const TensorView&", *(_KERNEL_TYPES.get(a.type, a.type.cpp) for a in taken)]
    )
    function_type = f"void({types})"
    rows, entry = kernel_rows(op, function_type)
    steps = [*device_step(op), compute_step(op), meta_step(op)]
    steps += ["const Kernel kernel = select_kernel(entry, device, compute);"]
    inner = "compute" if op.native else "kernel_dtype(device, compute)"
    steps += [f"const DType inner = {inner};"]
    if op.tensors:
        moved = ", ".join(
            f"on_device({a.name}, Device())" if a.type.is_tensor else a.name for a in op.arguments
        )
        steps.append(f"if (kernel == nullptr) return on_device({op.name}({moved}), device);")
        steps += [
            f"const TensorBase {a.name}_ready = prepare({a.name}, device, inner);"
            for a in op.tensors
        ]
    else:
        host = ", ".join(
            "options.device(Device())" if a.type is Type.OPTIONS else a.name for a in op.arguments
        )
        steps.append(f"if (kernel == nullptr) return on_device({op.name}({host}), device);")
    steps.append("TensorBase result = allocate(sizes, inner, device);")
    if any(a.type is Type.GENERATOR for a in taken):
        steps.append(
            "const RandomStretch random = (generator == nullptr ? default_generator() : "
            "*generator).take(static_cast<uint64_t>(result.numel()));"
        )
    cpu = ", ".join(["TensorView(result.get())", *(cpu_argument(a) for a in taken)])
    plugin = "\n    ".join([f"args.add({kernel_argument(a)});" for a in taken])
    body = "\n  ".join(steps)
    return f"""
namespace eagre::kernels::cpu {{
{kernel_declarations(op, function_type)}
}}  // namespace eagre::kernels::cpu

namespace eagre::dispatch {{
namespace {{
{rows}
constinit OpEntry entry{entry};
}}  // namespace

OpEntry& {op.name}_entry = entry;

TensorBase {op.name}({", ".join(parameters(op.arguments))}) {{
  {body}
  if (device.is_cpu()) {{
    reinterpret_cast<Function*>(kernel)({cpu});
  }} else {{
    PluginArgs args;
    args.add(result.get());
    {plugin}
    args.call(entry, device, kernel);
  }}
  return as_dtype(result, compute);
}}

}}  // namespace eagre::dispatch
"""


def device_step(op: Op) -> list[str]:
    if not op.tensors:
        return ["const Device device = options.device();", "check_device(device);"]
    adds = [f'common.add({a.name}.get(), "{a.name}");' for a in op.tensors]
    return ["CommonDevice common(entry.name);", *adds, "const Device device = common.get();"]


def compute_step(op: Op) -> str:
    arguments = op.compute.arguments
    match op.compute.function:
        case "same":
            a, b = arguments
            rule = f'same_dtype(entry.name, {a}.get(), "{a}", {b}.get(), "{b}")'
        case "arg_or_accumulate":
            chosen, tensor = arguments
            rule = f"{chosen}.value_or(accumulate_dtype({tensor}.dtype()))"
        case "options" if arguments:
            rule = f"options.chosen_dtype().value_or(dtype_of({arguments[0]}))"
        case "options":
            rule = "options.dtype()"
        case other:
            raise AssertionError(other)
    return f"const DType compute = {rule};"


def meta_step(op: Op) -> str:
    arguments = [
        f"{name}.get()" if op.argument(name).type.is_tensor else name for name in op.meta.arguments
    ]
    return (
        f"const DimVector sizes = meta::{op.meta.function}"
        f"({', '.join(['entry.name', *arguments])});"
    )


def kernel_argument(argument: Argument) -> str:
    """What a kernel is handed; the CPU's get views of tensors."""
    if argument.type.is_tensor:
        return f"{argument.name}_ready.get()"
    return "random" if argument.type is Type.GENERATOR else argument.name


def cpu_argument(argument: Argument) -> str:
    value = kernel_argument(argument)
    return f"TensorView({value})" if argument.type.is_tensor else value


# --- views and transfers ---


def view(op: Op) -> str:
    base = op.tensors[0].name
    arguments = [
        f"{name}.get()" if op.argument(name).type.is_tensor else name for name in op.meta.arguments
    ]
    call = ", ".join([f'"{op.name}"', *arguments])
    return f"""
namespace eagre::dispatch {{

TensorBase {op.name}({", ".join(parameters(op.arguments))}) {{
  const meta::ViewGeometry view = meta::{op.meta.function}({call});
  return TensorBase::adopt(new_view({base}.get(), view.sizes, view.strides, view.offset));
}}

}}  // namespace eagre::dispatch
"""


def transfer(op: Op) -> str:
    return f"""
namespace eagre::dispatch {{

TensorBase {op.name}({", ".join(parameters(op.arguments))}) {{
  return on_device({", ".join(names(op.arguments))});
}}

}}  // namespace eagre::dispatch
"""
