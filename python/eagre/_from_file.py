"""from_file(): tensors on the memory of files."""

import mmap
import os

import eagre


def from_file(
    filename,
    shared=None,
    size=0,
    *,
    dtype=None,
    layout=None,
    device=None,
    pin_memory=False,
    requires_grad=False,
):
    """from_file(filename, shared=None, size=0, *, dtype=None) -> Tensor

    A vector of `size` numbers of `dtype` on the memory of a file. With `shared` the file is made if
    it is not there, and long enough, and what is written to the tensor is written to it.
    """
    dtype = dtype or eagre.get_default_dtype()
    if eagre.device(device or "cpu").type != "cpu":
        raise RuntimeError(f"from_file(): files are mapped to memory of the CPU, not of {device}")
    if size < 0:
        raise RuntimeError(f"from_file(): argument 'size' must not be negative, but got {size}")
    length = size * dtype.itemsize
    if length == 0:
        return eagre.empty(0, dtype=dtype).requires_grad_(requires_grad)
    mode = os.O_RDWR | os.O_CREAT if shared else os.O_RDONLY
    file = os.open(filename, mode, 0o600)
    try:
        there = os.fstat(file).st_size
        if there < length and shared:
            os.ftruncate(file, length)
        elif there < length:
            raise RuntimeError(
                f"from_file(): file '{filename}' has {there} bytes, fewer than the {length} of "
                f"{size} elements of {dtype}"
            )
        access = mmap.ACCESS_WRITE if shared else mmap.ACCESS_COPY
        memory = mmap.mmap(file, length, access=access)
    finally:
        os.close(file)
    return eagre.frombuffer(memory, dtype=dtype, requires_grad=requires_grad)
