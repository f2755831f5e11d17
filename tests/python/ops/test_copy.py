"""copy_() of a number."""

import pytest

import eagre


def test_copy_of_a_number():
    assert eagre.zeros(3).copy_(5.5).tolist() == [5.5] * 3
    assert eagre.zeros(2, dtype=eagre.int64).copy_(5).tolist() == [5, 5]
    with pytest.raises(TypeError, match="copy_"):
        eagre.zeros(3).copy_([1, 2, 3])
