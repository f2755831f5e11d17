"""What samples cannot say of layer_norm: exact zeros."""

import pytest

import eagre
import eagre.nn.functional as F


@pytest.mark.parametrize("dtype", [eagre.float32, eagre.float64])
def test_layer_norm_of_equal_numbers_is_zero(dtype):
    for number, length in [(0.1, 5), (1e4 + 0.1, 7), (3.3333e6, 1000)]:
        x = eagre.full((2, length), number, dtype=dtype)
        assert F.layer_norm(x, (length,)).abs().max().item() == 0
