"""Type stubs of the compiled module: operators from their records, put into stub_template.pyi,
which holds what is written by hand."""

from __future__ import annotations

import keyword
from pathlib import Path

from codegen import lazy_stubs
from codegen.model import INPLACE, Argument, Meaning, Op, PythonName, Type
from codegen.output import Outputs
from codegen.python_signature import OPTIONS, WRITTEN, forms, variadic_index

TEMPLATE = Path(__file__).with_name("stub_template.pyi")
METHODS, FUNCTIONS = "    # methods of the records\n", "# functions of the records\n"

# Underscored names mean the builtins, also beside methods called float() and int().
TYPES = {
    Type.TENSOR: "Tensor",
    Type.MASK: "Tensor",
    Type.TENSORS: "Sequence[Tensor]",
    Type.OPTIONAL_TENSORS: "Sequence[Tensor | None]",
    Type.OPERAND: "Tensor | Number",
    Type.SCALAR: "Number",
    Type.INT: "_int",
    Type.FLOAT: "_float",
    Type.BOOL: "_bool",
    Type.FALSE: "Literal[False]",
    Type.INTS: "Sequence[_int]",
    Type.STRING: "_str",
    Type.DTYPE: "_dtype",
    Type.DEVICE: "DeviceLike",
    Type.MEMORY_FORMAT: "_memory_format",
    Type.OPTIONAL_TENSOR: "Tensor | None",
    Type.OPTIONAL_OPERAND: "Tensor | Number | None",
    Type.OPTIONAL_INT: "_int | None",
    Type.OPTIONAL_FLOAT: "_float | None",
    Type.OPTIONAL_BOOL: "_bool | None",
    Type.OPTIONAL_INTS: "_int | Sequence[_int] | None",
    Type.SIZES: "_int | Sequence[_int | None] | None",
    Type.OPTIONAL_STRING: "_str | None",
    Type.OPTIONAL_DTYPE: "_dtype | None",
    Type.GENERATOR: "Generator | None",
}
OPTION_TYPES = ("_dtype | None", "DeviceLike | None", "_bool", "_layout | None", "_bool")


def emit(ops: tuple[Op, ...], out: Outputs) -> None:
    out.add("python/eagre/_C.pyi", stub(ops, TEMPLATE.read_text()))
    out.add("python/eagre/_lazy.pyi", lazy_stubs.function_stub(ops))


def stub(ops: tuple[Op, ...], template: str) -> str:
    public = [op for op in ops if forms(op)]
    methods, functions = [], []
    for name, calls in grouped(public, ("method", "inplace")).items():
        methods += definitions(name, calls, "    ")
    for name, calls in grouped(public, ("function",)).items():
        functions += definitions(name, calls, "")
    functions += [
        f"def {name.attribute}{namespace_signature(op, name)}: ...\n"
        for op in public
        for name in op.python
        if name.parameters
    ]
    for op in public:
        for name in op.in_place_names:
            calls = [
                (o, WRITTEN) for o in public if o.public == op.public and "inplace" in forms(o)
            ]
            functions += definitions(name.attribute if name.namespace else name.name, calls, "")
    classes = [text for op in public if op.has_named_results for text in result_class(op)]
    for marker in (METHODS, FUNCTIONS):
        assert template.count(marker) == 1
    methods.append(lazy_stubs.method_stubs(ops))
    return template.replace(METHODS, "".join(methods)).replace(
        FUNCTIONS, "".join([*classes, *functions])
    )


def grouped(ops: list[Op], wanted: tuple[str, ...]) -> dict[str, list[tuple[Op, str]]]:
    """By the name that users write: the operators and the form."""
    found: dict[str, list[tuple[Op, str]]] = {}
    for op in ops:
        for form in forms(op):
            if form not in wanted:
                continue
            for name in (op.python_name, *op.aliases):
                found.setdefault(name + "_" * (form == "inplace"), []).append((op, form))
    return found


def definitions(name: str, calls: list[tuple[Op, str]], indent: str) -> list[str]:
    lines = [line for op, form in calls for line in signatures(op, form)]
    head = f"{indent}@overload\n" if len(lines) > 1 else ""
    return [f"{head}{indent}def {name}{line}: ...\n" for line in lines]


def signatures(op: Op, form: str) -> list[str]:
    """One, or two where sizes may be given one by one."""
    spread = variadic_index(op, form)
    whole = signature(op, form, -1)
    return [whole] if spread < 0 else [whole, signature(op, form, spread)]


def signature(op: Op, form: str, spread: int) -> str:
    parts, star = [], False
    for i, argument in enumerate(op.arguments):
        if i == 0 and form not in ("function", WRITTEN):
            parts.append("self")
        elif i == spread:
            one = "Tensor" if argument.type.is_list else "_int"
            parts.append(f"*{argument.name}: {one}")
            star = True
        elif argument.type is Type.OPTIONS:
            parts += [] if star else ["*"]
            star = True
            parts += [f"{n}: {t} = ..." for n, t in zip(OPTIONS, OPTION_TYPES, strict=True)]
        else:
            if argument.keyword_only and not star:
                parts.append("*")
                star = True
            is_number_too = i == 0 and op.number_input
            kind = TYPES[Type.OPERAND] if is_number_too else type_of(argument)
            parts.append(parameter(argument, kind))
    if op.out and form == "function":
        parts += [] if star else ["*"]
        parts.append(f"out: {out_type(op)} | None = ...")
    return f"({', '.join(parts)}) -> {result(op, form)}"


def namespace_signature(op: Op, name: PythonName) -> str:
    parts = []
    for given in name.parameters:
        argument = op.argument(given)
        if argument is not None and argument.keyword_only and "*" not in parts:
            parts.append("*")
        flag = f"{INPLACE}: _bool = ..."
        parts.append(flag if argument is None else parameter(argument, type_of(argument)))
    return f"({', '.join(parts)}) -> {result(op, 'function')}"


def type_of(argument: Argument) -> str:
    one = "_int | " if argument.meaning is Meaning.SPATIAL else ""
    return one + TYPES[argument.type]


def parameter(argument: Argument, kind: str) -> str:
    if argument.default == "None" and "None" not in kind:
        kind += " | None"
    name = argument.name + "_" * keyword.iskeyword(argument.name)
    return f"{name}: {kind}" + (" = ..." if argument.default is not None else "")


def out_type(op: Op) -> str:
    return "tuple[Tensor, ...]" if op.returns_many or op.returns_list else "Tensor"


def result(op: Op, form: str) -> str:
    if form == "inplace":
        return "Self"
    if op.returns_bool:
        return "_bool"
    if op.has_named_results:
        return class_name(op)
    if op.returns_many:
        return f"tuple[{', '.join(['Tensor'] * len(op.outputs))}]"
    return "tuple[Tensor, ...]" if op.returns_list else "Tensor"


def class_name(op: Op) -> str:
    return f"_{op.name}_result"


def result_class(op: Op) -> list[str]:
    fields = "".join(f"    {output.name}: Tensor\n" for output in op.outputs)
    return [f"class {class_name(op)}(NamedTuple):\n{fields}"]
