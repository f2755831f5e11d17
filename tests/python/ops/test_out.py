"""out=: what is resized, what is kept, what is refused, and several results."""

import pytest

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


def test_empty_leaves_what_is_in_out():
    out = eagre.full((3,), 7.0)
    assert eagre.empty((3,), out=out) is out and out.tolist() == [7, 7, 7]
    small = eagre.zeros(0)
    assert eagre.empty((2, 3), out=small).shape == (2, 3)


def test_out_on_meta_gets_the_shape_of_the_result():
    x = eagre.ones(2, 3, device="meta")
    out = eagre.zeros(0, device="meta")
    assert tuple(eagre.sum(x, 0, out=out).shape) == (3,)
    assert tuple(out.shape) == (3,)
    with pytest.raises(RuntimeError, match="'out' is on cpu"):
        eagre.sum(x, 0, out=eagre.zeros(3))


def test_created_tensors_in_given_memory():
    out = eagre.zeros(3, dtype=eagre.int16)
    assert eagre.arange(0.5, 3, out=out) is out
    assert out.tolist() == [0, 1, 2]
    assert eagre.full((2,), 1.5, out=eagre.zeros(2, dtype=eagre.int64)).tolist() == [1, 1]
    view = eagre.zeros(2, 2)
    eagre.ones(2, out=view[:, 1])
    assert view.tolist() == [[0, 1], [0, 1]]
    assert eagre.zeros(2, out=eagre.ones(2), requires_grad=True).requires_grad
    with pytest.raises(eagre.InvalidArgumentError, match=r"zeros\(\).*'device'.*'out'"):
        eagre.zeros(2, device="meta", out=eagre.ones(2))
    with pytest.raises(eagre.AutogradError, match=r"zeros\(\)"):
        eagre.zeros(2, out=eagre.ones(2, requires_grad=True))


def test_several_results_in_given_memory_have_names():
    x = eagre.tensor([3.0, 1.0, 2.0])
    outs = [eagre.zeros(0), eagre.zeros(0, dtype=eagre.int64)]
    result = eagre.sort(x, out=outs)
    assert result.values is outs[0] and result.indices is outs[1]
    assert result.indices.tolist() == [1, 2, 0]


def test_out_of_functions_that_are_compositions():
    a = eagre.randn(3, 4, dtype=eagre.float64)
    target = eagre.empty(0, dtype=eagre.float64)
    assert eagre.norm(a, dim=1, out=target) is target and target.shape == (3,)
    assert eagre.linalg.vector_norm(a, dim=1).tolist() == target.tolist()
    with pytest.raises(RuntimeError, match="automatic differentiation"):
        eagre.norm(eagre.ones(2, requires_grad=True), out=target)
    with pytest.raises((RuntimeError, TypeError)):
        eagre.isposinf(a, out=eagre.empty(0, dtype=eagre.int64)).sub_(0.5)
    flags = eagre.empty(0, dtype=eagre.bool)
    assert eagre.isposinf(a, out=flags) is flags and flags.shape == (3, 4)


def test_out_of_several_results():
    x = eagre.tensor([[3.0, 1.0, 2.0]])
    out = eagre.empty(0), eagre.empty(0, dtype=eagre.int64)
    result = eagre.kthvalue(x, 2, out=out)
    assert result.values is out[0] and result.indices is out[1]
    assert result.values.tolist() == [2] and result.indices.tolist() == [2]
    with pytest.raises(TypeError, match="a tuple of 2 Tensors, but got 1"):
        eagre.aminmax(x, out=(eagre.empty(0),))


@pytest.mark.parametrize(
    "call",
    [
        lambda out: eagre.add(half(33000.0), half(33000.0), out=out),
        lambda out: eagre.add(byte(200), byte(100), out=out),
        lambda out: eagre.mul(byte(200), byte(2), out=out),
        lambda out: eagre.exp(half(0.1), out=out),
        lambda out: eagre.var(half(0.1, 0.3), 0, out=out),
        lambda out: eagre.addcmul(half(0.1), half(0.1), half(0.1), out=out),
    ],
    ids=["float16", "uint8", "uint8_product", "one_operand", "var", "addcmul"],
)
def test_a_wider_out_does_not_change_the_computation(call):
    """The result is that of the inputs' dtype; then it is cast."""
    out = eagre.zeros((), dtype=eagre.float64)
    assert call(out) is out and out.item() == call(None).item()


def half(*values):
    return eagre.tensor(values if len(values) > 1 else values[0], dtype=eagre.float16)


def byte(value):
    return eagre.tensor(value, dtype=eagre.uint8)


NARROW = ["neg", "floor", "ceil", "abs", "round", "trunc", "sign", "sgn", "frac"]


@pytest.mark.parametrize("name", [*NARROW, "nan_to_num"])
def test_what_rounds_or_changes_signs_is_not_cast(name):
    x = eagre.tensor([1.5, -2.5])
    function = getattr(eagre, name)
    with pytest.raises(RuntimeError, match="Found dtype Double but expected Float"):
        function(x, out=eagre.zeros(2, dtype=eagre.float64))
    out = eagre.zeros(2)
    assert function(x, out=out) is out and out.tolist() == function(x).tolist()


def test_sizes_of_complex_numbers_may_be_stored_as_either():
    z = eagre.tensor([3 + 4j])
    assert eagre.abs(z, out=eagre.zeros(1)).tolist() == [5.0]
    assert eagre.abs(z, out=eagre.zeros(1, dtype=eagre.complex64)).tolist() == [5 + 0j]


@pytest.mark.parametrize(
    "call",
    [
        lambda x, out: eagre.matmul(x, x, out=out),
        lambda x, out: eagre.softmax(x, 0, out=out),
        lambda x, out: eagre.diag(x, out=out),
        lambda x, out: eagre.sort(x, out=(out, eagre.zeros(0, dtype=eagre.int64))),
        lambda x, out: eagre.max(x, 0, out=(out, eagre.zeros(0, dtype=eagre.int64))),
        lambda x, out: eagre.topk(x, 1, out=(out, eagre.zeros(0, dtype=eagre.int64))),
    ],
    ids=["matmul", "softmax", "diag", "sort", "max", "topk"],
)
def test_results_that_are_not_cast(call):
    with pytest.raises(RuntimeError, match="Expected object of scalar type Float but got"):
        call(eagre.ones(3, 3), eagre.zeros(0, dtype=eagre.float64))


def test_all_and_any_write_bools_only():
    x = eagre.ones(2)
    for function in (eagre.all, eagre.any):
        with pytest.raises(RuntimeError, match="only supports bool tensor for result, got: Float"):
            function(x, 0, out=eagre.zeros(()))
    out = eagre.zeros((), dtype=eagre.uint8)
    assert eagre.all(x.to(eagre.uint8), 0, out=out).item() == 1


def test_sums_are_computed_in_the_dtype_of_out():
    x = half(33000.0, 33000.0, 0.1)
    assert eagre.sum(x, 0, out=eagre.zeros(())).item() == x.float().sum().item()
    assert eagre.cumprod(x, 0, out=eagre.zeros(3)).isfinite().all()
    assert eagre.sum(eagre.tensor([1.5, -2.5]), 0, out=eagre.zeros((), dtype=eagre.int64)) == -1
    with pytest.raises(RuntimeError, match="requires dtype float64"):
        eagre.sum(x, 0, dtype=eagre.float64, out=eagre.zeros(()))


def test_joining_into_integers_is_a_type_error():
    with pytest.raises(TypeError, match="result type Float can't be cast to the desired output"):
        eagre.cat([eagre.ones(2)], out=eagre.zeros(2, dtype=eagre.uint8))


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (lambda out: eagre.arange(4, out=out), [[0, 1], [2, 3]]),
        (lambda out: eagre.linspace(0, 3, 4, out=out), [[0, 1], [2, 3]]),
        (lambda out: eagre.logspace(0, 3, 4, 2, out=out), [[1, 2], [4, 8]]),
    ],
    ids=["arange", "linspace", "logspace"],
)
def test_a_grid_fills_an_out_of_as_many_elements_in_order(call, expected):
    base = eagre.zeros(2, 3)
    assert call(base[:, 1:]).tolist() == expected  # a view with holes
    assert base[:, 0].tolist() == [0, 0]
    assert call(eagre.zeros(0)).shape == (4,)
