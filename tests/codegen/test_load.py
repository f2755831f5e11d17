"""Every kind of mistake in a record is an error that names file, line, operator and field."""

import pytest

from codegen.load import load_ops
from codegen.problem import RecordError

GOOD = """\
- op: twice
  sig: (Tensor input) -> Tensor
  forms: [function, method]
  compute: promote
  kernel: {pointwise: twice}
  dtypes: [float32]
  amp: keep
  batch: pointwise
  grad: {input: g * 2, jvp: linear}
  doc: Doubles.
  test: {samples: twice}
"""
STRUCTURED = """\
- op: fold
  sig: (Tensor input, Tensor other, int[]? dim=None, *, dtype? dtype=None) -> Tensor
  forms: [function]
  compute: same(input, other)
  meta: fold(input, dim)
  kernel: {dense: fold(input)}
  dtypes: [float32]
  amp: keep
  batch: loop
  grad: none
  doc: Folds.
  test: {samples: fold}
"""

LINES = {line.split(":")[0].strip("- "): i for i, line in enumerate(GOOD.splitlines(), 1)}


def problem_of(folder) -> str:
    with pytest.raises(RecordError) as caught:
        load_ops(folder)
    return str(caught.value)


def test_the_good_records_are_good(records):
    ops = {op.name: op for op in load_ops(records(GOOD + STRUCTURED))}
    assert ops["twice"].place.line == 1
    assert str(ops["fold"].place) == "ops/zz.yaml:12"


# (field, its line with the mistake, part of the message)
MISTAKES = [
    ("op", "- op: Twice", "lower case"),
    ("op", "- op: 7", "lower case"),
    ("op", "- op: add", "another record of this name"),
    ("sig", "  sig: (Tensor input)", "expected '(…) -> Tensor'"),
    ("sig", "  sig: (Tensor) -> Tensor", "cannot read the argument 'Tensor'"),
    ("sig", "  sig: (Blob input) -> Tensor", "unknown type 'Blob'"),
    ("sig", "  sig: (Tensor input, Scalar input) -> Tensor", "'input' is given twice"),
    ("sig", "  sig: [1]", "expected a text"),
    ("sig", "  sig: (Tensor input) -> bool", "only a composite"),
    ("sig", "  sig: (Tensor input, int n) -> Tensor", "'n' of a pointwise operator"),
    ("sig", "  sig: (Scalar input) -> Tensor", "one to three tensor arguments"),
    ("forms", "  forms: [function, operater +]", "unknown form 'operater +'"),
    ("forms", "  forms: [operator $]", "unknown operator '$'"),
    ("forms", "  forms: function", "expected a list"),
    ("compute", "  compute: promte", "one of: promote"),
    ("compute", "  compute: same(input, input)", "one of: promote"),
    ("compute", "  compute: arg(nothing)", "'nothing' is not an argument"),
    ("compute", "  compute: promote > promote", "nothing can follow it"),
    ("kernel", "  kernel: twice", "expected a mapping"),
    (
        "kernel",
        "  kernel: {sparse: twice}",
        "expected one of 'pointwise', 'dense', 'typed', 'reduce', 'scan', 'generate', 'random', "
        "'scatter', got 'sparse'",
    ),
    ("kernel", "  kernel: {pointwise: 'twice('}", "expected 'name'"),
    ("kernel", "  kernel: {dense: twice, header: twice}", "only a pointwise kernel"),
    ("dtypes", "  dtypes: [float12]", "unknown dtype 'float12'"),
    ("dtypes", "  dtypes: []", "which dtypes"),
    ("grad", "  grad: {input: g * 2}", "jvp: expected one of"),
    ("grad", "  grad: {inptu: g * 2, jvp: linear}", "'inptu' is not a tensor argument"),
    ("grad", "  grad: {jvp: linear}", "no formula for 'input'"),
    ("grad", "  grad: {input: g *, jvp: linear}", "not an expression"),
    (
        "grad",
        "  grad: {input: g * x, jvp: linear}",
        "unknown name 'x'; known here: g, result, input",
    ),
    ("grad", "  grad: {input: half(g), jvp: linear}", "there is no operator 'half'"),
    (
        "grad",
        "  grad: {input: input.shape, jvp: linear}",
        "is a int[], but the gradient is a Tensor",
    ),
    ("grad", "  grad: {input: 'g ** 1', jvp: linear}", "cannot use 'g ** 1'"),
    (
        "grad",
        "  grad: {input: input.colour, jvp: linear}",
        "known are shape, strides, offset, dtype, device",
    ),
    ("grad", "  grad: {input: g.shape, jvp: linear}", "'g' is not a tensor argument"),
    ("grad", "  grad: {input: 'transpose(g, 0)', jvp: linear}", "argument 'dim1' is missing"),
    ("grad", "  grad: {input: 'transpose(g, 0, g)', jvp: linear}", "'dim1' is a int, got a Tensor"),
    ("grad", "  grad: {input: 'exp(g, g)', jvp: linear}", "takes 1 arguments, got 2"),
    ("grad", "  grad: {input: 'exp(x=g)', jvp: linear}", "has no argument 'x'"),
    (
        "grad",
        "  grad: {input: 'sum(g, input.dtype)', jvp: linear}",
        "'dim' is a int[]?, got a dtype",
    ),
    ("grad", "  grad: [g]", "expected a mapping"),
    ("amp", "  amp: high", "expected one of fp32, keep, low, widest, got 'high'"),
    ("batch", "  batch: pointwize", "expected one of"),
    ("batch", "  batch: none", "where, and only where, there is no tensor argument"),
    ("doc", "  doc: ''", "say what the operator does"),
    ("doc", "  doc: [x]", "expected a text"),
    ("test", "  test: {}", "name the samples"),
    ("test", "  test: twice", "expected a mapping"),
]


# Row: PyTorch O7
@pytest.mark.parametrize(("field", "line", "message"), MISTAKES, ids=lambda value: value.strip())
def test_a_mistake_is_named(records, field, line, message):
    number = LINES[field]
    lines = GOOD.splitlines()
    lines[number - 1] = line
    text = problem_of(records("\n".join(lines)))
    name = line.removeprefix("- op: ") if field == "op" else "twice"
    assert text.startswith(f"ops/zz.yaml:{number}: op '{name}', field '{field}': "), text
    assert message in text


@pytest.mark.parametrize(
    "field",
    ["sig", "forms", "compute", "kernel", "dtypes", "amp", "batch", "grad", "doc", "test"],
)
def test_a_missing_field_is_named(records, field):
    lines = [line for line in GOOD.splitlines() if not line.startswith(f"  {field}:")]
    text = problem_of(records("\n".join(lines)))
    assert text.startswith(f"ops/zz.yaml:1: op 'twice', field '{field}': is missing"), text


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        ("  colour: red", "field 'colour': unknown field; the fields are: alias"),
        ("  doc: Doubles again.", "field 'doc': is given twice"),
        ("  native: maybe", "field 'native': expected true, false"),
        ("  reflected: twise", "field 'reflected': there is no operator 'twise'"),
        ("  shape_of: input", "field 'shape_of': is for operators with a kernel and one result"),
        ("  shortcut: f(input)", "field 'shortcut': is for operators with a kernel, one result"),
        ("  numbers: long", "field 'numbers': expected one of rounded, whole, wide"),
        ("  number_input: true", "field 'number_input': is for operators of two operands"),
        ("  composite: true", "field 'grad': a composite is differentiated through"),
    ],
)
def test_an_extra_field_is_named(records, extra, message):
    text = problem_of(records(GOOD + extra))
    assert text.startswith("ops/zz.yaml:"), text
    assert f"op 'twice', {message}" in text


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("same(input, other)", "promote", "field 'compute': a structured operator has one of"),
        ("same(input, other)", "same", "field 'compute'"),
        ("same(input, other)", "arg(dtype)", "field 'compute': 'arg(dtype)' leaves open"),
        ("  compute", "  result: int7\n  compute", "field 'result': expected one of"),
        ("  compute", "  result: [bool, bool]\n  compute", "field 'result': expected one rule"),
        ("  compute", "  inputs: {dim: keep}\n  compute", "field 'inputs': 'dim' is not a tensor"),
        ("  compute", "  inputs: {other: f7}\n  compute", "field 'inputs': other: expected"),
        ("  compute", "  alias: update(other)\n  compute", "field 'alias': expected new"),
        ("  compute", "  layout: sideways\n  compute", "field 'layout': expected one of"),
        (
            "  compute",
            "  layout: channels_last(other)\n  compute",
            "field 'layout': channels_last(…) is of the int that counts spatial dimensions, or the",
        ),
        (
            "  compute",
            "  layout: reads_last(other)\n  compute",
            "field 'layout': reads_last(…) is of the int that counts spatial dimensions",
        ),
        (
            "  compute",
            "  layout: writes_last(dim)\n  compute",
            "field 'layout': writes_last(…) is of the bool that says so",
        ),
        ("  compute", "  shape_of: dim\n  compute", "field 'shape_of': 'dim' is not a tensor"),
        ("  compute", "  numbers: wide\n  compute", "field 'numbers': is for pointwise operators"),
        ("  compute", "  own_method: true\n  compute", "field 'own_method': is for operators that"),
        (
            "  compute",
            "  cpp: [[axis]]\n  compute",
            "field 'cpp': expected arguments behind 'input'",
        ),
        ("[function]", "[function, operator +]", "field 'forms': '+' is add already"),
        ("-> Tensor", "-> (Tensor a)", "field 'sig': expected '-> Tensor'"),
        (
            "same(input, other)",
            "same(input, other) > arg(dtype)",
            "field 'compute': 'same' always applies",
        ),
        (
            "meta: fold(input, dim)",
            "meta: fold(input, dims)",
            "field 'meta': 'dims' is not an argument",
        ),
        ("  meta: fold(input, dim)\n", "", "field 'meta': is missing"),
        ("fold(input)}", "fold(weight)}", "field 'kernel': 'weight' is not an argument"),
        ("[function]", "[function, inplace]", "field 'forms': operators with shapes of their own"),
        ("[function]", "[function]\n  out: [apart]", "field 'out': are rules about a form"),
        ("[function]", "[function, out]\n  out: [near]", "field 'out': expected some of any_"),
    ],
)
def test_structured_records(records, old, new, message):
    text = problem_of(records(STRUCTURED.replace(old, new)))
    assert "op 'fold'" in text
    assert message in text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- op: [", "ops/zz.yaml:2: not YAML"),
        ("op: twice", "ops/zz.yaml:1: expected a list of records"),
        ("- twice", "ops/zz.yaml:1: expected a record that begins with 'op:'"),
        ("- sig: (Tensor input) -> Tensor", "ops/zz.yaml:1, field 'op': expected a name"),
    ],
)
def test_not_records(records, text, message):
    assert problem_of(records(text + "\n")).startswith(message)


def test_an_empty_file_is_fine(records):
    load_ops(records(""))
