"""Batches that worker processes make: the same as without, in shared memory, with seeds of their
own; errors and deaths of workers."""

import gc
import os
import random
import time

import numpy
import pytest
import sets

import eagre
from eagre import _shared_handles, _shared_memory, nn
from eagre.utils import data

BATCHES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [9]]


def indices(loader):
    return [batch[1].tolist() for batch in loader]


@pytest.mark.parametrize("method", ["fork", "spawn"])
@pytest.mark.parametrize("workers", [1, 2])
def test_batches_are_the_same_for_any_number_of_workers(method, workers):
    options = {"num_workers": workers, "multiprocessing_context": method}
    loader = data.DataLoader(sets.Squares(10), 3, **options)
    seen = []
    for vectors, numbers in loader:
        assert vectors.is_shared() and vectors.shape == (len(numbers), 1000)
        assert eagre.equal(vectors[:, 5], (numbers * numbers).float())
        vectors.zero_()  # it is writable
        seen.append(numbers.tolist())
    assert seen == BATCHES


@pytest.mark.parametrize("workers", [0, 2])
def test_shuffled_order_and_later_random_numbers(workers):
    eagre.manual_seed(5)
    loader = data.DataLoader(sets.Squares(10, 1), 3, shuffle=True, num_workers=workers)
    found = indices(loader), indices(loader), eagre.rand(()).item()
    eagre.manual_seed(5)
    alone = data.DataLoader(sets.Squares(10, 1), 3, shuffle=True)
    assert found == (indices(alone), indices(alone), eagre.rand(()).item())
    assert found[0] != found[1]


def test_more_workers_than_batches_and_few_batches_ahead():
    for options in ({"num_workers": 2, "prefetch_factor": 1}, {"num_workers": 2}):
        assert indices(data.DataLoader(sets.Squares(10, 1), 3, **options)) == BATCHES
        assert indices(data.DataLoader(sets.Squares(1, 1), 3, **options)) == [[0]]
        assert indices(data.DataLoader(sets.Squares(0, 1), 3, **options)) == []


def test_out_of_order_everything_comes():
    loader = data.DataLoader(sets.Squares(10, 1), 3, num_workers=2, in_order=False)
    assert sorted(indices(loader)) == BATCHES


def test_samples_one_after_the_other():
    loader = data.DataLoader(sets.Shared(7), 2, num_workers=2)
    assert [batch.tolist() for batch in loader] == [[0, 2], [1, 3], [4, 6], [5]]
    single = data.DataLoader(sets.Shared(5), None, num_workers=2)
    assert list(single) == [0, 1, 2, 3, 4]


def test_workers_that_stay():
    with pytest.raises(ValueError, match="persistent"):
        data.DataLoader(sets.Squares(1), persistent_workers=True)
    for dataset in (sets.Squares(10, 1), sets.Shared(10)):
        loader = data.DataLoader(
            dataset, 3, num_workers=2, persistent_workers=True, collate_fn=lambda b: (os.getpid(),)
        )
        first = {pid for (pid,) in loader}
        next(iter(loader))  # an epoch that is left
        assert {pid for (pid,) in loader} == first and len(first) == 2
    epochs = data.DataLoader(sets.Squares(10, 1), 3, num_workers=1, persistent_workers=True)
    iterator = iter(epochs)
    next(iterator)
    assert indices(epochs) == BATCHES and iter(epochs) is iterator


def test_seeds_follow_from_the_generator():
    def drawn():
        loader = data.DataLoader(
            sets.Informed(), None, num_workers=2, generator=eagre.Generator().manual_seed(2)
        )
        return [tuple(sample) for sample in loader]

    first, second = drawn()
    base = eagre.empty((), dtype=eagre.int64)
    base = base.random_(generator=eagre.Generator().manual_seed(2)).item()
    assert first[:3] == (0, 2, base) and second[:3] == (1, 2, base + 1)
    random_state = random.Random(base + 1).random()
    eagre_state = eagre.rand((), generator=eagre.Generator().manual_seed(base + 1)).item()
    assert list(second[3][:2]) == [random_state, eagre_state]
    assert first[3] != second[3] and drawn() == [first, second]
    assert data.get_worker_info() is None


def test_numpy_is_seeded_as_in_pytorch():
    from eagre.utils.data._utils.worker import seed_everything

    with eagre.random.fork_rng():
        states = random.getstate(), numpy.random.get_state()
        seed_everything(12345678901234, 3)
        found = numpy.random.get_state()[1]
        random.setstate(states[0])
        numpy.random.set_state(states[1])
    # The four words that PyTorch 2.15 makes of these two numbers.
    words = [2677634501, 810098766, 226270600, 4115140591]
    assert numpy.array_equal(found, numpy.random.RandomState(words).get_state()[1])


def test_large_indices_and_large_values_that_are_no_tensors():
    loader = data.DataLoader(range(60000), 30000, num_workers=1, collate_fn=list)
    assert list(loader) == [list(range(30000)), list(range(30000, 60000))]
    next(iter(loader))
    gc.collect()
    assert not _shared_handles._box.waiting


def test_no_shared_memory_is_left():
    gc.collect()
    open_before = len(os.listdir("/proc/self/fd"))
    before = len(_shared_memory._files)
    kept = [batch[0] for batch in data.DataLoader(sets.Squares(40), 2, num_workers=2)]
    assert len(_shared_memory._files) == before + 20
    gc.collect()
    assert len(os.listdir("/proc/self/fd")) == open_before, "a batch holds no descriptor"
    iterator = iter(data.DataLoader(sets.Squares(40), 2, num_workers=2))
    first = next(iterator)[0]
    del iterator
    assert kept[-1][0, 0].item() == 38**2 and first.sum().item() == 1000
    del kept, first
    gc.collect()
    assert len(_shared_memory._files) == before
    assert len(os.listdir("/proc/self/fd")) == open_before


def test_batches_on_their_way_end_with_the_worker():
    iterator = iter(data.DataLoader(sets.Squares(40), 2, num_workers=1))
    next(iterator)
    process = iterator._workers[0]
    process.kill()
    process.join()
    with pytest.raises(RuntimeError, match=f"pid {process.pid}.*is killed by signal: Killed"):
        list(iterator)


@pytest.mark.parametrize(
    ("how", "text"),
    [
        ("exit", r"worker \(pid \d+\) exited unexpectedly with exit code 7"),
        ("kill", r"worker \(pid \d+\) is killed by signal: Killed"),
    ],
)
def test_the_death_of_a_worker_is_an_error_that_names_it(how, text):
    iterator = iter(data.DataLoader(sets.Ending(how), num_workers=2))
    assert [next(iterator).item() for _ in range(3)] == [0, 1, 2]
    with pytest.raises(RuntimeError, match=text):
        next(iterator)


def test_errors_come_with_the_worker_and_its_traceback():
    iterator = iter(data.DataLoader(sets.Ending("raise"), num_workers=2))
    assert [next(iterator).item() for _ in range(3)] == [0, 1, 2]
    with pytest.raises(KeyError) as caught:
        next(iterator)
    text = str(caught.value)
    assert text.startswith("Caught KeyError in DataLoader worker process 1.\nOriginal Traceback")
    assert "sets.py" in text and 'raise KeyError("broken")' in text
    assert [batch.item() for batch in iterator] == [4, 5, 6, 7], "the next batches come"


def test_errors_that_are_not_made_of_a_message():
    with pytest.raises(RuntimeError, match="Caught OddError in DataLoader worker process 1"):
        list(data.DataLoader(sets.Ending("own"), num_workers=2))
    with pytest.raises(ValueError, match="(?s)in DataLoader worker process 0.*0 refuses"):
        list(data.DataLoader(sets.Ending(""), num_workers=1, worker_init_fn=sets.refuse))

    class LocalError(Exception):
        pass

    def fail(batch):
        raise LocalError("here")

    with pytest.raises(RuntimeError, match="Caught LocalError in"):
        list(data.DataLoader(range(1), num_workers=1, collate_fn=fail))


def test_what_cannot_be_sent_is_an_error():
    with pytest.raises(RuntimeError, match="refusing to serialize non-leaf tensor"):
        list(
            data.DataLoader(
                range(1),
                num_workers=1,
                collate_fn=lambda batch: eagre.ones(1, requires_grad=True) * 2,
            )
        )
    with pytest.raises((AttributeError, TypeError), match="pickle"):
        iter(
            data.DataLoader(
                range(1), num_workers=1, collate_fn=lambda x: x, multiprocessing_context="spawn"
            )
        )


def test_what_tensors_are_stays_on_the_way():
    def make(batch):
        grid = eagre.arange(4000.0).view(40, 100).t()
        small, large = nn.Parameter(eagre.ones(2)), nn.Parameter(grid[10:50].clone())
        return grid[:, 3:], eagre.ones(0, 3), small, large, eagre.ones(2, device="meta"), shared

    shared = eagre.zeros(2000).share_memory_()
    (found,) = data.DataLoader(range(1), num_workers=1, collate_fn=make)
    assert eagre.equal(found[0], eagre.arange(4000.0).view(40, 100).t()[:, 3:])
    assert found[1].shape == (0, 3) and found[4].device.type == "meta"
    assert type(found[2]) is type(found[3]) is nn.Parameter and found[3].requires_grad
    found[5][7] = 5
    assert shared[7].item() == 5, "what is shared already stays the same memory"


def test_slow_workers_time_out_and_are_ended(monkeypatch):
    from eagre.utils.data import _iterators

    monkeypatch.setattr(_iterators, "MP_STATUS_CHECK_INTERVAL", 0.1)
    loader = data.DataLoader(sets.Ending("sleep"), num_workers=2, timeout=0.1)
    iterator = iter(loader)
    with pytest.raises(RuntimeError, match=r"DataLoader timed out after 0.1 seconds"):
        list(iterator)
    workers = iterator._workers
    begun = time.monotonic()
    del iterator
    gc.collect()
    assert time.monotonic() - begun < 5 and not any(process.is_alive() for process in workers)
