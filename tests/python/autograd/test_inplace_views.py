"""In-place operators on views and on tensors that have views: values, histories and refusals.

Most cases run the same function twice: once with in-place writes, once written without them. Their
results and gradients must agree.
"""

import numpy as np
import pytest

import eagre


def leaf(*shape, seed=0):
    values = np.random.default_rng(seed).normal(size=shape)
    return eagre.tensor(values, requires_grad=True)


def gradients(function, *inputs):
    result = function(*inputs)
    weights = eagre.tensor(np.linspace(0.5, 1.5, result.numel()).reshape(tuple(result.shape)))
    return result, eagre.autograd.grad((result * weights).sum(), inputs, allow_unused=True)


def assert_same(written, pure, *inputs):
    results, expected = gradients(written, *inputs), gradients(pure, *inputs)
    np.testing.assert_allclose(results[0].detach().numpy(), expected[0].detach().numpy())
    for got, want in zip(results[1], expected[1], strict=True):
        assert (got is None) == (want is None)
        if got is not None:
            np.testing.assert_allclose(got.numpy(), want.numpy())


# --- writes through a view ---


# Row: PyTorch I2
def test_a_write_through_a_slice_reaches_the_gradient_of_the_base():
    def written(x):
        y = x * 2
        y[1:].mul_(3)
        return y

    def pure(x):
        return eagre.cat([x[:1] * 2, x[1:] * 6])

    assert_same(written, pure, leaf(4))


# Row: PyTorch I2
def test_the_view_itself_has_the_new_history():
    def written(x):
        y = x * 2
        view = y[1:]
        view.exp_()
        return view * y[0]

    assert_same(written, lambda x: (x[1:] * 2).exp() * (x[0] * 2), leaf(4))


def test_a_view_of_a_view():
    def written(x):
        y = x * 3
        y.view(6)[2:5].view(3, 1).mul_(2)
        return y

    def pure(x):
        y = (x * 3).reshape(6)
        return eagre.cat([y[:2], y[2:5] * 2, y[5:]]).reshape(2, 3)

    assert_same(written, pure, leaf(2, 3))


# Row: PyTorch H7
def test_the_written_value_gets_its_gradient():
    def written(x, z):
        y = x * 1
        y[1] = z
        y[0].add_(z, alpha=2)
        return y

    def pure(x, z):
        return eagre.stack([x[0] + 2 * z, z, x[2]])

    assert_same(written, pure, leaf(3, 2), leaf(2, seed=1))


# Row: PyTorch I1, PyTorch I2, PyTorch I4
def test_a_base_without_gradient_gets_one():
    z = leaf(2)
    base = eagre.zeros(4, dtype=eagre.float64)
    other = base[:3]
    base[1:3].add_(z)
    assert base.requires_grad and other.requires_grad and not other.is_leaf
    assert base.grad_fn.name() == "CopySlices"
    other.sum().backward()
    assert z.grad.tolist() == [1.0, 1.0]


# Row: PyTorch I2
@pytest.mark.parametrize(
    "look",
    [
        lambda t: t.t(),
        lambda t: t[:, ::2],
        lambda t: t.diagonal(),
        lambda t: t[1],
        lambda t: t.unsqueeze(0),
        lambda t: t.permute(1, 0)[1:],
        lambda t: t.as_strided((2, 2), (3, 1), 1),
    ],
    ids=["t", "steps", "diagonal", "select", "unsqueeze", "permute", "as_strided"],
)
@pytest.mark.parametrize("layout", ["rows", "columns"])
def test_every_kind_of_view_can_be_written(look, layout):
    def base_of(x):
        y = x * 2
        return y if layout == "rows" else (x.t().contiguous() * 2).t().contiguous()

    marked = eagre.zeros(3, 3, dtype=eagre.float64)
    look(marked).add_(1)

    def written(x):
        y = base_of(x)
        look(y).mul_(3)
        return y

    assert_same(written, lambda x: x * 2 * (1 + 2 * marked), leaf(3, 3))


def test_a_transposed_base():
    def written(x):
        base = x.t() * 2  # lies in columns
        assert not base.is_contiguous()
        base[0].mul_(2)
        return base

    def pure(x):
        return eagre.stack([x[:, 0] * 4, x[:, 1] * 2])

    assert_same(written, pure, leaf(3, 2))


def test_second_derivatives():
    x = leaf(3)

    def written(x):
        y = x * x
        y[:2].mul_(x[0])
        y[1:].exp_()
        return y.sum()

    def pure(x):
        squares = x * x
        return squares[0] * x[0] + (squares[1] * x[0]).exp() + squares[2].exp()

    for function in (written, pure):
        (first,) = eagre.autograd.grad(function(x), x, create_graph=True)
        (second,) = eagre.autograd.grad((first * first).sum(), x)
        if function is written:
            expected = second
    np.testing.assert_allclose(expected.numpy(), second.numpy())


# Row: PyTorch O2
def test_complex_numbers_written_by_their_parts():
    def written(x):
        z = eagre.complex(x[0], x[1]) * 1
        eagre.view_as_real(z)[..., 0].mul_(3)
        return eagre.view_as_real(z)

    def pure(x):
        return eagre.stack([x[0] * 3, x[1]], -1)

    if not hasattr(eagre, "complex"):
        pytest.skip("there is no complex() yet")
    assert_same(written, pure, leaf(2, 3))


# --- writes to a base that has views ---


# Row: PyTorch I3
def test_views_made_before_a_write_to_the_base_see_it():
    def written(x):
        y = x * 2
        view = y[1:]
        y.mul_(x)
        return view

    assert_same(written, lambda x: (x * 2 * x)[1:], leaf(4))


def test_two_views_of_one_base():
    def written(x):
        y = x * 1
        left, right = y[:3], y[1:]
        left.mul_(2)
        right.mul_(5)
        return left + right

    def pure(x):
        y = x * eagre.tensor([2.0, 10.0, 10.0, 5.0], dtype=eagre.float64)
        return y[:3] + y[1:]

    assert_same(written, pure, leaf(4))


# Row: PyTorch I3
def test_a_write_without_recording_keeps_the_gradient_of_the_view():
    x = leaf(3)
    y = x * 2
    view = y[1:]
    with eagre.no_grad():
        y.zero_()
    view.sum().backward()
    assert x.grad.tolist() == [0.0, 2.0, 2.0]


# Row: PyTorch I3
def test_the_history_of_a_view_is_made_anew_when_asked_for_without_recording():
    x = leaf(3)
    y = x * 2
    view = y[1:]
    y.mul_(2)
    with eagre.no_grad():
        assert view.grad_fn.name() == "AsStridedBackward0"


# Row: PyTorch H5
def test_earlier_users_keep_the_old_history():
    x = leaf(3)
    y = x * 2
    before = y[1:] + 0
    y[1:].mul_(10)
    (gradient,) = eagre.autograd.grad(before.sum(), x)
    assert gradient.tolist() == [0.0, 2.0, 2.0]


# Row: PyTorch F3
def test_a_saved_view_that_was_written_is_noticed():
    x = leaf(3)
    y = x.exp()
    saved = y[1:] * y[1:]
    y.mul_(2)
    with pytest.raises(RuntimeError, match=r"modified by an inplace operation(.|\n)*mul_\(\)"):
        saved.sum().backward()


# --- refusals ---


# Row: PyTorch I5
def test_a_view_of_a_leaf_cannot_be_written():
    x = leaf(3)
    with pytest.raises(RuntimeError, match="a view of a leaf Variable that requires grad"):
        x[1:].mul_(2)
    with eagre.no_grad():
        x[1:].mul_(0)
    assert x.tolist()[1:] == [0.0, 0.0]


# Row: PyTorch A6
def test_a_view_that_is_a_leaf_itself_cannot_be_written():
    base = eagre.ones(3)
    view = base[1:].requires_grad_()
    with pytest.raises(RuntimeError, match=r"mul_\(\): a leaf Variable that requires grad"):
        view.mul_(2)
    assert base.tolist() == [1.0, 1.0, 1.0] and view.is_leaf


# Row: PyTorch I6, PyTorch I10
@pytest.mark.parametrize(
    "parts", [lambda t: t.split(2), lambda t: t.unbind(0), lambda t: t.chunk(2)]
)
def test_one_of_several_views_cannot_be_written(parts):
    y = leaf(4) * 1
    part = parts(y)[0]
    with pytest.raises(RuntimeError, match="return multiple views"):
        part.mul_(2)
    with pytest.raises(RuntimeError, match="return multiple views"):
        part.view(-1).mul_(2)


# Row: PyTorch I7
def test_views_made_without_recording_cannot_be_written_with_it():
    y = leaf(4) * 1
    with eagre.no_grad():
        view = y[1:]
    with pytest.raises(RuntimeError, match="created in no_grad mode"):
        view.mul_(2)
    y.mul_(2)
    with pytest.raises(RuntimeError, match="its base or another view of its base was modified"):
        view * 2
    assert "grad_fn=<Invalid>" in repr(view)


def test_a_refused_write_has_changed_nothing():
    x = leaf(3)
    before, version = x.tolist(), x._version
    with pytest.raises(RuntimeError):
        x[1:].mul_(2)
    assert x.tolist() == before and x._version == version


# --- what a view knows ---


# Row: PyTorch A15, PyTorch H1, PyTorch I1
def test_base_and_version_of_views():
    x = eagre.zeros(2, 3)
    view = x[1]
    part = view[1:]
    assert view._is_view() and view._base is x and part._base is x
    assert not x._is_view() and x._base is None
    part.add_(1)
    assert x._version == view._version == part._version == 1
    detached = x.detach()
    assert not detached._is_view() and detached._version == 1


def test_a_view_outlives_its_base():
    view = (eagre.arange(6.0) * 2)[3:]
    assert view.tolist() == [6.0, 8.0, 10.0]
    assert view._base.tolist() == [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]


# Row: PyTorch I9
def test_the_look_of_a_view_changed_in_place():
    def written(x):
        y = x * 2
        view = y[1:]
        view.t_()
        view.mul_(3)
        return view

    assert_same(written, lambda x: (x[1:] * 6).t(), leaf(3, 2))


# Row: PyTorch I9
def test_the_look_of_a_base_changed_in_place():
    def written(x):
        y = x * 2
        view = y[1:]
        y.transpose_(0, 1)
        y[0].mul_(3)
        return view

    assert_same(written, lambda x: eagre.stack([x[1:, 0] * 6, x[1:, 1] * 2], 1), leaf(3, 2))


# Row: PyTorch I9
@pytest.mark.parametrize(
    "look",
    [
        lambda t: t.t_(),
        lambda t: t.transpose_(0, 1),
        lambda t: t.unsqueeze_(0),
        lambda t: t.squeeze_(0),
    ],
    ids=["t_", "transpose_", "unsqueeze_", "squeeze_"],
)
def test_views_that_cannot_be_written_cannot_change_their_look(look):
    result = leaf(2, 2) * 1
    with eagre.no_grad():
        unrecorded = result[:1]
        look(result[:1])
    with pytest.raises(RuntimeError, match="created in no_grad mode"):
        look(unrecorded)
    with pytest.raises(RuntimeError, match="a view of a leaf Variable that requires grad"):
        look(leaf(2, 2)[:1])
    with pytest.raises(RuntimeError, match="return multiple views"):
        look(result.split(1)[0])


# Row: PyTorch I9
def test_a_look_changed_without_recording_still_forbids_recorded_writes():
    result = leaf(2, 2) * 1
    with eagre.no_grad():
        view = result[:1].t_()
    with pytest.raises(RuntimeError, match="created in no_grad mode"):
        view.mul_(2)


# Row: PyTorch I10
def test_a_view_inherits_what_its_view_forbids():
    result = leaf(4) * 1
    with eagre.no_grad():
        view = result[1:]
    with pytest.raises(RuntimeError, match="created in no_grad mode"):
        view[:1].mul_(2)
    with pytest.raises(RuntimeError, match="return multiple views"):
        result.split(2)[0][:1].unsqueeze(0).mul_(2)


# Row: PyTorch I11
def test_only_the_asked_for_branch_of_a_written_view_runs():
    x, w = leaf(2), leaf(1)
    below_x, below_w = x * 1, w * 1
    ran = []
    below_x.grad_fn.register_prehook(lambda g: ran.append("x"))
    below_w.grad_fn.register_prehook(lambda g: ran.append("w"))
    y = below_x * 2
    y[:1].mul_(below_w)
    eagre.autograd.grad(y.sum(), w, retain_graph=True)
    assert ran == ["w"]
    eagre.autograd.grad(y.sum(), x)
    assert ran == ["w", "x"]


# Row: PyTorch I11
def test_a_writer_without_a_gradient_for_what_it_wrote_over():
    def written(x, z):
        y = x * 2
        y[:2].copy_(z)
        return y

    assert_same(written, lambda x, z: eagre.cat([z, x[2:] * 2]), leaf(3), leaf(2, seed=1))


# Row: PyTorch I13
def test_views_without_a_gradient_share_the_version_only():
    y = leaf(2) * 1
    bits = y.view(eagre.int64)
    bits.bitwise_and_(-1)
    assert not bits.requires_grad and y._version == 1
    detached = y.detach()
    detached.mul_(2)
    assert y._version == 2 and not detached._is_view()


# Row: PyTorch I14
def test_gradients_of_overlapping_and_expanded_views():
    x = leaf(2, 2)
    weights = eagre.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], dtype=eagre.float64)
    x.as_strided((3, 2), (1, 1)).backward(weights)
    assert x.grad.tolist() == [[1.0, 5.0], [9.0, 6.0]]
    one = leaf(1)
    one.expand(3).as_strided((3,), (0,)).sum().backward()
    assert one.grad.tolist() == [3.0]
    (eagre.ones(2, 2, dtype=eagre.float64) @ one.expand(2)).sum().backward()
    assert one.grad.tolist() == [7.0]


# Row: PyTorch I14
@pytest.mark.parametrize(
    "look", [lambda t: t.diagonal(), lambda t: t[0], lambda t: t[:, 1], lambda t: t[1:2].view(2)]
)
def test_expanded_gradients_of_views(look):
    x, marked = leaf(2, 2), eagre.zeros(2, 2, dtype=eagre.float64)
    look(marked).add_(3)
    look(x).backward(eagre.full((1,), 3.0, dtype=eagre.float64).expand(2))
    assert x.grad.tolist() == marked.tolist()


# Row: PyTorch O2
def test_parts_of_complex_numbers_written_through_chains_of_views():
    z = eagre.tensor([1 + 2j, 3 + 4j], requires_grad=True)
    w = z * 1
    eagre.real(w).mul_(3)
    eagre.imag(w).add_(1)
    eagre.view_as_real(w)[0].mul_(2)
    assert w.tolist() == [6 + 6j, 9 + 5j]
    (eagre.real(w) * 10 + eagre.imag(w)).sum().backward()
    assert z.grad.tolist() == [60 + 2j, 30 + 1j]
    x = eagre.ones(2, 2, requires_grad=True)
    y = x * 1
    eagre.view_as_complex(y).mul_(2j)
    y.sum().backward()
    assert x.grad.tolist() == [[2.0, -2.0], [2.0, -2.0]]


# Row: PyTorch F2, PyTorch I1
@pytest.mark.parametrize("view", ["y.t()", "y[1]", "y[:, 0]", "y[:1, 1:]"])
@pytest.mark.parametrize("recorded", [False, True])
def test_a_pack_hook_may_move_what_a_write_to_a_view_saved(view, recorded):
    def gradient(*hooks):
        x = eagre.tensor([[0.0, 1.0], [2.0, 3.0]], requires_grad=True)
        with eagre.autograd.graph.saved_tensors_hooks(*hooks):
            y = x * 1
            eval(view, {"y": y}).exp_()
        (g,) = eagre.autograd.grad((y * y).sum(), x, create_graph=recorded)
        if not recorded:
            return [g.tolist()]
        return [g.tolist(), eagre.autograd.grad(g.sum(), x)[0].tolist()]

    expected = gradient(lambda t: t, lambda t: t)
    assert gradient(lambda t: t.clone().contiguous(), lambda t: t) == expected
    padded = gradient(lambda t: eagre.stack([t, t * 100], -1), lambda t: t.select(-1, 0))
    assert padded == expected


# Row: PyTorch I11, PyTorch P2
@pytest.mark.parametrize("write", ["exp_", "sigmoid_", "tanh_", "relu_", "sqrt_", "reciprocal_"])
@pytest.mark.parametrize("use", [None, "retain", "create"])
def test_a_write_to_a_view_that_saves_its_result_holds_nothing_afterwards(write, use):
    def once():
        x = eagre.ones(1 << 12, requires_grad=True)
        y = x * 1
        getattr(y[:10], write)()
        if use == "retain":
            y.sum().backward(retain_graph=True)
        if use == "create":
            eagre.autograd.grad(y.sum(), x, create_graph=True)

    once()
    before = eagre.cpu.memory_allocated()
    for _ in range(5):
        once()
    assert eagre.cpu.memory_allocated() == before


# Row: PyTorch H2, PyTorch I1
@pytest.mark.parametrize("how", ["detach_", "requires_grad_", "stop_gradient"])
def test_a_view_whose_base_lost_its_history_cannot_be_written(how):
    x = eagre.ones(2, requires_grad=True)
    y = x if how == "requires_grad_" else x * 2
    v = y[:1]
    if how == "detach_":
        y.detach_()
    elif how == "requires_grad_":
        y.requires_grad_(False)
    else:
        y.stop_gradient = True
    with pytest.raises(RuntimeError, match="view of a leaf"):
        v.mul_(3)
    with eagre.no_grad():
        v.mul_(3)
