"""Samples of ops/rnn.yaml: cells and sequences, one step after the other in NumPy."""

import numpy as np
from samples import Sample, make

import eagre

GATES = {"rnn_tanh": 1, "rnn_relu": 1, "gru": 3, "lstm": 4}


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def step(kind, x, state, weights):
    """The new state, or both parts of it; `weights` are w_ih, w_hh, two biases and a projection."""
    w_ih, w_hh, b_ih, b_hh, w_hr = weights
    hidden, cell = state if kind == "lstm" else (state, None)
    left, right = x @ w_ih.T + b_ih, hidden @ w_hh.T + b_hh
    if kind == "rnn_tanh":
        return np.tanh(left + right)
    if kind == "rnn_relu":
        return np.maximum(left + right, 0)
    if kind == "gru":
        (xr, xz, xn), (sr, sz, sn) = np.split(left, 3, -1), np.split(right, 3, -1)
        stay = sigmoid(xz + sz)
        fresh = np.tanh(xn + sigmoid(xr + sr) * sn)
        return (1 - stay) * fresh + stay * hidden
    into, forget, fresh, out = np.split(left + right, 4, -1)
    cell = sigmoid(forget) * cell + sigmoid(into) * np.tanh(fresh)
    hidden = sigmoid(out) * np.tanh(cell)
    return (hidden if w_hr is None else hidden @ w_hr.T), cell


def layer(kind, steps, state, weights, reverse):
    """Results of all steps, a list of (n, …), and the last state. Sequences that are over, or that
    have not begun, keep theirs."""
    results = [None] * len(steps)
    for t in reversed(range(len(steps))) if reverse else range(len(steps)):
        n = len(steps[t])
        if kind == "lstm":
            new = step(kind, steps[t], (state[0][:n], state[1][:n]), weights)
            state = tuple(np.concatenate([a, b[n:]]) for a, b in zip(new, state, strict=True))
            results[t] = new[0]
        else:
            results[t] = step(kind, steps[t], state[:n], weights)
            state = np.concatenate([results[t], state[n:]])
    return results, state


def network(kind, steps, hx, params, has_biases, num_layers, bidirectional):
    """Results of all steps, and the last states of all layers and directions."""
    directions = 2 if bidirectional else 1
    each = len(params) // (num_layers * directions)
    last = []
    for i in range(num_layers):
        sides = []
        for direction in range(directions):
            k = i * directions + direction
            own = params[k * each : (k + 1) * each]
            biases = own[2:4] if has_biases else (0, 0)
            projection = own[-1] if each % 2 else None
            state = (hx[0][k], hx[1][k]) if kind == "lstm" else hx[k]
            results, state = layer(
                kind, steps, state, (*own[:2], *biases, projection), direction == 1
            )
            sides.append(results)
            last.append(state)
        steps = [np.concatenate(both, -1) for both in zip(*sides, strict=True)]
    if kind == "lstm":
        return steps, np.stack([h for h, _ in last]), np.stack([c for _, c in last])
    return steps, np.stack(last)


def parameters(
    kind, inputs, size, num_layers=1, directions=1, biases=True, state=None, dtype=np.float64
):
    found, gates, state = [], GATES[kind] * size, state or size
    for i in range(num_layers * directions):
        width = inputs if i < directions else state * directions
        shapes = [(gates, width), (gates, state)] + [(gates,)] * (2 * biases)
        shapes += [(state, size)] * (state != size)
        found += [
            make(shape, dtype, 10 * i + k) / (2 + size // 5) for k, shape in enumerate(shapes)
        ]
    return found


def states(kind, count, batch, size, state=None, dtype=np.float64):
    hidden = make((count, batch, state or size), dtype, 1)
    return [hidden, make((count, batch, size), dtype, 2)] if kind == "lstm" else hidden


# Steps, sequences, elements of inputs and of states, layers, directions, biases, projected to, and
# whether sequences come first.
SHAPES = [
    (2, 2, 1, 1, 1, 1, True, None, False),
    (2, 1, 2, 2, 1, 1, False, None, True),
    (2, 1, 1, 1, 2, 2, False, None, False),
    (2, 1, 1, 2, 1, 2, False, 1, False),
    (1, 3, 2, 3, 1, 1, True, None, False),
    (5, 3, 4, 7, 2, 2, True, None, True),
    (3, 5, 4, 6, 2, 2, True, 3, False),
    (3, 0, 2, 2, 1, 1, True, None, False),
    (2, 2, 0, 2, 1, 1, True, None, False),
    (40, 33, 5, 20, 1, 1, True, None, False),
]
LENGTHS = [3, 2, 2, 1]


def sequences(kind):
    for t, n, i, size, layers, directions, biases, state, batch_first in SHAPES:
        for dtype in (np.float64, np.float32):
            if state is not None and kind != "lstm":
                continue
            params = parameters(kind, i, size, layers, directions, biases, state, dtype)
            hx = states(kind, layers * directions, n, size, state, dtype)
            x = make((t, n, i), dtype, 3)
            steps, *last = network(kind, list(x), hx, params, biases, layers, directions == 2)
            results = np.stack(steps)
            if batch_first:
                x, results = x.swapaxes(0, 1), results.swapaxes(0, 1)
            rest = (biases, layers, 0.0, False, directions == 2, batch_first)
            yield Sample(
                (x, hx, params, *rest),
                (results, *last),
                tolerance=2e-5 if dtype is np.float32 else 1e-11,
            )


def packed(kind):
    for layers, directions, state, lengths in (
        (1, 1, None, [2, 1]),
        (2, 2, None, LENGTHS),
        (1, 2, 1, [2, 1]),
    ):
        if state is not None and kind != "lstm":
            continue
        batch_sizes = [sum(length > t for length in lengths) for t in range(lengths[0])]
        data = make((sum(lengths), 1), np.float64, 4)
        params = parameters(kind, 1, 2, layers, directions, False, state)
        hx = states(kind, layers * directions, len(lengths), 2, state)
        steps = np.split(data, np.cumsum(batch_sizes)[:-1])
        results, *last = network(kind, steps, hx, params, False, layers, directions == 2)
        yield Sample(
            (
                data,
                hx,
                params,
                False,
                layers,
                0.0,
                True,
                directions == 2,
            ),
            (np.concatenate(results), *last),
            {"batch_sizes": eagre.tensor(batch_sizes)},
            tolerance=1e-11,
        )


def cells(kind):
    for n, i, size, biases in (
        (2, 1, 1, True),
        (1, 2, 2, False),
        (3, 4, 5, True),
        (0, 2, 2, True),
        (9, 33, 40, True),
        (2, 0, 3, True),
    ):
        for dtype in (np.float64, np.float32):
            params = parameters(kind, i, size, biases=biases, dtype=dtype)
            hx = states(kind, 1, n, size, dtype=dtype)
            state = [hx[0][0], hx[1][0]] if kind == "lstm" else hx[0]
            x = make((n, i), dtype, 3)
            weights = params if biases else (*params, 0, 0)
            result = step(kind, x, state, (*weights, None))
            tolerance = 2e-5 if dtype is np.float32 else 1e-11
            yield Sample((x, state, *params), result, tolerance=tolerance)


def rnn_tanh_cell():
    yield from cells("rnn_tanh")


def rnn_relu_cell():
    yield from cells("rnn_relu")


def lstm_cell():
    yield from cells("lstm")


def gru_cell():
    yield from cells("gru")


def rnn_tanh():
    yield from sequences("rnn_tanh")


def rnn_relu():
    yield from sequences("rnn_relu")


def gru():
    yield from sequences("gru")


def lstm():
    yield from sequences("lstm")


def rnn_tanh_packed():
    yield from packed("rnn_tanh")


def rnn_relu_packed():
    yield from packed("rnn_relu")


def gru_packed():
    yield from packed("gru")


def lstm_packed():
    yield from packed("lstm")


def rows_of(padded, lengths):
    """The rows of (T, N, …) that packed data has, in its order."""
    return np.stack(
        [padded[t, n] for t in range(lengths[0]) for n in range(len(lengths)) if lengths[n] > t]
    )


def steps_of(lengths):
    return np.asarray([sum(length > t for length in lengths) for t in range(lengths[0])])


def pack_padded_sequence():
    for dtype in (np.float64, np.float32, np.int64, np.bool_):
        for lengths in ([3, 2], [2, 1], [3, 3], [1, 1]):
            x = make((3, 2, 2), dtype)
            expected = rows_of(x, lengths), steps_of(lengths)
            given = {"lengths": eagre.tensor(lengths)}
            yield Sample((x, False), expected, given)
            yield Sample((x.swapaxes(0, 1), True), expected, given)
    x = make((4, 3))
    lengths = LENGTHS[:3]
    expected = rows_of(x, lengths), steps_of(lengths)
    yield Sample((x, False), expected, {"lengths": eagre.tensor(lengths)})


def pad_packed_sequence():
    for dtype in (np.float64, np.float32, np.int64, np.bool_):
        for element in ((), (2,)):
            data = make((sum(LENGTHS), *element), dtype)
            for total in (-1, 0, 3, 5):
                padded = np.full((max(total, 3), 4, *element), 1, dtype)
                rest = iter(data)
                for t, n in enumerate(steps_of(LENGTHS)):
                    for k in range(n):
                        padded[t, k] = next(rest)
                given = {"batch_sizes": eagre.tensor(steps_of(LENGTHS))}
                lengths = np.asarray(LENGTHS)
                yield Sample((data, False, 1, total), (padded, lengths), given)
                yield Sample((data, True, 1, total), (padded.swapaxes(0, 1), lengths), given)
