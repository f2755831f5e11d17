"""Sets of data for the tests of workers, at a place that new interpreters can import from."""

import os
import random
import signal
import time

import numpy

import eagre
from eagre.utils.data import Dataset, IterableDataset, get_worker_info


class Squares(Dataset):
    """Vectors that are large enough for shared memory, and numbers that are not."""

    def __init__(self, count, width=1000):
        self.count, self.width = count, width

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        return eagre.full((self.width,), float(index * index)), index


class Shared(IterableDataset):
    """Numbers, of which each worker gives its part."""

    def __init__(self, count):
        self.count = count

    def __iter__(self):
        info = get_worker_info()
        return iter(range(info.id, self.count, info.num_workers))


class Informed(Dataset):
    """What a worker knows of itself, and the random numbers it draws first."""

    def __len__(self):
        return 2

    def __getitem__(self, index):
        info = get_worker_info()
        assert info.dataset is self and eagre.get_num_threads() == 1
        drawn = random.random(), eagre.rand(()).item(), numpy.random.rand()
        return info.id, info.num_workers, info.seed, drawn


class Ending(Dataset):
    """Ends its process, or raises, at index 3."""

    def __init__(self, how):
        self.how = how

    def __len__(self):
        return 8

    def __getitem__(self, index):
        if index == 3:
            if self.how == "exit":
                os._exit(7)
            if self.how == "kill":
                os.kill(os.getpid(), signal.SIGKILL)
            if self.how == "raise":
                raise KeyError("broken")
            if self.how == "own":
                raise OddError(1, 2)
            if self.how == "sleep":
                time.sleep(60)
        return index


class OddError(Exception):
    def __init__(self, first, second):
        super().__init__(first, second)


def refuse(worker_id):
    raise ValueError(f"worker {worker_id} refuses")


def double(tensor):
    tensor.mul_(2)
    return tensor


def answer(questions, answers):
    tensor = questions.get()
    tensor.add_(1)
    answers.put(eagre.full((1000,), 3.0))


def fail_second(index, number):
    if index == 1:
        raise ValueError(f"no {number}")
    time.sleep(60)


def exit_second(index):
    if index == 1:
        os._exit(5)
    time.sleep(60)
