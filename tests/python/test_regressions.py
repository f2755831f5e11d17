"""Defects that were found by trying to break the library, each with the case that showed it."""

import math

import pytest
from child import run

import eagre


@pytest.mark.parametrize(
    "call",
    [
        lambda: eagre.matmul((v := eagre.ones(3)), v, out=v),
        lambda: eagre.matmul((v := eagre.zeros(0)), v, out=v),
        lambda: eagre.add((a := eagre.ones(1, 3)), eagre.ones(3, 3), out=a),
        lambda: eagre.sum((a := eagre.arange(9.0).reshape(3, 3)), 0, out=a),
        lambda: eagre.var((a := eagre.arange(9.0).reshape(3, 3)), 0, out=a),
    ],
    ids=["matmul", "matmul_empty", "add", "sum", "var"],
)
def test_an_input_is_not_resized_as_out(call):
    with pytest.raises(RuntimeError, match="shares memory with an input, so it cannot be resized"):
        call()


def test_a_refused_call_does_not_resize_out():
    out = eagre.ones(3, 1)
    with pytest.raises(IndexError):
        eagre.index_select(eagre.ones(4, 2), 0, eagre.tensor([0, 9]), out=out)
    assert out.shape == (3, 1)


def test_topk_of_nothing_from_a_number():
    values, indices = eagre.topk(eagre.tensor(5.0), 0)
    assert values.item() == 5.0 and indices.item() == 0


def test_powers_of_negative_numbers_with_complex_exponents():
    x = eagre.tensor([-0.5], dtype=eagre.float64, requires_grad=True)
    eagre.view_as_real(eagre.pow(x, 1j)).sum().backward()
    step = 1e-6
    values = [complex(-0.5 + d) ** 1j for d in (step, -step)]
    slope = (values[0] - values[1]) / (2 * step)
    assert x.grad.item() == pytest.approx(slope.real + slope.imag, rel=1e-6)
    exponent = eagre.tensor([1 + 0.5j], requires_grad=True)
    eagre.view_as_real(eagre.pow(eagre.tensor([-2]), exponent)).sum().backward()
    slope = complex(-2) ** (1 + 0.5j) * complex(math.log(2), math.pi)
    gradient = exponent.grad.item()
    assert gradient.real == pytest.approx(slope.real + slope.imag, rel=1e-4)
    assert gradient.imag == pytest.approx(slope.real - slope.imag, rel=1e-4)


@pytest.mark.parametrize("extreme", [lambda x: x.max(), lambda x: x.amin(), lambda x: x.amax(0)])
def test_the_gradient_of_an_extreme_that_is_nan(extreme):
    x = eagre.tensor([1.0, math.nan, 2.0], requires_grad=True)
    extreme(x).backward()
    assert x.grad.tolist() == [0.0, 1.0, 0.0]


@pytest.mark.parametrize("step", ["floor", "ceil", "round", "trunc", "sign"])
def test_step_functions_stop_gradients_that_are_not_finite(step):
    x = eagre.tensor([0.25], requires_grad=True)
    (getattr(x, step)() * 0).sqrt().backward()
    assert x.grad.tolist() == [0.0]


def test_a_quotient_may_be_written_after_it_was_used():
    a, b = eagre.ones(2, requires_grad=True), eagre.full((2,), 2.0, requires_grad=True)
    y = a / b
    y += 1
    y.sum().backward()
    assert b.grad.tolist() == [-0.25, -0.25]


def test_leading_ones_of_what_is_assigned_say_nothing():
    x = eagre.zeros(2, 3)
    x[0] = eagre.ones(1, 1, 3)
    x[eagre.tensor([1]), 0] = eagre.full((1, 1, 1), 5.0)
    x[1, 2] = eagre.full((1,), 7.0)
    assert x.tolist() == [[1.0, 1.0, 1.0], [5.0, 0.0, 7.0]]
    with pytest.raises(RuntimeError):
        x[0] = eagre.ones(2, 3)


def test_a_view_without_elements_is_written():
    y = eagre.zeros(0, 3, requires_grad=True) * 1
    view = y[:, 1]
    view.mul_(2)
    assert (view + 1).shape == (0,)


def test_a_view_of_another_kind_of_number_needs_no_gradient():
    x = eagre.ones(2, dtype=eagre.float64, requires_grad=True)
    assert not x.view(eagre.int64).requires_grad


def test_the_transpose_of_a_vector_is_a_view_of_its_own():
    x = eagre.ones(3)
    x.t().unsqueeze_(0)
    assert x.shape == (3,) and x.T is not x


@pytest.mark.parametrize("key", [0, slice(None), [0, 1], eagre.tensor([True, False, True]), ...])
@pytest.mark.parametrize(
    ("number", "dtype"),
    [(1j, eagre.float32), (1j, eagre.int64), (300, eagre.uint8), (math.nan, eagre.int64)],
)
def test_numbers_that_the_elements_cannot_hold_are_not_assigned(key, number, dtype):
    x = eagre.zeros(3, dtype=dtype)
    with pytest.raises(eagre.InvalidArgumentError, match=f"'values'.*{str(dtype)[6:]} can hold"):
        x[key] = number
    assert x.tolist() == [0, 0, 0]


def test_numbers_that_lose_a_fraction_are_assigned():
    x = eagre.zeros(3, dtype=eagre.int64)
    x[0], x[[1]] = 1.7, 2.7
    x[eagre.tensor([False, False, True])] = eagre.tensor(3.7)
    assert x.tolist() == [1, 2, 3]
    y = eagre.zeros(2)
    y[0] = 2 + 0j
    assert y.tolist() == [2, 0]


def test_tensors_of_a_higher_kind_are_not_assigned_at_indices():
    for dtype, value in ((eagre.float32, 1j), (eagre.int64, 1.5)):
        x = eagre.zeros(3, dtype=dtype)
        with pytest.raises(eagre.DTypeError, match="index_put.*'values'.*can hold"):
            x[[0, 1]] = eagre.tensor([value, value])
        assert x.tolist() == [0, 0, 0]
    x = eagre.zeros(3)
    x[[0, 1]] = eagre.ones(2, dtype=eagre.float64)
    assert x.tolist() == [1, 1, 0]


def test_complex_numbers_in_a_real_tensor_are_warned_about():
    run("""
        import warnings, eagre
        warnings.simplefilter("always")
        with warnings.catch_warnings(record=True) as caught:
            x = eagre.zeros(2)
            x[0] = eagre.tensor(2 + 3j)
        assert x.tolist() == [2, 0]
        assert "imaginary" in str(caught[0].message)
    """)


def test_tensors_are_not_made_of_numbers_that_do_not_fit():
    for number, dtype in ((300, eagre.uint8), (1e30, eagre.int64), (1j, eagre.float32)):
        with pytest.raises(eagre.InvalidArgumentError, match=r"tensor\(\).*can hold"):
            eagre.tensor([0, number], dtype=dtype)
    assert eagre.tensor([-1], dtype=eagre.uint8).item() == 255
    assert eagre.tensor([1e300], dtype=eagre.float32).item() == math.inf


def test_seeds_have_64_bits():
    assert eagre.manual_seed(2**64 - 1).initial_seed() == 2**64 - 1
    assert eagre.manual_seed(-1) is not None and eagre.initial_seed() == 2**64 - 1
    assert eagre.manual_seed(-(2**63)).initial_seed() == 2**63
    for seed in (2**64, 2**64 + 5, -(2**63) - 1, 10**40):
        for refuses in (eagre.manual_seed, eagre.Generator().manual_seed):
            with pytest.raises(ValueError, match="manual_seed.*'seed'"):
                refuses(seed)
    eagre.manual_seed(0)


def test_empty_leaves_what_is_in_out():
    out = eagre.full((3,), 7.0)
    assert eagre.empty((3,), out=out) is out and out.tolist() == [7, 7, 7]
    small = eagre.zeros(0)
    assert eagre.empty((2, 3), out=small).shape == (2, 3)


def test_devices_with_and_without_an_index_differ():
    cpu, first = eagre.device("cpu"), eagre.device("cpu:0")
    assert cpu != first and cpu == eagre.device("cpu") and first == eagre.device("cpu", 0)
    assert hash(cpu) != hash(first)
    assert (cpu.index, first.index) == (None, 0)
    assert (str(cpu), str(first)) == ("cpu", "cpu:0")
    assert repr(first) == "device(type='cpu', index=0)"
    assert eagre.device(first) == first
    x = eagre.zeros(1, device=first)
    assert x.device == cpu == eagre.zeros(1).device
    assert eagre.zeros(1, device="meta").device == eagre.device("meta")


def test_the_gradient_of_a_product_with_zeros_and_infinity():
    x = eagre.tensor([[math.inf, 0.0], [0.0, 2.0]], requires_grad=True)
    x.prod().backward()
    assert x.grad.tolist() == [[0, 0], [0, 0]]
    x = eagre.tensor([math.inf, 0.0, 3.0], requires_grad=True)
    x.prod().backward()
    assert x.grad.tolist()[:2] == [0, math.inf] and math.isnan(x.grad[2].item())


def test_gradients_of_views_of_nothing():
    x = eagre.tensor(3.0, requires_grad=True)
    x.unfold(0, 0, 1).sum().backward()
    assert x.grad.item() == 0
    x = eagre.zeros(1, 2, 2, dtype=eagre.complex64, requires_grad=True)
    eagre.view_as_real(x.expand(0, 2, 2)).sum().backward()
    assert x.grad.tolist() == [[[0, 0], [0, 0]]]


def test_the_gradient_of_normal_is_zero():
    mean = eagre.zeros(2, 1, requires_grad=True)
    std = eagre.ones(3, requires_grad=True)
    numbers = eagre.normal(mean, std)
    assert numbers.requires_grad and numbers.shape == (2, 3)
    numbers.sum().backward()
    assert mean.grad.tolist() == [[0], [0]] and std.grad.tolist() == [0, 0, 0]
    out = eagre.zeros(2)
    assert eagre.normal(eagre.tensor([1.0, 2.0]), 0, out=out) is out and out.tolist() == [1, 2]


def test_functional_embedding_takes_the_indices_first():
    functional = eagre.nn.functional.embedding
    table = eagre.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    rows = functional(eagre.tensor([1, 0]), table, padding_idx=-1)
    assert rows.tolist() == [[3, 4], [1, 2]]
    rows.sum().backward()
    assert table.grad.tolist() == [[1, 1], [0, 0]]
    with pytest.raises(eagre.InvalidArgumentError, match="'padding_idx'.*-2 to 1.*got 2"):
        functional(eagre.tensor([0]), table, padding_idx=2)


def test_truth_values_beside_other_indices_broadcast_with_them():
    x = eagre.arange(6).reshape(2, 3)
    assert x[True, [0, 1]].tolist() == [[0, 1, 2], [3, 4, 5]]
    assert x[[0, 1], True].tolist() == [[0, 1, 2], [3, 4, 5]]
    assert tuple(x[True, True].shape) == (1, 2, 3)
    assert tuple(x[True].shape) == (1, 2, 3)
    assert tuple(x[False].shape) == (0, 2, 3)
    assert tuple(x[True, False].shape) == (0, 2, 3)
    x[True, [0, 1]] = 7
    assert x.tolist() == [[7, 7, 7], [7, 7, 7]]


def test_what_was_saved_of_a_tensor_that_got_other_memory_is_refused():
    w = eagre.ones(3, requires_grad=True)
    x = eagre.ones(3)
    y = w * x
    x.set_(eagre.zeros(3))
    with pytest.raises(RuntimeError, match=r"modified by an inplace operation(.|\n)*set_\(\)"):
        y.sum().backward()


def test_gradient_of_overlapping_complex_memory():
    x = eagre.ones(4, dtype=eagre.complex128).requires_grad_()
    eagre.view_as_real(x.expand(2, 4).as_strided((2, 2), (1, 1))).sum().backward()
    assert x.grad.tolist() == [1 + 1j, 2 + 2j, 1 + 1j, 0]


def test_out_on_meta_gets_the_shape_of_the_result():
    x = eagre.ones(2, 3, device="meta")
    out = eagre.zeros(0, device="meta")
    assert tuple(eagre.sum(x, 0, out=out).shape) == (3,)
    assert tuple(out.shape) == (3,)
    with pytest.raises(RuntimeError, match="'out' is on cpu"):
        eagre.sum(x, 0, out=eagre.zeros(3))


def test_a_reshape_that_copies_without_a_graph_is_no_view():
    w = eagre.ones(6, requires_grad=True)
    with eagre.no_grad():
        y = eagre.ones(2, 3).t().reshape(-1)
    assert not y._is_view()
    y.mul_(w).sum().backward()
    assert w.grad.tolist() == [1] * 6
    with eagre.inference_mode():
        assert eagre.ones(2, 3).t().reshape(-1).is_inference()

    class Flat(eagre.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.t().reshape(-1)

        @staticmethod
        def backward(ctx, g):
            return g.reshape(3, 2).t()

    x = eagre.ones(2, 3, requires_grad=True)
    Flat.apply(x).mul_(2).sum().backward()
    assert x.grad.tolist() == [[2] * 3] * 2
