"""Every message about operators of users, as it reaches Python."""
# ruff: noqa: E501  a message is easier to find in few pieces

import re
from pathlib import Path

import pytest

import eagre

E = eagre
PLUGINS = Path(eagre.__file__).parents[2] / "tests" / "plugins"
pytestmark = pytest.mark.skipif(
    not (PLUGINS / "ops_kinds.so").exists(), reason="built with the C++ tests"
)


def ema(*args, **keywords):
    E.ops.load_library(PLUGINS / "ema.so")
    return E.ops.filters.ema(*args, **keywords)


def kinds():
    E.ops.load_library(PLUGINS / "ops_kinds.so")
    return E.ops.kinds


def load(name):
    E.load_library(PLUGINS / name)


def backward_of(op):
    op(E.ones(2, requires_grad=True)).sum().backward()


TABLE = [
    (lambda: E.load_library("/nowhere.so"), E.NotFoundError,
     "load_library(): cannot load '/nowhere.so': /nowhere.so: cannot open shared object file: No such "
     "file or directory"),
    (lambda: load("ops_no_function.so"), E.InvalidArgumentError,
     "load_library(): 'FOLDER/ops_no_function.so': it registers no operators: it has no function "
     "eagre_register_ops"),
    (lambda: load("ops_throws.so"), E.InvalidArgumentError,
     "load_library(): 'FOLDER/ops_throws.so': no licence for FOLDER/ops_throws.so"),
    (lambda: load("ops_nested.so"), E.InvalidArgumentError,
     "load_library(): 'FOLDER/ops_nested.so': load_library(): 'FOLDER/ops_nested.so' cannot be loaded "
     "while another library registers its operatorsANYTHING"),
    (lambda: load("ops_taken.so"), E.InvalidArgumentError,
     "load_library(): 'FOLDER/ops_taken.so': register_op(\"from_taken::one\"): there is an operator with "
     "this name already"),
    (lambda: load("ops_bad_signature.so"), E.InvalidArgumentError,
     "load_library(): 'FOLDER/ops_bad_signature.so': register_op(\"from_bad::bad\"): the signature "
     "\"(Tenser x) -> Tensor\" is wrong at position 1: unknown type 'Tenser'; types are Tensor, Tensor[], "
     "int, float, bool, str, Scalar, int[], dtype\n  called at ANYTHING"),
    (lambda: E.ops.nothing, AttributeError,
     "module 'eagre.ops' has no namespace 'nothing'. Hint: eagre.ops.load_library(path) loads the library "
     "that registers its operators"),
    (lambda: kinds().nothing, AttributeError,
     "there is no operator 'kinds::nothing'; there are: ANYTHING"),
    (lambda: E._C._find_op("my::op"), E.NotFoundError,
     "there is no operator 'my::op'; its library is not loaded"),
    (lambda: E._C._find_op("kinds::op"), E.NotFoundError,
     "there is no operator 'kinds::op'; there are: kinds::ANYTHING"),
    (lambda: ema(), E.SignatureError,
     "filters::ema(): argument 'input' is missing; the arguments are: input, decay"),
    (lambda: ema(E.ones(2), 2), E.InvalidArgumentError,
     "filters::ema(): argument 'decay' must be a number from 0 up to, but not, 1, but got 2.0"),
    (lambda: ema(E.ones(2, dtype=E.int64)), E.InvalidArgumentError,
     "filters::ema(): argument 'input' must be a tensor of real numbers with at least one dimension, but "
     "got int64 of shape [2]"),
    (lambda: kinds().halves(E.ones(2, device="meta")), E.UnimplementedError,
     "kinds::halves(): it has no meta function, so it cannot be called with tensors on the device 'meta'. "
     "Hint: register it with meta()"),
    (lambda: kinds().elsewhere(E.ones(2)), E.UnimplementedError,
     "kinds::elsewhere(): there is no kernel on cpu. Kernels of this operator: attic"),
    (lambda: kinds().kernel("two"), E.InvalidArgumentError,
     "the kernel of kinds::kernel() for cpu returned 2 tensors, but there are 1 results in (str what) -> "
     "Tensor"),
    (lambda: kinds().kernel("undefined"), E.InvalidArgumentError,
     "the kernel of kinds::kernel() for cpu returned an undefined tensor as 'result'"),
    (lambda: kinds().kernel("meta"), E.InvalidArgumentError,
     "the kernel of kinds::kernel() for cpu returned 'result' on meta instead of cpu"),
    (lambda: kinds().kernel("shape"), E.InvalidArgumentError,
     "kinds::kernel(): kernel and meta function disagree about 'result': the kernel returned float32 of "
     "shape [3], the meta function says float32 of shape [2]"),
    (lambda: kinds().kernel("two metas"), E.InvalidArgumentError,
     "kinds::kernel(): its meta function describes 2 tensors, but there are 1 results in (str what) -> "
     "Tensor"),
    (lambda: kinds().kernel("type"), E.DTypeError,
     "kinds::kernel(): argument 'what' is of type str, but was asked for as Tensor\n"
     "  in the kernel of kinds::kernel() for cpu"),
    (lambda: kinds().kernel("name"), E.InvalidArgumentError,
     "kinds::kernel(): there is no argument 'why' in (str what) -> Tensor\n"
     "  in the kernel of kinds::kernel() for cpu"),
    (lambda: kinds().kernel("position"), E.IndexOutOfRangeError,
     "kinds::kernel(): there is no argument 1 in (str what) -> Tensor\n"
     "  in the kernel of kinds::kernel() for cpu"),
    (lambda: kinds().limit(), E.InvalidArgumentError,
     "kinds::limit(): argument 'limit' was left out. Hint: ask has() first\n"
     "  in the kernel of kinds::limit() for cpu"),
    (lambda: backward_of(kinds().twins_sum), E.AutogradError,
     "kinds::twins_sum() has no gradient. Hint: register it with grad(), or with no_grad() if its results "
     "are constants\n  in the backward of kinds::TwinsSumBackward, recorded at ANYTHING"),
    (lambda: backward_of(kinds().bad_gradient), E.AutogradError,
     "function kinds::BadGradientBackward returned an incorrect number of gradients (expected 1, got 2)\n"
     "  in the backward of kinds::BadGradientBackward, recorded at ANYTHING"),
    (lambda: backward_of(kinds().unsaved), E.AutogradError,
     "kinds::unsaved(): the gradient asks for 'input', which is not saved. Hint: register it with "
     "saves({\"input\"})\n  in the backward of kinds::UnsavedBackward, recorded at ANYTHING"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "kind", "message"), TABLE, ids=[row[2][:60] for row in TABLE])
def test_message(call, kind, message):
    with pytest.raises(kind) as caught:
        call()
    assert type(caught.value) is kind
    pattern = re.escape(message).replace("FOLDER", re.escape(str(PLUGINS)))
    assert re.fullmatch(pattern.replace("ANYTHING", "[^\0]*"), str(caught.value)), str(caught.value)
