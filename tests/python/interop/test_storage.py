"""Storages: the memory behind tensors."""

import pytest

import eagre


def test_views_have_one_storage():
    x = eagre.arange(6.0)
    view = x[2:4]
    storage = view.untyped_storage()
    assert storage == x.untyped_storage() and storage != eagre.arange(6.0).untyped_storage()
    assert storage.nbytes() == 24 == len(storage) == storage.size()
    assert storage.data_ptr() == x.data_ptr()
    assert view.storage_offset() == 2
    assert x.is_set_to(x.view(6)) and not x.is_set_to(view)


def test_bytes_can_be_read_and_written():
    x = eagre.tensor([1, 2], dtype=eagre.int16)
    storage = x.untyped_storage()
    assert storage.tolist() == [1, 0, 2, 0] and storage[2] == 2 and list(storage) == [1, 0, 2, 0]
    storage[1] = 1
    assert x.tolist() == [257, 2]
    assert storage[1:3].tolist() == [1, 2]
    storage.fill_(0)
    assert x.tolist() == [0, 0]
    copy = storage.clone()
    copy.fill_(1)
    assert x.tolist() == [0, 0]
    storage.copy_(copy)
    assert x.tolist() == [257, 257]
    assert repr(storage).endswith("[eagre.storage.UntypedStorage(device=cpu) of size 4]")


def test_typed_storages_hold_numbers():
    x = eagre.tensor([[1.0, 2.0], [3.0, 4.0]])
    storage = x[1].storage()
    assert storage.tolist() == [1.0, 2.0, 3.0, 4.0] and storage.dtype is eagre.float32
    storage[3] = 9
    assert x[1, 1].item() == 9 and storage[3] == 9 and len(storage) == 4
    assert storage.untyped() == x.untyped_storage() and storage.nbytes() == 16
    assert eagre.is_storage(storage) and not eagre.is_storage(x)
    assert eagre.TypedStorage([1.0, 2.0]).tolist() == [1.0, 2.0]
    assert eagre.FloatTensor(storage).data_ptr() == x.data_ptr()


def test_memory_is_of_this_process_and_not_pinned():
    x = eagre.ones(2)
    assert not x.is_shared() and not x.is_pinned()
    with pytest.raises(RuntimeError, match="pinned"):
        x.pin_memory()
    with pytest.raises(NotImplementedError, match="shrink"):
        x.untyped_storage().resize_(0)


def test_options_that_have_one_choice():
    assert eagre.zeros(2, layout=eagre.strided, pin_memory=False).tolist() == [0.0, 0.0]
    assert eagre.zeros(2).layout is eagre.strided
    assert eagre.tensor([1.0], pin_memory=False).item() == 1
    with pytest.raises(NotImplementedError, match=r"zeros\(\).*'layout'.*sparse"):
        eagre.zeros(2, layout=eagre.sparse_coo)
    with pytest.raises(NotImplementedError, match=r"ones\(\).*'pin_memory'"):
        eagre.ones(2, pin_memory=True)
    with pytest.raises(TypeError, match="layout"):
        eagre.zeros(2, layout=3)


def test_set_takes_tensors_and_storages():
    source = eagre.arange(6.0)
    bytes_of = source.untyped_storage()
    assert eagre.ones(2).set_(source.storage()).tolist() == source.tolist()
    assert eagre.ones(2).set_(bytes_of, 1, (2, 2)).tolist() == [[1.0, 2.0], [3.0, 4.0]]
    assert eagre.ones(2).set_(bytes_of, 1, (2, 2), (1, 1)).tolist() == [[1.0, 2.0], [2.0, 3.0]]
    assert eagre.ones(2).set_(source, 4, (2,)).tolist() == [4.0, 5.0]
    assert eagre.ones(2).set_().shape == (0,)
    assert eagre.ones(2, dtype=eagre.int32).set_(bytes_of).numel() == 6
    x = eagre.ones(2).set_(source=bytes_of, storage_offset=1, size=(2,), stride=(1,))
    x[0] = 9.0
    assert source[1] == 9.0
    with pytest.raises(RuntimeError, match="Expected a Storage of eagre.int32"):
        eagre.ones(2, dtype=eagre.int32).set_(source.storage())
    with pytest.raises(TypeError, match="'source' must be a Tensor or a storage"):
        eagre.ones(2).set_(1)
    with pytest.raises(RuntimeError, match="do not fit in a storage"):
        eagre.ones(2).set_(bytes_of, 100, (2,))
