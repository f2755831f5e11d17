"""DataLoader: options, lengths, warnings and errors."""

import pickle
import warnings

import pytest

import eagre
from eagre.utils.data import (
    DataLoader,
    Dataset,
    IterableDataset,
    RandomSampler,
    SequentialSampler,
    TensorDataset,
    get_worker_info,
)

ROWS = TensorDataset(eagre.arange(10), eagre.arange(10.0))


class Numbers(IterableDataset):
    """Numbers below 7, shared between workers; its length may be a lie."""

    def __init__(self, length=None):
        self.length = length

    def __iter__(self):
        info = get_worker_info()
        return iter(range(7) if info is None else range(info.id, 7, info.num_workers))

    def __len__(self):
        if self.length is None:
            raise TypeError("no length")
        return self.length


def numbers(loader):
    return [batch[0].tolist() for batch in loader]


def test_batches():
    assert numbers(DataLoader(ROWS, 4)) == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]
    assert numbers(DataLoader(ROWS, 4, drop_last=True)) == [[0, 1, 2, 3], [4, 5, 6, 7]]
    assert numbers(DataLoader(ROWS, batch_size=None)) == list(range(10))
    assert numbers(DataLoader(ROWS, 2, sampler=[3, 1, 4])) == [[3, 1], [4]]
    assert numbers(DataLoader(ROWS, batch_sampler=[[1, 2], [3]])) == [[1, 2], [3]]
    assert numbers(DataLoader(ROWS, batch_size=None, sampler=[[1, 2], [3]])) == [[1, 2], [3]]
    assert list(DataLoader(range(3), 2, collate_fn=sum)) == [1, 2]
    assert [len(DataLoader(ROWS, 4)), len(DataLoader(ROWS, 4, drop_last=True))] == [3, 2]
    assert len(iter(DataLoader(ROWS, 4))) == 3


def test_rows_of_tensors_are_taken_at_once_as_one_by_one():
    class OneByOne(TensorDataset):
        pass

    values = eagre.randn(10, 3, requires_grad=True)
    quick = next(iter(DataLoader(TensorDataset(values, ROWS.tensors[0]), 4)))
    slow = next(iter(DataLoader(OneByOne(values, ROWS.tensors[0]), 4)))
    assert type(quick) is type(slow) is list
    assert all(eagre.equal(a, b) and a.dtype is b.dtype for a, b in zip(quick, slow, strict=True))
    assert quick[0].requires_grad and quick[0].is_contiguous()


def test_shuffled():
    def order():
        return sum(
            numbers(DataLoader(ROWS, 3, shuffle=True, generator=eagre.Generator().manual_seed(4))),
            [],
        )

    assert sorted(order()) == list(range(10)) and order() == order() != sorted(order())
    loader = DataLoader(ROWS, shuffle=True)
    assert isinstance(loader.sampler, RandomSampler)
    assert isinstance(DataLoader(ROWS).sampler, SequentialSampler)
    assert numbers(DataLoader(TensorDataset(eagre.ones(0)))) == []


def test_samples_one_after_the_other():
    assert [batch.tolist() for batch in DataLoader(Numbers(), 3)] == [[0, 1, 2], [3, 4, 5], [6]]
    whole = DataLoader(Numbers(7), 3, drop_last=True)
    assert [batch.tolist() for batch in whole] == [[0, 1, 2], [3, 4, 5]] and len(whole) == 2
    assert list(DataLoader(Numbers(7), batch_size=None)) == list(range(7))
    assert len(DataLoader(Numbers(7), 3)) == 3 and len(DataLoader(Numbers(7), None)) == 7
    with pytest.raises(TypeError):
        len(DataLoader(Numbers(), 3))


@pytest.mark.parametrize(("workers", "hint"), [(0, "samples have been fetched. $"), (1, "replica")])
def test_a_length_that_is_too_short_is_warned_of(workers, hint):
    loader = DataLoader(Numbers(2), 2, num_workers=workers)
    assert len(loader) == 1
    with pytest.warns(UserWarning, match="was reported to be 2") as caught:
        list(loader)
    assert len(caught) == 2 and hint.rstrip("$") in str(caught[0].message)
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        list(DataLoader(Numbers(2), 2))  # nobody asked for the length


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({"num_workers": -1}, ValueError, "num_workers option should be non-negative"),
        ({"timeout": -1}, ValueError, "timeout option should be non-negative"),
        ({"prefetch_factor": 2}, ValueError, "could only be specified in multiprocessing"),
        ({"prefetch_factor": -1, "num_workers": 1}, ValueError, "should be non-negative"),
        ({"persistent_workers": True}, ValueError, "needs num_workers > 0"),
        ({"sampler": [1], "shuffle": True}, ValueError, "mutually exclusive with shuffle"),
        ({"batch_sampler": [[1]], "drop_last": True}, ValueError, "mutually exclusive"),
        ({"batch_size": None, "drop_last": True}, ValueError, "batch_size=None option disables"),
        ({"batch_size": 0}, ValueError, "batch_size=0"),
        ({"multiprocessing_context": "fork"}, ValueError, "num_workers=0"),
        ({"multiprocessing_context": "x", "num_workers": 1}, ValueError, "valid start method in"),
        ({"multiprocessing_context": 3, "num_workers": 1}, TypeError, "valid context object"),
        ({"shuffle": True, "dataset": Numbers()}, ValueError, "unspecified shuffle option"),
        ({"sampler": [1], "dataset": Numbers()}, ValueError, "unspecified sampler option"),
        ({"batch_sampler": [1], "dataset": Numbers()}, ValueError, "unspecified batch_sampler"),
    ],
)
def test_errors(options, error, text):
    with pytest.raises(error, match=text):
        DataLoader(**{"dataset": ROWS, **options})


def test_what_is_fixed_after_the_start():
    loader = DataLoader(ROWS)
    for name in ("batch_size", "sampler", "batch_sampler", "drop_last", "dataset"):
        with pytest.raises(ValueError, match=f"{name} attribute should not be set after DataLoad"):
            setattr(loader, name, None)
    loader.collate_fn = len
    assert list(loader)[:2] == [1, 1]


def test_iterators_are_not_pickled_and_loaders_are():
    assert len(pickle.loads(pickle.dumps(DataLoader(ROWS, 3)))) == 4
    with pytest.raises(NotImplementedError, match="cannot be pickled"):
        pickle.dumps(iter(DataLoader(ROWS)))


def test_pinned_memory_is_accepted():
    with pytest.warns(UserWarning, match="no accelerator is found"):
        assert len(list(DataLoader(ROWS, 5, pin_memory=True))) == 2


def test_more_workers_than_processors_are_warned_of():
    with pytest.warns(UserWarning, match="suggested max number of worker") as caught:
        DataLoader(ROWS, num_workers=5000)
    assert caught[0].filename == __file__


def test_an_error_of_a_set_comes_as_it_is():
    class Broken(Dataset):
        def __len__(self):
            return 1

        def __getitem__(self, index):
            raise KeyError("broken")

    with pytest.raises(KeyError, match="^'broken'$"):
        list(DataLoader(Broken()))
