"""load() runs no code of files: whatever a pickle names or calls, it is refused by name."""

import builtins
import io
import os
import pickle
import zipfile
from collections import OrderedDict

import pytest

import eagre
from eagre import serialization


def archive(pickled, **records):
    """A file with this pickle."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        file.writestr("archive/data.pkl", pickled)
        for name, content in records.items():
            file.writestr(f"archive/data/{name[1:]}", content)
    buffer.seek(0)
    return buffer


class Evil:
    """Calls what it is told to when it is unpickled."""

    def __init__(self, function, *arguments):
        self.reduced = function, arguments

    def __reduce__(self):
        return self.reduced


CALLS = {
    "os.system": (os.system, "touch /tmp/evil"),
    "eval": (eval, "1"),
    "exec": (exec, "1"),
    "getattr": (getattr, "a", "b"),
    "__import__": (builtins.__import__, "os"),
    "open": (open, "/tmp/evil", "w"),
    "bytes": (bytes, 10**9),
    "compile": (compile, "1", "", "eval"),
    "type": (type, "a", (), {}),
    "load_library": (eagre.load_library, "/tmp/evil.so"),
    "Tensor": (eagre.empty, 10**12),
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("protocol", [2, 4])
def test_calls(name, protocol):
    pickled = pickle.dumps([Evil(*CALLS[name])], protocol)
    with pytest.raises(pickle.UnpicklingError, match="Weights only load failed") as caught:
        eagre.load(archive(pickled))
    text = str(caught.value)
    assert "weights_only=False" in text and "safe_globals" in text
    function = CALLS[name][0]
    refused = f"GLOBAL {function.__module__}.{function.__qualname__} was not"
    assert refused in text or "base module posix is blocked" in text


def test_what_is_never_allowed():
    file = archive(b"\x80\x02cos\nsystem\nX\x02\0\0\0ls\x85R.")
    with (
        serialization.safe_globals([(os.system, "os.system"), os.system]),
        pytest.raises(pickle.UnpicklingError, match="base module os is blocked"),
    ):
        eagre.load(file)


# Pickles by hand, after their protocol; what the refusal says.
G = b"ctorch._utils\n_rebuild_tensor_v2\n"
PICKLES = {
    "a huge bytearray": (
        b"c__builtin__\nbytearray\nJ\xff\xff\xff\x7f\x85R.",
        "bytes were expected",
    ),
    "a huge string": (b"X\xff\xff\xff\xffab.", "claims 4294967295 bytes"),
    "huge bytes": (b"\x8e\xff\xff\xff\xff\xff\xff\xff\x7fab.", "claims"),
    "a huge integer": (b"\x8b\xff\xff\xff\x7fab.", "claims"),
    "an integer of negative length": (b"\x8b\xff\xff\xff\xffab.", "negative length"),
    "a class that is made": (b"ctorch\nTensor\nJ\xff\xff\xff\x7f\x85R.", "unrecognized function"),
    "a tensor that is called": (b"ctorch\nfloat32\n)R.", "unrecognized function"),
    "a new object": (b"ctorch\nTensor\n)\x81.", "unrecognized class"),
    "attributes of a class": (b"ctorch\nTensor\n}b.", "no attributes"),
    "attributes of a list": (b"]}b.", "Can only build"),
    "a method of a dict": (
        b"ccollections\nOrderedDict\n)R}X\x05\0\0\0items]sb.",
        "no name like items",
    ),
    "items of a list": (b"]NNs.", "Can only set items"),
    "appending to a dict": (b"}Na.", "Can only append"),
    "an unhashable key": (b"}]Ns.", "list cannot be a key"),
    "a storage by another name": (b"X\x01\0\0\0aQ.", "Only persistent_load of storage"),
    "a storage of nothing": (b"(X\x07\0\0\0storageNX\1\0\0\x000X\3\0\0\0cpuK\1tQ.", "not what it"),
    "a tensor on a number": (G + b"(K\1K\0K\1\x85K\1\x85\x89NtR.", "typed storage"),
    "an empty stack": (b"a.", "stack is empty"),
    "no mark": (b"t.", "no mark"),
    "a mark as a value": (b"(.", "mark where a value"),
    "no end": (b"N", "ends too early"),
    "an unknown memo": (b"h\x05.", "no memo 5"),
    "an opcode of old protocols": (b"I1\n.", "Unsupported operand 73"),
    "an extension": (b"\x82\x01.", "Unsupported operand 130"),
    "an object of protocol 0": (b"(cos\nsystem\no.", "blocked"),
    "a long name": (b"c" + b"a" * 5000 + b"\nb\n.", "name does not end"),
    "text that is none": (b"X\x01\0\0\0\xff.", "UnicodeDecodeError"),
    "a name of no strings": (b"K\1K\1\x93.", "two strings"),
    "a device of no kind": (b"ctorch\ndevice\nX\3\0\0\0abc\x85R.", "abc"),
    "another encoding": (b"c_codecs\nencode\nX\1\0\0\0aX\3\0\0\0hex\x86R.", "latin1"),
    "a meta tensor of any size": (
        b"ctorch._utils\n_rebuild_meta_tensor_no_storage\n(ctorch\nfloat32\n"
        b"(J\xff\xff\xff\x7fJ\xff\xff\xff\x7fJ\xff\xff\xff\x7ft(K\1K\1K\1t\x89tR.",
        "64 bits",
    ),
}


@pytest.mark.parametrize("name", PICKLES)
def test_pickles(name):
    pickled, reason = PICKLES[name]
    with pytest.raises(pickle.UnpicklingError, match="Weights only load failed") as caught:
        eagre.load(archive(b"\x80\x02" + pickled))
    assert reason in str(caught.value)


def test_copies_without_end():
    """A short pickle that copies a long text, or repeats a tuple in a tuple, over and over."""
    text = b"X" + (100_000).to_bytes(4, "little") + b"a" * 100_000
    copies = b"(" + b"h\x01h\x00X\x06\0\0\0latin1\x86R" * 10_000 + b"t."
    pickled = b"\x80\x02" + text + b"q\x00" + b"c_codecs\nencode\nq\x01" + copies
    with pytest.raises(pickle.UnpicklingError, match="more memory"):
        eagre.load(archive(pickled))
    nested = b"K\x01" + b"q\x00(" + b"(h\x00h\x00h\x00h\x00tq\x00" * 7 + b"}h\x00Ns."
    with pytest.raises(pickle.UnpicklingError, match="cannot be a key"):
        eagre.load(archive(b"\x80\x02" + nested))
    deep = b"\x80\x02}" + b")" + b"\x85" * 1_000_000 + b"Ns."
    with pytest.raises(pickle.UnpicklingError, match="cannot be a key"):
        eagre.load(archive(deep))
    assert eagre.load(archive(b"\x80\x02" + b")" + b"\x85" * 1000 + b"."))


class Config:
    """A class of a user."""

    def __init__(self, width):
        self.width = width


def make(width):
    return Config(width)


@pytest.fixture
def saved():
    buffer = io.BytesIO()
    eagre.save({"config": Config(3), "made": Evil(make, 4), "x": eagre.ones(2)}, buffer)
    buffer.seek(0)
    return buffer


def test_users_allow_classes_and_functions(saved):
    assert serialization.get_unsafe_globals_in_checkpoint(saved) == [
        f"{__name__}.Config",
        f"{__name__}.make",
    ]
    saved.seek(0)
    with pytest.raises(pickle.UnpicklingError, match=f"{__name__}.Config was not an allowed"):
        eagre.load(saved)
    saved.seek(0)
    with serialization.safe_globals([Config]), serialization.safe_globals([make]):
        assert serialization.get_safe_globals() == [Config, make]
        found = eagre.load(saved)
    assert found["config"].width == 3 and found["made"].width == 4
    assert serialization.get_safe_globals() == []
    saved.seek(0)
    serialization.add_safe_globals([(Config, f"{__name__}.Config"), make])
    try:
        assert eagre.load(saved)["config"].width == 3
    finally:
        serialization.clear_safe_globals()
    saved.seek(0)
    assert eagre.load(saved, weights_only=False)["made"].width == 4


def test_bad_safe_globals():
    for entries in ([3], ["a"], [(Config,)], [(Config, 3)]):
        with pytest.raises(TypeError, match="safe globals are"):
            serialization.add_safe_globals(entries)
    assert serialization.get_safe_globals() == []


def test_weights_only_and_other_arguments(saved, monkeypatch):
    with pytest.raises(RuntimeError, match="explicit pickle_module"):
        eagre.load(saved, weights_only=True, pickle_module=pickle)
    with pytest.warns(UserWarning, match="pickle_load_args"):
        eagre.load(archive(b"\x80\x02N."), encoding="ascii")
    monkeypatch.setenv("TORCH_FORCE_WEIGHTS_ONLY_LOAD", "1")
    with pytest.raises(pickle.UnpicklingError):
        eagre.load(saved, weights_only=False)


def test_names_that_are_not_there():
    pickled = b"\x80\x02ctorch.nn.modules.linear\nNothing\n)R."
    with pytest.raises(AttributeError, match=r"names 'torch\.nn\.modules\.linear\.Nothing'"):
        eagre.load(archive(pickled), weights_only=False)


def test_bad_arguments(tmp_path):
    with pytest.raises(AttributeError, match="'write' attribute"):
        eagre.save(1, 3)
    with pytest.raises(ValueError, match="pickle_protocol"):
        eagre.save(1, tmp_path / "a", pickle_protocol=1)
    with pytest.raises(AttributeError, match=r"has no attribute 'read'.*seekable"):
        eagre.load(3)
    with pytest.raises(FileNotFoundError):
        eagre.load(tmp_path / "none")
    with pytest.raises(RuntimeError, match="Parent directory .*none does not exist"):
        eagre.save(1, tmp_path / "none" / "a")
    with pytest.raises(ValueError, match="must be a file path"):
        eagre.load(io.BytesIO(), mmap=True)
    with pytest.raises((AttributeError, pickle.PicklingError), match="lambda"):
        eagre.save(lambda: 1, tmp_path / "a")
    assert list(tmp_path.iterdir()) == []


def test_options_with_one_answer():
    assert serialization.get_crc32_options() and serialization.DEFAULT_PROTOCOL == 2
    with pytest.warns(UserWarning, match="check sums"):
        serialization.set_crc32_options(False)
    serialization.set_crc32_options(True)
    assert serialization.get_default_load_endianness() is None
    serialization.set_default_load_endianness(serialization.LoadEndianness.LITTLE)
    with pytest.raises(NotImplementedError, match="little-endian"):
        serialization.set_default_load_endianness(serialization.LoadEndianness.BIG)
    with pytest.raises(ValueError, match="MAP_SHARED"):
        serialization.set_default_mmap_options(77)


def test_packages_that_know_places():
    from eagre._files import places

    moved = []
    serialization.register_package(
        5, lambda storage: None, lambda storage, location: moved.append(location)
    )
    try:
        buffer = io.BytesIO()
        eagre.save(OrderedDict(x=eagre.ones(2)), buffer)
        buffer.seek(0)
        assert eagre.load(buffer)["x"].sum() == 2 and moved == ["cpu"]
        assert serialization.location_tag(eagre.ones(1).untyped_storage()) == "cpu"
    finally:
        places._registered.clear()
