"""A worker of a loader: the process that makes batches."""

import builtins
import os
import random
import traceback
from dataclasses import dataclass
from typing import Any

import eagre
from eagre import _shared_handles
from eagre.utils.data._utils.fetch import _IterableDatasetFetcher, _MapDatasetFetcher


@dataclass(frozen=True)
class WorkerInfo:
    """What a worker knows of itself: its number, the number of workers, its seed, its copy of the
    data."""

    id: int
    num_workers: int
    seed: int
    dataset: Any


_worker_info: WorkerInfo | None = None


def get_worker_info() -> WorkerInfo | None:
    """What this worker of a loader knows of itself; None in other processes."""
    return _worker_info


class Ended:
    """In place of a batch: the iterable set of this worker has no more samples."""


class Failure:
    """In place of a batch: the exception that came, as text."""

    def __init__(self, error, where):
        self.cls = type(error)
        self.where = where
        self.text = "".join(traceback.format_exception(error))

    def __reduce__(self):
        # Classes that the receiver cannot import are told apart by their name alone.
        cls = self.cls
        name = cls.__name__ if cls.__module__ == "builtins" else None
        place = (cls.__module__, cls.__qualname__)
        return _failure, (name, place, self.where, self.text)

    def reraise(self):
        """Raises an exception of the same class, whose message has the worker's traceback."""
        name = self.cls.__name__ if self.cls is not None else self.name
        message = f"Caught {name} {self.where}.\nOriginal {self.text}"
        if self.cls is not None and issubclass(self.cls, KeyError):
            message = _Lines(message)  # a KeyError shows the repr() of its message
        try:
            error = self.cls(message)
        except Exception:
            # No class, or one that is not made of a message alone.
            raise RuntimeError(message) from None
        raise error


class _Lines(str):
    __slots__ = ()

    def __repr__(self):
        return str(self)


def _failure(builtin, place, where, text):
    made = Failure.__new__(Failure)
    made.cls, made.where, made.text, made.name = None, where, text, place[1].rpartition(".")[2]
    if builtin is not None:
        made.cls = getattr(builtins, builtin)
        return made
    import importlib

    try:
        found = importlib.import_module(place[0])
        for part in place[1].split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError):
        return made
    if isinstance(found, type) and issubclass(found, BaseException):
        made.cls = found
    return made


def seed_everything(base_seed, worker_id):
    """Random numbers of a worker follow from the loader's seed and the number of the worker."""
    seed = base_seed + worker_id
    random.seed(seed)
    eagre.manual_seed(seed)
    try:
        import numpy
    except ImportError:
        return seed
    # NumPy would mix up seeds that differ little, so both numbers go through its own hash.
    words = (worker_id, base_seed & 0xFFFFFFFF, base_seed >> 32, 0)
    numpy.random.seed(numpy.random.SeedSequence(words).generate_state(4))
    return seed


def make_fetcher(iterable, dataset, auto_collation, collate_fn, drop_last):
    """What makes batches of a set."""
    cls = _IterableDatasetFetcher if iterable else _MapDatasetFetcher
    return cls(dataset, auto_collation, collate_fn, drop_last)


def run(worker_id, num_workers, base_seed, init_fn, tasks, results, kind):
    """The life of a worker. `kind` are the arguments of make_fetcher()."""
    try:
        _run(worker_id, num_workers, base_seed, init_fn, tasks, results, kind)
    except (EOFError, BrokenPipeError, ConnectionResetError, KeyboardInterrupt):
        pass  # the loader is gone, or will say that it was interrupted
    finally:
        _shared_handles.forget()


def _run(worker_id, num_workers, base_seed, init_fn, tasks, results, kind):
    from eagre.utils.data._utils import channel

    global _worker_info
    eagre.set_num_threads(1)
    seed = seed_everything(base_seed, worker_id)
    dataset = kind[1]
    _worker_info = WorkerInfo(worker_id, num_workers, seed, dataset)
    where = f"in DataLoader worker process {worker_id}"
    begun, fetcher, failure, ended = None, None, None, False
    try:
        if init_fn is not None:
            init_fn(worker_id)
    except Exception as error:
        failure = Failure(error, where)
    while True:
        epoch, number, indices = channel.received(tasks)
        result = failure
        if failure is None:
            try:
                if epoch != begun:
                    begun, ended = epoch, False
                    fetcher = make_fetcher(*kind)
                result = Ended() if ended else fetcher.fetch(indices)
            except StopIteration as error:
                if kind[0]:
                    result, ended = Ended(), True
                else:
                    result = Failure(error, where)
            except Exception as error:
                result = Failure(error, where)
        else:
            failure = None  # once: the next tasks are tried, as if nothing had been
        try:
            message = channel.packed((epoch, number, result))
        except Exception as error:
            message = channel.packed((epoch, number, Failure(error, where)))
        results.send_bytes(message)
        del result, message
        _shared_handles.sweep()


def exit_of(process):
    """How a process has ended, in words."""
    process.join(5)
    code = process.exitcode
    if code is not None and code < 0:
        import signal

        name = signal.strsignal(-code) or str(-code)
        return f"DataLoader worker (pid {process.pid}) is killed by signal: {name}."
    return f"DataLoader worker (pid {process.pid}) exited unexpectedly with exit code {code}."


def usable_cpus():
    """On how many processors this process may run."""
    return len(os.sched_getaffinity(0))
