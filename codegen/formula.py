"""Gradient formulas: parsed, type-checked against all records, and turned into C++.

A formula is an expression over the gradient `g` of the result, the operator's arguments, `result`,
and what is known of a tensor without its data: `input.shape`, `input.dtype`, `input.device`. An
operator with several results has `g_<name>` and `<name>` for each of them. What a node must save
follows from the names a formula uses.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from codegen.model import Op, Type
from codegen.signature import ParsedSignature

# What formulas may spell with an operator: the record that has it as a form is called.
_OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.MatMult: "@"}
# The tangent of an argument, in formulas of forward mode.
TANGENT = "t"
_METADATA = {
    "shape": Type.INTS,
    "strides": Type.INTS,
    "offset": Type.INT,
    "dtype": Type.DTYPE,
    "device": Type.DEVICE,
}
_METADATA_CPP = {
    "shape": "sizes()",
    "strides": "strides()",
    "offset": "storage_offset()",
    "dtype": "dtype()",
    "device": "device()",
}
_LIST_METADATA = {"shape": Type.SHAPES}


@dataclass(frozen=True)
class Name:
    """`g`, `result` or an argument."""

    name: str
    type: Type


@dataclass(frozen=True)
class Metadata:
    """`input.shape`: saved without the data."""

    argument: str
    what: str
    type: Type

    @property
    def member(self) -> str:
        return f"{self.argument}_{self.what}_"

    @property
    def source(self) -> str:
        if self.type is Type.SHAPES:
            return f"shapes_of({self.argument})"
        return f"{self.argument}.{_METADATA_CPP[self.what]}"


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


Expression = Name | Metadata | Number | Apply


@dataclass(frozen=True)
class KnownOps:
    """What formulas can call."""

    signatures: dict[str, ParsedSignature]
    operators: dict[tuple[str, int], str]  # Python's operator and its number of operands


class FormulaError(ValueError):
    pass


def parse_formula(
    text: str, wrt: str, own: ParsedSignature, known: KnownOps, more_names: dict | None = None
) -> Expression:
    """The gradient for argument `wrt` of an operator."""
    try:
        tree = ast.parse(text, mode="eval").body
    except SyntaxError as error:
        raise FormulaError(f"'{text}' is not an expression: {error.msg}") from None
    expression = _Parser(own, known, more_names or {}).parse(tree)
    argument = next(a for a in own.arguments if a.name == wrt)
    wanted = Type.TENSORS if argument.type.is_list else Type.TENSOR
    if expression.type is not wanted:
        raise FormulaError(
            f"'{text}' is a {expression.type.spelling}, but the gradient is a {wanted.spelling}"
        )
    return expression


def parse_call(text: str, own: ParsedSignature, known: KnownOps) -> Apply:
    """A call of an operator that may have several results."""
    match ast.parse(text, mode="eval").body:
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
            parser = _Parser(own, known, {})
            return parser.bind(name, [parser.parse(a) for a in args], {})
    raise FormulaError(f"'{text}' is not a call of an operator")


class _Parser:
    def __init__(self, own: ParsedSignature, known: KnownOps, more_names: dict):
        of_output = Type.TENSORS if own.outputs[0].is_list else Type.TENSOR
        self.names = {gradient_name(own.outputs, i): of_output for i in range(len(own.outputs))}
        self.names |= {o.name: of_output for o in own.outputs}
        self.names |= {a.name: a.type for a in own.arguments} | more_names
        self.arguments = {a.name: a.type for a in own.arguments}
        self.ops, self.operators = known.signatures, known.operators

    def parse(self, tree: ast.expr) -> Expression:
        match tree:
            case ast.Name(id=name):
                if name not in self.names:
                    raise FormulaError(
                        f"unknown name '{name}'; known here: {', '.join(self.names)}"
                    )
                return Name(name, self.names[name])
            case ast.Attribute(value=ast.Name(id=name), attr=what):
                of = self.arguments.get(name)
                if of is None or not (of.is_single_tensor or of.is_list):
                    raise FormulaError(f"'{name}.{what}': '{name}' is not a tensor argument")
                known = _LIST_METADATA if of.is_list else _METADATA
                if what not in known:
                    raise FormulaError(f"'{name}.{what}': known are {', '.join(known)}")
                return Metadata(name, what, known[what])
            case ast.Constant(value=value) if isinstance(value, (bool, int, float)):
                text = (
                    {True: "true", False: "false"}.get(value, repr(value))
                    if isinstance(value, bool)
                    else repr(value)
                )
                kind = Type.BOOL if isinstance(value, bool) else Type.SCALAR
                return Number(text, kind)
            case ast.Constant(value=str(text)):
                return Number(f'"{text}"', Type.STRING)
            case ast.List(elts=[]):
                return Number("Dims()", Type.INTS)
            case ast.List(elts=elements) if all(isinstance(e, ast.Constant) for e in elements):
                return Number(f"Dims({{{', '.join(repr(e.value) for e in elements)}}})", Type.INTS)
            case ast.UnaryOp(op=ast.USub(), operand=operand) if not isinstance(
                operand, ast.Constant
            ):
                return self.spelled("-", operand)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=value)):
                return Number(repr(-value))
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
                return self.spelled(_OPERATORS[type(op)], left, right)
            case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords):
                return self.apply(
                    name,
                    [self.parse(a) for a in args],
                    {k.arg: self.parse(k.value) for k in keywords},
                )
        raise FormulaError(f"cannot use '{ast.unparse(tree)}' in a formula")

    def spelled(self, symbol: str, *operands: ast.expr) -> Apply:
        name = self.operators.get((symbol, len(operands)))
        if name is None:
            raise FormulaError(f"no operator has the form 'operator {symbol}'")
        return self.apply(name, [self.parse(operand) for operand in operands], {})

    def apply(self, name: str, positional: list, named: dict) -> Apply:
        call = self.bind(name, positional, named)
        if len(self.ops[name].outputs) > 1:
            raise FormulaError(f"{name}() has several results and cannot be used in a formula")
        return call

    def bind(self, name: str, positional: list, named: dict) -> Apply:
        if name not in self.ops:
            raise FormulaError(f"there is no operator '{name}'")
        parameters = self.ops[name].arguments
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
        is_list = self.ops[name].outputs[0].is_list
        return Apply(name, tuple(arguments), Type.TENSORS if is_list else Type.TENSOR)


_CONVERSIONS = {
    Type.TENSOR: {Type.MASK, Type.OPTIONAL_TENSOR},
    Type.MASK: {Type.TENSOR},
    Type.OPERAND: {Type.TENSOR, Type.SCALAR, Type.FLOAT},
    Type.OPTIONAL_OPERAND: {Type.TENSOR, Type.SCALAR, Type.OPERAND, Type.FLOAT},
    Type.OPTIONAL_TENSOR: {Type.TENSOR, Type.MASK},
    Type.OPTIONAL_TENSORS: {Type.TENSORS},
    Type.SCALAR: {Type.INT, Type.FLOAT},
    Type.INT: {Type.SCALAR},
    Type.FLOAT: {Type.SCALAR},
    Type.OPTIONAL_INT: {Type.INT, Type.SCALAR},
    Type.OPTIONAL_FLOAT: {Type.FLOAT, Type.SCALAR},
    Type.OPTIONAL_BOOL: {Type.BOOL},
    Type.OPTIONAL_INTS: {Type.INTS, Type.INT, Type.SCALAR},
    Type.OPTIONAL_DTYPE: {Type.DTYPE},
    Type.OPTIONAL_STRING: {Type.STRING},
}


def _accepts(wanted: Type, value: Expression) -> bool:
    return value.type is wanted or value.type in _CONVERSIONS.get(wanted, ())


def gradient_name(outputs: tuple, index: int) -> str:
    """What formulas call the gradient of an output."""
    return "g" if len(outputs) == 1 else f"g_{outputs[index].name}"


def leaves(expression: Expression) -> list[Expression]:
    """Names, metadata and numbers in the order they appear."""
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
            if argument.type is Type.SCALAR and op.conjugates:
                return f"autograd::conjugate({stored})"
            return f"{stored}.get()" if argument.type is Type.OPTIONAL_INTS else stored
        case Metadata():
            return expression.member
        case Number(text=text):
            return text
        case Apply(op=name, arguments=arguments):
            parts = [to_cpp(a, op) for a in arguments]
            return f"ops::{name}({', '.join([*parts, 'at'])})"
    raise AssertionError(expression)
