"""What a view knows of its base, and what happens to it as either changes."""

import pytest
from compare_writes import assert_same, leaf

import eagre


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
    with pytest.raises(RuntimeError, match="returns multiple views"):
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
    with pytest.raises(RuntimeError, match="returns multiple views"):
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
