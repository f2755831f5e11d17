"""Every distribution of the library: moments, and the test of Kolmogorov and Smirnov against a
distribution function written here, with fixed seeds. Draws of another distribution fail it."""

import math

import numpy as np
import pytest

import eagre

COUNT = 50_000
# The distance between what is drawn and its distribution is greater once in a million times.
FURTHEST = math.sqrt(-math.log(1e-6 / 2) / 2)


def uniform(low, high):
    return lambda x: np.clip((x - low) / (high - low), 0, 1)


def normal(mean, std):
    return np.vectorize(lambda x: (1 + math.erf((x - mean) / std / math.sqrt(2))) / 2)


def log_normal(mean, std):
    below = normal(mean, std)
    return lambda x: np.where(x > 0, below(np.log(np.maximum(x, 1e-300))), 0)


def whole(most, chance_of):
    """The distribution function of whole numbers from 0 to `most`, by adding up."""
    total = np.cumsum([chance_of(k) for k in range(most + 1)])
    return lambda x: np.where(x < 0, 0, total[np.clip(np.floor(x), 0, most).astype(np.int64)])


def poisson(rate):
    log_of = [k * math.log(rate) - rate - math.lgamma(k + 1) for k in range(int(3 * rate) + 40)]
    return whole(len(log_of) - 1, lambda k: math.exp(log_of[k]))


def binomial(n, p):
    def chance(k):
        ways = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
        return math.exp(ways + k * math.log(p) + (n - k) * math.log1p(-p))

    return whole(n, chance)


def geometric(p):
    return lambda x: np.where(x < 1, 0, 1 - (1 - p) ** np.floor(np.maximum(x, 0)))


def chosen(weights):
    shares = np.asarray(weights) / np.sum(weights)
    return whole(len(weights) - 1, lambda k: shares[k])


def new():
    return eagre.empty(COUNT, dtype=eagre.float64)


def same(value):
    return eagre.full((COUNT,), float(value), dtype=eagre.float64)


WEIGHTS = [1.0, 0.0, 3.0, 2.0, 4.0]

# name: how to draw, the distribution function, mean and variance (None: there is none)
DISTRIBUTIONS = (
    {
        "rand": (lambda: eagre.rand(COUNT, dtype=eagre.float64), uniform(0, 1), 0.5, 1 / 12),
        "rand_f32": (lambda: eagre.rand(COUNT), uniform(0, 1), 0.5, 1 / 12),
        "rand_like": (lambda: eagre.rand_like(new()), uniform(0, 1), 0.5, 1 / 12),
        "uniform_": (lambda: new().uniform_(-2, 3), uniform(-2, 3), 0.5, 25 / 12),
        "randn": (lambda: eagre.randn(COUNT, dtype=eagre.float64), normal(0, 1), 0, 1),
        "randn_f32": (lambda: eagre.randn(COUNT), normal(0, 1), 0, 1),
        "randn_like": (lambda: eagre.randn_like(new()), normal(0, 1), 0, 1),
        "normal_": (lambda: new().normal_(2, 3), normal(2, 3), 2, 9),
        "normal": (lambda: eagre.normal(same(2), same(3)), normal(2, 3), 2, 9),
        "normal_sized": (lambda: eagre.normal(-1.0, 0.5, (COUNT,)), normal(-1, 0.5), -1, 0.25),
        "exponential_": (
            lambda: new().exponential_(2),
            lambda x: -np.expm1(-2 * np.maximum(x, 0)),
            *(0.5, 0.25),
        ),
        "log_normal_": (
            lambda: new().log_normal_(0.5, 0.25),
            log_normal(0.5, 0.25),
            math.exp(0.5 + 0.25**2 / 2),
            math.expm1(0.25**2) * math.exp(1 + 0.25**2),
        ),
        "cauchy_": (
            lambda: new().cauchy_(1, 2),
            lambda x: np.arctan((x - 1) / 2) / np.pi + 0.5,
            *(None, None),
        ),
        "geometric_": (lambda: new().geometric_(0.3), geometric(0.3), 1 / 0.3, 0.7 / 0.09),
        "geometric_rare": (lambda: new().geometric_(0.01), geometric(0.01), 100, 9900),
        "bernoulli": (lambda: eagre.bernoulli(same(0.3)), binomial(1, 0.3), 0.3, 0.21),
        "bernoulli_": (lambda: new().bernoulli_(0.7), binomial(1, 0.7), 0.7, 0.21),
        "random_": (lambda: new().random_(10), whole(9, lambda k: 0.1), 4.5, 99 / 12),
        "randint": (
            lambda: eagre.randint(3, 8, (COUNT,)),
            lambda x: whole(4, lambda k: 0.2)(x - 3),
            5,
            2,
        ),
        "randint_like": (
            lambda: eagre.randint_like(new(), 10),
            whole(9, lambda k: 0.1),
            *(4.5, 99 / 12),
        ),
        "randperm": (
            lambda: eagre.randperm(COUNT)[: COUNT // 2] / COUNT,
            uniform(0, 1),
            *(0.5, 1 / 12),
        ),
        "multinomial": (
            lambda: eagre.multinomial(eagre.tensor(WEIGHTS), COUNT, replacement=True),
            chosen(WEIGHTS),
            *(2.8, 1.56),
        ),
        "multinomial_once": (
            lambda: eagre.multinomial(eagre.tensor(WEIGHTS).expand(COUNT, 5), 1).flatten(),
            chosen(WEIGHTS),
            *(2.8, 1.56),
        ),
    }
    | {
        f"poisson_{rate}": (
            lambda rate=rate: eagre.poisson(same(rate)),
            poisson(rate),
            *(rate, rate),
        )
        for rate in (0.1, 3, 9.9, 10, 40, 1000)
    }
    | {
        f"binomial_{n}_{p}": (
            lambda n=n, p=p: eagre.binomial(same(n), same(p)),
            binomial(n, p),
            *(n * p, n * p * (1 - p)),
        )
        for n, p in ((5, 0.5), (40, 0.1), (60, 0.4), (60, 0.9), (1000, 0.02), (2000, 0.7))
    }
)


def distance(drawn, below):
    """Between the share of draws up to a number and the distribution function, at its widest,
    times the root of their number. Also right before each number, where neither has risen yet."""
    ordered, counts = np.unique(drawn, return_counts=True)
    share = np.cumsum(counts) / len(drawn)
    before = np.concatenate([[0], share[:-1]])
    steps = bool((ordered == np.floor(ordered)).all())
    from_below = below(ordered - 1) if steps else below(ordered)
    gap = np.maximum(np.abs(share - below(ordered)), np.abs(before - from_below))
    return gap.max() * math.sqrt(len(drawn))


def draw(name):
    eagre.manual_seed(2026)
    return DISTRIBUTIONS[name][0]().to(eagre.float64).numpy()


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_draws_follow_the_distribution(name):
    assert distance(draw(name), DISTRIBUTIONS[name][1]) < FURTHEST


@pytest.mark.parametrize("name", [n for n, d in DISTRIBUTIONS.items() if d[2] is not None])
def test_moments(name):
    _, _, mean, variance = DISTRIBUTIONS[name]
    drawn = draw(name)
    assert abs(drawn.mean() - mean) < 5 * math.sqrt(variance / len(drawn))
    spread = np.std((drawn - mean) ** 2) / math.sqrt(len(drawn))
    assert abs(((drawn - mean) ** 2).mean() - variance) < 5 * spread


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_another_distribution_fails(name):
    """The test can fail: for draws a tenth wider, and for whole numbers half of which are moved."""
    drawn, below = draw(name), DISTRIBUTIONS[name][1]
    steps = bool((drawn == np.floor(drawn)).all())
    moved = drawn + np.ceil(drawn.std() / 4) * (np.arange(len(drawn)) % 2) if steps else drawn * 1.1
    assert distance(moved, below) > FURTHEST


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_a_seed_gives_the_same_draws_on_any_number_of_threads(name):
    threads = eagre.get_num_threads()
    try:
        drawn = []
        for count in (1, 3):
            eagre.set_num_threads(count)
            drawn.append(draw(name))
    finally:
        eagre.set_num_threads(threads)
    assert np.array_equal(*drawn)
