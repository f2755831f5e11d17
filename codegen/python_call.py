"""What a function of the Python border does with its bound arguments: converts them and runs a form
of the operator."""

from __future__ import annotations

from codegen.cpp import names, public_call
from codegen.model import Argument, Meaning, Op, Type
from codegen.python_signature import OPTIONS, flat, forms

# Types whose conversion is a call with the index alone, and the type of the variable.
_PLAIN = {
    Type.TENSOR: ("const TensorBase&", "tensor"),
    Type.MASK: ("const TensorBase&", "tensor"),
    Type.OPTIONAL_TENSOR: ("const TensorBase&", "optional_tensor"),
    Type.TENSORS: ("const LentTensors", "lent_tensors"),
    Type.OPTIONAL_TENSORS: ("const LentTensors", "lent_optional_tensors"),
    Type.OPTIONAL_OPERAND: ("const OptionalOperand", "optional_operand"),
    Type.OPTIONAL_INT: ("const std::optional<int64_t>", "optional_integer"),
    Type.OPTIONAL_FLOAT: ("const std::optional<double>", "optional_real"),
    Type.OPTIONAL_BOOL: ("const std::optional<bool>", "optional_boolean"),
    Type.INTS: ("const DimVector", "ints"),
    Type.OPTIONAL_INTS: ("const IntsArgument", "optional_ints"),
    Type.SIZES: ("const IntsArgument", "sizes"),
    Type.OPTIONAL_STRING: ("const std::optional<std::string_view>", "optional_text"),
    Type.DTYPE: ("const DType", "dtype"),
    Type.OPTIONAL_DTYPE: ("const std::optional<DType>", "optional_dtype"),
    Type.DEVICE: ("const Device", "device"),
    Type.GENERATOR: ("Generator*", "generator"),
    Type.OPTIONS: ("const TensorOptions", "options"),
}
# Types whose conversion also takes the default.
_WITH_DEFAULT = {
    Type.SCALAR: ("const Scalar", "scalar"),
    Type.OPERAND: ("const Operand", "operand"),
    Type.INT: ("const int64_t", "integer"),
    Type.FLOAT: ("const double", "real"),
    Type.BOOL: ("const bool", "boolean"),
    Type.STRING: ("const std::string_view", "text"),
    Type.MEMORY_FORMAT: ("const MemoryFormat", "memory_format"),
}


def conversion(argument: Argument, index: int) -> str:
    """The declaration of one converted argument."""
    name = argument.name
    read = "int_or_ints" if argument.meaning is Meaning.SPATIAL else "ints"
    if argument.type is Type.INTS and argument.default is not None:
        given, default = f"a.{read}({index})", f"DimVector{argument.cpp_default}"
        return f"const DimVector {name} = a.has({index}) ? {given} : {default};"
    if argument.type in _PLAIN:
        kind, function = _PLAIN[argument.type]
        if argument.type is Type.INTS:
            function = read
        return f"{kind} {name} = a.{function}({index});"
    if argument.type is Type.FALSE:
        return f"constexpr std::false_type {name};"
    kind, function = _WITH_DEFAULT[argument.type]
    default = argument.cpp_default
    more = "" if default is None else f", {default}"
    return f"{kind} {name} = a.{function}({index}{more});"


def places(op: Op) -> dict[str, int]:
    """Where the arguments of an operator are bound; options are several."""
    found, place = {}, 0
    for argument in op.arguments:
        found[argument.name] = place
        place += len(OPTIONS) if argument.type is Type.OPTIONS else 1
    return found


def conversions(op: Op, bound: dict[str, int]) -> list[str]:
    return [conversion(argument, bound[argument.name]) for argument in op.arguments]


def counted(op: Op) -> str:
    """What the decision about the GIL counts: tensors, or the sizes or length of the one
    to be made."""
    sizes = [f"Dims({a.name})" for a in op.arguments if a.type is Type.INTS]
    lengths = [a.name for a in op.arguments if a.type is Type.INT]
    found = [a.name for a in op.tensors] or sizes or lengths
    return "".join(f", {name}" for name in found)


def form_calls(op: Op, written: int = 0) -> dict[str, list[str]]:
    """What each form does with the converted arguments. One is written to in place."""
    given, counts = names(op.arguments), counted(op)
    calls = {}
    if {"function", "method"} & set(forms(op)):
        fields = f'"{op.public}", kFields, ' if op.has_named_results else ""
        function = "run_and_wrap_many" if op.has_named_results else "run_and_wrap"
        made = public_call(op, f"ops::{op.name}({', '.join([*given, 'at'])})")
        run = f"{function}({fields}[&](CallSite at) {{ return {made}; }}{counts})"
        calls["kNew"] = [f"return {run};"]
    if op.inplace:
        writes = public_call(op, f"ops::{op.name}_({', '.join([*given, 'at'])})")
        run = f"call_inplace_op(a[{written}], [&](CallSite at) {{ {writes}; }}{counts})"
        calls["kInplace"] = [f"return {run};"]
    if op.out:
        place = len(flat(op))
        outs = [f"targets[{i}]" for i in range(len(op.outputs))]
        writes = public_call(op, f"ops::{op.name}_out({', '.join([*given, *outs, 'at'])})")
        wrap = f"call_inplace_op(a[{place}], "
        if op.returns_many:
            wrap = f'call_out_many("{op.public}", kFields, targets, '
        calls["kOut"] = [
            f"const TensorVector targets = a.out({place}, {len(op.outputs)});",
            f"return {wrap}[&](CallSite at) {{ {writes}; }}{counts});",
        ]
    return calls
