"""The ways PyTorch lets a function be called: positions, names, second names, sizes, numbers."""

import inspect
import warnings

import numpy as np
import pytest

import eagre

X = eagre.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


@pytest.mark.parametrize(
    "call",
    [
        lambda: eagre.sum(X, 1),
        lambda: eagre.sum(X, dim=1),
        lambda: eagre.sum(X, axis=1),
        lambda: eagre.sum(input=X, dim=(1,)),
        lambda: eagre.sum(x=X, axis=[1]),
        lambda: X.sum(1),
        lambda: X.sum(dim=-1),
        lambda: X.sum(np.int64(1)),
        lambda: X.sum(eagre.tensor(1)),
        lambda: X.sum(1, False),
        lambda: X.sum(1, keepdims=False),
        lambda: X.sum(1, dtype=None),
    ],
)
def test_forms_of_sum(call):
    assert call().tolist() == [6.0, 15.0]


@pytest.mark.parametrize(
    "call",
    [
        lambda: eagre.add(X, X, alpha=2),
        lambda: eagre.add(X, other=X, alpha=2),
        lambda: eagre.add(x=X, y=X, alpha=2.0),
        lambda: eagre.add(alpha=2, other=X, input=X),
        lambda: X.add(X, alpha=np.float32(2)),
        lambda: X.add(other=X, alpha=eagre.tensor(2)),
    ],
)
def test_forms_of_add(call):
    assert call().tolist() == [[3.0, 6.0, 9.0], [12.0, 15.0, 18.0]]


@pytest.mark.parametrize("size", [(2, 3), ((2, 3),), ([2, 3],), (eagre.Size([2, 3]),)])
def test_sizes_together_or_one_by_one(size):
    assert eagre.randn(*size).shape == (2, 3)
    assert eagre.zeros(*size).shape == (2, 3)
    assert eagre.tensor(1.0).expand(*size).shape == (2, 3)
    assert eagre.ones(4, 2, 3).sum_to_size(*size).tolist() == [[4.0] * 3] * 2


@pytest.mark.parametrize(
    ("number", "dtype"),
    [
        (2, eagre.float32),
        (2.0, eagre.float32),
        (True, eagre.float32),
        (np.int64(2), eagre.float32),
        (np.int32(2), eagre.float32),
        (np.float32(2), eagre.float32),
        (np.float64(2), eagre.float32),
        (np.bool_(True), eagre.float32),
        (np.array(2.0), eagre.float32),
    ],
)
def test_numbers_join_the_dtype(number, dtype):
    for result in (X * number, number * X, X.mul(number), eagre.mul(X, number)):
        assert isinstance(result, eagre.Tensor)
        assert result.dtype is dtype
        assert result.tolist() == (X.numpy() * float(number)).tolist()


def test_numbers_raise_the_category():
    whole = eagre.tensor([1, 2])
    assert (whole + 1).dtype is eagre.int64
    assert (whole + 1.0).dtype is eagre.float32
    assert (eagre.tensor([True]) + 1).dtype is eagre.int64
    assert (eagre.tensor([True]) * True).dtype is eagre.bool


def test_arrays_on_either_side():
    array = np.array([1.0, 2.0, 3.0], np.float32)
    for result in (array * X, X * array, array + X):
        assert isinstance(result, eagre.Tensor)
        assert result.shape == (2, 3)
    product = array @ X.T
    assert isinstance(product, eagre.Tensor)
    assert product.tolist() == (array @ X.numpy().T).tolist()
    y = X.clone()
    y += array
    assert y.tolist() == (X.numpy() + array).tolist()


@pytest.mark.parametrize(
    "call",
    [
        lambda: X + "1",
        lambda: "1" + X,
        lambda: X @ 2,
        lambda: 2 @ X,
        lambda: X + None,
        lambda: X * b"",
    ],
)
def test_operators_leave_strangers_to_python(call):
    with pytest.raises(TypeError, match="unsupported operand|can't multiply|concatenate|converted"):
        call()


def test_two_to_the_64_does_not_fit():
    with pytest.raises(eagre.InvalidArgumentError, match="64 bits"):
        X + 2**64


def test_signatures_and_names():
    assert str(inspect.signature(eagre.add)) == "(input, other, *, alpha=1, out=None)"
    assert (
        str(inspect.signature(eagre.Tensor.sum))
        == "(self, /, dim=None, keepdim=False, *, dtype=None)"
    )
    assert eagre.add.__name__ == "add"
    assert eagre.Tensor.__module__ == "eagre"
    assert "add" in dir(eagre) and "add_" in dir(X)


# Row: PyTorch P7
def test_conversions_of_one_element():
    x = eagre.tensor([2.5])
    assert (float(x), int(x), bool(x), x.item()) == (2.5, 2, True, 2.5)
    assert [10, 20, 30][eagre.tensor(1)] == 20
    assert eagre.tensor(True).item() is True
    assert eagre.tensor(7).item() == 7
    assert not eagre.tensor(0.0)
    with pytest.raises(TypeError, match="index"):
        [1, 2][eagre.tensor(1.0)]
    with pytest.raises(ValueError, match="NaN"):
        int(eagre.tensor(float("nan")))
    with pytest.raises(OverflowError, match="infinity"):
        int(eagre.tensor(float("inf")))
    with pytest.raises(eagre.Error, match="2 elements"):
        float(eagre.ones(2))
    for ambiguous in (eagre.ones(2), eagre.ones(0)):
        with pytest.raises(RuntimeError, match="ambiguous"):
            bool(ambiguous)


def test_conversions_of_dtype():
    assert X.to(eagre.int64).tolist() == [[1, 2, 3], [4, 5, 6]]
    assert X.to("cpu") is X and X.to(eagre.float32) is X and X.cpu() is X
    assert X.to("cpu", eagre.float64).dtype is eagre.float64
    assert X.to(dtype=eagre.float64, device="cpu").dtype is eagre.float64
    assert X.to(eagre.tensor([1])).dtype is eagre.int64
    names = [X.double().dtype, X.long().dtype, X.bool().dtype, X.double().float().dtype]
    assert names == [eagre.float64, eagre.int64, eagre.bool, eagre.float32]
    assert eagre.float is eagre.float32 and eagre.double is eagre.float64


def test_flags_and_default_dtype():
    assert eagre.get_flags("kernel_fallback") == {"kernel_fallback": True}
    eagre.set_flags({"kernel_fallback": False})
    assert eagre.get_flags(["kernel_fallback"]) == {"kernel_fallback": False}
    eagre.set_flags({"kernel_fallback": True})
    eagre.set_default_dtype(eagre.float64)
    try:
        assert (
            eagre.tensor(1.5).dtype is eagre.float64 and eagre.get_default_dtype() is eagre.float64
        )
        assert repr(eagre.tensor(1.5)) == "tensor(1.5000)"
    finally:
        eagre.set_default_dtype(eagre.float32)


def test_names_of_split():
    x = eagre.arange(4)
    assert [p.tolist() for p in eagre.split(x, split_size_or_sections=3)] == [[0, 1, 2], [3]]
    assert [p.tolist() for p in x.split(split_size_or_sections=[1, 3])] == [[0], [1, 2, 3]]


def test_to_takes_what_pytorch_takes():
    x = eagre.ones(2, 3)
    assert x.to(eagre.float32) is x
    assert x.to("cpu", eagre.float64, False, False).dtype is eagre.float64
    assert x.to("cpu", non_blocking=True) is x
    for copy in (x.to(eagre.float32, copy=True), x.to("cpu", eagre.float32, False, True),
                 x.to(x, False, True), x.to(eagre.float32, False, True)):  # fmt: skip
        assert copy is not x and copy.data_ptr() != x.data_ptr()
    images = eagre.ones(2, 3, 4, 5).to(eagre.float64, memory_format=eagre.channels_last)
    assert images.is_contiguous(memory_format=eagre.channels_last)
    assert x.to(other=eagre.ones(1, dtype=eagre.int64)).dtype is eagre.int64
    for call in (
        lambda: x.to(eagre.float64, "cpu"),
        lambda: x.to("cpu", 3),
        lambda: x.to("cpu", eagre.float64, False, False, False),
    ):
        with pytest.raises((eagre.DTypeError, eagre.SignatureError), match=r"to\(\)"):
            call()


def test_membership_reversal_and_signs():
    x = eagre.tensor([1, 2, 3])
    assert 2 in x and 5 not in x and eagre.tensor(3) in x
    assert 2 in eagre.tensor([[1, 2], [3, 4]])
    with pytest.raises(RuntimeError, match="str"):
        "a" in x  # noqa: B015
    assert complex(eagre.tensor(1 + 2j)) == 1 + 2j and complex(eagre.tensor([2])) == 2
    assert [row.item() for row in reversed(x)] == [3, 2, 1]
    assert +x is x
    with pytest.raises(TypeError, match="bool"):
        +eagre.tensor([True])  # noqa: B018


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (eagre.add, [3.5, 4, True]),
        (eagre.sub, [-1.5, -2, None]),
        (eagre.mul, [2.5, 3, True]),
        (eagre.div, [0.4, 1 / 3, 1.0]),
        (eagre.true_divide, [0.4, 1 / 3, 1.0]),
        (eagre.floor_divide, [0.0, 0, None]),
    ],
    ids=["add", "sub", "mul", "div", "true_divide", "floor_divide"],
)
def test_arithmetic_of_two_numbers(function, expected):
    for pair, value in zip([(1, 2.5), (1, 3), (True, True)], expected, strict=True):
        if value is None:
            continue  # bools are neither subtracted nor divided without rest
        result = function(*pair)
        assert result.shape == () and result.item() == pytest.approx(value)
    assert function(1, 2.5).dtype is eagre.float32


def test_a_number_may_be_the_first_operand():
    x = eagre.tensor([0.1], dtype=eagre.float64)
    assert eagre.true_divide(1, x).tolist() == [1 / 0.1]
    assert eagre.sub(0.3, x, alpha=2).tolist() == [0.3 - 2 * 0.1]
    assert eagre.div(7, eagre.tensor([2.0]), rounding_mode="floor").tolist() == [3.0]
    out = eagre.zeros(())
    assert eagre.add(1, 2, out=out) is out and out.item() == 3
    with pytest.raises(TypeError, match="'input'"):
        eagre.add("1", x)


def test_boolean_alpha_is_for_boolean_results():
    with pytest.raises(RuntimeError, match="Boolean alpha only supported for Boolean results"):
        eagre.add(1, 1, alpha=True)
    x = eagre.tensor([True, False])
    assert eagre.add(x, x, alpha=True).tolist() == [True, False]
    ones = eagre.ones(2)
    assert eagre.addcmul(ones, ones, ones, value=True).tolist() == [2.0, 2.0]


def test_arguments_have_the_names_of_numpy_too():
    x = eagre.tensor([1.0, 2.0])
    assert eagre.add(x1=x, x2=x).tolist() == [2.0, 4.0]
    assert eagre.sum(a=x, axis=0).item() == 3.0
    assert eagre.neg(x=x).tolist() == [-1.0, -2.0]


def test_lists_of_tensors_given_one_by_one_may_be_empty():
    assert eagre.block_diag().shape == (1, 0)
    with pytest.raises(RuntimeError, match="expects a non-empty TensorList"):
        eagre.meshgrid()


def test_a_tensor_is_no_list_of_tensors():
    with pytest.raises(TypeError, match="must be tuple of Tensors, not Tensor"):
        eagre.hstack(eagre.ones(2))


def test_older_orders_of_arguments_are_taken_with_a_warning():
    x, a, b = eagre.ones(2), eagre.tensor([1.0, 2.0]), eagre.tensor([3.0, 4.0])
    m = eagre.ones(2, 2)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        assert eagre.addcmul(x, 2, a, b).tolist() == [7, 17]
        assert x.addcdiv(2, b, a).tolist() == [7, 5]
        assert eagre.add(x, 2, a).tolist() == [3, 5]
        assert x.sub(2, a).tolist() == [-1, -3]
        assert eagre.addmm(2, m, 3, m, m).tolist() == [[8, 8], [8, 8]]
        assert m.addmm(2, m, m).tolist() == [[4, 4], [4, 4]]
        assert x.clone().addmv_(2, 3, m, a).tolist() == [11, 11]
    assert "This overload of addcmul is deprecated" in "".join(str(w.message) for w in seen)
    with pytest.raises(TypeError, match="by position"):
        eagre.add(x, 1, 2)
    with pytest.raises(TypeError, match="'value' must be a number"):
        eagre.addcmul(x, a, a, b)


def test_true_is_no_dimension():
    x = eagre.zeros(3, 3)
    for call in (
        lambda: x.topk(2, True),
        lambda: x.sum(True),
        lambda: x.cumsum(dim=True),
        lambda: x.transpose(False, True),
        lambda: x.sum((False,)),
        lambda: eagre.zeros(True),
    ):
        with pytest.raises(TypeError, match="bool"):
            call()
