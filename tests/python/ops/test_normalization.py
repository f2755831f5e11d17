"""What samples cannot say of layer_norm: exact zeros."""

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
