"""Numbers that stand for one of every dimension."""

from collections import OrderedDict
from collections.abc import Iterable
from itertools import repeat

__all__ = ["consume_prefix_in_state_dict_if_present"]


def _ntuple(n, name="parse"):
    def parse(x):
        return tuple(x) if isinstance(x, Iterable) else tuple(repeat(x, n))

    parse.__name__ = name
    return parse


_single = _ntuple(1, "_single")
_pair = _ntuple(2, "_pair")
_triple = _ntuple(3, "_triple")
_quadruple = _ntuple(4, "_quadruple")


def _reverse_repeat_tuple(t, n):
    """Each of the last dimension first, n times: as pad() takes them."""
    return tuple(x for x in reversed(t) for _ in range(n))


def _list_with_default(out_size, defaults):
    """`out_size`, with the last of `defaults` where it says None."""
    if isinstance(out_size, (int, float)):
        return out_size
    if len(defaults) <= len(out_size):
        raise ValueError(f"Input dimension should be at least {len(out_size) + 1}")
    own = defaults[-len(out_size) :]
    return [size if size is not None else old for size, old in zip(out_size, own, strict=True)]


def consume_prefix_in_state_dict_if_present(state_dict, prefix):
    """Takes `prefix` away from all keys, in place."""
    for key in list(state_dict):
        if key.startswith(prefix):
            state_dict[key[len(prefix) :]] = state_dict.pop(key)
    metadata = getattr(state_dict, "_metadata", None)
    if metadata is None:
        return
    state_dict._metadata = kept = OrderedDict()
    for key, value in metadata.items():
        if key == "":
            kept[key] = value
        elif key == prefix.removesuffix("."):
            kept[""] = value
        elif key.startswith(prefix):
            kept[key[len(prefix) :]] = value
        else:
            kept[key] = value
