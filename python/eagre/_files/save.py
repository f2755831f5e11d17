"""save(): objects with tensors into files as PyTorch writes them."""

from __future__ import annotations

import contextlib
import os
import zlib

from eagre._files import pickler
from eagre._files.archive_writer import ALIGNMENT, ArchiveWriter
from eagre._files.atomic import replacing
from eagre._files.sources import is_path

TYPE_CHECKING = False  # which type checkers take for true
if TYPE_CHECKING:
    from typing import Any

    from eagre.types import FileLike


def save(
    obj: object,
    f: FileLike,
    pickle_module: Any = None,
    pickle_protocol: int = 2,
    _use_new_zipfile_serialization: bool = True,
    _disable_byteorder_record: bool = False,
) -> None:
    """save(obj, f) -> None

    Writes an object, usually a state_dict(), to a file that load() and PyTorch's load() read. `f`
    is a path, or a file object with write(). A path is only changed when all is written: should
    the program die before, what was there is there still.
    """
    if not _use_new_zipfile_serialization:
        raise NotImplementedError(
            "save(): files are zip archives; the format before PyTorch 1.6 is read by load(), but "
            "not written"
        )
    if type(pickle_protocol) is not int or not 2 <= pickle_protocol <= 5:
        raise ValueError(
            f"save(): argument 'pickle_protocol' must be 2 to 5, but got {pickle_protocol}"
        )
    if not is_path(f) and not hasattr(f, "write"):
        raise AttributeError(
            "expected 'f' to be string, path, or a file-like object with a 'write' attribute"
        )
    storages = pickler.Storages()
    content = pickler.pickled(obj, pickle_protocol, pickle_module, storages)
    root = "archive"
    if is_path(f):
        root = os.path.splitext(os.path.basename(os.fsdecode(os.fspath(f))))[0]
        if not root.isascii() or not root:
            root = "archive"
    with replacing(f) if is_path(f) else contextlib.nullcontext(f) as file:
        _write(file, root, content, storages, _disable_byteorder_record)
        if hasattr(file, "flush"):
            file.flush()


def _write(file, root, content, storages, without_byteorder):
    archive = ArchiveWriter(file, root)
    archive.write("data.pkl", content)
    archive.write(".format_version", b"1")
    archive.write(".storage_alignment", str(ALIGNMENT).encode())
    if not without_byteorder:
        archive.write("byteorder", b"little")
    for key, storage in enumerate(storages.contents):
        archive.write(f"data/{key}", _bytes_of(storage))
    archive.write("version", b"3\n")
    archive.write(".data/serialization_id", _identity(archive))
    archive.finish()


def _bytes_of(storage):
    if storage.numel() == 0:
        return b""
    return memoryview(storage if storage.device.type == "cpu" else storage.cpu())


def _identity(archive):
    """Digits that say which content it is: of the names and check sums, 20 each."""
    names, sums = archive.fingerprint()
    return f"{zlib.crc32(names):020d}{zlib.crc32(sums):020d}".encode()
