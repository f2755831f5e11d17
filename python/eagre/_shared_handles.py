"""Shared memory on its way to another process.

A message says which descriptor of the sender to open. The sender keeps the file until the receiver
has written a byte at the place of the message in the sender's box, so files in flight are held, but
none for longer. A process that ends before that leaves them in /dev/shm, where the receiver, or at
the latest its parent at exit, takes them away.
"""

import contextlib
import os
import threading
from multiprocessing import parent_process, util

from eagre._shared_memory import File, map_descriptor, map_file

_FOLDER = "/dev/shm"


class SenderEndedError(RuntimeError):
    """The memory of a message is not there any more."""


class _Box:
    """What this process has sent and nobody has opened yet."""

    def __init__(self):
        self.lock = threading.Lock()
        self.file = None
        self.places = 0
        self.free = []
        self.waiting = {}

    def put(self, file, size):
        """Holds the file; returns what the receiver needs."""
        with self.lock:
            if self.file is None:
                self.file = File.made(0)
            self._sweep()
            if self.free:
                place = self.free.pop()
                os.pwrite(self.file.descriptor, b"\0", place)
            else:
                place = self.places
                self.places += 1
                os.ftruncate(self.file.descriptor, self.places)
            self.waiting[place] = (file, size)
        return (
            os.getpid(),
            (file.descriptor, file.name),
            (self.file.descriptor, self.file.name),
            place,
            os.getppid(),
        )

    def sweep(self):
        """Lets go of what was opened."""
        if self.waiting:
            with self.lock:
                self._sweep()

    def _sweep(self):
        if self.waiting:
            opened = os.pread(self.file.descriptor, self.places, 0)
            for place in [place for place in self.waiting if opened[place]]:
                del self.waiting[place]
                self.free.append(place)

    def clear(self):
        """Nobody will ask for what is there."""
        with self.lock:
            self.waiting.clear()


_box = _Box()


def _begin_in_child():
    global _box
    _box = _Box()


os.register_at_fork(after_in_child=_begin_in_child)


def send(file, size):
    """A handle of the file, to be pickled and opened once."""
    return _box.put(file, size)


def sweep():
    """Lets go of files that were opened since."""
    _box.sweep()


def forget():
    """Lets go of all files: this process ends, and nobody listens."""
    _box.clear()


def receive(handle, size, keep_file=True):
    """The bytes of the file that a handle names."""
    pid, (descriptor, name), box, place, parent = handle
    opened = _opened(pid, descriptor, name, os.O_RDWR)
    if opened is None:
        return _left(pid, parent, name, place, size)
    if keep_file:
        result = map_file(File(opened, name), size)
    else:
        try:
            result = map_descriptor(opened, size)
        finally:
            os.close(opened)
    receipt = _opened(pid, *box, os.O_WRONLY)
    if receipt is not None:
        os.pwrite(receipt, b"\1", place)
        os.close(receipt)
    return result


def _opened(pid, descriptor, name, mode):
    """A descriptor here of what `pid` has open, unless that is another file by now."""
    try:
        opened = os.open(f"/proc/{pid}/fd/{descriptor}", mode | os.O_CLOEXEC)
    except OSError:
        return None
    if os.readlink(f"/proc/self/fd/{opened}") == f"/memfd:{name} (deleted)":
        return opened
    os.close(opened)
    return None


def _path(parent, pid, name, place):
    return f"{_FOLDER}/eagre-left-{parent}-{pid}-{name}-{place}"


def _left(pid, parent, name, place, size):
    """The bytes that a process has left when it ended."""
    path = _path(parent, pid, name, place)
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        raise SenderEndedError(
            f"the process that sent this tensor (pid {pid}) has ended, and its shared memory with "
            "it. Hint: let it live until its tensors were received"
        ) from None
    os.unlink(path)
    return map_file(File(descriptor, name), size)


def _leave():
    """At the end of a process: leaves what was not opened, and takes away what children left."""
    try:
        left = [name for name in os.listdir(_FOLDER) if _is_stale(name)]
    except OSError:
        return
    for name in left:
        _unlink(f"{_FOLDER}/{name}")
    if parent_process() is None:
        return
    _box.sweep()
    for place, (file, size) in _box.waiting.items():
        path = _path(os.getppid(), os.getpid(), file.name, place)
        target = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            at = 0
            while at < size:
                at += os.sendfile(target, file.descriptor, at, size - at)
        except OSError:
            _unlink(path)  # no room: the receiver says that the sender has ended
            return
        finally:
            os.close(target)


def _is_stale(name):
    """Of children of this process, or of processes that are not there any more."""
    if not name.startswith("eagre-left-"):
        return False
    parent = name.split("-")[2]
    return parent == str(os.getpid()) or not os.path.exists(f"/proc/{parent}")


def _unlink(path):
    with contextlib.suppress(OSError):
        os.unlink(path)


def _leave_at_exit(_):
    util.Finalize(None, _leave, exitpriority=-20)  # after the threads of queues


_leave_at_exit(None)
util.register_after_fork(_Box, _leave_at_exit)  # a new process forgets what is registered
