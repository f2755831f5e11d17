"""Messages between a loader and its workers, through pipes.

A message is written in one piece, or not at all, since it is no longer than what the kernel writes
so. A longer batch goes through shared memory, and its handle through the pipe; longer tasks come in
parts. Only the two processes have the ends of a pipe open, so who waits at one learns of the
other's death.
"""

import io
import os
import pickle
import select
import weakref
from multiprocessing.reduction import ForkingPickler

from eagre import _C, _shared_handles, _shared_memory
from eagre.multiprocessing.reductions import reduce_of_worker
from eagre.nn.parameter import Buffer, Parameter

# PIPE_BUF is 4096; the pipe adds the length of the message to it.
_LONGEST = 4000

_INLINE, _SHARED, _BEGUN = b"\0", b"\1", b"\2"

# The ends that this process holds of pipes to its workers. A child has nothing to do with them.
_held = weakref.WeakSet()


def _let_go_in_child():
    for connection in list(_held):
        connection.close()
    _held.clear()


os.register_at_fork(after_in_child=_let_go_in_child)


def hold(connection):
    """Marks an end of a pipe as one that children of this process must not have."""
    _held.add(connection)
    return connection


def packed(value):
    """The message of a value."""
    file = io.BytesIO()
    pickler = ForkingPickler(file, pickle.HIGHEST_PROTOCOL)
    for cls in (_C.Tensor, Parameter, Buffer):
        pickler.dispatch_table[cls] = reduce_of_worker
    pickler.dump(value)
    content = file.getbuffer()
    if len(content) < _LONGEST:
        return _INLINE + content
    handle = _shared_handles.send(_shared_memory.written(content), len(content))
    return _SHARED + pickle.dumps((handle, len(content)))


def parts(value):
    """The messages of a value that nobody may ever read, so no memory must wait for that."""
    content = memoryview(pickle.dumps(value, pickle.HIGHEST_PROTOCOL))
    starts = range(0, max(len(content), 1), _LONGEST)
    return [
        (_INLINE if start + _LONGEST >= len(content) else _BEGUN)
        + content[start : start + _LONGEST]
        for start in starts
    ]


def received(connection):
    """The next value."""
    message = connection.recv_bytes()
    if message[:1] == _SHARED:
        handle, size = pickle.loads(memoryview(message)[1:])
        return pickle.loads(memoryview(_shared_handles.receive(handle, size, keep_file=False)))
    if message[:1] == _INLINE:
        return pickle.loads(memoryview(message)[1:])
    content = [message[1:]]
    while message[:1] == _BEGUN:
        message = connection.recv_bytes()
        content.append(message[1:])
    return pickle.loads(b"".join(content))


def has_room(connection):
    """Would a message be taken at once?"""
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLOUT)
    return bool(poll.poll(0))
