"""eagre.nn.utils.rnn: packing, padding, and what a packed sequence can do."""

import numpy as np
import pytest

import eagre
from eagre.nn.utils import rnn

SEQUENCES = [eagre.tensor([1.0, 2.0]), eagre.tensor([3.0, 4.0, 5.0]), eagre.tensor([6.0])]


def test_sequences_come_back():
    for enforce_sorted, sequences in (
        (False, SEQUENCES),
        (True, sorted(SEQUENCES, key=len, reverse=True)),
    ):
        packed = rnn.pack_sequence(sequences, enforce_sorted=enforce_sorted)
        assert packed.batch_sizes.tolist() == [3, 2, 1]
        assert packed.data.tolist() == [3, 1, 6, 4, 2, 5]
        assert (packed.sorted_indices is None) == enforce_sorted
        for back, sequence in zip(rnn.unpack_sequence(packed), sequences, strict=True):
            assert back.tolist() == sequence.tolist()


def test_the_order_is_put_back():
    packed = rnn.pack_sequence(SEQUENCES, enforce_sorted=False)
    assert packed.sorted_indices.tolist() == [1, 0, 2]
    assert packed.unsorted_indices.tolist() == [1, 0, 2]
    padded, lengths = rnn.pad_packed_sequence(packed, True, -1.0, 4)
    assert padded.tolist() == [[1, 2, -1, -1], [3, 4, 5, -1], [6, -1, -1, -1]]
    assert lengths.tolist() == [2, 3, 1]
    again = rnn.pack_padded_sequence(padded.t(), lengths, enforce_sorted=False)
    assert again.data.tolist() == packed.data.tolist()


def test_gradients_reach_what_was_packed():
    x = eagre.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], requires_grad=True)
    packed = rnn.pack_padded_sequence(x, [1, 3], batch_first=True, enforce_sorted=False)
    (packed.data * eagre.tensor([1.0, 2.0, 3.0, 4.0])).sum().backward()
    assert x.grad.tolist() == [[2, 0, 0], [1, 3, 4]]
    x.grad = None
    padded, _ = rnn.pad_packed_sequence(
        rnn.pack_padded_sequence(x, [1, 3], True, enforce_sorted=False), True
    )
    (padded * eagre.arange(6.0).view(2, 3)).sum().backward()
    assert x.grad.tolist() == [[0, 0, 0], [3, 4, 5]]


def test_padding():
    assert rnn.pad_sequence(SEQUENCES, True).tolist() == [[1, 2, 0], [3, 4, 5], [6, 0, 0]]
    left = rnn.pad_sequence(SEQUENCES, padding_value=9, padding_side="left")
    assert left.t().tolist() == [[9, 1, 2], [3, 4, 5], [9, 9, 6]]
    assert rnn.pad_sequence(iter([eagre.ones(2, 3), eagre.ones(0, 3)])).shape == (2, 2, 3)
    assert rnn.pad_sequence(eagre.ones(2, 3, 4)).shape == (3, 2, 4)
    back = rnn.unpad_sequence(left, eagre.tensor([3, 1, 0]))
    assert [one.tolist() for one in back] == [[9, 1, 2], [3], []]


def test_conversions():
    packed = rnn.pack_sequence(SEQUENCES, enforce_sorted=False)
    assert packed.to(eagre.float32) is packed and packed.cpu() is packed
    names = "double half long int short char byte float"
    dtypes = [getattr(packed, name)().data.dtype for name in names.split()]
    assert [str(dtype).rpartition(".")[2] for dtype in dtypes] == (
        ["float64", "float16", "int64", "int32", "int16", "int8", "uint8", "float32"]
    )
    moved = packed.to("meta")
    assert moved.data.device.type == moved.sorted_indices.device.type == "meta"
    assert moved.batch_sizes.device.type == "cpu" and not moved.is_cuda
    assert type(packed.double()) is rnn.PackedSequence
    assert packed._replace(data=packed.data + 1).data[0] == 4
    data, batch_sizes, order, back = packed
    assert rnn.PackedSequence(data, batch_sizes, order).unsorted_indices.tolist() == back.tolist()
    assert rnn.PackedSequence((data, batch_sizes)).sorted_indices is None


def test_a_network_takes_packed_sequences_in_any_order():
    eagre.manual_seed(0)
    params = [eagre.randn(12, 1), eagre.randn(12, 4), eagre.randn(12), eagre.randn(12)]
    packed = rnn.pack_sequence([s.unsqueeze(1) for s in SEQUENCES], enforce_sorted=False)
    start = eagre.zeros(1, 3, 4)
    results, last = eagre.gru(
        packed.data, packed.batch_sizes, start, params, True, 1, 0.0, False, False
    )
    found = rnn.unpack_sequence(packed._replace(data=results))
    for k, sequence in enumerate(SEQUENCES):
        alone, end = eagre.gru(
            sequence.view(-1, 1, 1), start[:, :1], params, True, 1, 0.0, False, False, False
        )
        np.testing.assert_allclose(found[k], alone[:, 0], atol=1e-6)
        np.testing.assert_allclose(last[0, packed.unsorted_indices[k]], end[0, 0], atol=1e-6)


def test_invert_permutation():
    assert rnn.invert_permutation(None) is None
    assert rnn.invert_permutation(eagre.tensor([2, 0, 1])).tolist() == [1, 2, 0]


X = eagre.ones(3, 2, 4)
PACKED = rnn.pack_padded_sequence(X, [3, 2])


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: rnn.pack_padded_sequence(X, [2, 3]), "must be sorted in decreasing order"),
        (lambda: rnn.pack_padded_sequence(X, [3], enforce_sorted=False), "batch_size=2"),
        (lambda: rnn.pack_padded_sequence(X, [[3]], enforce_sorted=False), "1D CPU int64 tensor"),
        (lambda: rnn.pack_padded_sequence(X, [3, 0]), "greater than 0"),
        (lambda: rnn.pack_sequence([X[0], X[:, 0]][:0]), "received an empty list of sequences"),
        (lambda: rnn.pad_packed_sequence(PACKED, total_length=2), "Expected total_length"),
        (lambda: rnn.pad_sequence([]), "received an empty list of sequences"),
        (lambda: rnn.pad_sequence(3), "Expected iterable"),
        (lambda: rnn.pad_sequence([X, X[:, 0]]), "elements of one shape"),
        (lambda: rnn.pad_sequence([X], padding_side="top"), "one of left or right"),
        (lambda: rnn.unpad_sequence(X, [4, 1]), "'lengths'"),
        (lambda: rnn.unpad_sequence(X, [1]), "'lengths'"),
        (lambda: rnn.PackedSequence(X), "list or tuple of length 2"),
        (lambda: rnn.PackedSequence(X, X.to("meta")), "should always be on CPU"),
    ],
)
def test_mistakes(call, words):
    with pytest.raises(eagre.InvalidArgumentError, match=words):
        call()
