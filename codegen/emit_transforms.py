"""Transforms: for every operator, what it does to tensors that carry batches (its batch rule) and
how the tangents of its results follow from those of its arguments (its jvp rule)."""

from __future__ import annotations

import re

from codegen.cpp import HEADERS, names, parameters, result_type
from codegen.formula import TANGENT, Apply, Metadata, Name, Number, called_ops, gradient_name
from codegen.model import Argument, Kind, Meaning, Op, Type
from codegen.output import indent

# What takes the whole of a dimension: that of the samples, in front.
_WHOLE = {Meaning.STARTS: 0, Meaning.STEPS: 1}


def is_batched(op: Op) -> bool:
    """May it get, or make, a tensor that carries a batch? Composites are made of such."""
    return op.kind is not Kind.COMPOSITE and (bool(op.tensors) or op.batch == "random")


def has_jvp(op: Op) -> bool:
    return op.kind is not Kind.COMPOSITE and op.differentiable


def results_parameter(op: Op) -> str:
    return (
        "TensorList results" if op.returns_many or op.returns_list else "const TensorBase& result"
    )


def rules(op: Op) -> list[str]:
    """The functions <op>_batched and <op>_tangents."""
    found = []
    if is_batched(op):
        found.append(rule(result_type(op), f"{op.name}_batched", [], op, batch_body(op)))
    if has_jvp(op):
        results = [results_parameter(op)]
        found.append(rule("void", f"{op.name}_tangents", results, op, jvp_body(op)))
    return found


def rule(result: str, name: str, first: list[str], op: Op, body: str) -> str:
    """What the rule does not read has no name."""
    taken = [*first, *parameters(op.arguments), "CallSite at"]
    named = []
    for parameter in taken:
        kind, _, own = parameter.rpartition(" ")
        named.append(parameter if re.search(rf"\b{own}\b(?!::)", body) else kind)
    return f"{result} {name}({', '.join(named)}) {{\n{indent(body)}\n}}"


def includes(op: Op) -> list[str]:
    used = {name for _, formula in jvp_terms(op) for name in called_ops(formula)}
    return [*(f"eagre/ops/{name}.h" for name in {*used, op.name}), *HEADERS["rules"]]


# --- batch rules ---


def batch_body(op: Op) -> str:
    plain = f"return dispatch::{op.name}({', '.join(names(op.arguments))});"
    if op.batch == "random":
        return random_body(op, plain)
    found = f"Level* const level = TransformedInputs({', '.join(names(op.tensors))}).batch_level();"
    call = f'{"" if needs_alignment(op) else "const "}BatchCall call("{op.public}", level, at);'
    rule = {
        "pointwise": pointwise_lines,
        "reduce": shifted_lines,
        "view": shifted_lines,
        "rule": rule_lines,
        "loop": loop_lines,
    }[op.batch](op)
    return "\n".join([found, f"if (level == nullptr) {plain}", call, *rule])


def needs_alignment(op: Op) -> bool:
    return op.batch == "pointwise" and len(op.tensors) > 1


def pointwise_lines(op: Op) -> list[str]:
    if len(op.tensors) == 1:
        given = passed(op, {op.tensors[0].name: f"call.first({op.tensors[0].name})"})
        return [f"return call.result(ops::{op.name}({given}));"]
    tensors = names(op.tensors)
    lines = [f"call.align({', '.join(tensors)});"]
    promoted = [a.name for a in op.tensors if a.type is not Type.MASK]
    if len(promoted) > 1 and op.compute and op.compute[0].function.startswith("promote"):
        lines.append(f"call.promote({', '.join(promoted)});")
    given = passed(
        op,
        {
            a.name: f"call.{'padded_mask' if a.type is Type.MASK else 'aligned'}({a.name})"
            for a in op.tensors
        },
    )
    return [*lines, f"return call.result(ops::{op.name}({given}));"]


def rule_lines(op: Op) -> list[str]:
    return [f"return rules::{op.name}({', '.join(['call', *names(op.arguments), 'at'])});"]


def loop_lines(op: Op) -> list[str]:
    given = passed(op, {a.name: f"call.sample({a.name}, sample)" for a in op.tensors})
    number = "int64_t sample" if op.tensors else "int64_t"
    return [f"return call.loop([&]({number}) {{ return ops::{op.name}({given}); }});"]


def shifted_lines(op: Op) -> list[str]:
    """Samples first, so every dimension is one further."""
    is_view = op.kind is Kind.VIEW
    of = op.tensors[0].name + ("[0]" if op.tensors[0].type.is_list else "")
    tensor = "first" if is_view else "along"
    replaced = {a.name: f"call.{tensor}({a.name})" for a in op.tensors}
    if op.tensors[0].type.is_list:
        replaced[op.tensors[0].name] = f"call.every({op.tensors[0].name})"
    for a in op.arguments:
        if a.type is Type.INT and a.meaning in (Meaning.DIM, Meaning.NEW_DIM):
            more = ", 1" if a.meaning is Meaning.NEW_DIM else ""
            replaced[a.name] = f"call.dim({a.name}, {of}{more})"
        elif a.meaning is Meaning.DIMS:
            optional = a.type is Type.OPTIONAL_INTS
            replaced[a.name] = (
                f"Dims(call.dims({a.name}, {of}))" if optional else f"call.dims({a.name}, {of})"
            )
        elif a.meaning is Meaning.SHAPE:
            replaced[a.name] = f"call.{'sized' if is_view else 'sized_along'}({a.name})"
        elif a.meaning in _WHOLE:
            replaced[a.name] = f"BatchCall::led_by({_WHOLE[a.meaning]}, {a.name})"
    call = f"ops::{op.name}({passed(op, replaced)})"
    if is_view:
        own = f"dispatch::{op.name}({', '.join(names(op.arguments))})"
        if op.returns_list:
            return [f"return batched_views({own}, {call}, *level);"]
        if any(a.meaning in (Meaning.DIM, Meaning.DIMS) for a in op.arguments):
            number = f"call.number_as({of}, view)"
            return [
                f"TensorBase view = {own};",
                f"if ({of}.dim() == 0) return batched_view(view, {number}, *level);",
                f"return batched_view(view, {call}, *level);",
            ]
        return [f"return batched_view({own}, {call}, *level);"]
    shaped_like = next((a.name for a in op.arguments if a.meaning is Meaning.INDEX), of)
    return [f"return call.result_along({call}, {shaped_like});"]


def passed(op: Op, replaced: dict[str, str]) -> str:
    return ", ".join([*(replaced.get(a.name, a.name) for a in op.arguments), "at"])


def random_body(op: Op, plain: str) -> str:
    """In a vmap, random operators do what its `randomness` says."""
    if not op.tensors:
        sizes = [a.name for a in op.arguments if a.meaning is Meaning.SHAPE]
        if sizes:
            given = passed(op, {size: f"call.sized({size})" for size in sizes})
            different = [f"return call.result(ops::{op.name}({given}));"]
        else:
            different = loop_lines(op)
        return "\n".join(
            [
                f'Level* const level = random_level("{op.public}");',
                f"if (level == nullptr) {plain}",
                f'const BatchCall call("{op.public}", level, at);',
                *different,
            ]
        )
    first = op.tensors[0].name
    # Of those that only fill, what is filled does not matter.
    looks_at_values = op.kind is Kind.STRUCTURED and op.differentiable
    refusal = [f'  refuse_same("{op.public}");'] if looks_at_values else []
    every = passed(op, {first: f"call.every({first})"})
    sample = passed(op, {first: f"call.sample({first}, 0)"})
    return "\n".join(
        [
            f'Level* const level = random_level("{op.public}", {first});',
            f"if (level == nullptr) {plain}",
            f'const BatchCall call("{op.public}", level, at);',
            "if (level->randomness() == Randomness::kSame) {",
            *refusal,
            f"  return ops::{op.name}({sample});",
            "}",
            f"return call.result(ops::{op.name}({every}));",
        ]
    )


# --- jvp rules ---


def jvp_terms(op: Op) -> list[tuple[Argument, object]]:
    """Sums of formulas: argument, and what its tangent `t` contributes."""
    by_name = {g.argument: g.formula for g in op.jvp_formulas}
    return [(a, by_name[a.name]) for a in op.traced if a.name in by_name]


def applies_itself(op: Op) -> bool:
    return op.jvp in ("linear", "bilinear") and op.kind is not Kind.POINTWISE


def jvp_body(op: Op) -> str:
    arguments = f"const TransformedInputs arguments({', '.join(names(op.traced))});"
    if op.jvp == "transpose":
        lines = transposed_lines(op)
    elif applies_itself(op):
        lines = linear_lines(op) if op.jvp == "linear" else bilinear_lines(op)
    else:
        lines = term_lines(op)
        if not op.conjugates and "complex64" in op.dtypes:  # which is no function of z alone
            complex_lines = indent("\n".join([*transposed_lines(op), "return;"]))
            first = op.traced[0].name
            lines = [f"if (is_complex({first}.dtype())) {{", complex_lines, "}", *lines]
    inner = indent("\n".join(lines))
    return f"{arguments}\nfor_dual_levels(arguments, [&](Level& level) {{\n{inner}\n}});"


def result_name(op: Op) -> str:
    return "results[0]" if op.returns_many else "result"


def term_lines(op: Op) -> list[str]:
    lines = ["TensorBase sum;"]
    for argument, formula in jvp_terms(op):
        t = f"{argument.name}_t"
        value = formula_cpp(formula, op, t)
        tangent = f"tangent_of({argument.name}, level)"
        if any(a.type is Type.OPTIONAL_DTYPE for a in op.arguments):
            tangent = f"in_dtype_of({result_name(op)}, {tangent}, at)"
        lines += [
            f"if (const TensorBase {t} = {tangent}; {t}.defined()) {{",
            f"  add_tangent(sum, {value}, at);",
            "}",
        ]
    return [*lines, f"give_tangent({result_name(op)}, arguments, level, std::move(sum), at);"]


def linear_lines(op: Op) -> list[str]:
    """The operator itself, of the tangents."""
    replaced = {}
    single = len(op.traced) == 1
    for a in op.traced:
        if a.type.is_list:
            function = "tangents_or_zeros"
        elif not single:
            function = "tangent_or_zeros"
        else:
            function = "own_tangent" if op.kind is Kind.VIEW else "tangent_of"
        more = "" if function == "tangent_of" else ", at"
        replaced[a.name] = f"{function}({a.name}, level{more})"
    call = f"ops::{op.name}({passed(op, replaced)})"
    if op.returns_list:
        return [f"give_tangents(results, level, {call});"]
    if op.kind is Kind.VIEW:
        return [f"set_tangent(result, level, {call});"]
    return [f"give_tangent(result, arguments, level, {call}, at);"]


def bilinear_lines(op: Op) -> list[str]:
    lines = ["TensorBase sum;"]
    for argument in op.traced:
        t = f"{argument.name}_t"
        call = f"ops::{op.name}({passed(op, {argument.name: t})})"
        lines += [
            f"if (const TensorBase {t} = tangent_of({argument.name}, level); {t}.defined()) {{",
            f"  add_tangent(sum, {call}, at);",
            "}",
        ]
    return [*lines, "give_tangent(result, arguments, level, std::move(sum), at);"]


def transposed_lines(op: Op) -> list[str]:
    """By two backward calls, for those of the arguments that have tangents."""
    lines = ["TensorVector inputs, tangents;"]
    replaced = {}
    for a in op.traced:
        assert a.type in (Type.TENSOR, Type.OPTIONAL_TENSOR), (op.name, a)
        t = f"{a.name}_t"
        lines += [
            f"const TensorBase {t} = tangent_of({a.name}, level);",
            f"const size_t {a.name}_place = inputs.size();",
            f"if ({t}.defined()) {{",
            f"  inputs.push_back({a.name});",
            f"  tangents.push_back({t});",
            "}",
        ]
        replaced[a.name] = f"{t}.defined() ? own[{a.name}_place] : {a.name}"
    call = f"ops::{op.name}({passed(op, replaced)})"
    if op.returns_many:
        body = [f"const auto made = {call};", "return TensorVector(made.begin(), made.end());"]
        give = [
            f"give_tangent(results[{i}], arguments, level, found[{i}], at);"
            for i in range(len(op.outputs))
        ]
    else:
        body = [f"return TensorVector{{{call}}};"]
        give = ["give_tangent(result, arguments, level, found[0], at);"]
    inner = indent("\n".join(body))
    return [
        *lines,
        "const TensorVector found = by_transposition(inputs, tangents, [&](TensorList own) {",
        inner,
        "}, at);",
        *give,
    ]


def formula_cpp(expression, op: Op, t: str) -> str:
    """A formula where the arguments of the call are at hand; `t` is the tangent."""
    match expression:
        case Name(name=name) if name == TANGENT or name in gradients_of(op):
            return t
        case Name(name=name):
            if op.argument(name) is not None:
                return name
            if op.returns_many:
                place = [o.name for o in op.outputs].index(name)
                return f"results[{place}]"
            return "result"
        case Metadata():
            return expression.source
        case Number(text=text):
            return text
        case Apply(op=name, arguments=arguments):
            parts = [formula_cpp(a, op, t) for a in arguments]
            return f"ops::{name}({', '.join([*parts, 'at'])})"
    raise AssertionError(expression)


def gradients_of(op: Op) -> list[str]:
    return [gradient_name(op.outputs, i) for i in range(len(op.outputs))]
