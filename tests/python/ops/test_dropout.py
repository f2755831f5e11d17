"""The mask of dropout: in its gradient, and after a seed."""

import eagre


def test_gradient_of_dropout_has_the_same_mask():
    x = eagre.ones(1000, requires_grad=True)
    result = eagre.dropout(x, 0.5)
    result.sum().backward()
    assert x.grad.tolist() == result.tolist()
    assert set(x.grad.tolist()) == {0.0, 2.0}


def test_a_seed_repeats_the_mask_of_dropout():
    x = eagre.ones(100)
    eagre.manual_seed(5)
    first = eagre.dropout(x).tolist()
    second = eagre.dropout(x).tolist()
    eagre.manual_seed(5)
    assert eagre.dropout(x).tolist() == first != second
