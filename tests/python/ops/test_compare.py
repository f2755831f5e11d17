"""Comparisons whose answer is a bool of Python."""

import pytest

import eagre


def test_answers_need_values():
    x = eagre.ones(2, 3)
    for ask in (eagre.equal, eagre.allclose):
        assert ask(x, x) is True and ask(x, x + 1) is False
        with pytest.raises(RuntimeError, match="vmap"):
            eagre.func.vmap(ask)(x, x)
        with pytest.raises(RuntimeError, match="meta"):
            ask(x.to("meta"), x.to("meta"))
    assert eagre.is_same_size(x.to("meta"), x)
    assert eagre.ones(2, requires_grad=True).equal(eagre.ones(2))
