"""Recording: the node of every differentiable operator and the function that calls dispatch and
remembers. What a node saves is read off its formulas."""

from __future__ import annotations

from dataclasses import dataclass

from codegen.cpp import banner, includes_for, names, parameters
from codegen.formula import Apply, Meta, Name, called_ops, leaves, to_cpp
from codegen.model import Argument, Kind, Op, Type
from codegen.output import Outputs, indent


def emit(ops: tuple[Op, ...], out: Outputs) -> None:
    reusing = {op.name for op in ops if reuses(op)}
    for op in ops:
        out.add(f"include/eagre/autograd/ops/{op.name}.h", header(op))
        if op.kind is not Kind.COMPOSITE:
            out.add(f"autograd/{op.name}.cpp", source(op, reusing))


def header(op: Op) -> str:
    arguments = ", ".join([*parameters(op.arguments), "CallSite at"])
    inplace = f"\nEAGRE_API void {op.name}_({arguments});" if op.inplace else ""
    if reuses(op):
        inplace += (
            f"\n// May write over a temporary first argument.\n"
            f"EAGRE_API TensorBase {op.name}({rvalue_parameters(op)});"
        )
    return f"""
{banner(op, f"{op.name}: dispatch, and recording of the gradient.")}
#pragma once

#include <optional>

#include <eagre/base/call_site.h>
{chr(10).join(includes_for(op))}

namespace eagre::ops {{

EAGRE_API TensorBase {op.name}({arguments});{inplace}

}}  // namespace eagre::ops
"""


def reuses(op: Op) -> bool:
    """Has it a form that reuses the buffer of its first argument?"""
    return op.inplace and len(op.tensors) == 2


def rvalue_parameters(op: Op) -> str:
    return ", ".join(
        [f"TensorBase&& {op.tensors[0].name}", *parameters(op.arguments[1:]), "CallSite at"]
    )


@dataclass(frozen=True)
class Saves:
    """What the formulas of an operator need from the forward call."""

    tensors: dict[str, list[int]]  # argument or `result` → inputs whose gradient needs its data
    attributes: tuple[Argument, ...]
    metas: tuple[Meta, ...]

    @staticmethod
    def of(op: Op) -> Saves:
        tensors: dict[str, list[int]] = {}
        attributes: dict[str, Argument] = {}
        metas: dict[str, Meta] = {}
        for index, gradient in enumerate(ordered_gradients(op)):
            for leaf in leaves(gradient.formula):
                match leaf:
                    case Name(name="g"):
                        pass
                    case Name(name=name) if name == "result" or op.argument(name).type.is_tensor:
                        tensors.setdefault(name, []).append(index)
                    case Name(name=name):
                        attributes[name] = op.argument(name)
                    case Meta():
                        metas[leaf.member] = leaf
        return Saves(tensors, tuple(attributes.values()), tuple(metas.values()))


def ordered_gradients(op: Op):
    """In the order of the tensor arguments: the index is the node's edge."""
    by_name = {g.argument: g for g in op.gradients}
    return [by_name[a.name] for a in op.tensors]


def source(op: Op, reusing: set[str]) -> str:
    used = (
        sorted(set().union(*(called_ops(g.formula) for g in op.gradients))) if op.gradients else []
    )
    if op.inplace and saved_inputs(op):
        used = sorted({*used, "clone"})
    includes = [f"#include <eagre/autograd/ops/{name}.h>" for name in used if name != op.name]
    includes += ["#include <eagre/autograd/recording.h>"]
    if any(a.type is Type.OPTIONS for a in op.arguments):
        includes.append("#include <eagre/autograd/accumulate.h>")
    includes.append(f"#include <eagre/dispatch/ops/{op.name}.h>")
    node = node_class(op, reusing) if op.differentiable else ""
    return f"""
{banner(op, f"{op.name}: recording.")}
#include <eagre/autograd/ops/{op.name}.h>

{chr(10).join(sorted(includes))}

namespace eagre::ops {{
{node}
{function(op)}
{inplace_function(op) if op.inplace else ""}
{reusing_function(op) if reuses(op) else ""}
}}  // namespace eagre::ops
"""


# --- the node ---


def node_class(op: Op, reusing: set[str]) -> str:
    saves = Saves.of(op)
    members = [
        f"autograd::{'SavedOperand' if is_operand(op, name) else 'SavedTensor'} {name}_;"
        for name in saves.tensors
    ]
    members += [f"{a.type.stored} {a.name}_;" for a in saves.attributes]
    members += [f"{m.type.stored} {m.member};" for m in saves.metas]
    fields = indent("\n".join(["", *members]) if members else "")
    return f"""namespace {{

class {op.node_name}Node final : public autograd::Node {{
 public:
  explicit {op.node_name}Node(uint32_t site) : Node({len(op.tensors)}, site) {{}}

  std::string_view name() const override {{ return "{op.node_name}Backward0"; }}
  void apply(autograd::BackwardCall& call) override;
{fields}
}};

{apply_function(op, saves, reusing)}

}}  // namespace
"""


def is_operand(op: Op, name: str) -> bool:
    argument = op.argument(name)
    return argument is not None and argument.type is Type.OPERAND


def apply_function(op: Op, saves: Saves, reusing: set[str]) -> str:
    lines = ["TensorBase& g = call.grad(0);", "if (!g.defined()) {"]
    lines += [f"  {name}_.skip(call);" for name in saves.tensors]
    lines += ["  return;", "}"]
    gradients = ordered_gradients(op)
    if any(formula_calls(g.formula) for g in gradients):
        lines.append("const CallSite at = CallSite::of_id(site());")
    lines += [line for name, users in saves.tensors.items() for line in read_saved(op, name, users)]
    for index in range(len(gradients)):
        lines += gradient_lines(op, [g.formula for g in gradients], index, reusing)
    body = indent("\n".join(lines))
    return f"void {op.node_name}Node::apply(autograd::BackwardCall& call) {{\n{body}\n}}"


def gradient_lines(op: Op, formulas: list, index: int, reusing: set[str]) -> list[str]:
    """The last formula that uses `g` may move it, and so compute in its buffer."""
    formula = formulas[index]
    plain = f"call.set({index}, {to_cpp(formula, op)});"
    moved = moving(formula, op, reusing)
    if moved is None:
        return [f"if (call.wants({index})) {plain}"]
    moving_set = f"call.set({index}, {moved});"
    later = [i for i in range(index + 1, len(formulas)) if uses_g(formulas[i])]
    if not later:
        return [f"if (call.wants({index})) {moving_set}"]
    others = " || ".join(f"call.wants({i})" for i in later)
    return [
        f"if (call.wants({index})) {{",
        f"  if ({others}) {{",
        f"    {plain}",
        "  } else {",
        f"    {moving_set}",
        "  }",
        "}",
    ]


def uses_g(formula) -> bool:
    return any(leaf == Name("g", Type.TENSOR) for leaf in leaves(formula))


def moving(formula, op: Op, reusing: set[str]) -> str | None:
    """The formula with its only `g`, the first operand of a binary operator, moved."""
    g = Name("g", Type.TENSOR)
    if formula == g:
        return "std::move(g)"
    if (
        isinstance(formula, Apply)
        and formula.op in reusing
        and formula.arguments[0] == g
        and leaves(formula).count(g) == 1
    ):
        rest = [to_cpp(a, op) for a in formula.arguments[1:]]
        return f"ops::{formula.op}({', '.join(['std::move(g)', *rest, 'at'])})"
    return None


def formula_calls(formula) -> bool:
    return bool(called_ops(formula))


def read_saved(op: Op, name: str, users: list[int]) -> list[str]:
    wanted = " || ".join(f"call.wants({i})" for i in dict.fromkeys(users))
    if is_operand(op, name):
        return [
            f"TensorBase {name}_tensor;",
            f"Operand {name} = 0;",
            f"if ({wanted}) {{",
            f'  {name} = {name}_.read(*this, call, "{name}", {name}_tensor);',
            "} else {",
            f"  {name}_.skip(call);",
            "}",
        ]
    return [
        f"TensorBase {name};",
        f"if ({wanted}) {{",
        f'  {name} = {name}_.read(*this, call, "{name}");',
        "} else {",
        f"  {name}_.skip(call);",
        "}",
    ]


# --- the functions ---


def function(op: Op) -> str:
    arguments = ", ".join([*parameters(op.arguments), "CallSite at"])
    lines = [
        "thread_state.site = at;",
        f"TensorBase result = dispatch::{op.name}({', '.join(names(op.arguments))});",
    ]
    if any(a.type is Type.OPTIONS for a in op.arguments):
        lines.append(
            "if (options.requires_grad_is_set()) autograd::set_requires_grad(result, true);"
        )
    if op.differentiable:
        inputs = ", ".join(names(op.tensors))
        condition = f"autograd::should_record({inputs})"
        lines.append(f"if ({condition} && is_floating_point(result.dtype())) {{")
        lines += [f"  {line}" for line in record(op, Saves.of(op))]
        lines += [f"  {line}" for line in save_result(Saves.of(op), "result")]
        lines += ["  autograd::Node::give_to(std::move(node), result.get());", "}"]
    body = indent("\n".join([*lines, "thread_state.site = CallSite::none();", "return result;"]))
    return f"TensorBase {op.name}({arguments}) {{\n{body}\n}}"


def record(op: Op, saves: Saves, self_name: str | None = None) -> list[str]:
    """Makes the node and fills it with everything but outputs. `self_name`: what to save instead of
    the first argument, which is about to be overwritten."""
    node = f"{op.node_name}Node"
    lines = [f"auto node = IntrusivePtr<{node}>::adopt(new {node}(at.intern()));"]
    lines += [f"autograd::connect(*node, {i}, {a.name});" for i, a in enumerate(op.tensors)]
    for name, users in saves.tensors.items():
        if name == "result":
            continue
        condition = " || ".join(f"node->has_edge({i})" for i in dict.fromkeys(users))
        source = name
        if self_name is not None:
            first = op.tensors[0].name
            original = f"Operand({self_name})" if is_operand(op, name) else self_name
            source = (
                self_name
                if name == first
                else f"autograd::is_same({name}, {first}) ? {original} : {name}"
            )
        lines.append(f"if ({condition}) node->{name}_.save_input({source});")
    lines += [f"node->{a.name}_ = {a.name};" for a in saves.attributes]
    lines += [f"node->{m.member} = {m.source};" for m in saves.metas]
    return lines


def save_result(saves: Saves, result: str) -> list[str]:
    users = saves.tensors.get("result")
    if users is None:
        return []
    condition = " || ".join(f"node->has_edge({i})" for i in dict.fromkeys(users))
    return [f"if ({condition}) node->result_.save_output({result});"]


def saved_inputs(op: Op) -> list[str]:
    return [name for name in Saves.of(op).tensors if name != "result"]


def inplace_function(op: Op) -> str:
    saves = Saves.of(op)
    self_name = op.tensors[0].name
    arguments = ", ".join([*parameters(op.arguments), "CallSite at"])
    node = f"{op.node_name}Node"
    lines = [
        "thread_state.site = at;",
        f"IntrusivePtr<{node}> node;",
        f"if (autograd::should_record({', '.join(names(op.tensors))})) {{",
        f'  autograd::check_inplace("{op.name}_", {self_name});',
    ]
    saved_as = None
    if saved_inputs(op):
        # Backward needs the value that is about to be overwritten; x.mul_(x) needs it twice.
        users = [
            f"autograd::needs_grad({op.tensors[i].name})"
            for i in dict.fromkeys(saves.tensors.get(self_name, ()))
        ]
        users += [
            f"autograd::is_same({name}, {self_name})"
            for name in saved_inputs(op)
            if name != self_name
        ]
        lines += [
            "  TensorBase original;",
            f"  if ({' || '.join(users)}) original = ops::clone({self_name}, at);",
        ]
        saved_as = "original"
    made = record(op, saves, saved_as)
    lines += [
        f"  {made[0].replace('auto node', 'node')}",
        *(f"  {line}" for line in made[1:]),
        "}",
        f"dispatch::{op.name}_({', '.join(names(op.arguments))});",
        f'autograd::note_write({self_name}, "{op.name}_()", at);',
        "if (node) {",
    ]
    # The history first: saving may run a hook that throws, and the values have changed already.
    shared = "IntrusivePtr<autograd::Node>::share(node.get())"
    give = f"autograd::Node::give_to({shared}, {self_name}.get());"
    lines += [
        f"  {give}",
        *(f"  {line}" for line in save_result(saves, self_name)),
        "}",
        "thread_state.site = CallSite::none();",
    ]
    body = indent("\n".join(lines))
    return f"\nvoid {op.name}_({arguments}) {{\n{body}\n}}"


def reusing_function(op: Op) -> str:
    first = op.tensors[0].name
    passed = ", ".join(names(op.arguments))
    return f"""
TensorBase {op.name}({rvalue_parameters(op)}) {{
  if (!GradMode::is_enabled()) {{
    thread_state.site = at;
    if (dispatch::{op.name}_reusing({passed})) return std::move({first});
  }}
  return {op.name}(std::as_const({first}), {", ".join([*names(op.arguments[1:]), "at"])});
}}"""
