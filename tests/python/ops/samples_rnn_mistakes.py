"""Mistakes in calls of ops/rnn.yaml."""

import numpy as np
from mistakes import refused_call, tensor
from samples_rnn import parameters, states

import eagre


def tensors(values):
    if isinstance(values, list):
        return [tensors(value) for value in values]
    return eagre.tensor(values)


def sequence_call(kind, **changed):
    """A call of two layers that is right, with other arguments in the places that are named."""
    f32 = {"dtype": np.float32}
    usual = {
        "x": tensor(3, 2, 4),
        "hx": tensors(states(kind, 2, 2, 5, **f32)),
        "params": tensors(parameters(kind, 4, 5, 2, **f32)),
        "has_biases": True,
        "num_layers": 2,
        "dropout": 0.0,
        "train": False,
        "bidirectional": False,
        "batch_first": False,
    }
    return list((usual | changed).values())


def packed_call(kind, **changed):
    f32 = {"dtype": np.float32}
    usual = {
        "data": tensor(6, 4),
        "batch_sizes": eagre.tensor([3, 2, 1]),
        "hx": tensors(states(kind, 1, 3, 5, **f32)),
        "params": tensors(parameters(kind, 4, 5, **f32)),
        "has_biases": True,
        "num_layers": 1,
        "dropout": 0.0,
        "train": False,
        "bidirectional": False,
    }
    return list((usual | changed).values())


def cell_call(kind, **changed):
    f32 = {"dtype": np.float32}
    hx = states(kind, 1, 2, 5, **f32)
    usual = dict(
        zip(("w_ih", "w_hh", "b_ih", "b_hh"), tensors(parameters(kind, 4, 5, **f32)), strict=True)
    )
    state = [tensor(2, 5), tensor(2, 5)] if kind == "lstm" else tensors(hx[0])
    return list(({"x": tensor(2, 4), "hx": state} | usual | changed).values())


def wrong_sequence(kind, what, words, error=eagre.InvalidArgumentError, **changed):
    return {
        (kind, what): refused_call(kind, *sequence_call(kind, **changed), kind=error, words=words)
    }


def wrong_packed(kind, what, words, error=eagre.InvalidArgumentError, **changed):
    call = refused_call(kind, *packed_call(kind, **changed), kind=error, words=words)
    return {(f"{kind}_packed", what): call}


def wrong_cell(kind, what, words, error=eagre.InvalidArgumentError, **changed):
    name = f"{kind}_cell"
    return {(name, what): refused_call(name, *cell_call(kind, **changed), kind=error, words=words)}


def changed_parameter(kind, place, value):
    params = tensors(parameters(kind, 4, 5, 2, dtype=np.float32))
    params[place] = value
    return params


PADDED = tensor(3, 2, 4)
PACK = "pack_padded_sequence"
UNPACK = "pad_packed_sequence"


def wrong_pack(what, words, x=PADDED, lengths=(3, 2), dtype=eagre.int64):
    given = lengths if isinstance(lengths, eagre.Tensor) else eagre.tensor(lengths, dtype=dtype)
    call = lambda: eagre._pack_padded_sequence(x, given, False)  # noqa: E731
    return {(PACK, what): (call, eagre.InvalidArgumentError, [f"{PACK}()", *words])}


def wrong_unpack(what, words, data=None, sizes=(2, 2, 1), total=-1):
    data = tensor(5, 4) if data is None else data
    call = lambda: eagre._pad_packed_sequence(data, eagre.tensor(sizes), False, 0, total)  # noqa: E731
    return {(UNPACK, what): (call, eagre.InvalidArgumentError, [f"{UNPACK}()", *words])}


INPUT_SIZE = "input.size(-1) must be equal to input_size"
BAD = {
    **wrong_cell("rnn_tanh", "input_size", [INPUT_SIZE, "got 3 expected 4"], x=tensor(2, 3)),
    **wrong_cell("rnn_tanh", "three_dims", ["Expected 2D input", "3D"], x=tensor(1, 2, 4)),
    **wrong_cell(
        "rnn_tanh",
        "batches_differ",
        ["Input batch size 1 doesn't match hidden0 batch size 2"],
        x=tensor(1, 4),
    ),
    **wrong_cell(
        "rnn_tanh",
        "mixed_dtypes",
        ["float64", "float32"],
        eagre.DTypeError,
        x=tensor(2, 4, dtype=np.float64),
    ),
    **wrong_cell("rnn_tanh", "not_a_tensor_inside", ["'hx'"], eagre.DTypeError, hx=2.0),
    **wrong_cell(
        "rnn_relu",
        "weight_size",
        ["weight_ih first dim must be 1 * hidden_size = 5, but got 4"],
        w_ih=tensor(4, 4),
    ),
    **wrong_cell(
        "rnn_relu",
        "state_weight_size",
        ["weight_hh first dim must be 1 * hidden_size = 5, but got 15"],
        w_hh=tensor(15, 5),
    ),
    **wrong_cell(
        "lstm", "one_state", ["lstm_cell expects two hidden states", "1"], hx=[tensor(2, 5)]
    ),
    **wrong_cell("lstm", "input_size", ["got 3 expected 4"], x=tensor(2, 3)),
    **wrong_cell(
        "lstm",
        "hidden_size",
        ["hidden0 has inconsistent hidden_size: got 4, expected 5"],
        hx=[tensor(2, 4), tensor(2, 5)],
    ),
    **wrong_cell(
        "lstm",
        "cell_size",
        ["hidden1 has inconsistent hidden_size: got 4, expected 5"],
        hx=[tensor(2, 5), tensor(2, 4)],
    ),
    **wrong_cell(
        "lstm",
        "weight_size",
        ["weight_ih first dim must be 4 * hidden_size = 20, but got 16"],
        w_ih=tensor(16, 4),
    ),
    **wrong_cell(
        "lstm",
        "state_weight_size",
        ["weight_hh first dim must be 4 * hidden_size = 20, but got 16"],
        w_hh=tensor(16, 5),
    ),
    **wrong_cell("lstm", "bias_size", ["'bias_ih'", "20 elements", "[3]"], b_ih=tensor(3)),
    **wrong_cell("lstm", "one_bias", ["'bias_hh'", "20 elements", "[20, 1]"], b_hh=tensor(20, 1)),
    **wrong_cell(
        "lstm",
        "batches_differ",
        ["Input batch size 3 doesn't match hidden0 batch size 2"],
        x=tensor(3, 4),
    ),
    **wrong_cell(
        "lstm",
        "no_dimension",
        ["Expected 2D input (batch x feature), but got 1D input"],
        x=tensor(4),
    ),
    **wrong_cell("lstm", "integers", ["int64"], eagre.DTypeError, x=tensor(2, 4, dtype=np.int64)),
    **wrong_cell(
        "gru",
        "weight_size",
        ["weight_ih first dim must be 3 * hidden_size = 15, but got 20"],
        w_ih=tensor(20, 4),
    ),
    **wrong_cell(
        "gru",
        "hidden_size",
        ["hidden0 has inconsistent hidden_size: got 6, expected 5"],
        hx=tensor(2, 6),
    ),
    **wrong_sequence(
        "rnn_tanh",
        "hidden_size",
        ["Expected hidden size (2, 2, 5), got [1, 2, 5]"],
        hx=tensor(1, 2, 5),
    ),
    **wrong_sequence(
        "rnn_tanh", "no_layers", ["num_layers must be greater than zero"], num_layers=0
    ),
    **wrong_sequence(
        "rnn_relu",
        "hidden_size",
        ["Expected hidden size (2, 2, 5), got [2, 3, 5]"],
        hx=tensor(2, 3, 5),
    ),
    **wrong_sequence("gru", "hidden_size", ["hx should also be 3-D but got 2-D"], hx=tensor(2, 5)),
    **wrong_sequence("gru", "two_dims", ["input must have 3 dimensions, got 2"], x=tensor(2, 4)),
    **wrong_sequence("gru", "input_size", [INPUT_SIZE, "Expected 4, got 3"], x=tensor(3, 2, 3)),
    **wrong_sequence(
        "gru",
        "weight_size",
        ["weight_ih first dim must be 3 * hidden_size = 15, but got 20"],
        params=changed_parameter("gru", 0, tensor(20, 4)),
    ),
    **wrong_sequence(
        "lstm", "one_state", ["lstm expects two hidden states", "1"], hx=[tensor(2, 2, 5)]
    ),
    **wrong_sequence("lstm", "input_size", [INPUT_SIZE, "Expected 4, got 3"], x=tensor(3, 2, 3)),
    **wrong_sequence(
        "lstm",
        "hidden_size",
        ["Expected hidden[0] size (2, 2, 5), got [2, 3, 5]"],
        hx=[tensor(2, 3, 5), tensor(2, 2, 5)],
    ),
    **wrong_sequence(
        "lstm",
        "cell_size",
        ["Expected hidden[1] size (2, 2, 5), got [2, 1, 5]"],
        hx=[tensor(2, 2, 5), tensor(2, 1, 5)],
    ),
    **wrong_sequence(
        "lstm",
        "too_few_parameters",
        ["got an incorrect number of RNN parameters", "4 tensors", "got 7"],
        params=tensors(parameters("lstm", 4, 5, 2, dtype=np.float32))[:7],
    ),
    **wrong_sequence(
        "lstm", "too_many_layers", ["size (9223372036854775807, 2, 5)"], num_layers=2**63 - 1
    ),
    **wrong_sequence(
        "lstm",
        "weight_size",
        ["weight_ih first dim must be 4 * hidden_size = 20, but got 19"],
        params=changed_parameter("lstm", 0, tensor(19, 4)),
    ),
    **wrong_sequence(
        "lstm",
        "state_weight_size",
        ["'weight_hh'", "5 columns", "[20, 4]"],
        params=changed_parameter("lstm", 1, tensor(20, 4)),
    ),
    **wrong_sequence(
        "lstm",
        "second_layer",
        ["'params'", "5 columns in layer 1", "[20, 4]"],
        params=changed_parameter("lstm", 4, tensor(20, 4)),
    ),
    **wrong_sequence(
        "lstm",
        "bias_size",
        ["'bias_ih'", "20 elements", "[19]"],
        params=changed_parameter("lstm", 2, tensor(19)),
    ),
    **wrong_sequence(
        "lstm",
        "projection_size",
        ["'weight_hr'", "3 rows and 5 columns", "[5, 3]"],
        num_layers=1,
        hx=[tensor(1, 2, 3), tensor(1, 2, 5)],
        params=[tensor(20, 4), tensor(20, 3), tensor(20), tensor(20), tensor(5, 3)],
    ),
    **wrong_sequence(
        "lstm",
        "no_steps",
        ["Expected sequence length to be larger than 0 in RNN"],
        x=tensor(0, 2, 4),
    ),
    **wrong_sequence("lstm", "two_dims", ["input must have 3 dimensions, got 2"], x=tensor(2, 4)),
    **wrong_sequence(
        "lstm",
        "mixed_dtypes",
        ["float64", "float32"],
        eagre.DTypeError,
        x=tensor(3, 2, 4, dtype=np.float64),
    ),
    **wrong_sequence(
        "lstm",
        "dropout_above_one",
        ["dropout should be a number in range [0, 1]", "1.5"],
        dropout=1.5,
    ),
    **wrong_sequence(
        "lstm", "integers", ["int64"], eagre.DTypeError, x=tensor(3, 2, 4, dtype=np.int64)
    ),
    **wrong_packed(
        "rnn_tanh",
        "hidden_size",
        ["Expected hidden size (1, 3, 5), got [1, 2, 5]"],
        hx=tensor(1, 2, 5),
    ),
    **wrong_packed(
        "rnn_relu",
        "hidden_size",
        ["Expected hidden size (1, 3, 5), got [1, 2, 5]"],
        hx=tensor(1, 2, 5),
    ),
    **wrong_packed(
        "gru", "hidden_size", ["Expected hidden size (1, 3, 5), got [1, 2, 5]"], hx=tensor(1, 2, 5)
    ),
    **wrong_packed(
        "lstm",
        "growing",
        ["'batch_sizes'", "decreasing order", "3 behind 2"],
        batch_sizes=eagre.tensor([2, 3, 1]),
    ),
    **wrong_packed(
        "lstm",
        "of_other_data",
        ["'batch_sizes'", "6 rows", "a sum of 5"],
        batch_sizes=eagre.tensor([3, 2]),
    ),
    **wrong_packed(
        "lstm",
        "of_other_states",
        ["Expected hidden[0] size (1, 4, 5), got [1, 3, 5]"],
        batch_sizes=eagre.tensor([4, 2]),
    ),
    **wrong_packed(
        "lstm",
        "none",
        ["Expected sequence length to be larger than 0 in RNN"],
        batch_sizes=eagre.zeros(0, dtype=eagre.int64),
    ),
    **wrong_packed(
        "lstm",
        "float_sizes",
        ["'batch_sizes'", "1D CPU int64 tensor", "float32"],
        batch_sizes=tensor(3),
    ),
    **wrong_packed(
        "lstm",
        "matrix_of_sizes",
        ["'batch_sizes'", "1D CPU int64 tensor", "2D"],
        batch_sizes=eagre.tensor([[3, 2, 1]]),
    ),
    **wrong_packed(
        "lstm", "three_dims", ["input must have 2 dimensions, got 3"], data=tensor(6, 4, 1)
    ),
    **wrong_pack("ascending", ["must be sorted in decreasing order", "3 behind 2"], lengths=(2, 3)),
    **wrong_pack(
        "no_length", ["Length of all samples has to be greater than 0", "0"], lengths=(3, 0)
    ),
    **wrong_pack(
        "too_long", ["'lengths'", "1 to 3", "9223372036854775807"], lengths=(2**63 - 1, 2)
    ),
    **wrong_pack(
        "another_number",
        ["Expected `len(lengths)` to be equal to batch_size, but got 1 (batch_size=2)"],
        lengths=(3,),
    ),
    **wrong_pack("matrix", ["'lengths'", "1D CPU int64 tensor", "2D"], lengths=((3, 2),)),
    **wrong_pack(
        "float_lengths", ["'lengths'", "1D CPU int64 tensor", "float32"], dtype=eagre.float32
    ),
    **wrong_pack("no_elements", ["Cannot pack empty tensors", "[0, 2, 4]"], x=tensor(0, 2, 4)),
    **wrong_pack("one_dim", ["'input'", "2 dimensions", "[3]"], x=tensor(3)),
    **wrong_unpack("growing", ["'batch_sizes'", "decreasing order", "2 behind 1"], sizes=(2, 1, 2)),
    **wrong_unpack(
        "of_other_data", ["'batch_sizes'", "5 rows", "more than that"], sizes=(2**63 - 1, 2**63 - 1)
    ),
    **wrong_unpack(
        "too_short", ["Expected total_length to be at least", "total_length=2", "3"], total=2
    ),
}
