"""The part of the indices that one of several processes reads."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import eagre
from eagre.utils.data.dataset import Dataset
from eagre.utils.data.sampler import Sampler

__all__ = ["DistributedSampler"]


class DistributedSampler(Sampler[int]):
    """Every `num_replicas`-th index, from the number `rank` on. All replicas have as many: the
    first indices come again, or with `drop_last` the last are left out. With `shuffle` the order is
    that of `seed` and the epoch, which set_epoch() says."""

    def __init__(
        self,
        dataset: Dataset[Any],
        num_replicas: int | None = None,
        rank: int | None = None,
        shuffle: bool = True,
        seed: int = 0,
        drop_last: bool = False,
    ) -> None:
        if num_replicas is None or rank is None:
            raise RuntimeError(
                "Requires distributed package to be available, as num_replicas or rank is not "
                "given. Hint: DistributedSampler(dataset, num_replicas=2, rank=0)"
            )
        if rank >= num_replicas or rank < 0:
            raise ValueError(
                f"Invalid rank {rank}, rank should be in the interval [0, {num_replicas - 1}]"
            )
        self.dataset = dataset
        self.num_replicas = num_replicas
        self.rank = rank
        self.epoch = 0
        self.drop_last = drop_last
        length = len(dataset)  # type: ignore[arg-type]
        rounded = length // num_replicas if drop_last else math.ceil(length / num_replicas)
        self.num_samples = rounded
        self.total_size = rounded * num_replicas
        self.shuffle = shuffle
        self.seed = seed

    def __iter__(self) -> Iterator[int]:
        length = len(self.dataset)  # type: ignore[arg-type]
        if self.shuffle:
            generator = eagre.Generator()
            generator.manual_seed(self.seed + self.epoch)
            indices = eagre.randperm(length, generator=generator).tolist()
        else:
            indices = list(range(length))
        if indices and len(indices) < self.total_size:
            indices *= math.ceil(self.total_size / len(indices))
        return iter(indices[self.rank : self.total_size : self.num_replicas])

    def __len__(self) -> int:
        return self.num_samples

    def set_epoch(self, epoch: int) -> None:
        """Each epoch has an order of its own; all replicas must say the same."""
        self.epoch = epoch
