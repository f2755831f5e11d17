"""Factorizations beyond samples: derivatives among Hermitian matrices, of singular ones and with
choices, large matrices, threads, errors that do not stop a batch."""

import numpy as np
import pytest

import eagre
from eagre.autograd import gradcheck, gradgradcheck


def matrix(*shape, dtype=eagre.float64, seed=0):
    generator = np.random.default_rng(seed)
    a = generator.standard_normal(shape)
    if dtype.is_complex:
        a = a + 1j * generator.standard_normal(shape)
    return eagre.tensor(a, dtype=dtype)


def hermitian(x):
    return x @ x.mH + 2 * eagre.eye(x.shape[-1], dtype=x.dtype)


DTYPES = [eagre.float64, eagre.complex128]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("upper", [False, True])
def test_derivatives_of_cholesky(dtype, upper):
    x = matrix(2, 3, 3, dtype=dtype).requires_grad_()

    def function(x):
        factor = eagre.linalg.cholesky(hermitian(x), upper=upper)
        return factor.abs() if dtype.is_complex else factor

    assert gradcheck(function, x, check_forward_ad=True)
    assert gradgradcheck(function, x)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize(
    "function",
    [
        eagre.linalg.inv,
        eagre.linalg.det,
        eagre.linalg.matrix_exp,
        lambda x: eagre.linalg.slogdet(x).logabsdet,
        lambda x: eagre.linalg.slogdet(x).sign * 2.0,
        lambda x: eagre.linalg.solve(x, x[..., :1] + 1),
        lambda x: eagre.linalg.solve(x, x[..., :1, :] + 1, left=False),
        lambda x: eagre.linalg.lu(x)[1] @ eagre.linalg.lu(x)[2],
        lambda x: eagre.linalg.lu_factor(x)[0],
        lambda x: eagre.linalg.qr(x).R.abs(),
        lambda x: eagre.linalg.solve_triangular(x, x + 1, upper=True),
        lambda x: eagre.linalg.matrix_power(x, -2),
    ],
)
def test_derivatives(function, dtype):
    x = matrix(2, 3, 3, dtype=dtype, seed=3).requires_grad_()
    assert gradcheck(function, x, check_forward_ad=True)
    assert gradgradcheck(function, x)


@pytest.mark.parametrize("shape", [(4, 2), (2, 4)])
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_derivatives_of_what_is_not_square(shape, dtype):
    x = matrix(*shape, dtype=dtype, seed=1).requires_grad_()
    assert gradcheck(lambda x: eagre.linalg.lu_factor(x)[0], x, check_forward_ad=True)
    assert gradcheck(lambda x: eagre.linalg.qr(x).R.abs(), x)
    assert gradcheck(lambda x: eagre.linalg.qr(x).Q.abs(), x)


@pytest.mark.parametrize("rank", [1, 2])
def test_the_gradient_of_a_determinant_that_is_zero(rank):
    """Cofactors: those of a matrix of rank 2 have rank 1, those of less are zeros."""
    a = (matrix(3, rank, seed=2) @ matrix(rank, 3, seed=3)).requires_grad_()
    a.det().backward()
    values = a.detach().numpy()
    minors = np.empty((3, 3))
    for i in range(3):
        for j in range(3):
            rest = np.delete(np.delete(values, i, 0), j, 1)
            minors[i, j] = (-1) ** (i + j) * np.linalg.det(rest)
    np.testing.assert_allclose(a.grad.numpy(), minors, atol=1e-12)
    zeros = eagre.zeros(2, 2, requires_grad=True)
    eagre.linalg.det(zeros).backward()
    np.testing.assert_allclose(zeros.grad.numpy(), np.zeros((2, 2)), atol=1e-6)


def test_qr_without_q_has_no_derivative():
    x = matrix(3, 2).requires_grad_()
    with pytest.raises(eagre.AutogradError, match="which is not computed when mode='r'"):
        eagre.linalg.qr(x, "r").R.sum().backward()
    with pytest.raises(eagre.AutogradError, match="mode='complete' and nrows > ncols"):
        eagre.linalg.qr(x, "complete").R.sum().backward()


@pytest.mark.parametrize("dtype", [eagre.float32, eagre.float64, eagre.complex64, eagre.complex128])
@pytest.mark.parametrize("n", [33, 130, 260])
def test_large_matrices(n, dtype):
    a = matrix(n, n, dtype=dtype)
    tolerance = 1e-3 if dtype in (eagre.float32, eagre.complex64) else 1e-10
    ones = eagre.eye(n, dtype=dtype)

    def close(got, expected):
        error = (got - expected).abs().max().item()
        assert error < tolerance * max(1.0, expected.abs().max().item()), error

    p, lower, upper = eagre.linalg.lu(a)
    close(p @ lower @ upper, a)
    assert lower.abs().max().item() <= 1.5
    factor = eagre.linalg.cholesky(hermitian(a))
    close(factor @ factor.mH, hermitian(a))
    q, r = eagre.linalg.qr(a[:, : n // 2], "complete")
    close(q @ r, a[:, : n // 2])
    close(q.mH @ q, ones)
    regular = a + 3 * n**0.5 * ones
    close(eagre.linalg.inv(regular) @ regular, ones)
    close(regular @ eagre.linalg.solve(regular, a), a)
    close(eagre.linalg.solve(regular, a, left=False) @ regular, a)


def test_any_number_of_threads_gives_the_same_bits():
    a, many = matrix(300, 300), matrix(600, 5, 5)
    spd = hermitian(a)

    def results():
        found = [eagre.linalg.cholesky(spd), *eagre.linalg.qr(a), eagre.linalg.inv(a)]
        found += [eagre.linalg.solve(a, a.mT), eagre.linalg.inv(many), eagre.linalg.det(many)]
        return [one.numpy().tobytes() for one in [*found, eagre.linalg.matrix_exp(a / 300)]]

    before = eagre.get_num_threads()
    try:
        eagre.set_num_threads(1)
        one = results()
        eagre.set_num_threads(4)
        assert results() == one
    finally:
        eagre.set_num_threads(before)


def test_other_matrices_of_a_batch_are_not_lost():
    batch = eagre.stack([eagre.eye(2) * 2, eagre.zeros(2, 2), eagre.eye(2) * 4])
    inverses, info = eagre.linalg.inv_ex(batch)
    assert info.tolist() == [0, 1, 0]
    assert inverses[0].tolist() == [[0.5, 0], [0, 0.5]]
    assert inverses[2].tolist() == [[0.25, 0], [0, 0.25]]
    assert eagre.linalg.cholesky_ex(batch).info.tolist() == [0, 1, 0]
    assert eagre.linalg.lu_factor_ex(batch)[2].tolist() == [0, 1, 0]


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_columns_of_any_size_are_reflected(scale):
    a = matrix(5, 3) * scale
    q, r = eagre.linalg.qr(a)
    np.testing.assert_allclose((q @ r).numpy() / scale, a.numpy() / scale, atol=1e-13)
    np.testing.assert_allclose((q.mT @ q).numpy(), np.eye(3), atol=1e-13)


def test_the_older_form_of_lu():
    a = matrix(3, 3)
    factors, pivots = eagre.lu(a)
    assert eagre.equal(factors, eagre.linalg.lu_factor(a).LU) and pivots.dtype is eagre.int32
    assert a.lu(get_infos=True)[2].item() == 0
    out = eagre.empty(0, dtype=eagre.float64), eagre.empty(0, dtype=eagre.int32)
    assert eagre.lu(a, out=out)[0] is out[0] and eagre.equal(out[0], factors)
    with pytest.raises(eagre.LinAlgError, match=r"U\[1,1\] is zero"):
        eagre.lu(eagre.zeros(2, 2))
    with pytest.raises(eagre.InvalidArgumentError, match="expected 2 tensors, but got 1"):
        eagre.lu(a, out=out[:1])


def test_the_class_of_the_error():
    assert eagre.linalg.LinAlgError is eagre.LinAlgError
    assert issubclass(eagre.LinAlgError, eagre.Error) and issubclass(
        eagre.LinAlgError, RuntimeError
    )


def test_exponentials_of_large_elements():
    for dtype, large in ((eagre.float32, 3e19), (eagre.float64, 1e160), (eagre.complex128, 1e160)):
        a = eagre.tensor([[0.0, large], [0.0, 0.0]], dtype=dtype)
        assert eagre.linalg.matrix_exp(a).tolist() == [[1, a[0, 1].item()], [0, 1]]
    vanishing = eagre.tensor([[-1e30, 0.0], [0.0, 0.0]])
    assert eagre.linalg.matrix_exp(vanishing).tolist() == [[0, 0], [0, 1]]


@pytest.mark.parametrize("shape", [(0, 0), (2, 0, 0), (3, 0), (0, 3)])
@pytest.mark.parametrize("order", [1, float("inf"), "fro"])
def test_norms_of_matrices_without_elements(shape, order):
    a = eagre.ones(shape)
    norm = eagre.linalg.matrix_norm(a, order)
    assert norm.shape == shape[:-2] and not norm.any()
    assert eagre.linalg.norm(a, order, dim=(-2, -1)).shape == shape[:-2]
