"""The bytes of bools may be others than 0 and 1: every byte but 0 is true, as in PyTorch."""

import numpy as np
import pytest

import eagre

BYTES = np.asarray([0, 1, 2, 3, 255, 4] * 60, np.uint8)  # 4 + 255 wraps around: a sum may be 0
BOOLS = BYTES != 0

EXPRESSIONS = [
    "x.clone()", "x.int()", "x.float()", "x.half()", "x.to(eagre.complex64)", "~x", "x & x",
    "x | x", "x ^ ones", "x & ones", "x == True", "x == ones", "x != ones", "x > zeros",
    "x.eq(x.flip(0))", "x + x.int()", "x * 2", "x * x", "x + x", "x * x.float()",
    "x.logical_not()", "x.logical_xor(ones)", "x.sum()", "x.any()", "x.all()", "x[1:6].all()",
    "x.prod()", "x[1:6].prod()", "x.amax()", "x.amin()", "x[1:6].amin()", "x.view(4, 90).all(0)",
    "x.view(4, 90).any(1)", "x.view(4, 90).t().all(1)", "x.view(4, 90).sum(0)", "x.cumsum(0)",
    "x.count_nonzero()", "x.float().mean()", "x.nonzero()", "eagre.arange(360)[x]",
    "eagre.arange(360.0).masked_fill(x, -1)", "eagre.where(x, 1, 0)", "x.masked_select(x)",
    "x.view(4, 90).max(1)", "x.view(4, 90).min(1)", "x.view(4, 90).max(0)",
    "x.view(90, 4).t().max(1)", "x.sort(stable=True)", "x.topk(3)[0]", "x.unique()",
    "eagre.cat([x, x])", "x.view(4, 90).t().contiguous()", "eagre.equal(x, ones)", "x.tolist()",
    "x[4].item()", "int(x[4])", "bool(x[4])", "str(x[:8])", "x.maximum(zeros)", "x.bool()",
    "x.index_fill(0, one, False)", "zeros.scatter_add(0, one, x[4:5])",
    "x.index_add(0, one, x[4:5])", "zeros.index_put((one,), x[4:5], accumulate=True)",
    "x[None].expand(3, -1).sum()",
]  # fmt: skip


def plain(value):
    if isinstance(value, eagre.Tensor):
        return value.tolist()
    return [plain(part) for part in value] if isinstance(value, tuple) else value


@pytest.fixture(params=["view", "numpy"])
def odd(request):
    if request.param == "view":
        return eagre.tensor(BYTES).view(eagre.bool)
    return eagre.from_numpy(BYTES.view(np.bool_))


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_every_byte_but_zero_is_true(odd, expression):
    names = {
        "eagre": eagre,
        "ones": eagre.ones(360, dtype=eagre.bool),
        "zeros": eagre.zeros(360, dtype=eagre.bool),
        "one": eagre.tensor([2]),
    }
    expected = eval(expression, {**names, "x": eagre.tensor(BOOLS)})
    assert plain(eval(expression, {**names, "x": odd})) == plain(expected)


def test_memory_that_nobody_wrote_has_as_many_places_as_true_elements():
    for size in (1, 100, 70_000):
        fresh = eagre.empty(size, dtype=eagre.bool)
        places = fresh.nonzero().flatten()
        assert places.numel() == fresh.sum().item() == sum(fresh.tolist())
        assert fresh[places].all()
