"""Random numbers as Python sees them: seeds, states, the same bits with every isa."""

import hashlib
import os
import subprocess
import sys

import pytest

import eagre


def test_state_of_the_default_generator():
    assert eagre.manual_seed(5) is eagre.default_generator
    assert eagre.initial_seed() == 5
    eagre.rand(3)
    state = eagre.get_rng_state()
    assert state.dtype is eagre.uint8
    first = eagre.randn(4).tolist()
    assert eagre.randn(4).tolist() != first
    eagre.set_rng_state(state)
    assert eagre.randn(4).tolist() == first
    assert eagre.default_generator.initial_seed() == 5


def test_generators_of_their_own():
    a, b = eagre.Generator(device="cpu").manual_seed(1), eagre.Generator()
    b.set_state(a.get_state())
    assert b.initial_seed() == 1 and str(b.device) == "cpu"
    assert eagre.rand(3, generator=a).tolist() == eagre.rand(3, generator=b).tolist()
    assert a.seed() != b.seed()
    assert eagre.rand(3, generator=a).tolist() != eagre.rand(3, generator=b).tolist()


def test_a_random_seed():
    assert eagre.seed() == eagre.initial_seed()
    eagre.manual_seed(0)


@pytest.mark.parametrize("isa", ["baseline", "avx2", "avx512"])
@pytest.mark.parametrize("threads", ["1", "3"])
def test_the_same_bits_everywhere(isa, threads):
    code = (
        "import eagre, hashlib; eagre.manual_seed(7); h = hashlib.sha256()\n"
        "for dtype in (eagre.float16, eagre.float32, eagre.float64):\n"
        "    for make in (eagre.rand, eagre.randn):\n"
        "        h.update(make(100_003, dtype=dtype).numpy().tobytes())\n"
        "print(h.hexdigest())"
    )
    here = hashlib.sha256()
    eagre.manual_seed(7)
    for dtype in (eagre.float16, eagre.float32, eagre.float64):
        for make in (eagre.rand, eagre.randn):
            here.update(make(100_003, dtype=dtype).numpy().tobytes())
    environment = {**os.environ, "EAGRE_CPU_ISA": isa, "EAGRE_NUM_THREADS": threads}
    result = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=60
    )
    assert result.stdout.strip() == here.hexdigest(), result.stderr


HALVES = {eagre.float16: 2.0**-10, eagre.bfloat16: 2.0**-7}
DIGITS = HALVES | {eagre.float32: 2.0**-23, eagre.float64: 2.0**-52}
LARGEST = {
    dtype: (2 - eps) * 2.0 ** (15 if dtype is eagre.float16 else 1023 if eps < 1e-9 else 127)
    for dtype, eps in DIGITS.items()
}


def assert_all_in(x, low, high):
    x = x.double()  # halves would round the bounds
    assert bool(((x >= low) & (x < high)).all())


@pytest.mark.parametrize("dtype", DIGITS)
def test_uniform_numbers_stay_below_the_upper_bound(dtype):
    # Most of the bounds' neighbours round up to them.
    eagre.manual_seed(0)
    n = 100_003
    assert_all_in(eagre.rand(n, dtype=dtype), 0, 1)
    x = eagre.empty(n, dtype=dtype)
    assert_all_in(eagre.rand_like(x), 0, 1)
    for low, high in [(1, 2), (-2, -1), (-1, 0), (1024, 1026), (-1, 1)]:
        assert_all_in(x.uniform_(low, high), low, high)
        assert (x.double().mean() - (low + high) / 2).abs() < 0.006 * (abs(low) + abs(high))
    narrow = DIGITS[dtype]
    assert_all_in(x.uniform_(1, 1 + narrow), 1, 1 + narrow)
    assert x.uniform_(3, 3).eq(3).all()


@pytest.mark.parametrize("dtype", DIGITS)
def test_the_widest_range_is_finite(dtype):
    most = LARGEST[dtype]
    x = eagre.empty(10_000, dtype=dtype)
    assert_all_in(x.uniform_(0, most), 0, most)
    assert_all_in(x.uniform_(-most / 2, most / 2), -most / 2, most / 2)
    with pytest.raises(eagre.InvalidArgumentError, match="'to'"):
        x.uniform_(-most, most)


@pytest.mark.parametrize("dtype", [eagre.complex64, eagre.complex128])
def test_complex_numbers_have_random_parts(dtype):
    eagre.manual_seed(0)
    for numbers in (eagre.randn(100_000, dtype=dtype), eagre.zeros(100_000, dtype=dtype).normal_()):
        parts = eagre.view_as_real(numbers)
        assert parts.mean().abs() < 0.01
        assert ((parts.var(0) - 0.5).abs() < 0.01).all()  # the number as a whole varies by 1
    parts = eagre.view_as_real(eagre.rand(100_000, dtype=dtype))
    assert parts.min() >= 0 and parts.max() < 1
    assert ((parts.mean(0) - 0.5).abs() < 0.01).all()
    parts = eagre.view_as_real(eagre.zeros(1000, dtype=dtype).uniform_(5, 6))
    assert parts.min() >= 5 and parts.max() < 6
    assert eagre.randn_like(eagre.zeros(3, dtype=dtype)).dtype is dtype
    with pytest.raises(ValueError, match="'to'"):
        eagre.zeros(3, dtype=dtype).uniform_(0, 1e400)


def test_seeds_have_64_bits():
    assert eagre.manual_seed(2**64 - 1).initial_seed() == 2**64 - 1
    assert eagre.manual_seed(-1) is not None and eagre.initial_seed() == 2**64 - 1
    assert eagre.manual_seed(-(2**63)).initial_seed() == 2**63
    for seed in (2**64, 2**64 + 5, -(2**63) - 1, 10**40):
        for refuses in (eagre.manual_seed, eagre.Generator().manual_seed):
            with pytest.raises(ValueError, match="manual_seed.*'seed'"):
                refuses(seed)
    eagre.manual_seed(0)


def test_fork_rng():
    eagre.manual_seed(3)
    expected = eagre.rand(2).tolist()
    eagre.manual_seed(3)
    with eagre.random.fork_rng():
        eagre.rand(5)
        eagre.manual_seed(9)
    assert eagre.rand(2).tolist() == expected
    eagre.manual_seed(3)

    @eagre.random.fork_rng()
    def draw():
        return eagre.rand(3)

    draw()
    assert eagre.rand(2).tolist() == expected
    with pytest.raises(RuntimeError, match="devices"):
        eagre.random.fork_rng(devices=[0])


def test_seeds():
    eagre.manual_seed(3)
    first = eagre.randn(4).tolist()
    eagre.manual_seed(3)
    assert eagre.randn(4).tolist() == first
    generator = eagre.Generator().manual_seed(3)
    assert generator.initial_seed() == 3
    assert eagre.randn(4, generator=generator).tolist() == first


def test_multinomial():
    eagre.manual_seed(0)
    weights = eagre.tensor([0.0, 1.0, 3.0])
    drawn = eagre.multinomial(weights, 10000, replacement=True)
    shares = drawn.bincount(minlength=3) / 10000
    assert shares[0] == 0 and abs(shares[1].item() - 0.25) < 0.02
    for _ in range(20):
        assert sorted(weights.multinomial(2).tolist()) == [1, 2]
    assert eagre.multinomial(eagre.ones(4, 3), 2).shape == (4, 2)
    one = eagre.stack([weights.multinomial(1) for _ in range(2000)])
    assert abs((one == 1).double().mean().item() - 0.25) < 0.04
    for bad, count in [
        ([-1.0, 2.0], 1),
        ([float("nan")], 1),
        ([0.0, 0.0], 1),
        ([1.0], 2),
        ([1.0], 0),
    ]:
        with pytest.raises(RuntimeError, match="multinomial"):
            eagre.multinomial(eagre.tensor(bad), count)


def test_random_numbers_in_place():
    eagre.manual_seed(0)
    x = eagre.empty(10000).exponential_(2)
    assert x.min() >= 0 and abs(x.mean().item() - 0.5) < 0.03
    assert set(eagre.empty(100, dtype=eagre.int8).random_(3).tolist()) == {0, 1, 2}
    assert set(eagre.empty(100).random_(3, 5).tolist()) == {3.0, 4.0}
    assert eagre.empty(100, dtype=eagre.uint8).random_().max() > 100
    first = eagre.empty(3).exponential_(generator=eagre.Generator().manual_seed(1))
    again = eagre.empty(3).exponential_(generator=eagre.Generator().manual_seed(1))
    assert first.tolist() == again.tolist()
    with pytest.raises(RuntimeError, match="less than"):
        x.random_(3, 3)
    with pytest.raises(RuntimeError, match="lambda"):
        x.exponential_(0)


@pytest.mark.parametrize(
    "dtype", [eagre.bool, eagre.uint8, eagre.uint16, eagre.uint32, eagre.uint64, eagre.float16]
)
def test_randint_of_every_dtype(dtype):
    drawn = eagre.randint(0, 2, (100,), dtype=dtype)
    assert drawn.dtype is dtype and set(drawn.tolist()) == {0, 1}


def test_randint_of_bool_has_two_values():
    with pytest.raises(RuntimeError, match="'high'"):
        eagre.randint(0, 3, (2,), dtype=eagre.bool)


@pytest.mark.parametrize(
    "make",
    [
        lambda x, g: eagre.rand_like(x, generator=g),
        lambda x, g: eagre.randn_like(x, generator=g),
        lambda x, g: eagre.randint_like(x, 100, generator=g),
    ],
    ids=["rand_like", "randn_like", "randint_like"],
)
def test_likes_take_a_generator(make):
    x = eagre.zeros(50)
    first, second = (make(x, eagre.Generator().manual_seed(3)) for _ in range(2))
    assert first.tolist() == second.tolist() != make(x, None).tolist()


def test_random_numbers_stay_within_the_dtype():
    x = eagre.zeros(10, dtype=eagre.bool)
    with pytest.raises(RuntimeError, match="from is out of bounds"):
        x.random_(-1, 1)
    with pytest.raises(RuntimeError, match="to - 1 is out of bounds"):
        x.random_(0, 3)
    with pytest.raises(RuntimeError, match="but got from=1 >= to=1"):
        x.random_(1, 1)
