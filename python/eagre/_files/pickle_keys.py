"""Keys of dicts and members of sets in files, and the error for all that a file does not get."""

import eagre
from eagre._files import allowed
from eagre._files.storage_types import StorageType

# Of tuples in tuples, which may be the same one over and over.
_DEPTH = 8
_MEMBERS = 1000
_KINDS = (str, int, float, complex, bytes, type(None), eagre.dtype, eagre.Tensor, eagre.device)


class RefusedError(Exception):
    """What a file asks for and does not get."""


def check_key(key):
    """Refuses keys whose hash would be anything but quick: it may run code, or never come back."""
    if type(key) is not str:
        _check(key, _DEPTH, [_MEMBERS])


def _check(key, depth, left):
    left[0] -= 1
    if isinstance(key, _KINDS) or type(key) in (StorageType, frozenset):
        return
    if isinstance(key, tuple) and depth and left[0] >= len(key):
        for each in key:
            _check(each, depth - 1, left)
    elif not any(type(key) is known for known in allowed.users().values()):
        raise RefusedError(f"a {type(key).__name__} cannot be a key, or it has too many members")
