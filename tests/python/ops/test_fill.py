"""Tensors with parts replaced or filled."""

import pytest

import eagre


def test_parts_are_replaced_in_a_copy():
    x, y = eagre.zeros(3, 3, requires_grad=True), eagre.ones(3, requires_grad=True)
    for made in (
        eagre.select_scatter(x, y, 0, 1),
        x.slice_scatter(y.unsqueeze(0), 0, 1, 2),
        x.diagonal_scatter(y),
    ):
        assert made.sum().item() == 3 and x.sum().item() == 0
        made.square().sum().backward()
        assert y.grad.tolist() == [2.0, 2.0, 2.0]
        y.grad = None
    with pytest.raises(RuntimeError, match="select_scatter"):
        eagre.select_scatter(x, eagre.ones(2), 0, 1)


def test_copy_of_a_number():
    assert eagre.zeros(3).copy_(5.5).tolist() == [5.5] * 3
    assert eagre.zeros(2, dtype=eagre.int64).copy_(5).tolist() == [5, 5]
    with pytest.raises(TypeError, match="copy_"):
        eagre.zeros(3).copy_([1, 2, 3])


def test_numbers_at_the_border_of_a_dtype():
    assert eagre.full((1,), 255, dtype=eagre.uint8).tolist() == [255]
    assert eagre.full((1,), -1, dtype=eagre.uint8).tolist() == [255]
    assert eagre.full((1,), float("inf"), dtype=eagre.float32).tolist() == [float("inf")]
    assert eagre.full((1,), 2 + 0j, dtype=eagre.float32).tolist() == [2]
    assert eagre.full((1,), 2**63 - 1, dtype=eagre.int64).tolist() == [2**63 - 1]
    for value, dtype in [
        (1e40, eagre.float32), (1e5, eagre.float16), (float("inf"), eagre.int32),
        (2**31, eagre.int32), (-(2**31) - 1, eagre.int32), (1e30, eagre.int64),
        (128.5, eagre.int8), (2**15, eagre.int16),
    ]:  # fmt: skip
        with pytest.raises(eagre.InvalidArgumentError, match=r"full\(\).*'fill_value'"):
            eagre.full((1,), value, dtype=dtype)
        with pytest.raises(eagre.InvalidArgumentError, match=r"fill\(\).*'value'"):
            eagre.zeros(1, dtype=dtype).fill_(value)
