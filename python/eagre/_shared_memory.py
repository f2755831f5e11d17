"""Memory that processes share: anonymous files, mapped.

No file has a name, so none can be left behind: the kernel frees it with its last mapping and
descriptor, however processes end. Others open it through the descriptor of the process that has it
(_shared_handles.py).
"""

import ctypes
import itertools
import mmap
import os
import weakref

import eagre
from eagre import _C

_MAP_FIXED = 0x10

_libc = ctypes.CDLL(None, use_errno=True)
_libc.mmap.restype = ctypes.c_void_p
_libc.mmap.argtypes = [
    ctypes.c_void_p,
    ctypes.c_size_t,
    ctypes.c_int,
    ctypes.c_int,
    ctypes.c_int,
    ctypes.c_long,
]

_numbers = itertools.count()


class File:
    """An anonymous file. It is closed with its last owner: mappings, and messages on their way."""

    def __init__(self, descriptor, name):
        self.descriptor = descriptor
        self.name = name

    def __del__(self, close=os.close):
        close(self.descriptor)

    @classmethod
    def made(cls, size):
        """A new one of `size` bytes, all zero."""
        name = f"eagre-{os.getpid()}-{next(_numbers)}"
        file = cls(os.memfd_create(name), name)
        os.ftruncate(file.descriptor, size)
        return file


# The file of each mapping that there is, by a weak reference to it; None: it is not kept. Entries
# go by the callbacks of the references, which are C, as what unmaps is: Python code there would
# swallow a Ctrl-C.
_files: dict[weakref.ref, File | None] = {}

# The same references by the address of the memory. Those of mappings that went may be here, too.
_places: dict[int, weakref.ref] = {}


def map_file(file, size):
    """A vector of the first `size` bytes of the file, which is kept as long."""
    return _map(file.descriptor, size, file)


def map_descriptor(descriptor, size):
    """The same without the file, since a process has few descriptors: it cannot be sent on."""
    return _map(descriptor, size, None)


def _map(descriptor, size, file):
    # A mapping that Python unmaps, but for whose descriptor it need not make a second.
    mapping = mmap.mmap(-1, size)
    result = _C.from_numpy(memoryview(mapping))
    address = result.data_ptr()
    flags = mmap.MAP_SHARED | mmap.MAP_POPULATE | _MAP_FIXED
    protection = mmap.PROT_READ | mmap.PROT_WRITE
    if _libc.mmap(address, size, protection, flags, descriptor, 0) != address:
        number = ctypes.get_errno()
        raise OSError(number, f"cannot map {size} bytes of shared memory: {os.strerror(number)}")
    reference = weakref.ref(mapping, _files.pop)
    _files[reference] = file
    _places[address] = reference
    if len(_places) > 2 * len(_files) + 64:
        for place in [place for place, known in _places.items() if known() is None]:
            del _places[place]
    return result


def allocate(size):
    """A vector of `size` bytes of new shared memory."""
    return map_file(File.made(size), size)


def file_of(storage_bytes):
    """The file behind the bytes of a storage; None if they are not shared, or it is not kept."""
    return _files.get(_places.get(storage_bytes.data_ptr()))


def is_shared(tensor):
    """Is the memory of the tensor shared between processes?"""
    if tensor.device.type != "cpu":
        return False
    return _places.get(_C._storage_bytes(tensor).data_ptr()) in _files


def written(content):
    """A new file with these bytes. To write them is quicker than to map the file and copy: the
    kernel then makes no pages of this process."""
    file = File.made(0)
    at = 0
    while at < len(content):
        at += os.pwrite(file.descriptor, content[at:], at)
    return file


def move(tensor):
    """Moves the storage of the tensor into shared memory that others can open."""
    if tensor.device.type != "cpu" or tensor.numel() == 0:
        return
    with eagre.no_grad():
        old = _C._storage_bytes(tensor.detach())
        if file_of(old) is not None:
            return
        new = allocate(old.numel())
        new.copy_(old)
        size, stride = tuple(tensor.shape), tuple(tensor.stride())
        tensor.data = _C._tensor_on_storage(
            new, tensor.dtype, tensor.storage_offset(), size, stride
        )
