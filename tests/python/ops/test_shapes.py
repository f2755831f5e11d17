"""Functions about shapes, most without a record (python/eagre/_shapes.py)."""

import numpy as np
import pytest

import eagre


def test_broadcasting():
    assert eagre.broadcast_shapes((2, 1), (3,), 3) == (2, 3)
    assert isinstance(eagre.broadcast_shapes((2,)), eagre.Size)
    with pytest.raises(RuntimeError, match="mismatch"):
        eagre.broadcast_shapes((2,), (3,))
    a, b = eagre.broadcast_tensors(eagre.ones(2, 1), eagre.ones(3))
    assert a.shape == b.shape == (2, 3)
    assert eagre.ones(3).broadcast_to((2, 3)).shape == (2, 3)


def test_unravel_index():
    places = eagre.unravel_index(eagre.tensor([0, 7, 19]), (4, 5))
    assert [p.tolist() for p in places] == [list(p) for p in np.unravel_index([0, 7, 19], (4, 5))]
