"""Forward mode by hand: dual tensors, views of them, writes in place, levels."""

import threading

import pytest
from user_functions import defined

import eagre
import eagre.autograd.forward_ad as fwad
from eagre.autograd import gradcheck
from eagre.autograd.forward_ad import dual_level, make_dual, unpack_dual


def tangent(x):
    found = unpack_dual(x).tangent
    return None if found is None else found.tolist()


def test_a_write_through_a_view_of_a_dual_writes_its_tangent():
    x, t = eagre.ones(2), eagre.ones(2)
    with dual_level():
        d = make_dual(x, t)
        view = d[:1]
        view.mul_(2)
        assert tangent(d) == [2.0, 1.0] and tangent(view) == [2.0]
        assert t.tolist() == [2.0, 1.0] and unpack_dual(d).tangent is t
        d.mul_(3)
        assert tangent(view) == [6.0] and tangent(x) is None
        d.view(1, 2).unbind(1)[1].copy_(view)
        assert tangent(d) == [6.0, 6.0] and x.tolist() == [6.0, 6.0]


def test_results_have_tangents_of_their_own():
    with dual_level():
        d = make_dual(eagre.ones(2), eagre.ones(2))
        for result in (d + 1, d.clone(), d.to(eagre.float32, copy=True), eagre.zeros(1) + d):
            result.mul_(5)
            assert tangent(result) == [5.0, 5.0] and tangent(d) == [1.0, 1.0]
        wide = eagre.zeros(2, 2) + d
        d.mul_(3)
        assert tangent(wide) == [[1.0, 1.0], [1.0, 1.0]]


def test_a_dual_with_holes():
    memory, t = eagre.zeros(4), eagre.tensor([1.0, 2.0])
    with dual_level():
        d = make_dual(memory[::2], t)
        d[1:].mul_(2)
        assert tangent(d) == [1.0, 4.0]
        assert tangent(d.as_strided((1,), (1,), 2)) == [4.0]


def test_levels_are_numbers_and_a_threads_own():
    assert fwad._current_level == -1
    with dual_level() as level:
        assert level == fwad._current_level == 0
        seen = []
        thread = threading.Thread(target=lambda: seen.append(fwad._current_level))
        thread.start()
        thread.join()
        assert seen == [-1]
        with pytest.raises(RuntimeError, match="level 3"):
            make_dual(eagre.ones(1), eagre.ones(1), level=3)
    assert fwad._current_level == -1


def test_the_levels_of_transforms_are_seen():
    seen = []

    def f(x):
        seen.append(unpack_dual(x).tangent)
        return x * 2

    eagre.func.jvp(f, (eagre.ones(1),), (eagre.ones(1) * 3,))
    assert seen[0].tolist() == [3.0]
    x = eagre.ones(1, dtype=eagre.float64, requires_grad=True)
    seen.clear()
    gradcheck(f, (x,), check_forward_ad=True, check_undefined_grad=False)
    assert any(t is not None for t in seen)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda d: make_dual(eagre.ones(2), d), "itself has a forward gradient at the same level"),
        (lambda d: make_dual(d, eagre.ones(2)), "already has a forward gradient at the same level"),
        (lambda d: make_dual(eagre.ones(3), eagre.ones(2)), "that has a different size"),
        (lambda d: eagre.add(d, d, out=eagre.ones(2)), "because it is an out= function"),
    ],
)
def test_refusals(call, message):
    with dual_level(), pytest.raises(RuntimeError, match=message):
        call(make_dual(eagre.ones(2), eagre.ones(2)))


# --- functions of users ---


def applied(made, x):
    with dual_level():
        results = made.apply(make_dual(x, eagre.ones_like(x)))
        return [tangent(r) for r in (results if isinstance(results, tuple) else (results,))]


def test_jvp_finds_only_what_was_saved_for_it():
    counts = []

    def saving(ctx, x):
        ctx.save_for_backward(x)
        return x.clone()

    def jvp(ctx, t):
        counts.append(len(ctx.saved_tensors))
        return t

    applied(defined(saving, jvp=jvp), eagre.ones(1))
    assert counts == [0]


def test_a_result_without_gradient_has_no_tangent():
    def forward(ctx, x):
        other = x.clone()
        ctx.mark_non_differentiable(other)
        return x * 2, other

    assert applied(defined(forward, jvp=lambda ctx, t: (t * 2, None)), eagre.ones(1)) == [
        [2.0],
        None,
    ]
    with pytest.raises(RuntimeError, match="You should return None at that position instead"):
        applied(defined(forward, jvp=lambda ctx, t: (t * 2, t)), eagre.ones(1))


def test_an_argument_that_comes_back_needs_a_view_of_its_tangent():
    same = defined(lambda ctx, x: x, jvp=lambda ctx, t: t.view_as(t))
    assert applied(same, eagre.ones(1)) == [[1.0]]
    with pytest.raises(RuntimeError, match="jvp is not returning a view"):
        applied(defined(lambda ctx, x: x, jvp=lambda ctx, t: t), eagre.ones(1))
    of_another = defined(lambda ctx, x: x[:1], jvp=lambda ctx, t: t.clone()[:1])
    with pytest.raises(RuntimeError, match="jvp is not returning a view of the given"):
        applied(of_another, eagre.ones(2))


def test_a_written_argument_needs_a_written_tangent():
    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x.mul_(2)

    assert applied(defined(forward, jvp=lambda ctx, t: t.mul_(2)), eagre.ones(1)) == [[2.0]]
    for jvp in (lambda ctx, t: t * 2, lambda ctx, t: t):
        with pytest.raises(RuntimeError, match="not modifying the forward mode gradients inplace"):
            applied(defined(forward, jvp=jvp), eagre.ones(1))
