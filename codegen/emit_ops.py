"""Recording: the node of every differentiable operator and the function that calls dispatch and
remembers. What a node saves is read off its formulas."""

from __future__ import annotations

import itertools

from codegen import emit_transforms
from codegen.autograd_node import (
    Saves,
    connect_lines,
    edge_total,
    node_class,
    save_input_lines,
    saved_inputs,
    slots,
)
from codegen.cpp import (
    HEADERS,
    banner,
    includes_for,
    names,
    out_names,
    out_parameters,
    parameters,
    result_type,
)
from codegen.emit_dispatch import reuses
from codegen.emit_transforms import has_jvp, is_batched
from codegen.formula import called_ops
from codegen.model import DTYPE_CASE, Kind, Op, Type
from codegen.output import Outputs, Source, in_namespace, indent


def emit(ops: tuple[Op, ...], out: Outputs) -> None:
    reusing = {op.name for op in ops if reuses(op)}
    sources = []
    for op in ops:
        out.add(f"include/eagre/ops/{op.name}.h", header(op))
        if op.kind is not Kind.COMPOSITE:
            sources.append(source(op, reusing))
        elif op.out or (op.inplace and not only_inplace(op)):
            sources.append(composite_source(op))
    out.add_sources("ops", "Recording of operators.", "eagre::ops", sources)


def only_inplace(op: Op) -> bool:
    """Its in-place form is the operator, not something that follows from the function."""
    return op.kind is Kind.COMPOSITE and op.forms == {"inplace"}


def header(op: Op) -> str:
    lines = [] if only_inplace(op) else [f"EAGRE_API {head(op)};"]
    if op.inplace:
        lines.append(f"EAGRE_API {inplace_head(op)};")
    if op.out:
        lines.append(f"EAGRE_API {out_head(op)};")
    if reuses(op):
        lines.append("// May write over a temporary first argument.")
        lines.append(f"EAGRE_API TensorBase {op.name}({rvalue_parameters(op)});")
    return f"""
{banner(op, f"{op.name}: dispatch, and recording of the gradient.")}
#pragma once

{chr(10).join(includes_for(op))}
#include <eagre/base/call_site.h>

namespace eagre::ops {{

{chr(10).join(lines)}

}}  // namespace eagre::ops
"""


def head(op: Op, suffix: str = "") -> str:
    taken = ", ".join([*parameters(op.arguments), "CallSite at"])
    return f"{result_type(op)} {op.name}{suffix}({taken})"


def inplace_head(op: Op) -> str:
    return f"void {op.name}_({', '.join([*parameters(op.arguments), 'CallSite at'])})"


def out_head(op: Op) -> str:
    taken = [*parameters(op.arguments), *out_parameters(op), "CallSite at"]
    return f"void {op.name}_out({', '.join(taken)})"


def rvalue_parameters(op: Op) -> str:
    return ", ".join(
        [f"TensorBase&& {op.tensors[0].name}", *parameters(op.arguments[1:]), "CallSite at"]
    )


def source(op: Op, reusing: set[str]) -> Source:
    used = set().union(*(called_ops(g.formula) for g in op.gradients)) if op.gradients else set()
    if op.fused is not None:
        used |= called_ops(op.fused)
    if op.inplace and op.kind is not Kind.VIEW:
        used.add("clone")
    includes = [f"eagre/ops/{name}.h" for name in {*used, op.name}]
    includes += [*HEADERS["recording"], f"eagre/dispatch/ops/{op.name}.h"]
    if op.differentiable and op.conjugates:
        includes += HEADERS["conjugate"]
    if has_rules(op):
        includes += emit_transforms.includes(op)
    if any(a.type is Type.OPTIONS for a in op.arguments):
        includes += HEADERS["accumulate"]
        includes += HEADERS["output"] if op.out else []
    if op.out and (op.out_rules or op.returns_many):
        includes += HEADERS["output"]
    inner = [reusing_helper(op)] if reuses(op) else []
    inner += [node_class(op, reusing)] if op.differentiable else []
    inner += emit_transforms.rules(op)
    if is_batched(op):
        inner.append(recorded_function(op))
    parts = [in_namespace("", "\n\n".join(inner))] if inner else []
    parts.append(function(op))
    if op.inplace:
        parts.append(inplace_function(op))
    if op.out:
        parts.append(out_function(op))
    if reuses(op):
        parts.append(reusing_function(op))
    # Rules are written in terms of transforms.
    declared = (("eagre::ops", "using namespace autograd;"),) if has_rules(op) else ()
    return Source(op.family, str(op.place), tuple(includes), "\n\n".join(parts), declared)


def has_rules(op: Op) -> bool:
    return is_batched(op) or has_jvp(op)


# --- the functions ---


def function(op: Op) -> str:
    if not is_batched(op):
        lines = recording_lines(op, f"dispatch::{op.name}({', '.join(names(op.arguments))})")
        return f"{head(op)} {{\n{indent(chr(10).join(lines))}\n}}"
    given = ", ".join([*names(op.arguments), "at"])
    return f"""{head(op)} {{
  if (autograd::transforms_active()) [[unlikely]]
    return {op.name}_transformed({given});
  return {op.name}_recorded<false>({given});
}}"""


def recording_lines(op: Op, call: str, after: tuple[str, ...] = ()) -> list[str]:
    result = result_name(op)
    return [
        "thread_state.site = at;",
        f"{result_type(op)} {result} = {call};",
        *after_lines(op),
        *after,
        "thread_state.site = CallSite::none();",
        f"return {result};",
    ]


def recorded_function(op: Op) -> str:
    """The operator without transforms and with them: then batches take the way of their rule, and
    tangents follow. With them it is a function of its own, so that the usual one does not keep its
    arguments for it. All are functions in a function, so that the result is made where the caller
    wants it."""
    result = result_name(op)
    given = ", ".join([*names(op.arguments), "at"])
    plain = f"dispatch::{op.name}({', '.join(names(op.arguments))})"
    after = ()
    if has_jvp(op):
        listed = f"{{{result}.data(), {result}.size()}}" if result == "results" else result
        after = (f"if constexpr (kTransformed) {op.name}_tangents({listed}, {given});",)
    lines = recording_lines(op, f"kTransformed ? {op.name}_batched({given}) : {plain}", after)
    return f"""template <bool kTransformed>
EAGRE_INLINE {head(op, "_recorded")} {{
{indent(chr(10).join(lines))}
}}
EAGRE_COLD {head(op, "_transformed")} {{
  return {op.name}_recorded<true>({given});
}}"""


def result_name(op: Op) -> str:
    return "results" if op.returns_many or op.returns_list else "result"


def after_lines(op: Op) -> list[str]:
    """What happens to the result."""
    result = result_name(op)
    if any(a.type is Type.OPTIONS for a in op.arguments):
        return ["if (options.requires_grad_is_set()) autograd::set_requires_grad(result, true);"]
    if not op.differentiable:
        return []
    first = f"{result}[0]" if op.returns_many else result
    condition = should_record(op)
    if not op.returns_list:
        condition += f" && is_differentiable({first}.impl()->key.dtype)"
    return [f"if ({condition}) {{", *(f"  {line}" for line in record_lines(op, result)), "}"]


def should_record(op: Op) -> str:
    function = "should_record_view" if op.kind is Kind.VIEW else "should_record"
    return f"autograd::{function}({', '.join(names(op.traced))})"


def record_lines(op: Op, result: str) -> list[str]:
    saves = Saves.of(op)
    count = f"{result}.size()" if op.returns_list else str(slots(op))
    lines = [*make_node(op, count), *connect_lines(op), *save_input_lines(op, saves)]
    if op.returns_list:
        return [*lines, f"autograd::set_history_of_all(*node, {result});"]
    if not op.returns_many:
        lines += save_output_lines(op, saves, result)
        return [*lines, "autograd::Node::set_history_of_new(std::move(node), *result.impl());"]
    for i, output in enumerate(op.outputs):
        has_history = i < slots(op) and op.results[i] in ("compute", "real")
        if has_history:
            lines.append(f"node->set_output({i}, {result}[{i}].get());")
        save = "save_output" if has_history else "save_input"
        lines += save_output_lines(op, saves, f"{result}[{i}]", output.name, save)
    return lines


def make_node(op: Op, slots: str = "1", declare: str = "auto ") -> list[str]:
    node = f"{op.node_name}Node"
    more = [] if slots == "1" else [f"autograd::count({slots})"]
    inputs = edge_total(op)
    if not inputs.isdigit():
        inputs = f"autograd::count({inputs})"
    made = f"new {node}({', '.join([inputs, 'at.intern()', *more])})"
    return [f"{declare}node = IntrusivePtr<{node}>::adopt({made});"]


def save_output_lines(
    op: Op, saves: Saves, value: str, name: str = "result", save: str = "save_output"
) -> list[str]:
    users = saves.tensors.get(name)
    if users is None or op.argument(name) is not None:
        return []
    condition = " || ".join(f"node->has_edge({i})" for i in dict.fromkeys(users))
    return [f"if ({condition}) node->{name}_.{save}({value});"]


def inplace_function(op: Op) -> str:
    call = ", ".join(names(op.arguments))
    self_name = op.tensors[0].name
    lines = ["thread_state.site = at;"]
    transformed = f"autograd::are_transformed({', '.join(names(op.tensors))})"
    if op.batch == "random":  # vmap() decides about all numbers that are made in it
        transformed = "autograd::transforms_active()"
    made = f"ops::{op.name}({', '.join([*names(op.arguments), 'at'])})"
    if op.kind is Kind.VIEW:
        lines += ["TensorBase looked;", f"if ({transformed}) looked = {made};"]
    else:
        lines += [f"if ({transformed}) {{", *(f"  {line}" for line in assign_lines(op)), "}"]
    if op.differentiable:
        saves = Saves.of(op)
        lines += [f"IntrusivePtr<{op.node_name}Node> node;", f"if ({should_record(op)}) {{"]
        lines += [f"  {line}" for line in inplace_record_lines(op, saves)]
        lines.append("}")
    # A view leaves the memory as it is.
    if op.kind is Kind.VIEW:
        lines.append(f'autograd::before_geometry_change("{op.public}_", {self_name});')
    else:
        lines.append(f"autograd::before_write({self_name});")
    lines += [
        f"dispatch::{op.name}_({call});",
        f'autograd::note_write({self_name}, "{op.public}_()", at);',
    ]
    if op.differentiable:
        # The history first: saving may run a hook that throws, and the values have changed already.
        shared = "IntrusivePtr<autograd::Node>::share(node.get())"
        rebase = "rebase_geometry" if op.kind is Kind.VIEW else "rebase_history"
        lines += [
            "if (node) {",
            f"  autograd::{rebase}({shared}, {self_name}.get());",
            *(f"  {line}" for line in save_output_lines(op, saves, self_name)),
            "}",
        ]
    else:
        lines.insert(1, f'autograd::check_overwritten("{op.public}_", {self_name});')
    if op.kind is Kind.VIEW:
        carry = f"autograd::share_transform_meta(looked.get(), {self_name}.get())"
        lines.append(f"if (looked.defined()) {carry};")
    body = indent("\n".join([*lines, "thread_state.site = CallSite::none();"]))
    return f"{inplace_head(op)} {{\n{body}\n}}"


def assign_lines(op: Op) -> list[str]:
    """A write to tensors of a transform: a new tensor, put in place. What is recorded must not save
    what will be overwritten."""
    self_name = op.tensors[0].name
    given = []
    for a in op.arguments:
        if a.name == self_name:
            given.append("original")
        elif a.type.is_tensor and not a.type.is_list:
            given.append(f"autograd::instead({a.name}, {self_name}, original)")
        else:
            given.append(a.name)
    # Recorded may be, too, what is done to the batches or tangents that the tensors carry.
    records = "GradMode::is_enabled()"
    result = f"ops::{op.name}({', '.join([*given, 'at'])})"
    return [
        f"const TensorBase original = {records} ? ops::clone({self_name}, at) : {self_name};",
        f'return autograd::assign_result("{op.public}_", {self_name}, {result}, at);',
    ]


def inplace_record_lines(op: Op, saves: Saves) -> list[str]:
    """Backward may need the value that is about to be overwritten; x.mul_(x) needs it twice."""
    self_name = op.tensors[0].name
    lines = [f'autograd::check_inplace("{op.public}_", {self_name});']
    original = None
    saved = saved_inputs(op)
    if saved:
        users = [
            f"autograd::needs_grad({op.traced[i].name})"
            for i in dict.fromkeys(saves.tensors.get(self_name, ()))
        ]
        users += [
            f"autograd::is_same({name}, {self_name})"
            for name in saved
            if name != self_name and not op.argument(name).type.is_list
        ]
    if saved and users:
        original = "original"
        lines += [
            "TensorBase original;",
            f"if ({' || '.join(users)}) original = ops::clone({self_name}, at);",
        ]
    return [
        *lines,
        *make_node(op, declare=""),
        *connect_lines(op),
        *save_input_lines(op, saves, original),
    ]


def out_function(op: Op) -> str:
    tensors = ", ".join([*names(op.tensors), *out_names(op)])
    writes = [f'autograd::note_write({name}, "{op.public}()", at);' for name in out_names(op)]
    call = ", ".join([*out_arguments(op), *out_names(op)])
    if not op.returns_many and not out_rule_lines(op) and not finish_out_lines(op):
        run = f"[&] {{ dispatch::{op.name}_out({call}); }}"
        given = ", ".join([f'"{op.public}", "{op.public}()", out, at, {run}', *names(op.tensors)])
        return f"{out_head(op)} {{\n  autograd::run_out({given});\n}}"
    lines = [
        "thread_state.site = at;",
        f'autograd::check_out("{op.public}", {tensors});',
        *out_rule_lines(op),
        *before_out_lines(op),
        f"dispatch::{op.name}_out({call});",
        *writes,
        *finish_out_lines(op),
        "thread_state.site = CallSite::none();",
    ]
    return f"{out_head(op)} {{\n{indent(chr(10).join(lines))}\n}}"


def out_arguments(op: Op) -> list[str]:
    """What is made for an out= has its dtype and device, whatever the defaults are."""

    def given(argument) -> str:
        if argument.type is Type.OPTIONS:
            return f'dispatch::options_of_out("{op.public}", options, out)'
        if argument.type is Type.OPTIONAL_DTYPE and "chooses_dtype" in op.out_rules:
            return f'dispatch::dtype_of_out("{op.public}", {argument.name}, out)'
        return argument.name

    return [given(a) for a in op.arguments]


def out_rule_lines(op: Op) -> list[str]:
    """Before anything is computed: does `out` keep the rules of the record?"""
    lines = []
    for i, out in enumerate(out_names(op)):
        if "same_dtype" in op.out_rules:
            first = op.tensors[0].name
            # Sizes of complex numbers are real, and may be stored as either.
            guard = f"if (!is_complex({first}.dtype())) " if op.results[0] == "real" else ""
            lines.append(f'{guard}dispatch::check_out_dtype("{op.public}", {first}, {out});')
        if "exact" in op.out_rules and op.results[i] in ("bool", "int32", "int64"):
            dtype = f"k{DTYPE_CASE[op.results[i]]}"
            lines.append(f'dispatch::check_written_dtype("{op.public}", {dtype}, {out});')
        if "no_overlap" in op.out_rules:
            lines += [
                f'dispatch::check_no_overlap("{op.public}", {out}, {tensor.name});'
                for tensor in op.tensors
            ]
    for one, other in itertools.combinations(out_names(op), 2):
        lines.append(f'dispatch::check_no_overlap("{op.public}", {one}, {other});')
    return lines


def before_out_lines(op: Op) -> list[str]:
    return [f"autograd::before_write({name});" for name in out_names(op)]


def finish_out_lines(op: Op) -> list[str]:
    if not any(a.type is Type.OPTIONS for a in op.arguments):
        return []
    return ["if (options.requires_grad_is_set()) autograd::set_requires_grad(out, true);"]


def reusing_function(op: Op) -> str:
    passed = [f"std::move({op.tensors[0].name})", *names(op.arguments[1:]), "at"]
    return f"""TensorBase {op.name}({rvalue_parameters(op)}) {{
  return {op.name}_reusing({", ".join(passed)});
}}"""


def reusing_helper(op: Op) -> str:
    """Inline, for the operator's own node, whose gradient is often the same operator."""
    first = op.tensors[0].name
    passed = ", ".join(names(op.arguments))
    return f"""EAGRE_INLINE TensorBase {op.name}_reusing({rvalue_parameters(op)}) {{
  if (!GradMode::is_enabled() && !autograd::transforms_active()) {{
    thread_state.site = at;
    if (dispatch::{op.name}_reusing({passed})) return std::move({first});
  }}
  return {op.name}(std::as_const({first}), {", ".join([*names(op.arguments[1:]), "at"])});
}}"""


# --- forms of composites ---


def exact_line(op: Op, shown: str, value: str, target: str) -> list[str]:
    """What the record wants written in the dtype of the result is not cast."""
    if "exact" not in op.out_rules:
        return []
    return [f'dispatch::check_written_dtype("{shown}", {value}.dtype(), {target});']


def composite_source(op: Op) -> Source:
    """The out-of-place function is written by hand; the other forms follow from it."""
    parts = []
    if op.out:
        tensors = ", ".join([*names(op.tensors), *out_names(op)])
        outs = out_names(op)
        values = [f"result[{i}]" for i in range(len(outs))] if op.returns_many else ["result"]
        write = "dispatch::resize_out" if "keep" in op.out_rules else "dispatch::write_out"
        writes = [
            line
            for name, value in zip(outs, values, strict=True)
            for line in (
                f'{write}("{op.public}", {name}, {value});',
                f'autograd::note_write({name}, "{op.public}()", at);',
            )
        ]
        made = f"{op.name}({', '.join([*out_arguments(op), 'at'])})"
        if "any_shape" in op.out_rules:
            made = f"dispatch::in_shape_of(out, {made})"
        checks = [
            line
            for name, value in zip(outs, values, strict=True)
            for line in exact_line(op, op.public, value, name)
        ]
        lines = [
            f'autograd::check_out("{op.public}", {tensors});',
            *out_rule_lines(op),
            f"const auto result = {made};",
            *checks,
            *before_out_lines(op),
            *writes,
            *finish_out_lines(op),
        ]
        parts.append(f"{out_head(op)} {{\n{indent(chr(10).join(lines))}\n}}")
    if op.inplace and not only_inplace(op):
        first = op.arguments[0].name
        # What the operators in it save must not be what is overwritten at the end.
        copied = f"autograd::is_traced({', '.join(names(op.tensors))})"
        arguments = ", ".join(["original", *names(op.arguments[1:]), "at"])
        lines = [
            f"const TensorBase original = {copied} ? clone({first}, at) : {first};",
            f"const TensorBase result = {op.name}({arguments});",
            *exact_line(op, f"{op.public}_", "result", first),
            f'autograd::assign_result("{op.public}_", {first}, result, at);',
        ]
        parts.append(f"{inplace_head(op)} {{\n{indent(chr(10).join(lines))}\n}}")
    includes = (
        f"eagre/ops/{op.name}.h",
        "eagre/ops/clone.h",
        *HEADERS["recording"],
        *HEADERS["output"],
        *(HEADERS["accumulate"] if finish_out_lines(op) else []),
    )
    return Source(op.family, str(op.place), includes, "\n\n".join(parts))
