"""Dispatch of operators with a dense kernel: device → compute dtype →
checks and shapes → kernel → inputs made ready → results allocated → kernel run."""

from __future__ import annotations

from codegen.cpp import names, out_names, out_parameters, parameters, result_type
from codegen.kernel_table import entry, table_name
from codegen.model import DTYPE_CASE, DTYPES, ISAS, Argument, Call, Kind, Layout, Op, Type
from codegen.output import in_namespace

# What CPU kernels get for an argument, by type.
_KERNEL_TYPES = {
    Type.TENSOR: "const TensorView&",
    Type.OPTIONAL_TENSOR: "const TensorView&",
    Type.MASK: "const TensorView&",
    Type.TENSORS: "Span<const TensorView>",
    Type.OPTIONAL_TENSORS: "Span<const TensorView>",
    Type.GENERATOR: "RandomStretch",
}


def structured(op: Op) -> str:
    """Results in fresh memory, or in the tensors given as out=."""
    taken = kernel_arguments(op)
    steps = [entry_step(op), *device_step(op), compute_step(op), meta_step(op)]
    steps += [f"const DType {o.name}_dtype = {result_dtype(op, i)};" for i, o in outputs(op)]
    steps += exact_steps(op)
    steps += ["const Kernel kernel = select_kernel(entry, device, compute);"]
    steps += format_step(op)
    steps += [f"if (device.is_meta()) return {to_out(op, meta_results(op))};"]
    moved = f"written_to(entry, out, {fallback(op)})" if op.out else fallback(op)
    steps += [f"if (kernel == nullptr) return {moved};"]
    steps += [f"const DType inner = {inner_dtype(op)};"]
    steps += prepare_steps(op)
    steps += [allocate_step(op, i) for i, _ in outputs(op)]
    steps += random_step(taken, op.outputs[0].name)
    steps += [run_step(op, taken, [o.name for _, o in outputs(op)])]
    body = "\n  ".join([*shortcut_steps(op), *steps, *return_steps(op)])
    head = f"{result_type(op)} {op.name}({', '.join(parameters(op.arguments))})"
    if not op.out:
        return f"{constant(op)}\n{head} {{\n  {body}\n}}"
    more = ", ".join([*parameters(op.arguments), "const TensorBase* const* out"])
    inner = f"{result_type(op)} run_{op.name}({more}) {{\n  {body}\n}}"
    given = ", ".join(f"&{name}" for name in out_names(op))
    written = ", ".join([*parameters(op.arguments), *out_parameters(op)])
    return f"""{constant(op)}
{in_namespace("", inner)}

{head} {{
  return run_{op.name}({", ".join([*names(op.arguments), "nullptr"])});
}}
void {op.name}_out({written}) {{
  const TensorBase* const targets[] = {{{given}}};
  run_{op.name}({", ".join([*names(op.arguments), "targets"])});
}}"""


def shortcut_steps(op: Op) -> list[str]:
    if op.shortcut is None:
        return []
    made = f"shortcut::{op.shortcut.function}({', '.join(op.shortcut.arguments)})"
    return [f"if (TensorBase made = {made}; made.defined()) return made;"]


def constant(op: Op) -> str:
    return f"constinit OpEntry {op.name}_op{{\n    {entry(op, 4)[1:-1]}}};"


def kernel_arguments(op: Op) -> list[Argument]:
    return [op.argument(name) for name in op.kernel.arguments]


def no_overlap_steps(op: Op) -> list[str]:
    if "no_overlap" not in op.out_rules:
        return []
    first, *others = (tensor.name for tensor in op.tensors)
    return [f"check_no_overlap(entry.public_name, {first}, {other});" for other in others]


# New is also what was copied or converted first.
_UPDATED_VIEW = "TensorView::updated({0}.get(), is_new || !{0}.is_given())"


def update(op: Op) -> str:
    """A kernel that changes its first argument; the other form changes a copy of it."""
    taken = kernel_arguments(op)
    first = op.arguments[0].name
    steps = [
        entry_step(op),
        *device_step(op),
        f"{'check_inference' if 'expanded' in op.out_rules else 'check_written'}"
        f"(entry.public_name, {first}.get());",
        *no_overlap_steps(op),
        compute_step(op),
        meta_step(op),
        "const Kernel kernel = select_kernel(entry, device, compute);",
        f"if (device.is_meta() || {first}.numel() == 0) return;",
    ]
    moved = ", ".join(
        "here"
        if a.name == first
        else f"on_device({a.name}, Device())"
        if a.type.is_single_tensor or a.type.is_list
        else a.name
        for a in op.arguments
    )
    contiguous = str(op.layout is Layout.CONTIGUOUS).lower()
    steps += [
        "if (kernel == nullptr) {",
        f"  const TensorBase here = on_device({first}, Device());",
        f"  update_{op.name}({moved}, true);",
        f"  return copy_into({first}.get(), here);",
        "}",
        f"const DType inner = {inner_dtype(op)};",
        *prepare_steps(op, skip=first),
        f"const ReadyTensor target = updated({first}, inner, {contiguous});",
        *random_step(taken, "target"),
        run_step(op, taken, ["target"], _UPDATED_VIEW),
        f"if (!target.is_given()) copy_into({first}.get(), target);",
    ]
    body = "\n  ".join(steps)
    taken_names = ", ".join(names(op.arguments[1:]))
    functions = f"""{constant(op)}
namespace {{
void update_{op.name}({", ".join([*parameters(op.arguments), "bool is_new"])}) {{
  {body}
}}
}}  // namespace
void {op.name}_({", ".join(parameters(op.arguments))}) {{
  update_{op.name}({", ".join([*names(op.arguments), "false"])});
}}
TensorBase {op.name}({", ".join(parameters(op.arguments))}) {{
  TensorBase result = copy_of({first});
  update_{op.name}({", ".join(filter(None, ["result", taken_names, "true"]))});
  return result;
}}"""
    if op.out:
        functions += f"""
void {op.name}_out({", ".join([*parameters(op.arguments), *out_parameters(op)])}) {{
  write_out({op.name}_op, out, {op.name}({", ".join(names(op.arguments))}));
}}"""
    return functions


def outputs(op: Op):
    return list(enumerate(op.outputs))


def kernel_type(op: Op) -> str:
    taken = kernel_arguments(op)
    results = ["const TensorView&"] * (1 if op.kind is Kind.UPDATE else len(op.outputs))
    types = [*results, *(_KERNEL_TYPES.get(a.type, a.type.cpp) for a in taken)]
    return f"void({', '.join(types)})"


# --- the steps ---


def entry_step(op: Op) -> str:
    return f"OpEntry& entry = {op.name}_op;"


def device_step(op: Op) -> list[str]:
    if any(a.type is Type.OPTIONS for a in op.arguments):
        return ["const Device device = options.device();", "check_device(device);"]
    adds = [f'common.add({required(a)}, "{a.name}");' for a in op.tensors]
    return ["CommonDevice common(entry.public_name);", *adds, "const Device device = common.get();"]


def required(argument: Argument) -> str:
    """The argument, and an error that names it if a tensor that must be there is undefined."""
    if argument.type not in (Type.TENSOR, Type.MASK):
        return argument.name
    return f'{argument.name}.get(entry.public_name, "{argument.name}")'


def compute_step(op: Op) -> str:
    rule = ""
    for call in reversed(op.compute):
        rule = compute_rule(op, call, rule)
    return f"const DType compute = {rule};"


def compute_rule(op: Op, call: Call, otherwise: str) -> str:
    arguments = call.arguments
    if call.function in DTYPES:
        return f"DType::k{DTYPE_CASE[call.function]}"
    match call.function:
        case "arg":
            return f"{arguments[0]}.value_or({otherwise})" if otherwise else arguments[0]
        case "same":
            named = ", ".join(f'{{{a}, "{a}"}}' for a in arguments)
            if len(arguments) == 1:
                return f"{arguments[0]}.dtype()"
            return f"same_dtype(entry.public_name, {{{named}}})"
        case "accumulate":
            return f"accumulate_dtype({arguments[0]}.dtype())"
        case "promote" | "promote_float":
            return f"{call.function}({', '.join(arguments)})"
        case "options_float":
            return f"options.chosen_dtype().value_or(promote_float({', '.join(arguments)}))"
        case "options" if arguments:
            return f"options.chosen_dtype().value_or(dtype_of({arguments[0]}))"
        case "options":
            return "options.dtype()"
    raise AssertionError(call.function)


def meta_step(op: Op) -> str:
    arguments = [
        f"{name}.get()" if op.argument(name).type in (Type.TENSOR, Type.MASK) else name
        for name in op.meta.arguments
    ]
    call = f"meta::{op.meta.function}({', '.join(['entry.public_name', *arguments])});"
    if op.kind is Kind.UPDATE:
        return call
    if "any_shape" in op.out_rules:
        call = f"sizes_for(out, {call.removesuffix(';')});"
    kind = f"std::array<DimVector, {len(op.outputs)}>" if op.returns_many else "DimVector"
    return f"const {kind} sizes = {call}"


def format_step(op: Op) -> list[str]:
    name = op.format_argument
    if op.layout not in (Layout.CHANNELS_LAST, Layout.WRITES_LAST):
        return []
    if op.argument(name).type is Type.BOOL:
        choice = f"{name} ? MemoryFormat::kChannelsLast : MemoryFormat::kContiguous"
    else:
        tensors = ", ".join(f"&{a.name}" for a in op.tensors)
        choice = f"common_format({name}, {{{tensors}}})"
    return [f"const MemoryFormat format = {choice};"]


def sizes_of(op: Op, index: int) -> str:
    return f"sizes[{index}]" if op.returns_many else "sizes"


def result_dtype(op: Op, index: int) -> str:
    dtype = dtype_by_rule(op, index)
    if "converted" not in op.out_rules:
        return dtype
    return f"out != nullptr ? out[{index}]->dtype() : {dtype}"


def dtype_by_rule(op: Op, index: int) -> str:
    rule = op.results[index]
    first = op.arguments[0].name
    return {
        "compute": "compute",
        "real": "real_dtype(compute)",
        "stats": "stats_dtype(compute)",
        # An out= of bool is as good.
        "bool_or_uint8": f"out != nullptr && out[{index}]->defined() && "
        f"out[{index}]->dtype() == kBool ? kBool : bool_or_uint8_dtype({first}.dtype())",
    }.get(rule, f"DType::k{DTYPE_CASE.get(rule)}")


def exact_steps(op: Op) -> list[str]:
    """What the record wants written in the dtype of the result is not cast."""
    if "exact" not in op.out_rules:
        return []
    checks = "\n".join(
        f"    check_written_dtype(entry.public_name, {o.name}_dtype, *out[{i}]);"
        for i, o in outputs(op)
    )
    return [f"if (out != nullptr) {{\n{checks}\n  }}"]


def inner_dtype(op: Op) -> str:
    if op.by_size or set(op.dtypes) <= set(op.native):
        return "compute"
    return "kernel_dtype(device, compute, entry.native)"


def inner_result_dtype(op: Op, index: int) -> str:
    rule = op.results[index]
    return {
        "compute": "inner",
        "real": "real_dtype(inner)",
        "stats": "stats_dtype(inner)",
        "bool_or_uint8": "DType::kBool",
    }.get(rule, f"DType::k{DTYPE_CASE.get(rule)}")


def meta_results(op: Op) -> str:
    made = [
        f"allocate({sizes_of(op, i)}, {o.name}_dtype, device{format_argument(op)})"
        for i, o in enumerate(op.outputs)
    ]
    return braces(op, made)


def format_argument(op: Op) -> str:
    return ", format" if op.layout in (Layout.CHANNELS_LAST, Layout.WRITES_LAST) else ""


def to_out(op: Op, results: str) -> str:
    if not op.out:
        return results
    many = f"std::array<TensorBase, {len(op.outputs)}>" if op.returns_many else ""
    return f"written_to(entry, out, {many}{results})"


def braces(op: Op, values: list[str]) -> str:
    return f"{{{', '.join(values)}}}" if op.returns_many else values[0]


def fallback(op: Op) -> str:
    """The same call with everything on the CPU, and the results moved back."""
    arguments = []
    for a in op.arguments:
        if a.type is Type.OPTIONS:
            arguments.append("options.device(Device())")
        elif a.type.is_list or a.type.is_single_tensor:
            arguments.append(f"on_device({a.name}, Device())")
        else:
            arguments.append(a.name)
    return f"on_device({op.name}({', '.join(arguments)}), device)"


def prepare_steps(op: Op, skip: str | None = None) -> list[str]:
    steps = []
    for a in op.tensors:
        if a.name == skip:
            continue
        wanted = op.inputs.get(a.name, "bool" if a.type is Type.MASK else "compute")
        dtype = {"compute": "inner", "keep": "std::nullopt"}.get(
            wanted, f"DType::k{DTYPE_CASE.get(wanted)}"
        )
        layout = {
            Layout.ANY_STRIDED: "false",
            Layout.CONTIGUOUS: "true",
            Layout.CHANNELS_LAST: "format",
            Layout.READS_LAST: f"common_format({op.format_argument}, {{&{a.name}}})",
            Layout.WRITES_LAST: "false",
        }[op.layout]
        kind = "ReadyTensors" if a.type.is_list else "ReadyTensor"
        made = f"prepare({a.name}, device, {dtype}, {layout})"
        if skip is not None:  # what is read must not change while the target is written
            made = f"copy_if_overlapping({made}, {skip})"
        steps.append(f"const {kind} {a.name}_ready = {made};")
    return steps


def allocate_step(op: Op, index: int) -> str:
    output = op.outputs[index].name
    sizes, inner = sizes_of(op, index), inner_result_dtype(op, index)
    plain = f"allocate({sizes}, {inner}, device{format_argument(op)})"
    if op.shape_of is not None:  # two loads instead of a computation
        plain = f"allocate_like({op.shape_of}_ready, {inner}, device)"
    if not op.out:
        return f"TensorBase {output} = {plain};"
    shared = ", ".join(f"{a.name}_ready" for a in op.tensors)
    return (
        f"TensorBase {output} = out == nullptr ? {plain}\n"
        f"      : out_memory(entry, *out[{index}], {sizes}, {inner}, {output}_dtype, device, "
        f"shared_with(*out[{index}]{', ' + shared if shared else ''}));"
    )


def random_step(taken: list[Argument], result: str) -> list[str]:
    if not any(a.type is Type.GENERATOR for a in taken):
        return []
    return [
        "const RandomStretch random = (generator == nullptr ? default_generator() : "
        f"*generator).take(static_cast<uint64_t>({result}.get().numel));"
    ]


def run_step(
    op: Op, taken: list[Argument], results: list[str], view: str = "TensorView({}.get())"
) -> str:
    views = [view.format(r) for r in results]
    cpu = ", ".join([*views, *(cpu_argument(a) for a in taken)])
    plugin = [f"args.add({r}.get());" for r in results]
    plugin += [f"args.add({ready(a)});" for a in taken]
    lists = "".join(
        f"  const TensorViews {a.name}_views({a.name}_ready);\n  " for a in taken if a.type.is_list
    )
    body = "\n    ".join(plugin)
    checks = "\n  ".join(f"check_values(entry, {r}.get());" for r in results)
    return f"""{lists.lstrip()}trace(entry, device, compute);
  if (device.is_cpu()) {{
    as_in({ISAS[0]}::{table_name(op)}, kernel)({cpu});
  }} else {{
    PluginArgs args;
    {body}
    args.call(entry, device, kernel);
  }}
  {checks}"""


def ready(argument: Argument) -> str:
    if argument.type.is_list:
        list_of = f"TensorList({argument.name}_ready)"
        return f"TensorVector({list_of}.begin(), {list_of}.end())"
    if argument.type.is_tensor:
        return f"{argument.name}_ready"
    return "random" if argument.type is Type.GENERATOR else argument.name


def cpu_argument(argument: Argument) -> str:
    if argument.type.is_list:
        return f"{argument.name}_views"
    if argument.type is Type.OPTIONAL_TENSOR:
        return f"TensorView::optional({argument.name}_ready)"
    value = ready(argument)
    return f"TensorView({value}.get())" if argument.type.is_tensor else value


def return_steps(op: Op) -> list[str]:
    steps = []
    if op.out:
        writes = "\n".join(
            f"    write_out(entry, *out[{i}], as_dtype({o.name}, {o.name}_dtype));"
            for i, o in enumerate(op.outputs)
        )
        done = braces(op, [o.name for o in op.outputs])
        steps.append(f"if (out != nullptr) {{\n{writes}\n    return {done};\n  }}")
    values = [f"as_dtype(std::move({o.name}), {o.name}_dtype)" for o in op.outputs]
    return [*steps, f"return {braces(op, values)};"]
