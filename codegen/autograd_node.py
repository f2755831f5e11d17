"""The node class of a differentiable operator: its members, and the gradients it computes."""

from __future__ import annotations

from dataclasses import dataclass

from codegen.formula import Apply, Metadata, Name, called_ops, gradient_name, leaves, to_cpp
from codegen.model import Argument, Op, Type
from codegen.output import indent


@dataclass(frozen=True)
class Saves:
    """What the formulas of an operator need from the forward call."""

    tensors: dict[str, list[int]]  # argument or output → edges whose gradient needs its data
    attributes: tuple[Argument, ...]
    metadata: tuple[Metadata, ...]

    @staticmethod
    def of(op: Op) -> Saves:
        tensors: dict[str, list[int]] = {}
        attributes: dict[str, Argument] = {}
        metadata: dict[str, Metadata] = {}
        ordered = ordered_gradients(op)
        used = [(i, leaf) for i, g in enumerate(ordered) for leaf in leaves(g.formula)]
        if op.fused is not None:
            used += [(i, leaf) for leaf in leaves(op.fused) for i in range(len(ordered))]
        for index, leaf in used:
            match leaf:
                case Name(name=name) if name in gradient_names(op):
                    pass
                case Name(name=name) if is_saved_tensor(op, name):
                    tensors.setdefault(name, []).append(index)
                case Name(name=name):
                    attributes[name] = op.argument(name)
                case Metadata():
                    metadata[leaf.member] = leaf
        return Saves(tensors, tuple(attributes.values()), tuple(metadata.values()))


def gradient_names(op: Op) -> list[str]:
    return [gradient_name(op.outputs, i) for i in range(len(op.outputs))]


def slots(op: Op) -> int:
    """How many outputs the node has: those up to the last whose gradient a formula uses. The others
    have no history."""
    used = {leaf.name for g in op.gradients for leaf in leaves(g.formula) if isinstance(leaf, Name)}
    return 1 + max((i for i, name in enumerate(gradient_names(op)) if name in used), default=0)


def is_saved_tensor(op: Op, name: str) -> bool:
    argument = op.argument(name)
    return argument is None or argument.type.is_tensor


def ordered_gradients(op: Op):
    """In the order of the tensor arguments: the index is the node's edge, but for lists."""
    by_name = {g.argument: g for g in op.gradients}
    return [by_name[a.name] for a in op.traced]


def list_argument(op: Op) -> Argument | None:
    return next((a for a in op.traced if a.type.is_list), None)


def edge_total(op: Op) -> str:
    """How many edges the node has: a list has one for each of its tensors."""
    found = list_argument(op)
    fixed = sum(not a.type.is_list for a in op.traced)
    if found is None:
        return str(fixed)
    return f"{found.name}.size()" + (f" + {fixed}" if fixed else "")


def edge_of(op: Op, index: int, size: str) -> str:
    """The first edge of a traced argument, given how to ask for the size of the list."""
    before = op.traced[:index]
    fixed = sum(not a.type.is_list for a in before)
    if any(a.type.is_list for a in before):
        return f"{size} + {fixed}" if fixed else size
    return str(fixed)


def connect_lines(op: Op) -> list[str]:
    found = list_argument(op)
    size = f"{found.name}.size()" if found else ""
    return [
        f"autograd::connect(*node, {edge_of(op, i, size)}, {a.name});"
        for i, a in enumerate(op.traced)
    ]


def saved_inputs(op: Op) -> list[str]:
    return [name for name in Saves.of(op).tensors if op.argument(name) is not None]


def save_input_lines(op: Op, saves: Saves, original: str | None = None) -> list[str]:
    """Fills the node with everything but outputs. `original`: what to save instead of the first
    argument, which is about to be overwritten."""
    lines = []
    found = list_argument(op)
    for name, users in saves.tensors.items():
        if op.argument(name) is None:
            continue
        edges = [edge_of(op, i, f"{found.name}.size()" if found else "") for i in users]
        condition = " || ".join(f"node->has_edge({e})" for e in dict.fromkeys(edges))
        if found is not None and any(op.traced[i] is found for i in users):
            condition = "true"  # a list has many edges
        value = name
        if original is not None and not op.argument(name).type.is_list:
            first = op.tensors[0].name
            value = original if name == first else f"autograd::instead({name}, {first}, {original})"
        lines.append(
            f"if ({condition}) node->{name}_.save_input({value});"
            if condition != "true"
            else f"node->{name}_.save_input({value});"
        )
    lines += [f"node->{a.name}_ = {stored_value(a)};" for a in saves.attributes]
    lines += [f"node->{m.member} = {m.source};" for m in saves.metadata]
    return lines


def stored_value(argument: Argument) -> str:
    if argument.type is Type.OPTIONAL_STRING:
        return f"{argument.name} ? std::optional<std::string>(*{argument.name}) : std::nullopt"
    return argument.name


# --- the class ---

_SAVED = {
    Type.OPERAND: "SavedOperand",
    Type.OPTIONAL_TENSOR: "SavedOptionalTensor",
    Type.TENSORS: "SavedTensors",
    Type.OPTIONAL_TENSORS: "SavedTensors",
}


def saved_type(op: Op, name: str) -> str:
    argument = op.argument(name)
    return "SavedTensor" if argument is None else _SAVED.get(argument.type, "SavedTensor")


# What PyTorch calls what is known of a tensor without its data.
_METADATA_NAMES = {
    "shape": "sym_sizes",
    "strides": "sym_strides",
    "offset": "sym_storage_offset",
}


# What most of its signatures call an argument.
_PYTORCH_NAMES = {"input": "self"}


def saved_name(op: Op, name: str) -> str:
    """PyTorch's name of a saved argument."""
    return op.saved_names.get(name, _PYTORCH_NAMES.get(name, name))


def visit_function(op: Op, saves: Saves) -> list[str]:
    """Shows what was saved, by the names that Python's _saved_* have."""
    saved = [(saved_name(op, name), f"{name}_") for name in saves.tensors]
    saved += [(a.name, f"{a.name}_") for a in saves.attributes]
    saved += [
        (f"{saved_name(op, m.argument)}_{_METADATA_NAMES.get(m.what, m.what)}", m.member)
        for m in saves.metadata
    ]
    if not saved:
        return []
    return [
        "void visit_saved(autograd::SavedVisitor& visitor) override {",
        *(f'  visitor.see("{name}", {member});' for name, member in saved),
        "}",
    ]


def node_class(op: Op, reusing: set[str]) -> str:
    saves = Saves.of(op)
    members = [f"autograd::{saved_type(op, name)} {name}_;" for name in saves.tensors]
    members += [f"{a.type.stored} {a.name}_;" for a in saves.attributes]
    members += [f"{m.type.stored} {m.member};" for m in saves.metadata]
    takes = ["uint16_t inputs", "uint32_t site"]
    passes = ["inputs", "site"]
    if op.returns_list or slots(op) > 1:
        takes.append("uint16_t slots")
        passes.append("slots")
    lines = [
        f"{op.node_name}Node({', '.join(takes)}) : Node({', '.join(passes)}) {{}}",
        f'std::string name() const override {{ return "{op.node_label}Backward0"; }}',
        *visit_function(op, saves),
        apply_function(op, saves, reusing),
        *members,
    ]
    body = indent("\n".join(lines))
    return f"class {op.node_name}Node final : public autograd::Node {{\n public:\n{body}\n}};"


def apply_function(op: Op, saves: Saves, reusing: set[str]) -> str:
    gradients = ordered_gradients(op)
    lines = gradient_arguments(op, saves)
    if any(called_ops(g.formula) for g in gradients):
        lines.append("const CallSite at = CallSite::of_id(site());")
    lines += [line for name, users in saves.tensors.items() for line in read_saved(op, name, users)]
    if op.fused is not None:
        lines += fused_lines(op)
    for index in range(len(gradients)):
        lines += gradient_lines(op, [g.formula for g in gradients], index, reusing)
    body = indent("\n".join(lines))
    return f"void apply(autograd::BackwardCall& call) override {{\n{body}\n}}"


def gradient_arguments(op: Op, saves: Saves) -> list[str]:
    """The gradients of the outputs; missing ones are zeros where another is there."""
    skipped = ", ".join(["call", *(f"{name}_" for name in saves.tensors)])
    leave = f"return autograd::skip({skipped});" if saves.tensors else "return;"
    if op.returns_list:
        return ["const TensorVector g = autograd::gradients_or_zeros(*this, call);"]
    if not op.returns_many:
        return ["TensorBase& g = call.grad(0);", f"if (!g.defined()) {leave}"]
    used = {leaf.name for g in op.gradients for leaf in leaves(g.formula) if isinstance(leaf, Name)}
    lines = [f"if (!autograd::any_gradient(*this, call)) {leave}"]
    lines += [
        f"const TensorBase {name} = autograd::gradient_or_zeros(*this, call, {i});"
        for i, name in enumerate(gradient_names(op))
        if name in used
    ]
    return lines


def fused_lines(op: Op) -> list[str]:
    """All gradients at once, where each is wanted and none is differentiated."""
    known = {*gradient_names(op), *Saves.of(op).tensors}
    names = [leaf.name for leaf in leaves(op.fused) if isinstance(leaf, Name)]
    tensors = ", ".join(dict.fromkeys(name for name in names if name in known))
    sets = [
        f"  if (call.wants({i})) call.set({i}, std::move(std::get<{i}>(all)));"
        for i in range(len(op.traced))
    ]
    return [
        f"if (autograd::wants_all(*this, call) && !autograd::is_traced({tensors})) {{",
        f"  auto all = {to_cpp(op.fused, op)};",
        *sets,
        "  return;",
        "}",
    ]


def gradient_lines(op: Op, formulas: list, index: int, reusing: set[str]) -> list[str]:
    """The last formula that uses `g` may move it, and so compute in its buffer."""
    formula = formulas[index]
    edge = edge_of(op, index, "list_size")
    if op.traced[index].type.is_list:
        return [
            f"autograd::set_list(call, {edge}, {to_cpp(formula, op)});",
        ]
    if "list_size" in edge:
        fixed = sum(not a.type.is_list for a in op.traced)
        edge = edge.replace("list_size", f"(edge_count() - {fixed})")
    plain = f"call.set({edge}, {to_cpp(formula, op)});"
    moved = None if op.returns_many or op.returns_list else moving(formula, op, reusing)
    if moved is None:
        return [f"if (call.wants({edge})) {plain}"]
    moving_set = f"call.set({edge}, {moved});"
    later = [i for i in range(index + 1, len(formulas)) if uses_g(formulas[i])]
    if not later:
        return [f"if (call.wants({edge})) {moving_set}"]
    others = " || ".join(f"call.wants({i})" for i in later)
    others = f"({others})" if len(later) > 1 else others
    either = f"{others} ? {to_cpp(formula, op)} : {moved}"
    return [f"if (call.wants({edge})) call.set({edge}, {either});"]


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
        called = f"{op.name}_reusing" if formula.op == op.name else f"ops::{formula.op}"
        return f"{called}({', '.join(['std::move(g)', *rest, 'at'])})"
    return None


def read_saved(op: Op, name: str, users: list[int]) -> list[str]:
    found = list_argument(op)
    fixed = sum(not a.type.is_list for a in op.traced)
    edges = [edge_of(op, i, f"edge_count() - {fixed}") for i in dict.fromkeys(users)]
    wanted = " || ".join(f"call.wants({e})" for e in edges)
    if found is not None and any(op.traced[i] is found for i in users):
        wanted = "true"
    argument = op.argument(name)
    read = f'autograd::read_if({wanted}, {name}_, *this, call, "{name}"'
    if argument is not None and argument.type.is_operand:
        lines = [f"TensorBase {name}_tensor;", f"const Operand {name} = {read}, {name}_tensor);"]
        if op.conjugates:
            lines.append(f"autograd::conjugate({name}, {name}_tensor, at);")
        return lines
    is_list = argument is not None and argument.type.is_list
    if is_list or not op.conjugates:
        return [f"const auto {name} = {read});"]
    return [f"TensorBase {name} = {read});", f"autograd::conjugate({name}, at);"]
