"""The forms in which the public C++ functions take the arguments of an operator: libtorch's."""

from __future__ import annotations

from dataclasses import dataclass

from codegen.cpp import cpp_defaults
from codegen.model import Argument, Op, Type

_PUBLIC = {
    Type.TENSOR: "const Tensor&",
    Type.OPTIONAL_TENSOR: "const OptionalTensor&",
    Type.MASK: "const Tensor&",
    Type.GENERATOR: "GeneratorRef",
    Type.STRING: "Text",
    Type.OPTIONAL_STRING: "std::optional<Text>",
}
# What a bool or a dtype must not be mistaken for; `auto` takes it as it is.
_EXACT = {
    Type.BOOL: "std::same_as<bool> auto",
    Type.OPTIONAL_BOOL: "ChosenBool auto",
    Type.OPTIONAL_DTYPE: "ChosenDType auto",
}
_NUMBERS = {
    Type.INT,
    Type.OPTIONAL_INT,
    Type.INTS,
    Type.OPTIONAL_INTS,
    Type.FLOAT,
    Type.OPTIONAL_FLOAT,
    Type.SCALAR,
    Type.OPERAND,
    Type.OPTIONAL_OPERAND,
}
# What options hold, one by one.
_PARTS = (
    "std::optional<DType> dtype",
    "std::optional<Layout> layout",
    "std::optional<Device> device",
    "std::optional<bool> pin_memory",
)
_FROM_PARTS = "TensorOptions::of(dtype, layout, device, pin_memory)"
_FROM_PAIR = "TensorOptions(dtype).device(device)"


@dataclass(frozen=True)
class Form:
    """The parameters, without defaults where `defaults` are None, and what the operator gets."""

    types: tuple[str, ...]  # with the names: "int64_t dim"
    defaults: tuple[str | None, ...]
    values: dict  # argument → what is passed for it

    def declared(self) -> list[str]:
        return [
            text if default is None else f"{text} = {default}"
            for text, default in zip(self.types, self.defaults, strict=True)
        ]

    def passed(self, arguments: tuple[Argument, ...]) -> list[str]:
        return [self.values.get(a.name, a.cpp_default) for a in arguments]


def forms(op: Op, arguments: tuple[Argument, ...], overloads: list[Op]) -> list[Form]:
    """All of them, the operator's own first. `overloads` share the name."""
    strict = _mistakable(op, overloads)
    kept = [a for a in arguments if a.type is not Type.OPTIONS]
    if len(kept) == len(arguments):
        return [_form(kept, strict), *(_in_order(arguments, order) for order in op.cpp_orders)]
    options = next(a for a in arguments if a.type is Type.OPTIONS)
    # A format comes last, and of a generator there is a form without and one with it; likewise of
    # what an order leaves out.
    formats = [a for a in kept if a.type is Type.MEMORY_FORMAT]
    plain = [a for a in kept if a not in formats]
    found = []
    may_lack = [a.name for order in op.cpp_orders for a in plain if a.name not in order]
    may_lack += [a.name for a in plain if a.type is Type.GENERATOR]
    for required in ([], may_lack) if may_lack else ([],):
        shown = [a for a in plain if a.name not in may_lack or a.name in required]
        found += _with_options(shown, options, formats, set(required))
    return found


def _with_options(shown, options, formats, required: set[str]) -> list[Form]:
    whole = _form([*shown, options, *formats], set(), required)
    bare = _form(shown, set(), {a.name for a in shown})
    each = _form(formats, set(), {a.name for a in formats})

    def given(parts: tuple[str, ...], made: str, behind: Form | None) -> Form:
        more = behind.types if behind else ()
        types = (*bare.types, *parts, *more)
        values = bare.values | {options.name: made} | (behind.values if behind else {})
        return Form(types, (None,) * len(types), values)

    return [
        whole,
        given(("DType dtype", "Device device"), _FROM_PAIR, None),
        given(_PARTS, _FROM_PARTS, each),
    ]


def _mistakable(op: Op, overloads: list[Op]) -> set[str]:
    """Bools that must be given where another overload takes a number: a 0 is none of them."""
    found = set()
    for place, argument in enumerate(op.arguments):
        others = [o.arguments[place] for o in overloads if place < len(o.arguments)]
        if argument.type is Type.BOOL and argument.default is None:
            found |= {argument.name for other in others if other.type in _NUMBERS}
    return found


def _form(arguments, strict: set[str], required: frozenset | set = frozenset()) -> Form:
    types = [
        f"{_EXACT[a.type] if a.name in strict else _PUBLIC.get(a.type, a.type.cpp)} {a.name}"
        for a in arguments
    ]
    given = cpp_defaults(arguments)
    defaults = [None if a.name in required else d for a, d in zip(arguments, given, strict=True)]
    return Form(tuple(types), tuple(defaults), {a.name: a.name for a in arguments})


def _in_order(arguments, order: tuple[str, ...]) -> Form:
    """Up to the argument that tells it from the usual order, all must be given: that one is exact,
    as it could be mistaken for what stands there in the usual order."""
    by_name = {a.name: a for a in arguments}
    named = [by_name[name] for name in order if name in by_name]
    usual = [a.name for a in arguments]
    telling = next(i for i, a in enumerate(named) if a.name != usual[i])
    return _form(named, {named[telling].name}, {a.name for a in named[: telling + 1]})
