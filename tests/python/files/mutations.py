"""Loads damaged files, in a process that has little memory: mutations.py pt|old|safetensors COUNT.
Says what came out of it, and fails at anything but the errors that belong to files."""

import collections
import io
import pickle
import random
import resource
import sys
import tempfile
import warnings
from pathlib import Path

import objects

import eagre
from eagre import safetensors

warnings.simplefilter("ignore")
FOLDER = Path(__file__).parent
EXPECTED = (RuntimeError, pickle.UnpicklingError, ValueError, EOFError, eagre.Error)


def pristine(kind):
    if kind == "old":
        return (FOLDER / "stored_old.pt").read_bytes()
    if kind == "safetensors":
        return (FOLDER / "stored.safetensors").read_bytes()
    buffer = io.BytesIO()
    eagre.save(objects.small(eagre), buffer)
    return buffer.getvalue()


def damaged(content, generator):
    """With bytes changed, taken out, or put in, near each other."""
    content = bytearray(content)
    at = generator.randrange(len(content))
    match generator.randrange(6):
        case 0:
            content[at] ^= 1 << generator.randrange(8)
        case 1:
            content[at] = generator.choice((0, 1, 127, 128, 255))
        case 2:
            content[at : at + 4] = generator.choice(
                (b"\xff\xff\xff\xff", b"\xff\xff\xff\x7f", b"\0\0\0\x80", bytes(4))
            )
        case 3:
            del content[at:]
        case 4:
            del content[at : at + generator.randrange(1, 9)]
        case _:
            content[at:at] = bytes(generator.choices(range(256), k=generator.randrange(1, 9)))
    return bytes(content)


def without_sums(content):
    """Nor check sums, which would find nearly all."""
    content = bytearray(content)
    for mark, offset in ((b"PK\3\4", 14), (b"PK\1\2", 16)):
        at = content.find(mark)
        while at >= 0:
            content[at + offset : at + offset + 4] = bytes(4)
            at = content.find(mark, at + 1)
    return bytes(content)


def main(kind, count):
    generator = random.Random(7)
    content = without_sums(pristine(kind))
    load = safetensors.load if kind == "safetensors" else lambda data: eagre.load(io.BytesIO(data))
    load(content)
    folder = Path(tempfile.mkdtemp())
    outcomes = collections.Counter()
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + (200 << 20), resource.RLIM_INFINITY))
    for index in range(count):
        data = damaged(content, generator)
        try:
            if index % 4 == 0 and kind != "old":
                path = folder / "file"
                path.write_bytes(data)
                if kind == "pt":
                    eagre.load(path, mmap=True)
                else:
                    safetensors.load_file(path)
            else:
                load(data)
            outcomes["loaded"] += 1
        except EXPECTED as error:
            assert not isinstance(error, (MemoryError, eagre.InternalError)), error
            outcomes[type(error).__name__] += 1
    print(sum(outcomes.values()), dict(outcomes))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
