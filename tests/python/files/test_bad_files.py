"""Files that are damaged, or lie about what they have: an error that says so, before any memory is
taken for what they claim."""

import io
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import objects
import pytest

import eagre

FOLDER = Path(__file__).parent


def rewritten(change=None, compression=zipfile.ZIP_STORED, more=()):
    """A saved file as zipfile writes it again; `change` is called with name and content."""
    buffer, result = io.BytesIO(), io.BytesIO()
    eagre.save(objects.small(eagre), buffer)
    with zipfile.ZipFile(buffer) as source, zipfile.ZipFile(result, "w", compression) as target:
        for name in source.namelist():
            content = source.read(name)
            content = change(name, content) if change else content
            if content is not None:
                target.writestr(name, content)
        for name, content in more:
            target.writestr(name, content)
    result.seek(0)
    return result


def test_archives_of_other_programs():
    found = eagre.load(rewritten())
    assert objects.shown(eagre, found) == objects.shown(eagre, objects.small(eagre))


def replaced(wanted, by):
    return lambda name, content: by if name == f"archive/{wanted}" else content


@pytest.mark.parametrize(
    ("file", "reason"),
    [
        (lambda: rewritten(compression=zipfile.ZIP_DEFLATED), "is compressed"),
        (lambda: rewritten(replaced("data/0", bytes(23))), "has 23 bytes, but 24 are expected"),
        (lambda: rewritten(replaced("data/0", None)), "no record 'archive/data/0'"),
        (lambda: rewritten(replaced("data.pkl", None)), "0 records data.pkl"),
        (lambda: rewritten(more=[("other/data.pkl", b"")]), "2 records data.pkl"),
        (lambda: rewritten(more=[("archive/constants.pkl", b"")]), "TorchScript"),
        (lambda: rewritten(replaced("byteorder", b"big")), "byte order 'big'"),
        (lambda: rewritten(replaced("byteorder", b"l" * 1000)), "byte order"),
        (lambda: io.BytesIO(b"PK\3\4" + bytes(1000)), "no table of records"),
        (lambda: io.BytesIO(b""), "file is empty"),
        (lambda: io.BytesIO(b"\x80\x02K\1."), "neither a zip archive nor"),
        (lambda: io.BytesIO(b"text"), "Weights only load failed"),
    ],
)
def test_archives(file, reason):
    with pytest.raises(Exception, match=reason):
        eagre.load(file())


def test_bytes_that_changed_are_found():
    buffer = io.BytesIO()
    eagre.save(eagre.arange(100), buffer)
    content = bytearray(buffer.getvalue())
    content[content.index((99).to_bytes(8, "little"))] = 98
    with pytest.raises(RuntimeError, match="check sum"):
        eagre.load(io.BytesIO(content))


@pytest.mark.parametrize("method", ["local", "size", "count", "name", "double"])
def test_tables_that_lie(method):
    content = bytearray(rewritten().getvalue())
    archive = zipfile.ZipFile(io.BytesIO(content))
    table = archive.start_dir
    entries = {}
    for entry in archive.infolist():
        entries[entry.filename] = table
        table += 46 + len(entry.filename)
    at = entries["archive/data/0"]
    if method == "local":  # another record's bytes
        content[at + 42 : at + 46] = archive.getinfo("archive/data/1").header_offset.to_bytes(
            4, "little"
        )
        reason = "not where the table says"
    elif method == "size":
        content[at + 20 : at + 28] = (2**31).to_bytes(4, "little") * 2
        reason = "more than the file has"
    elif method == "count":
        content[-14:-10] = (60000).to_bytes(2, "little") * 2
        reason = "cannot have 60000 records"
    elif method == "name":
        content[at + 46] ^= 1
        reason = "not where the table says"
    else:
        content[at + 46 : at + 60] = b"archive/data/1"
        place = archive.getinfo("archive/data/0").header_offset
        content[place + 30 : place + 44] = b"archive/data/1"
        reason = "two records are called"
    with pytest.raises(RuntimeError, match=f"failed reading zip archive.*{reason}"):
        eagre.load(io.BytesIO(content))


def test_records_that_overlap():
    content = bytearray(rewritten().getvalue())
    archive = zipfile.ZipFile(io.BytesIO(content))
    table = archive.start_dir
    for entry in archive.infolist():
        if entry.filename == "archive/data/0":
            content[table + 20 : table + 28] = (100).to_bytes(4, "little") * 2
        table += 46 + len(entry.filename)
    with pytest.raises(RuntimeError, match="overlap"):
        eagre.load(io.BytesIO(content))


@pytest.mark.parametrize("kind", ["pt", "old", "safetensors"])
def test_damaged_files(kind):
    """A subprocess, whose memory is limited."""
    count = 1500 if os.environ.get("EAGRE_TEST_SIZE") != "all" else 50_000
    paths = os.pathsep.join([str(Path(eagre.__file__).parents[1]), str(FOLDER)])
    result = subprocess.run(
        [sys.executable, str(FOLDER / "mutations.py"), kind, str(count)],
        env=os.environ | {"PYTHONPATH": paths},
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith(f"{count} ")
