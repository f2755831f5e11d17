"""Samples of views: what NumPy shows of the same memory, and the calls that must fail."""

import numpy as np
from samples import Sample, make, strided

import eagre


def tensor(*shape, dtype=np.float32):
    return eagre.tensor(make(shape, dtype))


def shows(compute, *inputs, **kwargs):
    """Samples (input, *args) whose value NumPy computes from the same arguments."""
    for value, *args in inputs:
        yield Sample((value, *args), compute(value, *args), dict(kwargs))


def squeeze_all():
    yield from shows(np.squeeze, [make((1, 2, 1, 3))], [make((2, 3))], [make((1, 1))], [make(())])
    yield Sample((make((1, 0, 1)),), np.zeros(0))


def squeeze_dims():
    a = make((1, 2, 1, 3))
    yield Sample((a, (0, 2)), a.reshape(2, 3))
    yield Sample((a, (0, 1)), a.reshape(2, 1, 3))
    yield Sample((a, [-2]), a.reshape(1, 2, 3))
    yield Sample((a, ()), a)


def view():
    a = make((2, 3, 4))
    for size in ((24,), (6, 4), (2, 12), (-1, 4), (2, 3, 2, 2), (1, 2, 3, 4, 1), (4, -1)):
        yield Sample((a, size), a.reshape(size))
    yield Sample((make(()), (1, 1)), make(()).reshape(1, 1))
    yield Sample((make((0, 3)), (3, 0, 2)), np.zeros((3, 0, 2)))
    yield Sample((make((1,)), ()), make((1,)).reshape(()))
    b = make((4, 6))[:, :4]  # the outer dimension divides, the inner does too
    yield Sample((b, (2, 2, 4)), b.reshape(2, 2, 4))
    yield Sample((b, (4, 2, 2)), b.reshape(4, 2, 2))
    yield Sample((a.transpose(1, 0, 2), (3, 2, 2, 2)), a.transpose(1, 0, 2).reshape(3, 2, 2, 2))


def view_dtype():
    a = np.asarray([[1.0, 2.0], [3.0, 4.0]], np.float32)
    yield Sample((a, eagre.int32), a.view(np.int32))
    yield Sample((a, eagre.float64), a.view(np.float64))
    yield Sample((a, eagre.uint8), a.view(np.uint8))
    yield Sample((a, eagre.int16), a.view(np.int16))
    yield Sample((np.asarray(1.5), eagre.int64), np.asarray(1.5).view(np.int64))


def reshape():
    a = make((2, 3, 4))
    for size in ((24,), (4, 6), (-1,), (3, -1)):
        yield Sample((a, size), a.reshape(size))
    turned = strided((4, 6))
    yield Sample((turned, (24,)), turned.reshape(24))
    yield Sample((turned, (2, -1, 3)), turned.reshape(2, -1, 3))


def permute():
    a = make((2, 3, 4))
    for dims in ((2, 0, 1), (0, 1, 2), (-1, 0, 1), (1, 0, 2)):
        yield Sample((a, dims), a.transpose(dims))
    yield Sample((make(()), ()), make(()))
    yield Sample((make((0, 2)), (1, 0)), np.zeros((2, 0)))


def select():
    a = make((2, 3, 4))
    for dim, index in ((0, 1), (1, -1), (2, 0), (-1, 3), (-3, -2)):
        yield Sample((a, dim, index), np.take(a, index, dim))
    yield Sample((strided((4, 3)), 1, 1), strided((4, 3))[:, 1])
    yield Sample((make((5,)), 0, 4), make((5,))[4])


def narrow():
    a = make((4, 5))
    yield Sample((a, 0, 1, 2), a[1:3])
    yield Sample((a, 1, -2, 2), a[:, 3:])
    yield Sample((a, 1, 5, 0), a[:, 5:])
    yield Sample((a, -1, 0, 5), a)


def slice():  # noqa: A001  the operator's name
    a = make((5, 6))
    for dim, start, end, step in (
        (0, 1, 4, 1), (0, None, None, 2), (1, -4, -1, 2), (1, 3, 100, 1), (0, 4, 2, 1),
        (1, -100, 3, 1), (0, 0, 5, 100), (1, 1, None, 3),
    ):  # fmt: skip
        where = (np.s_[start:end:step], np.s_[:]) if dim == 0 else (np.s_[:], np.s_[start:end:step])
        yield Sample((a, dim, start, end, step), a[where])
    yield Sample((make((3,)), 0, 0, 3, 2**62), make((3,))[:1])


def split_sizes():
    a = make((6, 2))
    yield Sample((a, [1, 2, 3]), (a[:1], a[1:3], a[3:]))
    yield Sample((a, (6,)), (a,))
    yield Sample((a, [0, 6, 0]), (a[:0], a, a[:0]))
    yield Sample((a, [1, 1], 1), (a[:, :1], a[:, 1:]))


def split():
    a = make((5, 2))
    yield Sample((a, 2), (a[:2], a[2:4], a[4:]))
    yield Sample((a, 5), (a,))
    yield Sample((a, 7), (a,))
    yield Sample((a, 1, -1), (a[:, :1], a[:, 1:]))
    yield Sample((make((0, 2)), 3), (np.zeros((0, 2)),))


def chunk():
    a = make((5, 2))
    yield Sample((a, 2), (a[:3], a[3:]))
    yield Sample((a, 3), (a[:2], a[2:4], a[4:]))
    yield Sample((a, 9), tuple(a[i : i + 1] for i in range(5)))
    yield Sample((make((0,)), 2), (np.zeros(0), np.zeros(0)))


def unbind():
    a = make((3, 2))
    yield Sample((a,), tuple(a))
    yield Sample((a, 1), tuple(a.T))
    yield Sample((make((0, 2)),), ())


def diagonal():
    a = make((3, 4))
    for offset in (0, 1, -1, 3, -2, 4, -3, 100):
        yield Sample((a, offset), np.diagonal(a, offset))
    b = make((2, 3, 4))
    yield Sample((b, 1, 0, 2), np.diagonal(b, 1, 0, 2))
    yield Sample((b, 0, -1, 1), np.diagonal(b, 0, -1, 1))


def as_strided():
    a = make((6,))
    steps = np.lib.stride_tricks.as_strided
    yield Sample((a, (2, 2), (1, 2)), steps(a, (2, 2), (8, 16)))
    yield Sample((a, (2, 3), (1, 1)), steps(a, (2, 3), (8, 8)))  # overlapping
    yield Sample((a, (2,), (2,), 1), a[1:4:2])
    yield Sample((a, (), (), 5), a[5])
    yield Sample((a, (0, 9), (1, 1)), np.zeros((0, 9)))
    yield Sample((a, (2, 2), (0, 1)), np.broadcast_to(a[:2], (2, 2)))


def unfold():
    a = make((7,))
    windows = np.lib.stride_tricks.sliding_window_view
    yield Sample((a, 0, 3, 1), windows(a, 3))
    yield Sample((a, 0, 3, 2), windows(a, 3)[::2])
    b = make((3, 4))
    yield Sample((b, 0, 2, 1), windows(b, 2, 0))
    yield Sample((b, -1, 4, 1), windows(b, 4, 1))
    yield Sample((make(()), 0, 1, 1), make(()).reshape(1))


def flatten():
    a = make((2, 3, 4))
    yield Sample((a,), a.reshape(-1))
    yield Sample((a, 1), a.reshape(2, 12))
    yield Sample((a, 0, 1), a.reshape(6, 4))
    yield Sample((a, 1, 1), a)
    yield Sample((make(()),), make(()).reshape(1))
    yield Sample((strided((3, 4)),), strided((3, 4)).reshape(-1))


def unflatten():
    a = make((2, 12))
    yield Sample((a, 1, (3, 4)), a.reshape(2, 3, 4))
    yield Sample((a, -1, (3, -1, 2)), a.reshape(2, 3, 2, 2))


def movedim():
    a = make((2, 3, 4))
    yield Sample((a, 0, -1), np.moveaxis(a, 0, -1))
    yield Sample((a, (0, 1), (2, 0)), np.moveaxis(a, (0, 1), (2, 0)))
    yield Sample((a, -1, 0), np.moveaxis(a, -1, 0))


def t():
    yield Sample((make((2, 3)),), make((2, 3)).T)
    yield Sample((make((3,)),), make((3,)))
    yield Sample((make(()),), make(()))


def expand_as():
    yield Sample((make((3,)), make((2, 3))), np.broadcast_to(make((3,)), (2, 3)))


def view_as():
    yield Sample((make((6,)), make((2, 3))), make((6,)).reshape(2, 3))


def reshape_as():
    yield Sample((strided((3, 2)), make((6,))), strided((3, 2)).reshape(6))


COMPLEX = np.asarray([[1 + 2j, -3.5j], [0, 4 - 1j]])


def view_as_real():
    yield Sample((COMPLEX,), COMPLEX.view(np.float64).reshape(2, 2, 2))
    yield Sample((COMPLEX.T,), np.stack([COMPLEX.T.real, COMPLEX.T.imag], -1))


def view_as_complex():
    a = make((3, 2))
    yield Sample((a,), a.view(np.complex128)[:, 0])
    yield Sample((make((0, 2)),), np.zeros(0, np.complex128))


def real():
    yield Sample((COMPLEX,), COMPLEX.real)
    yield Sample((make((3,)),), make((3,)))


def imag():
    yield Sample((COMPLEX,), COMPLEX.imag)


def has_strides(array, strides):
    def check(result):
        np.testing.assert_array_equal(result.detach().numpy(), array)
        assert result.stride() == strides

    return check


def contiguous():
    a, b = strided((3, 2)), make((2, 3, 4, 5))
    yield Sample((a,), has_strides(a, (2, 1)))
    yield Sample((b,), has_strides(b, (60, 20, 5, 1)))
    last = {"memory_format": eagre.channels_last}
    yield Sample((b,), has_strides(b, (60, 1, 15, 3)), last)
    yield Sample((a,), a)


def clone_format():
    a, b = make((2, 3, 4, 5)), make((3, 2)).T
    yield Sample((a,), has_strides(a, (60, 1, 15, 3)), {"memory_format": eagre.channels_last})
    yield Sample((b,), has_strides(b, (1, 2)), {"memory_format": eagre.preserve_format})
    yield Sample((b,), has_strides(b, (3, 1)), {"memory_format": eagre.contiguous_format})


INVALID, INDEX, TYPE = eagre.InvalidArgumentError, eagre.IndexOutOfRangeError, eagre.DTypeError
BAD = {
    ("squeeze_dims", "dim_twice"): (
        lambda: tensor(1, 2).squeeze((0, -2)), INVALID, ["squeeze()", "'dim'"]),
    ("view", "wrong_count"): (
        lambda: tensor(2, 3).view(4), INVALID, ["view()", "'size'", "6 elements", "[4]"]),
    ("view", "needs_a_copy"): (
        lambda: tensor(2, 3).t().view(6), INVALID, ["view()", "[3, 2]", "reshape()"]),
    ("view", "two_unknown"): (
        lambda: tensor(2, 3).view(-1, -1), INVALID, ["view()", "'size'"]),
    ("view", "ambiguous"): (
        lambda: tensor(0, 3).view(-1, 0), INVALID, ["view()", "-1", "no elements"]),
    ("view_dtype", "does_not_fit"): (
        lambda: tensor(3).view(eagre.float64), INVALID, ["view()", "float64", "[3]"]),
    ("reshape", "wrong_count"): (
        lambda: tensor(2, 3).reshape(5), INVALID, ["reshape()", "'size'", "6 elements"]),
    ("permute", "too_few"): (
        lambda: tensor(2, 3).permute(0), INVALID, ["permute()", "'dims'", "all 2"]),
    ("permute", "twice"): (
        lambda: tensor(2, 3).permute(0, -2), INVALID, ["permute()", "'dims'"]),
    ("permute", "out_of_range"): (
        lambda: tensor(2, 3).permute(0, 2), INDEX, ["permute()", "'dims'", "got 2"]),
    ("select", "index_out_of_range"): (
        lambda: tensor(2, 3).select(1, 3), INDEX, ["select()", "'index'", "got 3"]),
    ("select", "zero_dim"): (lambda: tensor().select(0, 0), INDEX, ["select()", "0-dim"]),
    ("narrow", "start_out_of_range"): (
        lambda: tensor(3).narrow(0, 4, 0), INDEX, ["narrow()", "'start'", "got 4"]),
    ("narrow", "too_long"): (
        lambda: tensor(3).narrow(0, 1, 3), INVALID, ["narrow()", "'length'", "got 3"]),
    ("slice", "step_not_positive"): (
        lambda: tensor(3).slice(0, 0, 3, -1), INVALID, ["slice()", "'step'", "flip()"]),
    ("split_sizes", "wrong_total"): (
        lambda: tensor(3).split([1, 1]), INVALID, ["split()", "'split_sizes'", "[1, 1]"]),
    ("split_sizes", "negative"): (
        lambda: tensor(3).split([4, -1]), INVALID, ["split()", "'split_sizes'"]),
    ("split", "size_not_positive"): (
        lambda: tensor(3).split(0), INVALID, ["split()", "'split_size'"]),
    ("chunk", "chunks_not_positive"): (
        lambda: tensor(3).chunk(0), INVALID, ["chunk()", "'chunks'", "got 0"]),
    ("unbind", "zero_dim"): (lambda: tensor().unbind(), INDEX, ["unbind()", "0-dim"]),
    ("diagonal", "one_dimension"): (
        lambda: tensor(3).diagonal(), INVALID, ["diagonal()", "'input'", "[3]"]),
    ("diagonal", "same_dims"): (
        lambda: tensor(3, 3).diagonal(0, 1, -1), INVALID, ["diagonal()", "'dim2'"]),
    ("as_strided", "beyond_the_storage"): (
        lambda: tensor(4).as_strided((2, 2), (2, 2)), INVALID, ["as_strided()", "4 elements"]),
    ("as_strided", "negative_stride"): (
        lambda: tensor(4).as_strided((2,), (-1,), 3), INVALID, ["as_strided()", "'stride'"]),
    ("as_strided", "lengths_differ"): (
        lambda: tensor(4).as_strided((2,), (1, 1)), INVALID, ["as_strided()", "'stride'"]),
    ("unfold", "size_too_large"): (
        lambda: tensor(3).unfold(0, 4, 1), INVALID, ["unfold()", "'size'", "got 4"]),
    ("unfold", "step_not_positive"): (
        lambda: tensor(3).unfold(0, 2, 0), INVALID, ["unfold()", "'step'", "got 0"]),
    ("flatten", "wrong_order"): (
        lambda: tensor(2, 3).flatten(1, 0), INVALID, ["flatten()", "'start_dim'"]),
    ("unflatten", "wrong_product"): (
        lambda: tensor(2, 6).unflatten(1, (2, 2)), INVALID, ["unflatten()", "6 elements"]),
    ("movedim", "lengths_differ"): (
        lambda: tensor(2, 3).movedim((0, 1), 0), INVALID, ["movedim()", "'destination'"]),
    ("movedim", "twice"): (
        lambda: tensor(2, 3).movedim((0, 0), (0, 1)), INVALID, ["movedim()", "'source'"]),
    ("t", "three_dimensions"): (
        lambda: tensor(2, 3, 4).t(), INVALID, ["t()", "'input'", "[2, 3, 4]"]),
    ("t_inplace", "three_dimensions"): (
        lambda: tensor(2, 3, 4).t_(), INVALID, ["t_()", "'input'", "[2, 3, 4]"]),
    ("view_as_real", "real_input"): (
        lambda: eagre.view_as_real(tensor(2)), TYPE, ["view_as_real()", "'input'", "float32"]),
    ("view_as_complex", "not_pairs"): (
        lambda: eagre.view_as_complex(tensor(2, 3)), INVALID, ["view_as_complex()", "[2, 3]"]),
    ("view_as_complex", "integers"): (
        lambda: eagre.view_as_complex(tensor(3, 2, dtype=np.int64)), TYPE,
        ["view_as_complex()", "int64"]),
    ("imag", "real_input"): (
        lambda: eagre.imag(tensor(2)), TYPE, ["imag()", "'input'", "float32"]),
    ("contiguous", "preserve"): (
        lambda: tensor(2).contiguous(memory_format=eagre.preserve_format), INVALID,
        ["contiguous()", "'memory_format'"]),
    ("clone_format", "channels_last_without_channels"): (
        lambda: tensor(2).clone(memory_format=eagre.channels_last), INVALID,
        ["clone()", "'memory_format'", "[2]"]),
}  # fmt: skip
