"""Details of operators as PyTorch 2.15 has them; the expected values were read off it."""

import math

import numpy as np
import pytest

import eagre
import eagre.nn.functional as F

INF, NAN = math.inf, math.nan


def channels_last():
    return eagre.arange(120.0).reshape(2, 3, 4, 5).to(memory_format=eagre.channels_last)


@pytest.mark.parametrize("name", ["all", "any"])
def test_truth_over_no_dimension_and_of_bytes(name):
    x = eagre.tensor([[0, 1], [1, 1]], dtype=eagre.int32)
    same = getattr(x, name)(dim=[])
    assert same.dtype is eagre.bool and same.tolist() == [[False, True], [True, True]]
    assert getattr(x.to("meta"), name)(dim=[]).shape == (2, 2)
    assert getattr(x, name)(dim=[0, 1]).shape == ()
    octets = x.to(eagre.uint8)
    whole = getattr(octets, name)()
    assert whole.dtype is eagre.uint8 and whole.item() == (name == "any")
    assert getattr(octets, name)(1).dtype is eagre.uint8
    assert getattr(octets.to("meta"), name)(1).dtype is eagre.uint8
    out = eagre.empty(0, dtype=eagre.bool)
    assert getattr(eagre, name)(octets, dim=0, out=out) is out
    assert out.tolist() == ([False, True] if name == "all" else [True, True])


CONVERSIONS = "bool byte char short int long half bfloat16 float double cfloat cdouble cpu"


@pytest.mark.parametrize("name", CONVERSIONS.split())
def test_conversions_take_a_memory_format(name):
    x = eagre.zeros(2, 3, 4, 5)
    moved = getattr(x, name)(memory_format=eagre.channels_last)
    assert moved.stride() == (60, 1, 15, 3)
    assert getattr(moved, name)().stride() == (60, 1, 15, 3)
    named = {"cpu": eagre.float32, "byte": eagre.uint8, "char": eagre.int8}
    assert moved.dtype is (named.get(name) or getattr(eagre, name))
    with pytest.raises(TypeError, match=rf"{name}\(\)"):
        getattr(x, name)(eagre.channels_last)


def test_spread_without_a_correction_is_the_usual_one():
    x = eagre.tensor([0.0, 1, 2, 3], requires_grad=True)
    for name in ("var", "std"):
        plain, none = getattr(x, name)(), getattr(x, name)(correction=None)
        assert plain.item() == none.item() == getattr(x, name)(0, correction=None).item()
        (a,), (b,) = (eagre.autograd.grad(y, x) for y in (plain, none))
        assert a.tolist() == b.tolist()


def test_sums_and_products_as_bool():
    x = eagre.arange(4.0)
    assert x.sum(dtype=eagre.bool).item() is True
    assert x.prod(dtype=eagre.bool).item() is False
    assert eagre.tensor([[0.5, 0], [0, 0]]).sum(1, dtype=eagre.bool).tolist() == [True, False]
    assert eagre.zeros(0).prod(dtype=eagre.bool).item() is True
    assert eagre.ones(3, dtype=eagre.bool).sum().item() == 3


def test_where_of_a_condition_alone():
    assert [i.tolist() for i in eagre.where(eagre.tensor([[1, 0], [0, 2]]))] == [[0, 1], [0, 1]]
    assert [i.tolist() for i in eagre.where(eagre.tensor(3.0))] == [[0]]
    assert isinstance(eagre.where(eagre.tensor([True])), tuple)


def test_copy_of_a_number():
    assert eagre.zeros(3).copy_(5.5).tolist() == [5.5] * 3
    assert eagre.zeros(2, dtype=eagre.int64).copy_(5).tolist() == [5, 5]
    with pytest.raises(TypeError, match="copy_"):
        eagre.zeros(3).copy_([1, 2, 3])


def test_a_range_is_an_index():
    x = eagre.arange(12).reshape(3, 4)
    assert x[range(1, 3)].tolist() == x[1:3].tolist()
    assert x[:, range(2)].tolist() == x[:, :2].tolist()
    assert x[range(2), range(1, 3)].tolist() == [1, 6]
    assert x[range(0)].shape == (0, 4)
    x[range(2)] = 0
    assert x.sum().item() == 8 + 9 + 10 + 11


@pytest.mark.parametrize("kind", ["datetime64", "timedelta64"])
@pytest.mark.parametrize("make", [eagre.tensor, eagre.from_numpy])
def test_dates_are_refused(make, kind):
    with pytest.raises(TypeError, match=rf"'ndarray' must be an array of booleans.*{kind}\[D\]"):
        make(np.array([1], dtype=f"{kind}[D]"))


def test_there_is_one_cpu():
    assert eagre.zeros(2).to("cpu:5").device == eagre.device("cpu")
    assert (eagre.zeros(2, device="cpu:5") + eagre.zeros(2)).device.type == "cpu"


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (lambda x: x // -2, [0, 0]),
        (lambda x: x.div(-2, rounding_mode="trunc"), [0, 0]),
        (lambda x: x.div(-2, rounding_mode="floor"), [0, 0]),
        (lambda x: x % -2, [5, 200]),
        (lambda x: x.fmod(-3), [5, 200]),
        (lambda x: x.remainder(300), [5, 24]),
        (lambda x: x % 255, [5, 200]),
        (lambda x: x // 255, [0, 0]),
        (lambda x: x + -3, [2, 197]),
        (lambda x: x * -3, [241, 168]),
        (lambda x: x > -3, [False, False]),
        (lambda x: x == -56, [False, True]),
        (lambda x: x.clamp(-3, 7), [5, 7]),
    ],
)
def test_numbers_wrap_around_among_bytes(call, expected):
    # Many elements: more than the loops for few of them.
    x = eagre.tensor([5, 200], dtype=eagre.uint8)
    assert call(x).tolist() == expected
    assert call(x.repeat(1000))[-2:].tolist() == expected


def test_complex_lines():
    line = eagre.linspace(0, 1 + 1j, 3)
    assert line.dtype is eagre.complex64 and line.tolist() == [0, 0.5 + 0.5j, 1 + 1j]
    assert eagre.linspace(1j, 1, 3, dtype=eagre.complex128).tolist() == [1j, 0.5 + 0.5j, 1]
    assert eagre.linspace(0, 1, 3).dtype is eagre.float32
    powers = eagre.logspace(0, 1 + 1j, 3, dtype=eagre.complex128).numpy()
    np.testing.assert_allclose(powers, 10 ** np.linspace(0, 1 + 1j, 3))


@pytest.mark.parametrize("dtype", [eagre.float32, eagre.float64])
def test_layer_norm_of_equal_numbers_is_zero(dtype):
    for number, length in [(0.1, 5), (1e4 + 0.1, 7), (3.3333e6, 1000)]:
        x = eagre.full((2, length), number, dtype=dtype)
        assert F.layer_norm(x, (length,)).abs().max().item() == 0


def test_powers_to_zero_have_no_slope():
    for power in (0, 0.0, eagre.zeros(4)):
        x = eagre.tensor([0.0, INF, NAN, 2.0], requires_grad=True)
        assert eagre.autograd.grad((x**power).sum(), x)[0].tolist() == [0] * 4
    x = eagre.tensor([2.0], requires_grad=True)
    assert eagre.autograd.grad(x**0, x, eagre.tensor([INF]))[0].tolist() == [0]


@pytest.mark.parametrize("flag", ["check_nan_inf_ops", "check_nan_inf_skip"])
def test_flags_that_list_operators_know_them(flag):
    before = eagre.get_flags([flag])
    with pytest.raises(ValueError, match="no operator 'nope'"):
        eagre.set_flags({flag: "add, nope"})
    assert eagre.get_flags([flag]) == before
    eagre.set_flags({flag: "add, exp,"})
    eagre.set_flags(before)


@pytest.mark.parametrize(
    ("call", "strides"),
    [
        (lambda x: eagre.stack([x, x]), (120, 60, 1, 15, 3)),
        (lambda x: eagre.stack([x, x], 4), (120, 40, 10, 2, 1)),
        (lambda x: x.flip(1), (60, 1, 15, 3)),
        (lambda x: x.roll(1, 1), (60, 1, 15, 3)),
        (lambda x: x.roll(1), (60, 20, 5, 1)),
        (lambda x: x[0].permute(2, 0, 1).flip(0), (3, 1, 15)),
    ],
)
def test_order_in_memory_is_kept(call, strides):
    x = channels_last()
    result = call(x)
    assert result.stride() == strides
    assert result.tolist() == call(x.contiguous()).tolist()
    assert not result._is_view()
    y = x.clone().requires_grad_()
    again = call(y)
    assert again.tolist() == result.tolist()
    assert again.stride() == strides
    (g,) = eagre.autograd.grad(again, y, again.detach())
    z = y.detach().contiguous().requires_grad_()
    (h,) = eagre.autograd.grad(call(z), z, again.detach())
    assert g.tolist() == h.tolist()


def test_attributes():
    z = eagre.tensor([[1 + 2j, 3 - 1j]])
    assert z.real.tolist() == [[1, 3]] and z.imag.tolist() == [[2, -1]]
    assert z.real.data_ptr() == z.data_ptr()
    z.imag = 0
    z.real = eagre.tensor([5.0, 6.0])
    assert z.tolist() == [[5, 6]]
    x = eagre.ones(2, 3, 4)
    assert x.real is x or x.real.data_ptr() == x.data_ptr()
    with pytest.raises(RuntimeError, match="imag"):
        _ = x.imag
    assert (x.nbytes, x.itemsize, x.nelement(), x.ndimension()) == (96, 4, 24, 3)
    assert x.mT.shape == x.mH.shape == (2, 4, 3)
    w = eagre.tensor([[1j, 2.0]])
    assert w.H.tolist() == w.mH.tolist() == [[-1j], [2]] and w.mT.tolist() == [[1j], [2]]
    assert eagre.tensor(1j).H.item() == -1j
    for name, shape in [("H", (2, 3, 4)), ("H", (3,)), ("mT", (3,)), ("mH", ())]:
        with pytest.raises(RuntimeError, match=rf"{name} is for matrices"):
            getattr(eagre.zeros(shape), name)
    assert x.type_as(eagre.ones(1, dtype=eagre.int32)).dtype is eagre.int32
    assert (z.is_complex(), z.is_floating_point(), z.is_signed()) == (True, False, True)
    assert not eagre.ones(1, dtype=eagre.uint8).is_signed() and eagre.is_signed(x)
    assert not eagre.ones(1, dtype=eagre.bool).is_signed() and eagre.numel(x) == 24


def test_functions_of_a_number_and_a_tensor():
    x = eagre.tensor([1.0, 2.0], requires_grad=True)
    assert eagre.add(2, x).tolist() == [3, 4] and eagre.sub(1, x).tolist() == [0, -1]
    assert eagre.mul(2.5, x).tolist() == [2.5, 5] and eagre.div(1, x).tolist() == [1, 0.5]
    assert eagre.floor_divide(7, x).tolist() == [7, 3] and eagre.remainder(5, x).tolist() == [0, 1]
    assert eagre.add(1j, x).dtype is eagre.complex64
    eagre.sub(1, x).sum().backward()
    assert x.grad.tolist() == [-1, -1]
    with pytest.raises(TypeError, match="'input' must be a Tensor"):
        eagre.add("2", x)


def test_what_truth_values_choose_is_a_copy():
    x = eagre.ones(2, 2)
    for key in [True, (slice(None), True), (True, 0), (None, True, ...)]:
        x[key].mul_(5)
    assert x.tolist() == [[1, 1], [1, 1]] and x[False].shape == (0, 2, 2)
    x[True] = 3
    assert x.tolist() == [[3, 3], [3, 3]]


def test_equal_elements_share_the_gradient():
    for function in (eagre.fmax, eagre.fmin, eagre.maximum):
        x, y = eagre.zeros(2, requires_grad=True), eagre.zeros(2, requires_grad=True)
        function(x, y).sum().backward()
        assert x.grad.tolist() == y.grad.tolist() == [0.5, 0.5]


def test_reversed_dimensions_are_warned_of():
    with pytest.warns(UserWarning, match="deprecated"):
        assert eagre.ones(2, 3, 4).T.shape == (4, 3, 2)


def test_names_of_split():
    x = eagre.arange(4)
    assert [p.tolist() for p in eagre.split(x, split_size_or_sections=3)] == [[0, 1, 2], [3]]
    assert [p.tolist() for p in x.split(split_size_or_sections=[1, 3])] == [[0], [1, 2, 3]]
