"""Files of safetensors: what is written, read, mapped, and every rule that a file can break."""

import io
import json
import struct

import objects
import pytest

import eagre
from eagre import safetensors
from eagre._files import safetensors_table
from eagre.safetensors import SafetensorError


def tensors():
    result = {name: eagre.arange(5).to(getattr(eagre, name)) for name in objects.DTYPES}
    for name in ("complex128", "complex32"):
        del result[name]
    result["scalar"] = eagre.tensor(3.5)
    result["empty"] = eagre.empty(0, 3)
    result["part"] = eagre.arange(8)[2:5]
    result["leaf"] = eagre.nn.Parameter(eagre.ones(2, 3))
    return result


def assert_same(found, wanted):
    assert found.keys() == wanted.keys()
    for name, tensor in wanted.items():
        wanted = objects.shown(eagre, tensor.detach().clone())
        assert objects.shown(eagre, found[name]) == wanted, name


def test_round_trip(tmp_path):
    path = tmp_path / "model.safetensors"
    safetensors.save_file(tensors(), path, metadata={"é": "text"})
    assert_same(safetensors.load_file(path), tensors())
    content = safetensors.save(tensors(), {"é": "text"})
    assert content == path.read_bytes()
    assert_same(safetensors.load(content), tensors())
    found = safetensors.load_file(path)
    found["scalar"].fill_(1)  # the file stays what it was
    assert path.read_bytes() == content
    assert safetensors.load_file(path, device="meta")["leaf"].is_meta
    assert safetensors.load(safetensors.save({})) == {}


def test_one_tensor_at_a_time(tmp_path):
    path = tmp_path / "model.safetensors"
    wanted = {"b": eagre.arange(6.0).view(2, 3), "a": eagre.ones(2, dtype=eagre.int64)}
    safetensors.save_file(wanted, path)
    with safetensors.safe_open(path, framework="pt", device="cpu") as file:
        assert file.keys() == ["a", "b"] and file.offset_keys() == ["a", "b"]
        assert file.metadata() is None
        assert file.get_tensor("b").equal(wanted["b"])
        part = file.get_slice("b")
        assert part.get_shape() == [2, 3] and part.get_dtype() == "F32"
        assert part[:, 1:].equal(wanted["b"][:, 1:]) and part[1, 2] == 5
        with pytest.raises(SafetensorError, match="no tensor 'c'"):
            file.get_tensor("c")
    with pytest.raises(SafetensorError, match="'numpy'"):
        safetensors.safe_open(path, framework="numpy")


def test_states_of_modules(tmp_path):
    model, other = objects.network(eagre), objects.network(eagre)
    other[0].weight.data.zero_()
    safetensors.save_file(model.state_dict(), tmp_path / "model")
    other.load_state_dict(safetensors.load_file(tmp_path / "model"))
    assert other[0].weight.equal(model[0].weight)


def test_tensors_that_a_file_cannot_have():
    base = eagre.ones(2, 3)
    for values, kind, reason in [
        ({"a": base.t()}, ValueError, "non contiguous tensor: `a`"),
        ({"a": base, "b": base[0]}, RuntimeError, "share memory"),
        ({"a": base.to(eagre.complex128)}, SafetensorError, "complex128"),
        ({"a": base.to("meta")}, ValueError, "with memory"),
        ({"a": 3}, ValueError, "must be a tensor"),
        ({3: base}, ValueError, "3 is not a name"),
        ({"__metadata__": base}, ValueError, "not a name"),
        ([base], ValueError, "expected a dict"),
    ]:
        with pytest.raises(kind, match=reason):
            safetensors.save(values)
    with pytest.raises(TypeError, match="'metadata' must be a dict of texts"):
        safetensors.save({}, {"a": 3})


def file(table, data=b"", length=None):
    text = table if isinstance(table, bytes) else json.dumps(table).encode()
    return struct.pack("<Q", len(text) if length is None else length) + text + data


def entry(dtype="U8", shape=(4,), offsets=(0, 4)):
    return {"dtype": dtype, "shape": list(shape), "data_offsets": list(offsets)}


HUGE = 2**62
BAD = {
    "no header": (b"1234567", "7 bytes has no header"),
    "a long header": (file(b"{}", length=100), "would have 100 bytes"),
    "a huge header": (file(b"{}", length=2**63), "too large"),
    "no JSON": (file(b"{a}"), "not valid JSON"),
    "no UTF-8": (file(b"{\xff}"), "not valid JSON"),
    "no object": (file(b" {}"), "must begin with"),
    "deep": (file(b'{"a":' + b"[" * 100_000), "not valid JSON"),
    "a long number": (file(b'{"a":' + b"1" * 10_000 + b"}"), "not valid JSON"),
    "a name twice": (file(b'{"a":1,"a":2}'), "twice"),
    "no fields": (file({"a": 3}), "must have dtype"),
    "a field too few": (file({"a": {"dtype": "U8", "shape": []}}), "must have dtype"),
    "a field too many": (file({"a": entry() | {"b": 1}}, b"1234"), "must have dtype"),
    "another dtype": (file({"a": entry("U7")}, b"1234"), "dtype that is not there: 'U7'"),
    "a dtype of no text": (file({"a": entry([])}, b"1234"), "dtype that is not there"),
    "a negative size": (file({"a": entry(shape=(-1, -4))}, b"1234"), "not a list of sizes"),
    "a size of no number": (file({"a": entry(shape=(True,))}, b"1"), "not a list of sizes"),
    "huge sizes": (file({"a": entry(shape=(HUGE, HUGE, 4))}, b"1234"), "its offsets are"),
    "sizes that wrap around": (
        file({"a": entry(shape=(HUGE, 4), offsets=(0, 0))}),
        "its offsets are 0 and 0",
    ),
    "three offsets": (file({"a": entry(offsets=(0, 4, 5))}, b"1234"), "two data_offsets"),
    "offsets the wrong way": (file({"a": entry(offsets=(4, 0))}, b"1234"), "its offsets are"),
    "beyond the end": (file({"a": entry()}, b"123"), "4 bytes, but there are 3"),
    "bytes of nobody": (file({"a": entry()}, b"12345"), "4 bytes, but there are 5"),
    "a hole": (file({"a": entry(offsets=(1, 5))}, b"12345"), "leaves a hole"),
    "an overlap": (file({"a": entry(), "b": entry(offsets=(3, 7))}, b"1234567"), "overlaps"),
    "the same twice": (file({"a": entry(), "b": entry()}, b"1234"), "overlaps"),
    "metadata of numbers": (file({"__metadata__": {"a": 3}}), "metadata must be"),
    "no metadata": (file({"__metadata__": []}), "metadata must be"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_files(name, tmp_path):
    content, reason = BAD[name]
    with pytest.raises(SafetensorError, match=reason):
        safetensors.load(content)
    path = tmp_path / "file"
    path.write_bytes(content)
    for load in (safetensors.load_file, safetensors.safe_open):
        with pytest.raises(SafetensorError, match=reason):
            load(path)


def test_headers_have_a_limit(monkeypatch):
    monkeypatch.setattr(safetensors_table, "LONGEST", 100)
    content = safetensors.save({"a": eagre.ones(2)})
    assert safetensors.load(content)["a"].sum() == 2
    with pytest.raises(SafetensorError, match="100 are allowed"):
        safetensors.save({"a" * 100: eagre.ones(2)})
    with pytest.raises(SafetensorError, match="100 are allowed"):
        safetensors.load(file({"a" * 100: entry()}, b"1234"))
    assert io.BytesIO(content).read(8) == struct.pack("<Q", len(content) - 16)


def test_data_that_is_not_aligned():
    table = {"a": entry(), "b": entry("F32", (1,), (4, 8))}
    data = b"1234" + struct.pack("<f", 2.5)
    for space in range(4):
        text = json.dumps(table).encode() + b" " * space
        assert safetensors.load(file(text, data))["b"].item() == 2.5
