"""Files that are there as a whole, or not at all."""

import contextlib
import os
import stat


@contextlib.contextmanager
def replacing(path):
    """A file to write to that becomes `path` when the block ends well: until then, and whenever it
    does not end well, `path` is what it was."""
    path = os.path.realpath(os.fspath(path))  # a link stays a link
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        mode = None
    if mode is not None and not stat.S_ISREG(mode):
        with open(path, "wb", buffering=0) as file:  # a pipe or /dev/null; a folder is refused
            yield file
        return
    folder, name = os.path.split(path)
    temporary, file = _made(folder, name)
    try:
        with file:
            yield file
            if mode is not None:
                os.fchmod(file.fileno(), stat.S_IMODE(mode))
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    _sync_folder(folder)


def _made(folder, name):
    """A new file beside the one that is to be written, so that renaming stays on one disk."""
    if not os.path.isdir(folder or os.curdir):
        raise RuntimeError(f"Parent directory {folder} does not exist.")
    name = name.encode()[:200] if isinstance(name, str) else name[:200]
    while True:
        path = os.path.join(
            os.fsencode(folder), b".%b.%b.tmp" % (name, os.urandom(6).hex().encode())
        )
        with contextlib.suppress(FileExistsError):
            return path, open(path, "xb", buffering=0)  # noqa: SIM115  the caller closes it


def _sync_folder(folder):
    """The new name is on the disk, too."""
    with contextlib.suppress(OSError):  # some file systems cannot
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def write_all(file, content):
    """Writes all bytes of `content` to any file: unbuffered ones may take a part at a time."""
    rest = memoryview(content)
    if rest.format != "B" or rest.ndim != 1:
        rest = rest.cast("B")
    while len(rest):
        taken = file.write(rest)
        if taken is None or taken == len(rest):
            return
        rest = rest[taken:]
