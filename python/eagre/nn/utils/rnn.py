"""Sequences of several lengths: padded to the longest one, or packed without padding, as recurrent
networks take them."""

from __future__ import annotations

from collections import namedtuple

import eagre._C as _C
from eagre import _given

__all__ = [
    "PackedSequence",
    "invert_permutation",
    "pack_padded_sequence",
    "pack_sequence",
    "pad_packed_sequence",
    "pad_sequence",
    "unpack_sequence",
    "unpad_sequence",
]

_Fields = namedtuple(  # noqa: PYI024  the annotations of PyTorch's would be evaluated
    "PackedSequence", ["data", "batch_sizes", "sorted_indices", "unsorted_indices"]
)


def _wrong(function, *words):
    return _C.InvalidArgumentError(f"{function}(): {''.join(map(str, words))}")


class PackedSequence(_Fields):
    """Sequences without padding: `data` has the elements of the first step, then those of the
    second, and so on; `batch_sizes` says how many each step has. `sorted_indices` is the order in
    which the sequences were put, the longest first, `unsorted_indices` leads back; both are None
    where they came so. Made by pack_padded_sequence() and pack_sequence()."""

    __slots__ = ()

    def __new__(cls, data, batch_sizes=None, sorted_indices=None, unsorted_indices=None):
        if batch_sizes is None:
            if not isinstance(data, (list, tuple)) or len(data) != 2:
                raise _wrong(
                    "PackedSequence",
                    "Expected data to be a list or tuple of length 2 where 'batch_sizes' is not "
                    f"given, but got {type(data).__name__}",
                )
            data, batch_sizes = data
        elif batch_sizes.device.type != "cpu":
            raise _wrong(
                "PackedSequence",
                "batch_sizes should always be on CPU. Instances of PackedSequence should never be "
                "created manually: pack_sequence() and pack_padded_sequence() make them. Got ",
                batch_sizes.device,
            )
        if unsorted_indices is None:
            unsorted_indices = invert_permutation(sorted_indices)
        return super().__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)

    def to(self, *args, **kwargs):
        """With `data` as its to() gives it, and indices on the same device; itself where that
        changes nothing."""
        data = self.data.to(*args, **kwargs)
        if data is self.data:
            return self
        moved = {name: kwargs[name] for name in ("non_blocking",) if name in kwargs}

        def beside(indices):
            return None if indices is None else indices.to(data.device, **moved)

        return type(self)(
            data, self.batch_sizes, beside(self.sorted_indices), beside(self.unsorted_indices)
        )

    def cuda(self, *args, **kwargs):
        """On a GPU."""
        return self._on("cuda", *args, **kwargs)

    def cpu(self, *args, **kwargs):
        """On the CPU."""
        return self._on("cpu", *args, **kwargs)

    def _on(self, kind, *args, **kwargs):
        # Arguments may name the device themselves.
        if not args and "device" not in kwargs:
            kwargs["device"] = kind
        return self.to(*args, **kwargs)

    def pin_memory(self):
        """With `data` and indices in memory that devices reach."""

        def pinned(indices):
            return None if indices is None else indices.pin_memory()

        return type(self)(
            self.data.pin_memory(),
            self.batch_sizes,
            pinned(self.sorted_indices),
            pinned(self.unsorted_indices),
        )

    def double(self):
        return self.to(dtype=_C.float64)

    def float(self):
        return self.to(dtype=_C.float32)

    def half(self):
        return self.to(dtype=_C.float16)

    def long(self):
        return self.to(dtype=_C.int64)

    def int(self):
        return self.to(dtype=_C.int32)

    def short(self):
        return self.to(dtype=_C.int16)

    def char(self):
        return self.to(dtype=_C.int8)

    def byte(self):
        return self.to(dtype=_C.uint8)

    @property
    def is_cuda(self):
        return self.data.is_cuda

    def is_pinned(self):
        return self.data.is_pinned()


def _need_packed(function, **sequences):
    for argument, value in sequences.items():
        if not hasattr(value, "batch_sizes"):
            raise _given.wrong_type(function, argument, "a PackedSequence", value)


def invert_permutation(permutation):
    """The permutation that leads back; None of None."""
    if permutation is None:
        return None
    places = _C.arange(permutation.numel(), device=permutation.device)
    return _C.empty_like(permutation).scatter_(0, permutation, places.to(permutation.dtype))


def pack_padded_sequence(input, lengths, batch_first=False, enforce_sorted=True):
    """Sequences (T, N, …), or with `batch_first` (N, T, …), packed up to their `lengths`. These
    must descend, unless `enforce_sorted` is false: then the sequences are sorted.

    >>> padded = eagre.tensor([[1., 2., 3.], [4., 0., 0.]])
    >>> eagre.nn.utils.rnn.pack_padded_sequence(padded, [3, 1], batch_first=True).data
    tensor([1., 4., 2., 3.])
    """
    _given.need_tensors("pack_padded_sequence", input=input)
    if not isinstance(lengths, _C.Tensor):
        try:
            lengths = _C.tensor(lengths, dtype=_C.int64)
        except TypeError:
            kind = "a Tensor or list of ints"
            raise _given.wrong_type("pack_padded_sequence", "lengths", kind, lengths) from None
    order = None
    if not enforce_sorted:
        if lengths.dim() != 1:
            raise _wrong(
                "pack_padded_sequence",
                "'lengths' argument should be a 1D CPU int64 tensor, but got ",
                f"{lengths.dim()}D {lengths.dtype}",
            )
        batch = input.size(0 if batch_first else 1)
        if len(lengths) != batch:
            raise _wrong(
                "pack_padded_sequence",
                "Expected `len(lengths)` to be equal to batch_size, but got ",
                f"{len(lengths)} (batch_size={batch})",
            )
        lengths, order = _C.sort(lengths, descending=True, stable=True)
        order = order.to(input.device)
        input = input.index_select(0 if batch_first else 1, order)
    data, batch_sizes = _C._pack_padded_sequence(input, lengths, batch_first)
    return PackedSequence(data, batch_sizes, order, None)


def pad_packed_sequence(sequence, batch_first=False, padding_value=0.0, total_length=None):
    """The sequences next to each other, in their old order, with `padding_value` behind those that
    are shorter than the longest, or than `total_length`; and their lengths.

    >>> packed = eagre.nn.utils.rnn.pack_sequence([eagre.tensor([1., 2.]), eagre.tensor([3.])])
    >>> eagre.nn.utils.rnn.pad_packed_sequence(packed, batch_first=True)
    (tensor([[1., 2.],
            [3., 0.]]), tensor([2, 1]))
    """
    _need_packed("pad_packed_sequence", sequence=sequence)
    longest = sequence.batch_sizes.size(0)
    if total_length is not None and total_length < longest:
        raise _wrong(
            "pad_packed_sequence",
            "Expected total_length to be at least the length of the longest sequence in input, ",
            f"but got total_length={total_length} and max sequence length being {longest}",
        )
    padded, lengths = _C._pad_packed_sequence(
        sequence.data, sequence.batch_sizes, batch_first, padding_value, total_length or -1
    )
    back = sequence.unsorted_indices
    if back is None:
        return padded, lengths
    return padded.index_select(0 if batch_first else 1, back), lengths[back.cpu()]


def pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side="right"):
    """Sequences of several lengths next to each other: (T, N, …), or with `batch_first` (N, T, …).

    >>> eagre.nn.utils.rnn.pad_sequence([eagre.tensor([1., 2.]), eagre.tensor([3.])], True)
    tensor([[1., 2.],
            [3., 0.]])
    """
    if isinstance(sequences, _C.Tensor):
        sequences = sequences.unbind(0)
    elif not hasattr(sequences, "__iter__"):
        raise _wrong(
            "pad_sequence",
            "pad_sequence: Expected iterable for input sequences, but got arg of type: ",
            type(sequences),
        )
    sequences = list(sequences)
    if not sequences:
        raise _wrong("pad_sequence", "received an empty list of sequences")
    if padding_side not in ("left", "right"):
        raise _wrong(
            "pad_sequence",
            "Expected padding_side to be one of left or right, but got ",
            padding_side,
        )
    for one in sequences:
        if not isinstance(one, _C.Tensor):
            raise _given.wrong_type("pad_sequence", "sequences", "a list of Tensors", one)
        if one.dim() == 0 or one.shape[1:] != sequences[0].shape[1:]:
            raise _wrong(
                "pad_sequence",
                f"expected sequences (L, …) with elements of one shape, but got {list(one.shape)} ",
                f"beside {list(sequences[0].shape)}",
            )
    longest = max(one.size(0) for one in sequences)

    def padded(one):
        missing = longest - one.size(0)
        if missing == 0:
            return one
        ends = (missing, 0) if padding_side == "left" else (0, missing)
        return _C._nn_functional_pad(
            one, [0, 0] * (one.dim() - 1) + list(ends), value=padding_value
        )

    return _C.stack([padded(one) for one in sequences], 0 if batch_first else 1)


def unpad_sequence(padded_sequences, lengths, batch_first=False):
    """A list of the sequences of pad_sequence(), given their lengths."""
    _given.need_tensors("unpad_sequence", padded_sequences=padded_sequences)
    if not batch_first:
        padded_sequences = padded_sequences.transpose(0, 1)
    longest = padded_sequences.size(1)
    if isinstance(lengths, _C.Tensor):
        lengths = lengths.tolist()
    if not isinstance(lengths, (list, tuple)) or not all(map(_given.is_number, lengths)):
        kind = "a Tensor or list of ints"
        raise _given.wrong_type("unpad_sequence", "lengths", kind, lengths)
    each = [int(length) for length in lengths]
    if len(each) != padded_sequences.size(0) or not all(0 <= length <= longest for length in each):
        raise _wrong(
            "unpad_sequence",
            f"argument 'lengths' must have a number from 0 to {longest} for each of ",
            f"{padded_sequences.size(0)} sequences, but got {each}",
        )
    return [one[:length] for one, length in zip(padded_sequences, each, strict=True)]


def pack_sequence(sequences, enforce_sorted=True):
    """A list of sequences, packed; the longest first, unless `enforce_sorted` is false.

    >>> eagre.nn.utils.rnn.pack_sequence([eagre.tensor([1, 2]), eagre.tensor([3])]).data
    tensor([1, 3, 2])
    """
    sequences = list(sequences) if hasattr(sequences, "__iter__") else [sequences]
    for one in sequences:
        if not isinstance(one, _C.Tensor):
            raise _given.wrong_type("pack_sequence", "sequences", "a list of Tensors", one)
    lengths = [one.size(0) for one in sequences]
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


def unpack_sequence(packed_sequences):
    """A list of the sequences that were packed."""
    _need_packed("unpack_sequence", packed_sequences=packed_sequences)
    padded, lengths = pad_packed_sequence(packed_sequences, batch_first=True)
    return unpad_sequence(padded, lengths, batch_first=True)
