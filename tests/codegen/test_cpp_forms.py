"""C++ takes the arguments of operators in libtorch's forms, and mistakes none for another."""

from conftest import ROOT

from codegen.cpp_forms import forms
from codegen.load import load_ops

OPS = {op.name: op for op in load_ops(ROOT / "ops")}


def declared(name, *overloads):
    op = OPS[name]
    others = [op, *(OPS[other] for other in overloads)]
    return [", ".join(form.declared()) for form in forms(op, op.arguments[1:], others)]


def test_a_bool_where_an_overload_has_a_number_is_exact():
    assert declared("var_unbiased", "var") == ["std::same_as<bool> auto unbiased"]
    assert declared("var_unbiased") == ["bool unbiased"]


def test_an_order_begins_with_what_tells_it_apart():
    usual, other = declared("sort")
    assert usual == "int64_t dim = -1, bool descending = false, std::optional<bool> stable = {}"
    assert other == "ChosenBool auto stable, int64_t dim = -1, bool descending = false"
    _, alone = declared("sum")
    assert alone == "ChosenDType auto dtype"
    _, second = declared("norm")
    assert second == "std::optional<double> p, ChosenDType auto dtype"


def test_options_come_whole_and_in_parts_before_a_format():
    op = OPS["zeros_like"]
    whole, pair, parts = (form.declared() for form in forms(op, op.arguments, [op]))
    assert [p.split()[-1] for p in pair] == ["input", "dtype", "device"]
    assert whole[1:] == [
        "const TensorOptions& options = {}",
        "MemoryFormat memory_format = MemoryFormat::kPreserve",
    ]
    assert [p.split()[-1] for p in parts[1:]] == [
        "dtype",
        "layout",
        "device",
        "pin_memory",
        "memory_format",
    ]


def test_a_generator_is_left_out_or_must_be_given():
    op = OPS["rand"]
    first, *_, with_generator, _, _ = (form.declared() for form in forms(op, op.arguments, [op]))
    assert first == ["Dims size", "const TensorOptions& options = {}"]
    assert with_generator[:2] == ["Dims size", "GeneratorRef generator"]


def test_what_a_form_leaves_out_gets_its_default():
    op = OPS["sort"]
    _, other = forms(op, op.arguments[1:], [op])
    assert other.passed(op.arguments[1:]) == ["dim", "descending", "stable"]
    op = OPS["sum"]
    _, alone = forms(op, op.arguments[1:], [op])
    assert alone.passed(op.arguments[1:]) == ["{}", "false", "dtype"]
