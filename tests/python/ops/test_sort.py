"""What samples cannot say of topk: 0-dim tensors."""

import eagre


def test_topk_of_nothing_from_a_number():
    values, indices = eagre.topk(eagre.tensor(5.0), 0)
    assert values.item() == 5.0 and indices.item() == 0
