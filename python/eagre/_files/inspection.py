"""What a file names, without loading it."""

from __future__ import annotations

import pickletools

from eagre._files import allowed
from eagre._files.archive_reader import ArchiveReader
from eagre._files.load import root_of
from eagre._files.sources import opened

TYPE_CHECKING = False  # which type checkers take for true
if TYPE_CHECKING:
    from eagre.types import FileLike


def get_unsafe_globals_in_checkpoint(f: FileLike) -> list[str]:
    """The names of classes and functions in a file that load() refuses with `weights_only=True`,
    unless they are allowed by add_safe_globals()."""
    source, own = opened(f)
    try:
        reader = ArchiveReader(source)
        content = bytes(reader.read(f"{root_of(reader)}/data.pkl"))
    finally:
        source.close()
        if own is not None:
            own.close()
    found = {}
    for module, name in _globals(content):
        if allowed.find(module, name) is None:
            found[f"{allowed.path_in(module, name)[0]}.{name}"] = None
    return list(found)


def _globals(content):
    """All pairs of module and name in a pickle."""
    texts, memo = [], {}
    for code, argument, _ in pickletools.genops(content):
        if code.name == "GLOBAL":
            yield tuple(argument.split(" ", 1))
        elif code.name == "STACK_GLOBAL" and len(texts) >= 2:
            yield tuple(texts[-2:])
        elif isinstance(argument, str) and "UNICODE" in code.name:
            texts.append(argument)
        elif code.name == "MEMOIZE" or code.name.endswith("BINPUT"):
            memo[len(memo) if argument is None else argument] = texts[-1] if texts else ""
        elif code.name.endswith("BINGET"):
            texts.append(memo.get(argument, ""))
