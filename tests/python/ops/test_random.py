"""Random numbers as Python sees them: seeds, states, the same bits at every level."""

import hashlib
import os
import subprocess
import sys

import pytest

import eagre


def test_state_of_the_default_generator():
    eagre.manual_seed(5)
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


@pytest.mark.parametrize("level", ["baseline", "avx2", "avx512"])
@pytest.mark.parametrize("threads", ["1", "3"])
def test_the_same_bits_everywhere(level, threads):
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
    environment = {**os.environ, "EAGRE_CPU_LEVEL": level, "EAGRE_NUM_THREADS": threads}
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
