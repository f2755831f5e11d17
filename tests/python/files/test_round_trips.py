"""What is saved is what is loaded, in every way that files are written and read."""

import io
import pickle
import pickletools
import zipfile
from pathlib import Path

import objects
import pytest

import eagre
from eagre._files import archive_writer


def saved(value, **options):
    buffer = io.BytesIO()
    eagre.save(value, buffer, **options)
    buffer.seek(0)
    return buffer


def assert_same(found, wanted):
    assert found.keys() == wanted.keys()
    for name in wanted:
        assert objects.shown(eagre, found[name]) == objects.shown(eagre, wanted[name]), name


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
@pytest.mark.parametrize("weights_only", [True, False])
def test_every_kind(protocol, weights_only):
    values = objects.large(eagre)
    buffer = saved(values, pickle_protocol=protocol)
    assert_same(eagre.load(buffer, weights_only=weights_only), values)


@pytest.mark.parametrize("mmap", [None, False, True])
@pytest.mark.parametrize("kind", [str, Path, bytes])
def test_paths(tmp_path, mmap, kind):
    values = objects.large(eagre)
    path = str(tmp_path / "état.pt")
    path = path.encode() if kind is bytes else kind(path)
    eagre.save(values, path)
    assert_same(eagre.load(path, mmap=mmap), values)


def test_file_objects(tmp_path):
    values = objects.small(eagre)
    with open(tmp_path / "a", "w+b") as file:
        file.write(b"before")
        eagre.save(values, file)
        file.seek(6)
        assert_same(eagre.load(file), values)

    class Pipe:
        """Takes a part at a time, and can do nothing else."""

        content = b""

        def write(self, part):
            self.content += bytes(part[:1000])
            return min(1000, len(part))

    class Source:
        """Has no readinto()."""

        def __init__(self, content):
            file = io.BytesIO(content)
            self.read, self.seek, self.tell = file.read, file.seek, file.tell

    pipe = Pipe()
    eagre.save([eagre.arange(1000)], pipe)
    assert eagre.load(Source(pipe.content))[0].equal(eagre.arange(1000))


def test_other_pickle_modules():
    values = objects.small(eagre)
    buffer = saved(values, pickle_module=pickle)
    assert_same(eagre.load(buffer, pickle_module=pickle), values)

    class Other:
        Pickler, Unpickler = pickle.Pickler, pickle.Unpickler

    buffer = saved(values, pickle_module=Other)
    assert_same(eagre.load(buffer, weights_only=False, pickle_module=Other), values)


def test_memory_that_is_shared_stays_shared():
    base = eagre.arange(6.0)
    values = [base, base[2:], base.view(2, 3).t(), base.storage(), base.detach()]
    buffer = saved([values, values])
    assert len(zipfile.ZipFile(buffer).namelist()) == 7  # one of them a storage
    buffer.seek(0)
    found, again = eagre.load(buffer)
    assert found is again
    found[0][3] = 100
    assert found[1][1] == 100 and found[2][0, 1] == 100 and found[4][3] == 100
    assert found[3] == found[0].storage()


def test_memory_seen_as_two_types_is_refused():
    base = eagre.ones(2)
    with pytest.raises(RuntimeError, match="view the same data as different types"):
        saved([base, base.view(eagre.int32)])


def test_the_pickle_names_what_pytorch_has():
    buffer = saved([objects.large(eagre), objects.network(eagre)])
    content = zipfile.ZipFile(buffer).read("archive/data.pkl")
    names = {text for code, text, _ in pickletools.genops(content) if code.name == "GLOBAL"}
    modules = {name.split(" ")[0].partition(".")[0] for name in names}
    assert modules == {"torch", "collections", "__builtin__", "_codecs"}


def test_other_programs_read_the_archive(tmp_path):
    eagre.save(objects.large(eagre), tmp_path / "model.pt")
    archive = zipfile.ZipFile(tmp_path / "model.pt")
    assert archive.testzip() is None
    assert {"model/data.pkl", "model/byteorder", "model/version"} <= set(archive.namelist())
    content = (tmp_path / "model.pt").read_bytes()
    for entry in archive.infolist():
        at = entry.header_offset
        begin = (
            at + 30 + sum(int.from_bytes(content[at + i : at + i + 2], "little") for i in (26, 28))
        )
        assert begin % 64 == 0
    eagre.save(objects.small(eagre), tmp_path / "again.pt")
    first = (tmp_path / "again.pt").read_bytes()
    eagre.save(objects.small(eagre), tmp_path / "again.pt")
    assert (tmp_path / "again.pt").read_bytes() == first


def test_archives_with_numbers_of_64_bits(monkeypatch, tmp_path):
    """From 4 GiB on, or from 300 bytes on, which is quicker to test."""
    monkeypatch.setattr(archive_writer, "LARGE", 300)
    values = {str(i): eagre.arange(i * 20) for i in range(6)}
    eagre.save(values, tmp_path / "wide.pt")
    archive = zipfile.ZipFile(tmp_path / "wide.pt")
    assert archive.testzip() is None and archive.getinfo("wide/data/5").file_size == 800
    for mmap in (False, True):
        found = eagre.load(tmp_path / "wide.pt", mmap=mmap)
        assert all(found[name].equal(tensor) for name, tensor in values.items())


def test_a_mapped_file_does_not_change(tmp_path):
    eagre.save(eagre.zeros(4), tmp_path / "a.pt")
    found = eagre.load(tmp_path / "a.pt", mmap=True)
    found += 1
    assert eagre.load(tmp_path / "a.pt").equal(eagre.zeros(4))
    with eagre.serialization.set_default_mmap_options(eagre.serialization.MAP_SHARED):
        eagre.load(tmp_path / "a.pt", mmap=True).fill_(2)
    assert eagre.load(tmp_path / "a.pt").equal(eagre.full((4,), 2.0))
    assert eagre.serialization.get_default_mmap_options() == eagre.serialization.MAP_PRIVATE
    eagre.save(eagre.ones(4), tmp_path / "a.pt")  # tensors over the old file keep it
    assert found.equal(eagre.ones(4))


@pytest.mark.parametrize(
    "place",
    ["meta", eagre.device("meta"), {"cpu": "meta"}, lambda storage, location: _meta(storage)],
    ids=["name", "device", "dict", "function"],
)
def test_map_location(place):
    found = eagre.load(saved(objects.small(eagre)), map_location=place)
    assert found["views"][1].is_meta and found["views"][1].shape == (2, 2)
    assert found["parameter"].is_meta and isinstance(found["parameter"], eagre.nn.Parameter)


def _meta(storage):
    assert isinstance(storage, eagre.UntypedStorage)
    return eagre.serialization.default_restore_location(storage, "meta")


def test_map_location_of_places_that_are_not_there():
    def other(value):
        return saved(value).getvalue().replace(b"X\x03\0\0\0cpuq", b"X\x03\0\0\0xpuq")

    content = other(eagre.ones(2))
    content = _with_sums(content)
    with pytest.raises(RuntimeError, match="don't know how to restore data location"):
        eagre.load(io.BytesIO(content))
    assert eagre.load(io.BytesIO(content), map_location="cpu").equal(eagre.ones(2))
    assert eagre.load(io.BytesIO(content), map_location={"xpu": "cpu"}).equal(eagre.ones(2))
    assert eagre.load(io.BytesIO(content), map_location=lambda storage, _: storage).sum() == 2
    with pytest.raises(RuntimeError, match="on a CUDA device"):
        eagre.load(saved(eagre.ones(2)), map_location="cuda:0")
    with pytest.raises(TypeError, match="map_location"):
        eagre.load(saved(1), map_location=1.5)


def _with_sums(content):
    """The same without check sums, as writers may leave them out."""
    archive = zipfile.ZipFile(io.BytesIO(content))
    content = bytearray(content)
    table = archive.start_dir
    for entry in archive.infolist():
        content[entry.header_offset + 14 : entry.header_offset + 18] = bytes(4)
        content[table + 16 : table + 20] = bytes(4)
        table += 46 + len(entry.filename) + len(entry.extra)
    return bytes(content)


def test_modules_as_a_whole():
    model = objects.network(eagre)
    buffer = saved(model)
    found = eagre.load(buffer, weights_only=False)
    assert type(found[0]) is eagre.nn.Linear and found[0].weight.requires_grad
    assert found(eagre.ones(2, 3)).equal(model(eagre.ones(2, 3)))
    buffer.seek(0)
    with pytest.raises(pickle.UnpicklingError, match=r"torch\.nn\.modules\.container\.Sequential"):
        eagre.load(buffer)
    buffer.seek(0)
    classes = [eagre.nn.Sequential, eagre.nn.Linear, eagre.nn.BatchNorm1d]
    with eagre.serialization.safe_globals(classes):
        found = eagre.load(buffer)
    assert found[0].weight.equal(model[0].weight)


def test_training_goes_on_where_it_was(tmp_path):
    def step(model, optimizer):
        optimizer.zero_grad()
        model(eagre.arange(6.0).view(2, 3)).sum().backward()
        optimizer.step()

    model = eagre.nn.Linear(3, 2)
    optimizer = eagre.optim.AdamW(model.parameters(), lr=0.1)
    step(model, optimizer)
    state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": 1}
    eagre.save(state, tmp_path / "checkpoint.pt")
    step(model, optimizer)

    again = eagre.nn.Linear(3, 2)
    other = eagre.optim.AdamW(again.parameters(), lr=1.0)
    state = eagre.load(tmp_path / "checkpoint.pt")
    again.load_state_dict(state["model"])
    other.load_state_dict(state["optimizer"])
    assert state["model"]._metadata[""] == {"version": 1}
    step(again, other)
    assert again.weight.equal(model.weight)


def test_gradients_are_not_saved_and_leaves_stay_leaves():
    x = eagre.ones(2, requires_grad=True)
    found = eagre.load(saved({"leaf": x, "result": x * 2}))
    assert found["leaf"].is_leaf and found["result"].is_leaf and found["result"].requires_grad


class Noted(eagre.Tensor):
    """A class of a user."""


def test_classes_of_tensors():
    tensor = eagre.ones(2).as_subclass(Noted)
    tensor.note = 3
    buffer = saved(tensor)
    with pytest.raises(pickle.UnpicklingError, match="Noted"):
        eagre.load(buffer)
    for options, allowed in (({"weights_only": False}, []), ({}, [Noted])):
        buffer.seek(0)
        with eagre.serialization.safe_globals(allowed):
            found = eagre.load(buffer, **options)
        assert type(found) is Noted and found.note == 3
