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
