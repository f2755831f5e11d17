"""Samplers: the indices they give, and their errors."""

import pytest

import eagre
from eagre.utils import data


def seeded(seed=0):
    return eagre.Generator().manual_seed(seed)


def test_in_order_and_in_random_order():
    assert list(data.SequentialSampler("abc")) == [0, 1, 2]
    drawn = list(data.RandomSampler(range(50), generator=seeded()))
    assert sorted(drawn) == list(range(50)) and drawn != sorted(drawn)
    assert drawn == list(data.RandomSampler(range(50), generator=seeded()))


def test_the_default_generator_gives_one_number_per_epoch():
    eagre.manual_seed(3)
    first = list(data.RandomSampler(range(9)))
    eagre.manual_seed(3)
    second = []
    for index in data.RandomSampler(range(9)):
        eagre.rand(3)
        second.append(index)
    assert first == second


@pytest.mark.parametrize("count", [3, 10, 25])
def test_more_or_fewer_than_there_are(count):
    once = list(data.RandomSampler(range(10), num_samples=count, generator=seeded()))
    assert len(once) == count and max(map(once.count, once)) <= -(-count // 10)
    free = data.RandomSampler(range(10), replacement=True, num_samples=count)
    assert len(free) == count == len(list(free)) and set(free) <= set(range(10))


def test_parts_and_weights():
    assert sorted(data.SubsetRandomSampler([4, 7, 9])) == [4, 7, 9]
    sampler = data.WeightedRandomSampler([0.0, 1.0, 0.0, 3.0], 400, generator=seeded())
    drawn = list(sampler)
    assert set(drawn) == {1, 3} and 240 < drawn.count(3) < 360 and len(sampler) == 400
    assert sorted(data.WeightedRandomSampler([1, 2, 3], 3, replacement=False)) == [0, 1, 2]


def test_batches():
    batches = data.BatchSampler(range(5), 2, False)
    assert list(batches) == [[0, 1], [2, 3], [4]] and len(batches) == 3
    whole = data.BatchSampler(range(5), 2, True)
    assert list(whole) == [[0, 1], [2, 3]] and len(whole) == 2


@pytest.mark.parametrize(
    ("make", "error", "text"),
    [
        (lambda: data.RandomSampler([1], replacement=1), TypeError, "replacement should be a bool"),
        (lambda: data.RandomSampler([]), ValueError, "num_samples=0"),
        (lambda: data.WeightedRandomSampler([1], 0), ValueError, "num_samples=0"),
        (lambda: data.WeightedRandomSampler([1], 1, 1), ValueError, "replacement should be a bool"),
        (lambda: data.WeightedRandomSampler([[1]], 1), ValueError, r"shape \(1, 1\)"),
        (lambda: data.BatchSampler([1], True, False), ValueError, "batch_size=True"),
        (lambda: data.BatchSampler([1], 1, 0), ValueError, "drop_last should be a boolean"),
        (lambda: data.DistributedSampler([1], 2, 2), ValueError, r"in the interval \[0, 1\]"),
        (lambda: data.DistributedSampler([1]), RuntimeError, "Requires distributed package"),
    ],
)
def test_errors(make, error, text):
    with pytest.raises(error, match=text):
        make()


@pytest.mark.parametrize(("count", "replicas"), [(7, 3), (6, 3), (2, 5), (0, 2)])
def test_replicas_read_as_many_each(count, replicas):
    def parts(**options):
        samplers = [
            data.DistributedSampler(range(count), replicas, rank, **options)
            for rank in range(replicas)
        ]
        found = [list(sampler) for sampler in samplers]
        assert [len(part) for part in found] == [len(sampler) for sampler in samplers]
        return found

    everything = {index for part in parts() for index in part}
    assert everything == set(range(count))
    assert len({len(part) for part in parts()}) == 1
    dropped = [index for part in parts(drop_last=True, shuffle=False) for index in part]
    assert len(dropped) == count // replicas * replicas == len(set(dropped))


def test_epochs_of_replicas_differ():
    sampler = data.DistributedSampler(range(20), 2, 0, seed=5)
    first = list(sampler)
    assert first == list(sampler)
    sampler.set_epoch(1)
    assert first != list(sampler)
    assert list(data.DistributedSampler(range(5), 2, 1, shuffle=False)) == [1, 3, 0]
