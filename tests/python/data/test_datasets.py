"""Sets of data, their parts, and the orders in which they are read."""

import pickle

import pytest

import eagre
from eagre.utils import data


class Numbers(data.IterableDataset):
    def __init__(self, count):
        self.count = count

    def __iter__(self):
        return iter(range(self.count))

    def __len__(self):
        return self.count


ROWS = data.TensorDataset(eagre.arange(10), eagre.arange(10.0))


def test_sets_of_tensors():
    assert len(ROWS) == 10
    sample = ROWS[3]
    assert type(sample) is tuple and [item.item() for item in sample] == [3, 3.0]
    with pytest.raises(AssertionError, match="Size mismatch between tensors"):
        data.TensorDataset(eagre.ones(2), eagre.ones(3))
    again = pickle.loads(pickle.dumps(ROWS))
    assert eagre.equal(again.tensors[0], ROWS.tensors[0])


def test_sets_side_by_side():
    assert data.StackDataset(ROWS, range(10))[2][1] == 2
    named = data.StackDataset(number=range(10), letter="abcdefghij")
    assert named[1] == {"number": 1, "letter": "b"}
    assert named.__getitems__([1, 2])[1] == {"number": 2, "letter": "c"}
    nested = data.StackDataset(data.Subset(range(9), [5, 6]), [0, 1])
    assert nested.__getitems__([1, 0]) == [(6, 1), (5, 0)]
    with pytest.raises(ValueError, match="Size mismatch between datasets"):
        data.StackDataset(ROWS, range(3))
    with pytest.raises(ValueError, match="At least one dataset should be passed"):
        data.StackDataset()
    with pytest.raises(ValueError, match="both types are given"):
        data.StackDataset(ROWS, other=ROWS)


def test_stacked_sets_refuse_batches_of_another_size():
    class Short(data.Dataset):
        def __len__(self):
            return 3

        def __getitems__(self, indices):
            return [0]

    with pytest.raises(ValueError, match="output size mismatch. Expected 2, got 1"):
        data.StackDataset(Short()).__getitems__([0, 1])


def test_sets_one_after_the_other():
    both = data.Subset(range(5), [1, 2]) + data.Subset(range(5), [4])
    assert len(both) == 3 and [both[i] for i in (0, 1, 2, -1, -3)] == [1, 2, 4, 4, 1]
    with pytest.raises(ValueError, match="absolute value of index should not exceed"):
        _ = both[-4]
    with pytest.raises(AssertionError, match="should not be an empty iterable"):
        data.ConcatDataset([])
    with pytest.raises(AssertionError, match="does not support IterableDataset"):
        data.ConcatDataset([Numbers(2)])
    chain = Numbers(2) + Numbers(3)
    assert list(chain) == [0, 1, 0, 1, 2] and len(chain) == 5
    with pytest.raises(AssertionError, match="only supports IterableDataset"):
        list(data.ChainDataset([ROWS]))


def test_subsets_are_asked_for_batches():
    asked = []

    class Counting(data.Dataset):
        def __getitems__(self, indices):
            asked.append(indices)
            return indices

    part = data.Subset(Counting(), [3, 4, 5])
    assert list(data.DataLoader(part, batch_size=2, collate_fn=list)) == [[3, 4], [5]]
    assert asked == [[3, 4], [5]]

    class Changed(data.Subset):
        def __getitem__(self, index):
            return -1

    with pytest.raises(NotImplementedError, match="overrides __getitem__ but not __getitems__"):
        Changed(ROWS, [1])


def test_random_parts():
    generator = eagre.Generator().manual_seed(1)
    parts = data.random_split(range(10), [7, 3], generator=generator)
    assert sorted([*parts[0], *parts[1]]) == list(range(10)) and len(parts[1]) == 3
    again = data.random_split(range(10), [7, 3], generator=generator.manual_seed(1))
    assert list(again[0]) == list(parts[0])
    lengths = [len(part) for part in data.random_split(range(11), [0.35, 0.35, 0.3])]
    assert lengths == [4, 4, 3]
    with pytest.raises(ValueError, match="Sum of input lengths does not equal"):
        data.random_split(range(10), [3, 3])
    with pytest.raises(ValueError, match="Fraction at index 1 is not between 0 and 1"):
        data.random_split(range(10), [0.5, 1.5, -1.0])
    with pytest.warns(UserWarning, match="Length of split at index 1 is 0"):
        data.random_split(range(2), [0.1, 0.2, 0.7])


def test_base_classes_say_what_to_define():
    with pytest.raises(NotImplementedError, match="__getitem__"):
        data.Dataset()[0]
    with pytest.raises(NotImplementedError, match="__iter__"):
        iter(data.IterableDataset())
    with pytest.raises(NotImplementedError, match="__iter__"):
        iter(data.Sampler())
    assert data.Dataset[int] and data.Sampler[int]
