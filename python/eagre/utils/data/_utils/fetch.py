"""From the indices of a batch to the batch."""

from eagre import _C
from eagre.utils.data._utils.collate import default_collate
from eagre.utils.data.dataset import TensorDataset


class _MapDatasetFetcher:
    """Of a set that is asked by index."""

    def __init__(self, dataset, auto_collation, collate_fn, drop_last):
        self.dataset = dataset
        self.auto_collation = auto_collation
        self.collate_fn = collate_fn
        self._columns = None
        # Rows taken apart and stacked again are what one call gives.
        if (
            auto_collation
            and collate_fn is default_collate
            and type(dataset) is TensorDataset
            and all(type(tensor) is _C.Tensor for tensor in dataset.tensors)
        ):
            self._columns = dataset.tensors

    def fetch(self, indices):
        """The batch of these indices, or the sample of this one."""
        if not self.auto_collation:
            return self.collate_fn(self.dataset[indices])
        if self._columns is not None and type(indices) is list:
            return [column[indices] for column in self._columns]
        at_once = getattr(self.dataset, "__getitems__", None)
        if at_once:
            return self.collate_fn(at_once(indices))
        dataset = self.dataset
        return self.collate_fn([dataset[index] for index in indices])


class _IterableDatasetFetcher:
    """Of a set that gives one sample after the other."""

    def __init__(self, dataset, auto_collation, collate_fn, drop_last):
        self.auto_collation = auto_collation
        self.collate_fn = collate_fn
        self.drop_last = drop_last
        self.iterator = iter(dataset)
        self.ended = False

    def fetch(self, places):
        """The next batch of as many samples as there are places, or the next sample."""
        if self.ended:
            raise StopIteration
        if not self.auto_collation:
            return self.collate_fn(next(self.iterator))
        samples = []
        for _ in places:
            try:
                samples.append(next(self.iterator))
            except StopIteration:
                self.ended = True
                break
        if not samples or self.drop_last and len(samples) < len(places):
            raise StopIteration
        return self.collate_fn(samples)
