"""Recurrent networks: the kernel of gradients against formulas, threads, halves, dropout."""

import itertools

import numpy as np
import pytest
from samples import make
from samples_rnn import GATES, parameters, states

import eagre

KINDS = list(GATES)
SIZES = eagre.tensor([4, 3, 3, 1])


def tensors(arrays, dtype=eagre.float64):
    return [eagre.tensor(array).to(dtype).requires_grad_() for array in arrays]


def network(
    kind, layers=1, directions=1, state=None, inputs=5, size=7, batch=4, dtype=eagre.float64
):
    """The states, as a list, and the parameters."""
    hx = states(kind, layers * directions, batch, size, state)
    params = parameters(kind, inputs, size, layers, directions, True, state)
    return tensors(hx if kind == "lstm" else [hx], dtype), tensors(params, dtype)


def call(kind, x, hx, params, *rest, sizes=None):
    given = hx if kind == "lstm" else hx[0]
    first = (x,) if sizes is None else (x, sizes)
    return getattr(eagre, kind)(*first, given, params, True, *rest)


def total(results):
    return sum(
        (r * eagre.linspace(-1, 1, r.numel(), dtype=r.dtype).view_as(r)).sum() for r in results
    )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("packed", [False, True], ids=["padded", "packed"])
@pytest.mark.parametrize("directions", [1, 2])
@pytest.mark.parametrize("state", [None, 3], ids=["", "projected"])
def test_the_fused_gradient_is_that_of_the_formulas(kind, packed, directions, state):
    if state and kind != "lstm":
        pytest.skip("only an LSTM projects")
    hx, params = network(kind, 2, directions, state)
    (x,) = tensors([make((11, 5) if packed else (6, 4, 5))])
    rest = (2, 0.0, True, directions == 2, *([] if packed else [False]))
    leaves = [x, *hx, *params]

    def gradients(create_graph):
        value = total(call(kind, x, hx, params, *rest, sizes=SIZES if packed else None))
        return eagre.autograd.grad(value, leaves, create_graph=create_graph)

    for fused, formula in zip(gradients(False), gradients(True), strict=True):
        np.testing.assert_allclose(fused.numpy(), formula.detach().numpy(), rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("kind", KINDS)
def test_some_of_the_gradients(kind):
    """Of arguments that need none, and of those that nobody asked for."""
    hx, params = network(kind)
    (x,) = tensors([make((6, 4, 5))])
    whole = eagre.autograd.grad(
        total(call(kind, x, hx, params, 1, 0.0, True, False, False)), [x, *params]
    )
    x.requires_grad_(False)
    for state in hx:
        state.requires_grad_(False)
    value = total(call(kind, x, hx, params, 1, 0.0, True, False, False))
    found = eagre.autograd.grad(value, params, retain_graph=True)
    alone = eagre.autograd.grad(value, params[1])[0]
    for grad, expected in zip([*found, alone], [*whole[1:], whole[2]], strict=True):
        np.testing.assert_allclose(grad.numpy(), expected.numpy(), rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("kind", KINDS)
def test_threads_change_no_bit(kind):
    before = eagre.get_num_threads()
    hx, params = network(kind, 1, 2, None, 40, 64, 37, eagre.float32)
    x = eagre.tensor(make((20, 37, 40), np.float32)).requires_grad_()
    try:
        bits = []
        for count in (1, 2, 3, 16):
            eagre.set_num_threads(count)
            results = call(kind, x, hx, params, 1, 0.0, True, True, False)
            grads = eagre.autograd.grad(total(results), [x, *hx, *params])
            bits.append([t.detach().numpy().tobytes() for t in [*results, *grads]])
    finally:
        eagre.set_num_threads(before)
    assert all(other == bits[0] for other in bits)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", [eagre.float16, eagre.bfloat16], ids=str)
def test_halves_are_computed_in_float(kind, dtype):
    hx, params = network(kind, dtype=dtype)
    x = eagre.tensor(make((30, 4, 5))).to(dtype).requires_grad_()
    leaves = [x, *hx, *params]
    results = call(kind, x, hx, params, 1, 0.0, True, False, False)
    grads = eagre.autograd.grad(total(results), leaves)
    wide = [t.detach().to(eagre.float32).requires_grad_() for t in leaves]
    count = 1 + len(hx)
    expected = call(kind, wide[0], wide[1:count], wide[count:], 1, 0.0, True, False, False)
    expected_grads = eagre.autograd.grad(total(expected), wide)
    for got, want in zip(results, expected, strict=True):
        assert got.dtype is dtype
        assert bool((got == want.to(dtype)).all())
    for got, want in zip(grads, expected_grads, strict=True):
        assert got.dtype is dtype
        size = max(float(want.abs().max()), 1.0)
        error = (got.to(eagre.float32) - want).abs().max()
        assert float(error) < (0.003 if dtype is eagre.float16 else 0.02) * size


@pytest.mark.parametrize("kind", KINDS)
def test_long_sequences_and_single_ones(kind):
    hx, params = network(kind, batch=1, inputs=2, size=3)
    (x,) = tensors([make((3000, 1, 2))])
    results = call(kind, x, hx, params, 1, 0.0, True, False, False)
    # The state goes on where a sequence is cut.
    head = call(kind, x[:1700], hx, params, 1, 0.0, True, False, False)
    tail = call(kind, x[1700:], list(head[1:]), params, 1, 0.0, True, False, False)
    np.testing.assert_allclose(
        results[0].detach(), eagre.cat([head[0], tail[0]]).detach(), atol=1e-13
    )
    for whole, last in zip(results[1:], tail[1:], strict=True):
        np.testing.assert_allclose(whole.detach(), last.detach(), atol=1e-13)
    results[0].sum().backward()
    assert bool(x.grad.isfinite().all())


@pytest.mark.parametrize("kind", KINDS)
def test_no_sequences(kind):
    hx, params = network(kind, 2, 2, batch=0)
    x = eagre.zeros(3, 0, 5, dtype=eagre.float64, requires_grad=True)
    results = call(kind, x, hx, params, 2, 0.0, True, True, False)
    assert results[0].shape == (3, 0, 14) and results[1].shape == (4, 0, 7)
    for create_graph in (False, True):
        grads = eagre.autograd.grad(
            total(results), [x, *params], retain_graph=True, create_graph=create_graph
        )
        assert grads[0].shape == (3, 0, 5)
        assert not any(bool((grad != 0).any()) for grad in grads[1:])


@pytest.mark.parametrize("kind", KINDS)
def test_a_step_of_a_sequence_is_a_cell(kind):
    hx, params = network(kind, inputs=33, size=65, batch=9)
    x = eagre.tensor(make((1, 9, 33)))
    results = call(kind, x, hx, params, 1, 0.0, False, False, False)
    state = [s[0] for s in hx]
    cell = getattr(eagre, f"{kind}_cell")(x[0], state if kind == "lstm" else state[0], *params)
    for got, want in zip(results[1:], cell if kind == "lstm" else [cell], strict=True):
        np.testing.assert_array_equal(got[0].detach(), want.detach())


def test_one_bias_may_be_missing():
    x, h = eagre.tensor(make((2, 3))), eagre.tensor(make((2, 4)))
    _, params = network("gru", inputs=3, size=4)
    w_ih, w_hh, b_ih, b_hh = params
    zero = eagre.zeros_like(b_ih)
    first = eagre.gru_cell(x, h, w_ih, w_hh, b_ih)
    np.testing.assert_array_equal(
        first.detach(), eagre.gru_cell(x, h, w_ih, w_hh, b_ih, zero).detach()
    )
    second = eagre.gru_cell(x, h, w_ih, w_hh, None, b_hh)
    np.testing.assert_array_equal(
        second.detach(), eagre.gru_cell(x, h, w_ih, w_hh, zero, b_hh).detach()
    )


def test_dropout_lies_between_layers():
    hx, params = network("lstm", 2)
    x = eagre.tensor(make((6, 4, 5)))

    def run(p, train, layers=2):
        eagre.manual_seed(1)
        own = [h[:layers] for h in hx]
        return call("lstm", x, own, params[: 4 * layers], layers, p, train, False, False)

    plain, dropped = run(0.0, True), run(0.5, True)
    np.testing.assert_array_equal(run(0.5, True)[0].detach(), dropped[0].detach())
    np.testing.assert_array_equal(run(0.5, False)[0].detach(), plain[0].detach())
    np.testing.assert_array_equal(dropped[1][0].detach(), plain[1][0].detach())  # the first layer
    assert bool((dropped[0] != plain[0]).any())
    # Behind the last layer there is none, and p = 1 leaves it nothing but its biases and state.
    np.testing.assert_array_equal(run(0.5, True, 1)[0].detach(), run(0.0, True, 1)[0].detach())
    with_zeros = eagre.lstm(
        eagre.zeros(6, 4, 7, dtype=eagre.float64),
        [h[1:] for h in hx],
        params[4:],
        True,
        1,
        0.0,
        False,
        False,
        False,
    )
    np.testing.assert_allclose(run(1.0, True)[0].detach(), with_zeros[0].detach(), atol=1e-13)


def test_a_value_that_is_no_number_stays_in_its_sequence():
    for kind in KINDS:
        hx, params = network(kind)
        x = eagre.tensor(make((6, 4, 5)))
        x[2, 1] = float("nan")
        result = call(kind, x, hx, params, 1, 0.0, False, False, False)[0]
        wrong = result.detach().isnan().numpy()
        assert wrong[2:, 1].all() and wrong.sum() == 4 * 7


def test_vf_has_the_functions_that_layers_call():
    from eagre import _VF

    assert _VF.lstm is eagre.lstm and eagre._VF.gru_cell is eagre.gru_cell
    with pytest.raises(AttributeError):
        _ = _VF.no_such_function


def test_layers_and_directions_by_hand():
    """The parameters of layers and directions follow each other."""
    hx, params = network("gru", 2, 2)
    x = eagre.tensor(make((6, 4, 5)))
    results, last = call("gru", x, hx, params, 2, 0.0, False, True, False)
    inner = x
    for layer in range(2):
        sides = []
        for direction in range(2):
            k = 2 * layer + direction
            own = params[4 * k : 4 * k + 4]
            turned = inner.flip(0) if direction else inner
            steps, end = eagre.gru(turned, hx[0][k : k + 1], own, True, 1, 0.0, False, False, False)
            np.testing.assert_allclose(end[0].detach(), last[k].detach(), atol=1e-13)
            sides.append(steps.flip(0) if direction else steps)
        inner = eagre.cat(sides, -1)
    np.testing.assert_allclose(inner.detach(), results.detach(), atol=1e-13)


def test_sizes_that_vectors_do_not_divide():
    for size, batch in itertools.product((1, 3, 17, 31), (1, 5, 13)):
        hx, params = network("lstm", inputs=3, size=size, batch=batch)
        single = [[t.detach().to(eagre.float32) for t in some] for some in (hx, params)]
        x = eagre.tensor(make((4, batch, 3)))
        wide = call("lstm", x, hx, params, 1, 0.0, False, False, False)[0]
        short = call("lstm", x.to(eagre.float32), *single, 1, 0.0, False, False, False)[0]
        np.testing.assert_allclose(short, wide.detach(), atol=3e-6)
