"""What samples cannot say of losses: infinities beside what is ignored."""

import eagre


def test_ignored_elements_do_not_spread_infinities():
    logs = eagre.tensor([[-float("inf"), 0.0], [0.0, -1.0]])
    assert eagre.nll_loss(logs, eagre.tensor([-100, 1])).item() == 1.0
