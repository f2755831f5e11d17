"""Samples of ops/random.yaml."""

import numpy as np
from mistakes import integers, mistake, tensor
from samples import Sample, make, shaped, strided

import eagre


def rand():
    def check(size, dtype):
        def inner(result):
            assert result.shape == size and result.dtype is dtype
            values = result.detach().numpy().astype(np.float64)
            assert (values >= 0).all() and (values <= 1).all()
            if values.size > 1000:
                assert abs(values.mean() - 0.5) < 0.02 and abs(values.var() - 1 / 12) < 0.01

        return inner

    yield Sample((2, 3), check((2, 3), eagre.float32))
    yield Sample(([0, 4],), check((0, 4), eagre.float32))
    yield Sample((100, 100), check((100, 100), eagre.float64), {"dtype": eagre.float64})
    yield Sample((100, 101), check((100, 101), eagre.float32))


def randn():
    def check(size, dtype):
        def inner(result):
            assert result.shape == size and result.dtype is dtype
            values = result.detach().numpy()
            assert np.isfinite(values).all()
            if values.size > 1000:
                assert abs(values.mean()) < 0.1 and abs(values.std() - 1) < 0.1

        return inner

    yield Sample((), check((2, 3), eagre.float32), {"size": (2, 3)})
    yield Sample((2, 3), check((2, 3), eagre.float32))
    yield Sample(((2, 3),), check((2, 3), eagre.float32))
    yield Sample(((),), check((), eagre.float32))
    yield Sample((0, 3), check((0, 3), eagre.float32))
    yield Sample((40, 50), check((40, 50), eagre.float64), {"dtype": eagre.float64})
    yield Sample((3,), check((3,), eagre.float32), {"generator": eagre.Generator().manual_seed(1)})


def random_like():
    for dtype in (eagre.float64, eagre.float32, eagre.float16):
        yield Sample((make((2, 3)),), shaped((2, 3), dtype), {"dtype": dtype})
    turned = make((2, 3, 4)).transpose(2, 0, 1)
    yield Sample((turned,), shaped((4, 2, 3), eagre.float64, (1, 12, 4)))
    yield Sample((make((0, 3)),), shaped((0, 3), eagre.float64))


rand_like = randn_like = random_like


def within(shape, dtype, least, most, mean=None, every=()):
    """A check: values in [least, most], their mean near `mean`, each of `every` among them."""

    def check(result):
        assert result.shape == shape and result.dtype is dtype
        values = result.detach().numpy().astype(np.float64)
        assert values.size == 0 or (values.min() >= least and values.max() <= most)
        if mean is not None:
            assert abs(values.mean() - mean) < 0.05 * (most - least)
        assert set(every) <= set(values.reshape(-1))

    return check


def randint():
    yield Sample((10, (1000,)), within((1000,), eagre.int64, 0, 9, 4.5, range(10)))
    yield Sample((1, (2, 3)), np.zeros((2, 3), np.int64))
    yield Sample((5, (0,)), np.zeros((0,), np.int64))
    for dtype in (eagre.uint8, eagre.int8, eagre.int32, eagre.float32, eagre.float64):
        yield Sample((100, (2000,)), within((2000,), dtype, 0, 99, 49.5), {"dtype": dtype})
    yield Sample((256, (3,)), within((3,), eagre.uint8, 0, 255), {"dtype": eagre.uint8})


def randint_from():
    yield Sample((-3, 4, (1000,)), within((1000,), eagre.int64, -3, 3, 0, range(-3, 4)))
    wide = within((1000,), eagre.int64, -(2.0**63), 2.0**63, 0)
    yield Sample((-(2**63), 2**63 - 1, (1000,)), wide)


def randint_like():
    for dtype in (np.int64, np.uint8, np.float32, np.float64):
        a = np.zeros((50, 40), dtype)
        kind = eagre.from_numpy(a).dtype
        yield Sample((a, 10), within((50, 40), kind, 0, 9, 4.5, range(10)))
    yield Sample((np.zeros((0, 2)), 3), np.zeros((0, 2)))
    yield Sample((np.zeros(3), 1), np.zeros(3, np.int64), {"dtype": eagre.int64})
    yield Sample((strided((3, 2)), 1), np.zeros((3, 2)))


def randint_like_from():
    whole = within((1000,), eagre.int64, -3, 3, 0, range(-3, 4))
    yield Sample((np.zeros(1000, np.int64), -3, 4), whole)
    yield Sample((np.zeros(3), 5, 6), np.full(3, 5.0))


def randperm():
    def check(n, dtype):
        def inner(result):
            assert result.dtype is dtype
            assert sorted(result.tolist()) == list(range(n))
            assert n < 100 or result.tolist() != list(range(n))

        return inner

    for n in (0, 1, 2, 1000):
        yield Sample((n,), check(n, eagre.int64))
    yield Sample((100,), check(100, eagre.int8), {"dtype": eagre.int8})
    yield Sample((100,), check(100, eagre.float32), {"dtype": eagre.float32})


def bernoulli():
    certain = np.asarray([0.0, 1.0, 0.0, 1.0], np.float32)
    yield Sample((certain,), certain)
    chance = np.full((100, 100), 0.3, np.float32)
    yield Sample((chance,), within((100, 100), eagre.float32, 0, 1, 0.3, (0, 1)))
    yield Sample((np.zeros((0,)),), np.zeros((0,)))


def bernoulli_each():
    certain = np.asarray([0.0, 1.0], np.float32)
    yield Sample((make((3, 2)), certain), np.float64([[0, 1]] * 3))
    yield Sample((make((3, 2), np.int64), np.float32([1.0, 0.0])), np.int64([[1, 0]] * 3))
    chance = np.full((100,), 0.3, np.float32)
    yield Sample((make((100, 100)), chance), within((100, 100), eagre.float64, 0, 1, 0.3, (0, 1)))


def bernoulli_fill():
    yield Sample((make((1000,)),), within((1000,), eagre.float64, 0, 1, 0.5, (0, 1)))
    yield Sample((make((1000,), np.int64), 0.2), within((1000,), eagre.int64, 0, 1, 0.2, (0, 1)))
    yield Sample((make((1000,), np.bool_), 0.7), within((1000,), eagre.bool, 0, 1, 0.7, (0, 1)))
    yield Sample((strided((3, 2)), 1), np.ones((3, 2)))


def normal():
    yield Sample((make((100, 100)), 3, 0.5), within((100, 100), eagre.float64, -2, 8, 3))
    yield Sample((make((1000,), np.float32),), within((1000,), eagre.float32, -6, 6, 0))
    yield Sample((make((1000,), np.float16), 1), within((1000,), eagre.float16, -6, 8, 1))
    yield Sample((strided((3, 2)), 2, 0), np.full((3, 2), 2.0))
    yield Sample((make((0,)),), np.zeros(0))


def normal_around():
    means = np.full((1000, 2), [0.0, 50.0])
    for dtype in (eagre.float64, eagre.float32, eagre.float16):
        numbers = eagre.tensor(means, dtype=dtype)
        yield Sample((numbers, 2), within((1000, 2), dtype, -20, 70, 25))
        yield Sample((numbers, eagre.tensor([0.0, 1.0])), within((1000, 2), dtype, -20, 70, 25))
    yield Sample((eagre.tensor([[1.0], [2.0]]), eagre.zeros(3)), np.float32([[1] * 3, [2] * 3]))
    yield Sample((eagre.tensor([1.0, 2.0]),), within((2,), eagre.float32, -9, 9))
    yield Sample((eagre.zeros(2), eagre.zeros(2, dtype=eagre.int64)), np.zeros(2, np.float32))
    yield Sample((eagre.zeros(0), 1), np.zeros(0, np.float32))


def normal_spread():
    yield Sample((3, eagre.full((1000,), 0.5)), within((1000,), eagre.float32, -3, 9, 3))
    yield Sample((3.0, eagre.zeros(2, dtype=eagre.float64)), np.full(2, 3.0))


def normal_sized():
    yield Sample((3, 0.5, (100, 100)), within((100, 100), eagre.float32, -2, 8, 3))
    yield Sample((0, 1, (2,)), within((2,), eagre.float64, -9, 9), {"dtype": eagre.float64})


def uniform():
    yield Sample((make((100, 100)), -2, 3), within((100, 100), eagre.float64, -2, 3, 0.5))
    yield Sample((make((1000,), np.float32),), within((1000,), eagre.float32, 0, 1, 0.5))
    yield Sample((strided((3, 2)), 2, 2), np.full((3, 2), 2.0))
    yield Sample((make((9,)),), within((9,), eagre.float64, 5, 6), {"from_": 5, "to": 6})


def multinomial():
    # Not float64, or its gradient would be looked for.
    weights = np.asarray([0.0, 1.0, 3.0, 0.0], np.float32)
    yield Sample((weights, 4000, True), within((4000,), eagre.int64, 1, 2, 1.75, (1, 2)))
    yield Sample((weights, 2), within((2,), eagre.int64, 1, 2, None, (1, 2)))
    rows = np.asarray([[1.0, 0.0], [0.0, 2.0]], np.float32)
    yield Sample((rows, 3, True), np.asarray([[0, 0, 0], [1, 1, 1]]))
    yield Sample((rows[0], 1), np.asarray([0]), {"generator": eagre.Generator().manual_seed(1)})


def exponential():
    for dtype in (np.float64, np.float32):
        a = make((4000,), dtype)
        kind = eagre.from_numpy(a).dtype
        yield Sample((a,), within((4000,), kind, 0, 20, 1))
        yield Sample((a, 4), within((4000,), kind, 0, 5, 0.25))
    yield Sample((make((0, 2)),), make((0, 2)))
    yield Sample((make((2,)),), within((2,), eagre.float64, 0, 100),
                 {"generator": eagre.Generator().manual_seed(1)})  # fmt: skip


def random():
    for dtype, most in ((np.uint8, 255), (np.int8, 127), (np.bool_, 1), (np.float32, 2**24)):
        a = make((2000,), dtype)
        yield Sample((a,), within((2000,), eagre.from_numpy(a).dtype, 0, most, most / 2))
    yield Sample((make((2000,), np.int64),), within((2000,), eagre.int64, 0, 2.0**63, 2.0**62))


def random_to():
    for dtype in (np.int8, np.int64, np.float32):
        a = make((1000,), dtype)
        kind = eagre.from_numpy(a).dtype
        yield Sample((a, 5), within((1000,), kind, 0, 4, 2, range(5)))


def random_from():
    yield Sample((make((1000,)), -2, 2), within((1000,), eagre.float64, -2, 1, -0.5, range(-2, 2)))
    high = within((1000,), eagre.int8, 100, 127, 113.5)
    yield Sample((make((1000,), np.int8), 100, None), high)


BAD = {
    ("rand", "negative_size"): (
        lambda: eagre.rand(-3),
        eagre.InvalidArgumentError,
        ["rand()", "'size'", "-3"],
    ),
    ("rand", "integer_dtype"): (
        lambda: eagre.rand(2, dtype=eagre.int64),
        eagre.UnimplementedError,
        ["rand()", "int64"],
    ),
    ("randn", "negative_size"): (
        lambda: eagre.randn(-3),
        eagre.InvalidArgumentError,
        ["randn()", "'size'", "-3"],
    ),
    ("randn", "integer_dtype"): (
        lambda: eagre.randn(2, dtype=eagre.int64),
        eagre.UnimplementedError,
        ["randn()", "int64"],
    ),
    ("multinomial", "integers"): mistake(
        lambda: integers(2).multinomial(1), ["multinomial()", "'input'", "int64"]
    ),
    ("multinomial", "out_of_floats"): mistake(
        lambda: eagre.multinomial(eagre.ones(2), 1, out=tensor(1)),
        ["multinomial()", "'out'", "int64", "float32"],
    ),
    ("multinomial", "too_many_dimensions"): mistake(
        lambda: tensor(2, 2, 2).multinomial(1), ["multinomial()", "'input'", "[2, 2, 2]"]
    ),
    ("multinomial", "no_samples"): mistake(
        lambda: eagre.ones(2).multinomial(0), ["multinomial()", "'num_samples'", "0"]
    ),
    ("multinomial", "too_many"): mistake(
        lambda: eagre.ones(2).multinomial(3), ["multinomial()", "'num_samples'", "3"]
    ),
    ("multinomial", "negative"): mistake(
        lambda: eagre.tensor([-1.0, 2.0]).multinomial(1), ["multinomial()", "element < 0"]
    ),
    ("multinomial", "all_zero"): mistake(
        lambda: eagre.zeros(2).multinomial(1), ["multinomial()", "an invalid distribution"]
    ),
    ("rand_like", "integer_dtype"): (
        lambda: eagre.rand_like(eagre.tensor([1])),
        eagre.UnimplementedError,
        ["int64"],
    ),
    ("randn_like", "integer_dtype"): (
        lambda: eagre.randn_like(eagre.tensor([1])),
        eagre.UnimplementedError,
        ["int64"],
    ),
    ("exponential", "not_positive"): mistake(
        lambda: tensor(2).exponential_(0), ["exponential_()", "'lambd'", "0"]
    ),
    ("exponential", "integers"): mistake(
        lambda: tensor(2, dtype=np.int64).exponential_(), ["exponential_()", "'input'", "int64"]
    ),
    ("random", "expanded"): mistake(lambda: tensor(1).expand(3).random_(), ["random_()"]),
    ("random_to", "not_positive"): mistake(
        lambda: tensor(2).random_(0), ["random_()", "'to'", "0"]
    ),
    ("random_to", "too_large"): mistake(
        lambda: tensor(2, dtype=np.int8).random_(200), ["random_()", "'to'", "128", "200"]
    ),
    ("random_from", "empty_range"): mistake(
        lambda: tensor(2).random_(3, 3), ["random_()", "'from'", "from=3 >= to=3"]
    ),
    ("randint", "nothing_to_choose"): (
        lambda: eagre.randint(0, (2,)),
        eagre.InvalidArgumentError,
        ["randint()", "'high'", "got 0"],
    ),
    ("randint", "negative_size"): (
        lambda: eagre.randint(3, (-2,)),
        eagre.InvalidArgumentError,
        ["randint()", "'size'", "-2"],
    ),
    ("randint", "bound_does_not_fit"): (
        lambda: eagre.randint(300, (2,), dtype=eagre.uint8),
        eagre.InvalidArgumentError,
        ["randint()", "'high'", "uint8", "299"],
    ),
    ("randint_from", "nothing_to_choose"): (
        lambda: eagre.randint(5, 3, (2,)),
        eagre.InvalidArgumentError,
        ["randint()", "'high'", "5", "got 3"],
    ),
    ("randperm", "negative"): (
        lambda: eagre.randperm(-1),
        eagre.InvalidArgumentError,
        ["randperm()", "'n'", "-1"],
    ),
    ("randperm", "does_not_fit"): (
        lambda: eagre.randperm(300, dtype=eagre.int8),
        eagre.InvalidArgumentError,
        ["randperm()", "'n'", "int8"],
    ),
    ("bernoulli", "not_a_probability"): (
        lambda: eagre.bernoulli(eagre.tensor([0.5, 1.5])),
        eagre.InvalidArgumentError,
        ["bernoulli()", "'input'", "1.5"],
    ),
    ("bernoulli", "integer_dtype"): (
        lambda: eagre.bernoulli(eagre.tensor([1])),
        eagre.UnimplementedError,
        ["bernoulli()", "int64"],
    ),
    ("bernoulli_each", "integer_probabilities"): (
        lambda: tensor(2).bernoulli_(eagre.tensor([0, 1])),
        eagre.InvalidArgumentError,
        ["bernoulli_()", "'p'", "int64"],
    ),
    ("bernoulli_fill", "not_a_probability"): (
        lambda: tensor(2).bernoulli_(-0.5),
        eagre.InvalidArgumentError,
        ["bernoulli()", "'p'", "-0.5"],
    ),
    ("normal", "negative_std"): (
        lambda: tensor(2).normal_(0, -1),
        eagre.InvalidArgumentError,
        ["normal()", "'std'", "-1"],
    ),
    ("normal", "integer_dtype"): (
        lambda: tensor(2, dtype=np.int64).normal_(),
        eagre.UnimplementedError,
        ["normal()", "int64"],
    ),
    ("normal_around", "negative_std"): (
        lambda: eagre.normal(tensor(2), -1),
        eagre.InvalidArgumentError,
        ["normal()", "'std'", "-1"],
    ),
    ("normal_around", "negative_std_tensor"): (
        lambda: eagre.normal(tensor(2), eagre.tensor([1.0, -1.0])),
        eagre.InvalidArgumentError,
        ["normal()", "'std'", "negative"],
    ),
    ("normal_around", "complex_std"): (
        lambda: eagre.normal(tensor(2), eagre.tensor([1j, 1j])),
        eagre.InvalidArgumentError,
        ["normal()", "'std'", "complex64"],
    ),
    ("normal_around", "integer_mean"): (
        lambda: eagre.normal(tensor(2, dtype=np.int64), 1),
        eagre.UnimplementedError,
        ["normal()", "int64"],
    ),
    ("normal_spread", "negative_std"): (
        lambda: eagre.normal(0, eagre.tensor([-1.0])),
        eagre.InvalidArgumentError,
        ["normal()", "'std'", "negative"],
    ),
    ("normal_sized", "negative_std"): (
        lambda: eagre.normal(0, -1, (2,)),
        eagre.InvalidArgumentError,
        ["normal()", "'std'", "-1"],
    ),
    ("uniform", "bounds_swapped"): (
        lambda: tensor(2).uniform_(1, 0),
        eagre.InvalidArgumentError,
        ["uniform()", "'to'", "0"],
    ),
    ("uniform", "too_wide"): (
        lambda: tensor(2).uniform_(-3e38, 3e38),
        eagre.InvalidArgumentError,
        ["uniform()", "'to'", "to-from", "float32 can hold"],
    ),
    ("uniform", "bound_does_not_fit"): (
        lambda: eagre.zeros(2, dtype=eagre.float16).uniform_(0, 1e5),
        eagre.InvalidArgumentError,
        ["uniform()", "'to'", "float16", "100000"],
    ),
    ("uniform", "integer_dtype"): (
        lambda: tensor(2, dtype=np.int64).uniform_(),
        eagre.UnimplementedError,
        ["uniform()", "int64"],
    ),
    ("randint_like", "nothing_to_choose"): (
        lambda: eagre.randint_like(eagre.zeros(2), 0),
        eagre.InvalidArgumentError,
        ["randint()", "'high'"],
    ),
    ("randint_like_from", "bound_does_not_fit"): (
        lambda: eagre.randint_like(eagre.zeros(2, dtype=eagre.uint8), 0, 300),
        eagre.InvalidArgumentError,
        ["randint()", "'high'", "uint8"],
    ),
}


def geometric():
    for dtype in (np.float64, np.float32, np.int64):
        a = make((4000,), dtype)
        kind = eagre.from_numpy(a).dtype
        yield Sample((a, 0.25), within((4000,), kind, 1, 100, 4, every=(1, 2, 3)))
    yield Sample((make((0, 2)), 0.5), make((0, 2)))
    generator = eagre.Generator().manual_seed(1)
    yield Sample((make((2,)), 0.5), within((2,), eagre.float64, 1, 60), {"generator": generator})


def log_normal():
    for dtype in (np.float64, np.float32):
        a = make((4000,), dtype)
        kind = eagre.from_numpy(a).dtype
        yield Sample((a, 0, 0.5), within((4000,), kind, 0, 20, np.exp(0.125)))
    yield Sample((make((0, 2)),), make((0, 2)))
    generator = eagre.Generator().manual_seed(1)
    yield Sample((make((2,)),), within((2,), eagre.float64, 0, 1e6), {"generator": generator})


def cauchy():
    for dtype in (np.float64, np.float32):
        a = make((40,), dtype)
        yield Sample((a, 3, 2), shaped((40,), eagre.from_numpy(a).dtype))
    yield Sample((make((0, 2)),), make((0, 2)))
    generator = eagre.Generator().manual_seed(1)
    yield Sample((make((2,)),), shaped((2,), eagre.float64), {"generator": generator})


def poisson():
    for dtype in (np.float64, np.float32, np.float16):
        for rate in (0.5, 30.0):
            a = np.full((4000,), rate, dtype)
            kind = eagre.from_numpy(a).dtype
            yield Sample((a,), within((4000,), kind, 0, 3 * rate + 10, rate))
    none = np.zeros((2, 3), np.float32)  # which has no rates below to compare with
    yield Sample((none,), none)
    yield Sample((np.zeros((0, 3)),), np.zeros((0, 3)))
    yield Sample((np.full((3, 2), 1e20)[:, ::2],), within((3, 1), eagre.float64, 9e19, 2e20))
    generator = eagre.Generator().manual_seed(1)
    yield Sample((np.ones(2),), within((2,), eagre.float64, 0, 20), {"generator": generator})


def binomial():
    for dtype in (np.float64, np.float32):
        for count, chance in ((8, 0.25), (200, 0.3), (200, 0.9)):
            args = np.full((4000,), count, dtype), np.full((4000,), chance, dtype)
            kind = eagre.from_numpy(args[0]).dtype
            yield Sample(args, within((4000,), kind, 0, count, count * chance))
    counts, chances = np.asarray([[4], [7]], np.float32), np.asarray([0, 1], np.float32)
    yield Sample((counts, chances), np.asarray([[0, 4], [0, 7]], np.float32))
    yield Sample((np.zeros((0, 3)), np.zeros(3)), np.zeros((0, 3)))


BAD |= {
    ("geometric", "certain"): mistake(
        lambda: tensor(2).geometric_(1), ["geometric_()", "'p'", "1"]
    ),
    ("geometric", "impossible"): mistake(
        lambda: tensor(2).geometric_(0), ["geometric_()", "'p'", "0"]
    ),
    ("geometric", "bools"): mistake(
        lambda: tensor(2, dtype=np.bool_).geometric_(0.5),
        ["geometric_()", "bool"],
        eagre.UnimplementedError,
    ),
    ("log_normal", "not_positive"): mistake(
        lambda: tensor(2).log_normal_(0, 0), ["log_normal_()", "'std'", "0"]
    ),
    ("log_normal", "integers"): mistake(
        lambda: integers(2).log_normal_(), ["log_normal_()", "'input'", "int64"]
    ),
    ("cauchy", "not_positive"): mistake(
        lambda: tensor(2).cauchy_(0, -1), ["cauchy_()", "'sigma'", "-1"]
    ),
    ("cauchy", "integers"): mistake(
        lambda: integers(2).cauchy_(), ["cauchy_()", "'input'", "int64"]
    ),
    ("poisson", "negative_rate"): mistake(
        lambda: eagre.poisson(eagre.tensor([1.0, -1.0])), ["poisson()", "'input'", "-1"]
    ),
    ("poisson", "integers"): mistake(
        lambda: eagre.poisson(integers(2)), ["poisson()", "int64"], eagre.UnimplementedError
    ),
    ("binomial", "not_a_number"): mistake(
        lambda: eagre.binomial(eagre.tensor([float("nan")]), eagre.ones(1)),
        ["binomial()", "'count'", "nan"],
    ),
    ("binomial", "integers"): mistake(
        lambda: eagre.binomial(integers(2), tensor(2)), ["binomial()", "'count'", "int64"]
    ),
    ("binomial", "mixed_dtypes"): mistake(
        lambda: eagre.binomial(tensor(2), tensor(2, dtype=np.float64)),
        ["binomial()", "'prob'", "float64"],
    ),
}
