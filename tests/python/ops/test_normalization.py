"""What samples cannot say of layer_norm and rms_norm: exact zeros, parameters of another dtype."""

import pytest

import eagre
import eagre.nn.functional as F


@pytest.mark.parametrize("dtype", [eagre.float32, eagre.float64])
def test_layer_norm_of_equal_numbers_is_zero(dtype):
    for number, length in [(0.1, 5), (1e4 + 0.1, 7), (3.3333e6, 1000)]:
        x = eagre.full((2, length), number, dtype=dtype)
        assert F.layer_norm(x, (length,)).abs().max().item() == 0


@pytest.mark.parametrize("dtype", [eagre.float32, eagre.float64])
@pytest.mark.parametrize("function", [eagre.softmax, eagre.log_softmax])
def test_rows_do_not_depend_on_how_many_there_are(function, dtype):
    # Few short rows have a way of their own.
    for width in (1, 2, 3, 5, 7, 8, 9, 20):
        x = eagre.randn(300, width, dtype=dtype) * 5
        x[7, 0] = -float("inf")
        whole = function(x, -1).nan_to_num(9)
        for count in (1, 4):
            parts = [function(rows, -1) for rows in x.split(count)]
            assert eagre.equal(whole, eagre.cat(parts).nan_to_num(9))


@pytest.mark.parametrize("dtype", [eagre.float16, eagre.bfloat16])
def test_rms_norm_of_halves_adds_the_precision_of_float32(dtype):
    x = (eagre.randn(3, 8) * 0.001).to(dtype)
    expected = eagre.nn.functional.rms_norm(x.float(), (8,), eps=2.0**-23).to(dtype)
    assert eagre.allclose(eagre.nn.functional.rms_norm(x, (8,)), expected, rtol=1e-2)


HALVES = [eagre.float16, eagre.bfloat16]


def norms():
    weight, bias = eagre.rand(6) + 0.5, eagre.randn(6)
    return [
        lambda x, w=weight: (F.layer_norm(x, (6,), w), [w]),
        lambda x, w=weight, b=bias: (F.layer_norm(x, (6,), w, b), [w, b]),
        lambda x, b=bias: (F.layer_norm(x, (6,), None, b), [b]),
        lambda x, w=weight: (F.rms_norm(x, (6,), w), [w]),
    ]


@pytest.mark.parametrize("dtype", HALVES)
def test_parameters_of_float32_beside_halves(dtype):
    # As a network computes whose activations alone are halves: everything in float32, the result as
    # the input, and gradients as what they belong to.
    for norm in norms():
        x = eagre.randn(4, 6).to(dtype).requires_grad_()
        exact = x.detach().float().requires_grad_()
        _, parameters = norm(exact)
        for parameter in parameters:
            parameter.requires_grad_()
        found, expected = norm(x)[0], norm(exact)[0]
        assert found.dtype == dtype
        assert eagre.equal(found, expected.to(dtype))
        g = eagre.randn(4, 6).to(dtype)
        own = eagre.autograd.grad(found, [x, *parameters], g)
        wanted = eagre.autograd.grad(expected, [exact, *parameters], g.float())
        assert own[0].dtype == dtype
        assert eagre.equal(own[0], wanted[0].to(dtype))
        for one, other in zip(own[1:], wanted[1:], strict=True):
            assert one.dtype == eagre.float32
            assert eagre.equal(one, other)


@pytest.mark.parametrize("dtype", HALVES)
def test_mixed_dtypes_under_transforms(dtype):
    x, shift, (weight, bias) = (
        eagre.randn(3, 6).to(dtype),
        eagre.randn(3, 6).to(dtype),
        eagre.rand(2, 6),
    )
    for f in (lambda a: F.layer_norm(a, (6,), weight, bias), lambda a: F.rms_norm(a, (6,), weight)):
        # Operators round in other places than the kernel does.
        assert eagre.allclose(eagre.vmap(f)(x), f(x), rtol=1e-2, atol=1e-3)
        value, tangent = eagre.func.jvp(f, (x,), (shift,))
        assert value.dtype == tangent.dtype == dtype


def test_rms_norm_takes_a_weight_of_any_precision():
    x, weight = eagre.randn(4, 6), eagre.rand(6, dtype=eagre.float64)
    for of in (eagre.bfloat16, eagre.float32, eagre.float64):
        for to in (eagre.float16, eagre.float32, eagre.float64):
            found = F.rms_norm(x.to(of), (6,), weight.to(to), 0.1)
            wide = F.rms_norm(x.to(of).double(), (6,), weight.to(to).double(), 0.1)
            assert found.dtype == of
            assert eagre.allclose(found.double(), wide, rtol=1e-2 if of == eagre.bfloat16 else 1e-5)
