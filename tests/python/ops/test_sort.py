"""What samples cannot say of sort and topk: arguments that may be None, 0-dim tensors."""

import pytest

import eagre


def test_topk_of_nothing_from_a_number():
    values, indices = eagre.topk(eagre.tensor(5.0), 0)
    assert values.item() == 5.0 and indices.item() == 0


@pytest.mark.parametrize("stable", [None, False, True])
def test_stable_may_be_none(stable):
    x = eagre.tensor([2, 1, 2, 1])
    assert eagre.sort(x, stable=stable).indices.tolist() == [1, 3, 0, 2]
    assert x.sort(stable=stable).values.tolist() == [1, 1, 2, 2]
