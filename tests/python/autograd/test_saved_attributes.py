"""What nodes saved, as attributes of grad_fn, and hooks on single saved tensors."""

import gc

import numpy as np
import pytest

import eagre
from eagre.autograd import grad
from eagre.autograd.graph import saved_tensors_hooks
from eagre.nn import functional


def leaf(*values):
    return eagre.tensor(list(values), requires_grad=True)


def same(value):
    return value


A = eagre.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
B = eagre.tensor([[5.0, 6.0], [7.0, 8.0]], requires_grad=True)
INDEX = eagre.tensor([1, 0])
SHAPE = (2, 2)


def saved(result):
    """All that the node saved; tensors as lists."""
    node = result.grad_fn
    names = [name for name in dir(node) if name.startswith("_saved_")]
    values = {name.removeprefix("_saved_"): getattr(node, name) for name in names}
    return {k: v.tolist() if isinstance(v, eagre.Tensor) else v for k, v in values.items()}


# --- attributes (names and types checked against PyTorch 2.15) ---


# Row: PyTorch F5
@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda: A + B, {"alpha": 1}),
        (lambda: eagre.add(A, B, alpha=2), {"alpha": 2}),
        (lambda: A * B, {"self": A.tolist(), "other": B.tolist()}),
        (lambda: A * B.detach(), {"self": None, "other": B.tolist()}),
        (lambda: A.sin(), {"self": A.tolist()}),
        (lambda: A.relu(), {"result": A.tolist()}),
        (lambda: A.sum(), {"self_sym_sizes": SHAPE, "dim": None, "keepdim": False}),
        (lambda: A.sum(1, True), {"self_sym_sizes": SHAPE, "dim": (1,), "keepdim": True}),
        (
            lambda: A.max(1).values,
            {"self_sym_sizes": SHAPE, "dim": 1, "keepdim": False, "indices": [1, 1]},
        ),
        (
            lambda: A.index_select(0, INDEX),
            {"self_sym_sizes": SHAPE, "dim": 0, "index": [1, 0]},
        ),
        (lambda: A.transpose(0, -1), {"dim0": 0, "dim1": -1}),
        (lambda: A.permute(1, 0), {"dims": (1, 0)}),
        (lambda: A.tril(-1), {"diagonal": -1}),
        (lambda: functional.softplus(A, 2.0), {"self": A.tolist(), "beta": 2.0, "threshold": 20}),
        (lambda: A.masked_fill(A > 2, 0.0), {"mask": [[False, False], [True, True]]}),
    ],
)
def test_every_saved_value_is_an_attribute(function, expected):
    found = saved(function())
    assert found == expected
    assert {k: type(v) for k, v in found.items()} == {k: type(v) for k, v in expected.items()}


# Row: PyTorch F5
def test_tensors_of_results_and_layers():
    assert (A @ B).grad_fn._saved_self is A and (A @ B).grad_fn._saved_other is B
    assert (A / B).grad_fn._saved_other is B
    power = A**2
    assert power.grad_fn._saved_self is A and power.grad_fn._saved_exponent == 2
    assert type(power.grad_fn._saved_exponent) is int
    exp, softmax = A.exp(), A.softmax(1)
    np.testing.assert_array_equal(exp.grad_fn._saved_result.tolist(), exp.tolist())
    assert softmax.grad_fn._saved_dim == 1
    assert softmax.grad_fn._saved_result.tolist() == softmax.tolist()
    normal = functional.layer_norm(A, (2,)).grad_fn
    assert normal._saved_input is A and normal._saved_weight is None
    weighted = functional.layer_norm(A, (2,), weight=B[0].detach()).grad_fn
    assert weighted._saved_weight.tolist() == [5.0, 6.0]


# Row: PyTorch F5
def test_a_list_of_tensors_is_a_tuple():
    node = A[eagre.tensor([0, 1]), eagre.tensor([1, 1])].grad_fn
    assert [t.tolist() for t in node._saved_indices] == [[0, 1], [1, 1]]
    assert [raw.unpack().tolist() for raw in node._raw_saved_indices] == [[0, 1], [1, 1]]
    # In PyTorch a dimension that is not indexed is None too.
    assert A[:, eagre.tensor([0])].grad_fn._saved_indices[0] is None


# Row: PyTorch F5
def test_strings_dtypes_and_devices():
    reduced = eagre.zeros(2).scatter_reduce(0, INDEX, leaf(1.0, 2.0), "amax", include_self=False)
    node = reduced.grad_fn
    while not hasattr(node, "_saved_reduce"):
        node = next(following for following, _ in node.next_functions if following is not None)
    assert type(node._saved_reduce) is str
    assert A.double().grad_fn._saved_self_dtype is eagre.float32


# Row: PyTorch F5
def test_a_saved_output_is_a_new_tensor_with_its_history():
    result = A.exp()
    with eagre.no_grad():
        seen = result.grad_fn._saved_result
    assert seen is not result and seen.grad_fn == result.grad_fn
    assert seen.data_ptr() == result.data_ptr()
    largest = A.max(1)
    assert not largest.values.grad_fn._saved_indices.requires_grad


def test_outputs_without_gradients_are_saved_without_history():
    node = functional.layer_norm(A, (2,)).grad_fn
    for saved in (node._saved_mean, node._saved_rstd):
        assert saved.grad_fn is None and saved.output_nr == 0 and not saved.requires_grad


# Row: PyTorch F5
def test_names_that_were_not_saved_are_no_attributes():
    node = (A * 2).grad_fn
    with pytest.raises(AttributeError, match="'MulBackward0' object has no attribute '_saved_x'"):
        node._saved_x  # noqa: B018
    with pytest.raises(AttributeError, match="_raw_saved_alpha"):
        (A + B).grad_fn._raw_saved_alpha  # noqa: B018
    with pytest.raises(AttributeError):
        node._saved_self = A
    assert node._saved_other == 2 and node._saved_self is None
    assert not hasattr(node, "_raw_saved_other")  # a number is kept as it is
    assert {"_saved_self", "_raw_saved_self", "next_functions"} <= set(dir(node))


# Row: PyTorch F4, PyTorch F5
def test_what_was_freed_cannot_be_read():
    y = A * B
    by_index = A[INDEX]
    (y.sum() + by_index.sum()).backward()
    with pytest.raises(RuntimeError, match="after they have already been freed"):
        y.grad_fn._saved_self  # noqa: B018
    raw = y.grad_fn._raw_saved_self
    assert raw.data is None
    with pytest.raises(RuntimeError, match="after they have already been freed"):
        raw.unpack()
    for name in ("_saved_indices", "_raw_saved_indices"):
        with pytest.raises(RuntimeError, match="after they have already been freed"):
            getattr(by_index.grad_fn, name)
    assert by_index.grad_fn._saved_self_sym_sizes == SHAPE
    A.grad = B.grad = None


# Row: PyTorch F3, PyTorch F5
def test_what_was_written_cannot_be_read():
    y = leaf(1.0) * 1
    z = y * y
    y.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        z.grad_fn._saved_self  # noqa: B018


# Row: PyTorch F14
def test_saved_tensors_cannot_be_made_by_users():
    kind = type((A * B).grad_fn._raw_saved_self)
    assert kind.__name__ == "SavedTensor"
    with pytest.raises(RuntimeError, match="create a SavedTensor object from Python is forbidden"):
        kind()


def test_the_place_of_a_saved_tensor_keeps_the_node_alive():
    raw = (leaf(2.0) * leaf(3.0)).grad_fn._raw_saved_self
    gc.collect()
    assert raw.unpack().tolist() == [2.0]


# --- hooks on one saved tensor ---


# Row: PyTorch F5, PyTorch F6
def test_hooks_of_one_saved_tensor():
    x = leaf(2.0, 3.0)
    y = x * x
    raw = y.grad_fn._raw_saved_self
    assert raw.data is x and raw.unpack_hook is None and raw.unpack() is x

    def unpack(packed):
        return eagre.tensor(packed[1]) * 10

    raw.register_hooks(lambda t: ("list", t.tolist()), unpack)
    assert raw.data == ("list", [2.0, 3.0]) and raw.unpack_hook is unpack
    assert y.grad_fn._saved_self.tolist() == [20.0, 30.0]
    assert y.grad_fn._raw_saved_other.data is x
    y.sum().backward()  # x as the first operand is 10 times as large
    assert x.grad.tolist() == [22.0, 33.0]
    assert raw.data is None and raw.unpack_hook is None


# Row: PyTorch F5
def test_hooks_of_a_scope_are_seen_in_the_place():
    with saved_tensors_hooks(lambda t: "packed", same):
        y = A * B
    raw = y.grad_fn._raw_saved_self
    assert raw.data == "packed" and raw.unpack_hook is same
    with pytest.raises(RuntimeError, match="whose hooks have already been set"):
        raw.register_hooks(same, same)


# Row: PyTorch F6
def test_hooks_are_registered_once():
    raw = (A * B).grad_fn._raw_saved_self
    raw.register_hooks(same, same)
    with pytest.raises(RuntimeError, match="whose hooks have already been set"):
        raw.register_hooks(same, same)


# Row: PyTorch F6
def test_hooks_need_a_tensor():
    for place in (
        (A * B.detach()).grad_fn._raw_saved_self,
        functional.layer_norm(A, (2,)).grad_fn._raw_saved_weight,
    ):
        assert place.unpack() is None and place.data is None
        with pytest.raises(RuntimeError, match="with value None is forbidden"):
            place.register_hooks(same, same)


# Row: PyTorch F6
def test_hooks_come_too_late_after_the_graph_was_freed():
    x = leaf(1.0)
    y = x * x
    raw = y.grad_fn._raw_saved_self
    y.backward()
    with pytest.raises(RuntimeError, match="after it has been freed"):
        raw.register_hooks(same, same)


# Row: PyTorch F6
def test_hooks_must_be_two_functions():
    raw = (A * B).grad_fn._raw_saved_self
    with pytest.raises(TypeError, match=r"register_hooks\(\): both hooks must be functions"):
        raw.register_hooks(1, 2)
    with pytest.raises(TypeError):
        raw.register_hooks(same)


# Row: PyTorch F6
def test_a_pack_hook_must_not_write_to_its_argument():
    def pack(tensor):
        return tensor.add_(1)

    x = leaf(1.0)
    y = x * x
    with pytest.raises(RuntimeError, match="pack hook is modifying its input in place"):
        y.grad_fn._raw_saved_self.register_hooks(pack, same)
    other = leaf(1.0)
    with (
        saved_tensors_hooks(pack, same),
        pytest.raises(RuntimeError, match="pack hook is modifying its input in place"),
    ):
        other.exp()
    with pytest.raises(RuntimeError, match="modified by an inplace operation since it was saved"):
        y.grad_fn._raw_saved_other.register_hooks(same, same)


# Row: PyTorch F6
def test_an_unpack_hook_must_return_a_tensor():
    y = leaf(1.0).exp()
    y.grad_fn._raw_saved_result.register_hooks(same, lambda packed: 1)
    match = "Output of saved tensor unpack_hook expected to be a Tensor but got result of type int"
    with pytest.raises(TypeError, match=match):
        y.backward()
    with pytest.raises(TypeError, match=match):
        y.grad_fn._saved_result  # noqa: B018


# Row: PyTorch F6
def test_a_pack_hook_that_fails_leaves_the_tensor_where_it_was():
    x = leaf(2.0)
    y = x * x
    with pytest.raises(ZeroDivisionError):
        y.grad_fn._raw_saved_self.register_hooks(lambda t: 1 / 0, same)
    y.backward()
    assert x.grad.tolist() == [4.0]


# Row: PyTorch F6
@pytest.mark.parametrize("function", [lambda x: x * x * x, lambda x: (x * x).exp()])
def test_hooks_keep_the_history(function):
    x = leaf(0.5)
    plain, hooked = function(x), function(x)
    raw = [name for name in dir(hooked.grad_fn) if name.startswith("_raw_saved_")]
    for name in raw:
        getattr(hooked.grad_fn, name).register_hooks(lambda t: t.clone(), same)
    expected, found = (grad(grad(y, x, create_graph=True), x)[0].tolist() for y in (plain, hooked))
    assert raw and found == pytest.approx(expected)
