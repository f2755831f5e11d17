"""Iterators over a loader: what makes batches in this process, and what lets workers make them."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import select
import time
import warnings
import weakref
from collections import deque
from typing import Any

import eagre
from eagre import _shared_handles
from eagre.utils.data._utils import MP_STATUS_CHECK_INTERVAL
from eagre.utils.data._utils.worker import Ended, Failure, exit_of, make_fetcher, run
from eagre.utils.data.dataset import IterableDataset


class _BaseDataLoaderIter:
    """What both have: the indices to come, and counts of what came."""

    def __init__(self, loader: Any) -> None:
        self._loader = loader
        self._iterable = isinstance(loader.dataset, IterableDataset)
        self._kind = (
            self._iterable,
            loader.dataset,
            loader._auto_collation,
            loader.collate_fn,
            loader.drop_last,
        )
        if loader.pin_memory and not eagre.accelerator.is_available():
            warnings.warn(
                "'pin_memory' argument is set as true but no accelerator is found, then device "
                "pinned memory won't be used.",
                stacklevel=4,
            )
        self._begin(loader)

    def _begin(self, loader: Any) -> None:
        self._sampler_iter = iter(loader._index_sampler)
        drawn = eagre.empty((), dtype=eagre.int64).random_(generator=loader.generator)
        self._base_seed = drawn.item()
        self._num_yielded = 0
        self._expected = loader._IterableDataset_len_called

    def _reset(self, loader: Any, first_iter: bool = False) -> None:
        self._begin(loader)

    def _next_data(self) -> Any:
        raise NotImplementedError

    def __iter__(self) -> _BaseDataLoaderIter:
        return self

    def __next__(self) -> Any:
        data = self._next_data()
        self._num_yielded += 1
        if self._expected is not None and self._iterable and self._num_yielded > self._expected:
            self._warn_of_length()
        return data

    def _warn_of_length(self) -> None:
        loader = self._loader
        message = (
            f"Length of IterableDataset {loader.dataset} was reported to be {self._expected}"
            f"(when accessing len(dataloader)), but {self._num_yielded} samples have been fetched. "
        )
        if loader.num_workers > 0:
            message += (
                "For multiprocessing data-loading, this could be caused by not properly "
                "configuring the IterableDataset replica at each worker. Hint: "
                "eagre.utils.data.get_worker_info() tells a replica which part is its"
            )
        warnings.warn(message, stacklevel=3)

    def __len__(self) -> int:
        return len(self._loader._index_sampler)

    def __getstate__(self) -> Any:
        raise NotImplementedError(f"{type(self).__name__} cannot be pickled")


class _SingleProcessDataLoaderIter(_BaseDataLoaderIter):
    """Makes each batch when it is asked for."""

    def __init__(self, loader: Any) -> None:
        super().__init__(loader)
        if loader.timeout != 0:
            raise AssertionError("_SingleProcessDataLoaderIter requires timeout == 0")
        self._fetcher = make_fetcher(*self._kind)

    def _next_data(self) -> Any:
        return self._fetcher.fetch(next(self._sampler_iter))


class _Worker:
    """A worker as its loader sees it: a process, and a pipe there and one back."""

    def __init__(self, context: Any, arguments: tuple[Any, ...], kind: tuple[Any, ...]) -> None:
        from eagre.utils.data._utils import channel

        self.channel = channel
        tasks, self.tasks = context.Pipe(duplex=False)
        self.results, results = context.Pipe(duplex=False)
        channel.hold(self.tasks)
        channel.hold(self.results)
        self.process = context.Process(
            target=run, args=(*arguments, tasks, results, kind), daemon=True
        )
        try:
            self.process.start()
        except BaseException:
            self.tasks.close()
            self.results.close()
            raise
        finally:
            tasks.close()
            results.close()
        self.active = True
        self.unsent: deque[bytes] = deque()
        self.poll = select.poll()
        self.poll.register(self.results.fileno(), select.POLLIN)
        self.poll.register(self.process.sentinel, select.POLLIN)

    def send(self, task: Any) -> None:
        self.unsent.extend(self.channel.parts(task))
        self.flush()

    def flush(self) -> None:
        """Writes what the pipe takes. The rest waits here: worker and loader would else wait for
        each other."""
        try:
            while self.unsent and self.channel.has_room(self.tasks):
                self.tasks.send_bytes(self.unsent[0])
                self.unsent.popleft()
        except OSError:
            self.unsent.clear()  # the worker is dead, which is said when its batch is asked for

    def receive(self) -> Any:
        """The next message, which is there or on its way; an error if the worker has ended."""
        try:
            if any(source == self.results.fileno() for source, _ in self.poll.poll(0)):
                return self.channel.received(self.results)
        except (EOFError, _shared_handles.SenderEndedError):
            pass  # also of batches that were on their way
        raise RuntimeError(
            f"{exit_of(self.process)} Hint: with num_workers=0 errors show where they come from"
        )


def _stop(workers: list[_Worker], owner: int) -> None:
    """Ends the workers: they see that the other end of their pipes is closed."""
    if os.getpid() != owner:
        return
    for worker in workers:
        worker.tasks.close()
        worker.results.close()
    until = time.monotonic() + MP_STATUS_CHECK_INTERVAL
    for worker in workers:
        worker.process.join(max(0.0, until - time.monotonic()))
    late = [worker.process for worker in workers if worker.process.is_alive()]
    for process in late:
        process.terminate()
    for process in late:
        process.join(1)
        if process.is_alive():
            process.kill()
            process.join()
    workers.clear()


class _MultiProcessingDataLoaderIter(_BaseDataLoaderIter):
    """Gives workers the indices of batches in turn, and takes the batches in the same order."""

    def __init__(self, loader: Any) -> None:
        super().__init__(loader)
        if loader.prefetch_factor <= 0:
            raise AssertionError(
                "prefetch_factor must be greater than 0 for MultiProcessingDataLoaderIter"
            )
        context = loader.multiprocessing_context or multiprocessing.get_context()
        if context.get_start_method() == "fork":
            _import_numpy()
        self._prefetch = loader.prefetch_factor
        self._links: list[_Worker] = []
        self._workers: list[Any] = []  # the processes, as in PyTorch
        self._finalizer = weakref.finalize(self, _stop, self._links, os.getpid())
        self._epoch = 0
        try:
            for number in range(loader.num_workers):
                arguments = (number, loader.num_workers, self._base_seed, loader.worker_init_fn)
                self._links.append(_Worker(context, arguments, self._kind))
                self._workers.append(self._links[-1].process)
        except BaseException:
            self._shutdown_workers()
            raise
        self._start_epoch()

    def _reset(self, loader: Any, first_iter: bool = False) -> None:
        super()._reset(loader, first_iter)
        self._epoch += 1
        self._start_epoch()

    def _start_epoch(self) -> None:
        self._sent = 0
        self._turn = 0
        # By worker, how many batches it owes; and of all, in the order of their indices, who.
        self._owed = [0] * len(self._links)
        self._order: deque[int] = deque()
        for worker in self._links:
            worker.active = True
            worker.unsent.clear()
        for _ in range(self._prefetch * len(self._links)):
            self._put_task()

    def _put_task(self) -> None:
        """Gives the next indices to the next worker that is free."""
        limit = self._prefetch * len(self._links)
        if sum(self._owed) >= limit:
            return
        for _ in self._links:
            number = self._turn
            self._turn = (number + 1) % len(self._links)
            if self._links[number].active and self._may_have_more(number):
                break
        else:
            return
        try:
            indices = next(self._sampler_iter)
        except StopIteration:
            return
        self._links[number].send((self._epoch, self._sent, indices))
        self._order.append(number)
        self._owed[number] += 1
        self._sent += 1

    def _may_have_more(self, number: int) -> bool:
        # Out of order a slow worker must not gather what others could do.
        return self._loader.in_order or self._owed[number] < self._prefetch

    def _next_data(self) -> Any:
        while True:
            number, result = self._take()
            if number is None:
                if not self._loader.persistent_workers:
                    self._shutdown_workers()
                raise StopIteration
            if isinstance(result, Ended):
                self._links[number].active = False
                self._put_task()
                continue
            self._put_task()
            if isinstance(result, Failure):
                result.reraise()
            return result

    def _take(self) -> tuple[int | None, Any]:
        """The next message of this epoch and who sent it; (None, None) when none will come."""
        while True:
            number = self._wait()
            if number is None:
                return None, None
            epoch, _, result = self._links[number].receive()
            if epoch != self._epoch:
                continue
            self._owed[number] -= 1
            if self._loader.in_order:
                self._order.popleft()
            return number, result

    def _wait(self) -> int | None:
        """The worker whose message is next, when it has come or the worker has ended."""
        if not any(self._owed):
            return None
        in_order = self._loader.in_order
        timeout = self._loader.timeout
        until = time.monotonic() + timeout if timeout else None
        while True:
            for worker in self._links:
                if worker.unsent:
                    worker.flush()
            if in_order:
                number = self._order[0]
                ready = [number] if self._is_ready(number, until) else []
            else:
                ready = self._any_ready(until)
            if ready:
                return ready[0]
            if until is not None and time.monotonic() >= until:
                raise RuntimeError(f"DataLoader timed out after {timeout} seconds")

    def _wait_ms(self, until: float | None) -> float:
        unsent = any(worker.unsent for worker in self._links)
        longest = 0.02 if unsent else MP_STATUS_CHECK_INTERVAL
        if until is not None:
            longest = min(longest, max(0.0, until - time.monotonic()))
        return longest * 1000

    def _is_ready(self, number: int, until: float | None) -> bool:
        worker = self._links[number]
        return bool(worker.poll.poll(self._wait_ms(until))) or not worker.process.is_alive()

    def _any_ready(self, until: float | None) -> list[int]:
        poll, owner = select.poll(), {}
        for number, worker in enumerate(self._links):
            if self._owed[number]:
                for source in (worker.results.fileno(), worker.process.sentinel):
                    poll.register(source, select.POLLIN)
                    owner[source] = number
        return [owner[source] for source, _ in poll.poll(self._wait_ms(until))]

    def _shutdown_workers(self) -> None:
        self._finalizer()
        self._owed = []


def _import_numpy() -> None:
    """Workers seed it; children of a fork have it if this process has."""
    with contextlib.suppress(ImportError):
        import numpy  # noqa: F401
