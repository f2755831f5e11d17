"""Gradient formulas: parsed, type-checked against all records, and turned into C++.

A formula is an expression over the gradient `g` of the result, the operator's arguments, `result`,
and what is known of a tensor without its data: `input.shape`, `input.dtype`, `input.device`. What a
node must save follows from the names a formula uses.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from codegen.model import Argument, Op, Type

_OPERATORS = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "div",
    ast.MatMult: "matmul",
}
_META = {"shape": Type.INTS, "dtype": Type.DTYPE, "device": Type.DEVICE}
_META_CPP = {"shape": "sizes()", "dtype": "dtype()", "device": "device()"}


@dataclass(frozen=True)
class Name:
    """`g`, `result` or an argument."""

    name: str
    type: Type


@dataclass(frozen=True)
class Meta:
    """`input.shape`: saved without the data."""

    argument: str
    what: str
    type: Type

    @property
    def member(self) -> str:
        return f"{self.argument}_{self.what}_"

    @property
    def source(self) -> str:
        return f"{self.argument}.{_META_CPP[self.what]}"


@dataclass(frozen=True)
class Number:
    text: str
    type: Type = Type.SCALAR


@dataclass(frozen=True)
class Apply:
    """A call of another operator."""

    op: str
    arguments: tuple
    type: Type = Type.TENSOR


Expression = Name | Meta | Number | Apply


class FormulaError(ValueError):
    pass


def parse_formula(text: str, arguments: tuple[Argument, ...], ops: dict) -> Expression:
    """`ops` maps names to argument tuples of all records."""
    try:
        tree = ast.parse(text, mode="eval").body
    except SyntaxError as error:
        raise FormulaError(f"'{text}' is not an expression: {error.msg}") from None
    expression = _Parser(arguments, ops).parse(tree)
    if expression.type is not Type.TENSOR and expression != Name("g", Type.TENSOR):
        raise FormulaError(f"'{text}' is a {expression.type.spelling}, but a gradient is a Tensor")
    return expression


class _Parser:
    def __init__(self, arguments: tuple[Argument, ...], ops: dict):
        self.names = {"g": Type.TENSOR, "result": Type.TENSOR}
        self.names |= {a.name: a.type for a in arguments}
        self.ops = ops

    def parse(self, tree: ast.expr) -> Expression:
        match tree:
            case ast.Name(id=name):
                if name not in self.names:
                    raise FormulaError(
                        f"unknown name '{name}'; known here: {', '.join(self.names)}"
                    )
                return Name(name, self.names[name])
            case ast.Attribute(value=ast.Name(id=name), attr=what):
                if self.names.get(name) is not Type.TENSOR or name in ("g", "result"):
                    raise FormulaError(f"'{name}.{what}': '{name}' is not a tensor argument")
                if what not in _META:
                    raise FormulaError(f"'{name}.{what}': known are {', '.join(_META)}")
                return Meta(name, what, _META[what])
            case ast.Constant(value=value) if isinstance(value, (bool, int, float)):
                text = (
                    {True: "true", False: "false"}.get(value, repr(value))
                    if isinstance(value, bool)
                    else repr(value)
                )
                kind = Type.BOOL if isinstance(value, bool) else Type.SCALAR
                return Number(text, kind)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=value)):
                return Number(repr(-value))
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
                return self.apply(_OPERATORS[type(op)], [self.parse(left), self.parse(right)], {})
            case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords):
                return self.apply(
                    name,
                    [self.parse(a) for a in args],
                    {k.arg: self.parse(k.value) for k in keywords},
                )
        raise FormulaError(f"cannot use '{ast.unparse(tree)}' in a formula")

    def apply(self, name: str, positional: list, named: dict) -> Apply:
        if name not in self.ops:
            raise FormulaError(f"there is no operator '{name}'")
        parameters = self.ops[name]
        if len(positional) > len(parameters):
            raise FormulaError(f"{name}() takes {len(parameters)} arguments, got {len(positional)}")
        given = dict(zip((p.name for p in parameters), positional, strict=False)) | named
        unknown = set(given) - {p.name for p in parameters}
        if unknown:
            raise FormulaError(f"{name}() has no argument '{unknown.pop()}'")
        arguments = []
        for parameter in parameters:
            if parameter.name in given:
                value = given[parameter.name]
                if not _accepts(parameter.type, value):
                    raise FormulaError(
                        f"{name}(): argument '{parameter.name}' is a "
                        f"{parameter.type.spelling}, got a {value.type.spelling}"
                    )
                arguments.append(value)
            elif parameter.cpp_default is not None:
                arguments.append(Number(parameter.cpp_default, parameter.type))
            else:
                raise FormulaError(f"{name}(): argument '{parameter.name}' is missing")
        return Apply(name, tuple(arguments))


_CONVERSIONS = {
    Type.OPERAND: {Type.TENSOR, Type.SCALAR},
    Type.INT: {Type.SCALAR},
    Type.OPTIONAL_INTS: {Type.INTS},
    Type.OPTIONAL_DTYPE: {Type.DTYPE},
}


def _accepts(wanted: Type, value: Expression) -> bool:
    return value.type is wanted or value.type in _CONVERSIONS.get(wanted, ())


def leaves(expression: Expression) -> list[Expression]:
    """Names, metas and numbers in the order they appear."""
    if isinstance(expression, Apply):
        return [leaf for argument in expression.arguments for leaf in leaves(argument)]
    return [expression]


def called_ops(expression: Expression) -> set[str]:
    if not isinstance(expression, Apply):
        return set()
    return {expression.op}.union(*(called_ops(a) for a in expression.arguments))


def to_cpp(expression: Expression, op: Op) -> str:
    match expression:
        case Name(name=name):
            argument = op.argument(name)
            if argument is None or argument.type.is_tensor:
                return name
            stored = f"{name}_"
            return f"{stored}.get()" if argument.type is Type.OPTIONAL_INTS else stored
        case Meta():
            return expression.member
        case Number(text=text):
            return text
        case Apply(op=name, arguments=arguments):
            parts = [to_cpp(a, op) for a in arguments]
            return f"ops::{name}({', '.join([*parts, 'at'])})"
    raise AssertionError(expression)
