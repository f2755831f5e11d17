"""range(), from_file(), and the smaller methods that old programs use."""

import warnings

import pytest

import eagre


def old_range(*arguments, **options):
    with pytest.warns(UserWarning, match="deprecated"):
        return eagre.range(*arguments, **options)


def test_a_range_holds_its_end():
    assert old_range(1, 4).tolist() == [1, 2, 3, 4]
    assert old_range(1, 4).dtype is eagre.get_default_dtype()
    assert old_range(1, 2, 0.5).tolist() == [1, 1.5, 2]
    assert old_range(4, 1, -2, dtype=eagre.int64).tolist() == [4, 2]
    assert old_range(0, 2, requires_grad=True).requires_grad
    out = eagre.empty(0, dtype=eagre.int32)
    assert old_range(1, 3, out=out) is out
    assert out.tolist() == [1, 2, 3]


@pytest.mark.filterwarnings("ignore")
def test_ranges_that_lead_nowhere():
    for arguments, message in [
        ((0, 3, 0), "nonzero"),
        ((4, 1), "inconsistent with step sign"),
        ((0, float("nan")), "unsupported range"),
    ]:
        with pytest.raises(RuntimeError, match=message):
            eagre.range(*arguments)


def test_a_file_is_memory(tmp_path):
    name = str(tmp_path / "numbers")
    first = eagre.from_file(name, shared=True, size=3)
    second = eagre.from_file(name, shared=True, size=3)
    first.copy_(eagre.tensor([1.0, 2.0, 3.0]))
    assert second.tolist() == [1, 2, 3]
    private = eagre.from_file(name, size=2)
    private.zero_()
    assert first.tolist() == [1, 2, 3]
    assert eagre.from_file(name, shared=False, size=0).shape == (0,)
    with pytest.raises(RuntimeError, match="fewer than"):
        eagre.from_file(name, size=100)
    with pytest.raises(OSError, match="No such file"):
        eagre.from_file(str(tmp_path / "other"), size=1)


def test_map2():
    x, y, z = eagre.ones(2, 2), eagre.tensor([1.0, 2.0]), eagre.tensor([[3.0], [4.0]])
    x.map2_(y, z, lambda a, b, c: a + b * c)
    assert x.tolist() == [[4, 7], [5, 9]]
    with pytest.raises(RuntimeError, match="requires grad"):
        x.map2_(y, z.requires_grad_(), lambda a, b, c: a)


def test_dim_order():
    x = eagre.empty(2, 3, 4, 5).contiguous(memory_format=eagre.channels_last)
    assert x.dim_order() == (0, 2, 3, 1)
    assert x.dim_order(ambiguity_check=[eagre.contiguous_format, eagre.channels_last]) == (
        *(0, 2, 3),
        1,
    )
    with pytest.raises(RuntimeError, match="unique dim order"):
        eagre.empty(2, 1, 4).dim_order(ambiguity_check=True)
    with pytest.raises(TypeError, match="ambiguity_check"):
        x.dim_order(ambiguity_check="yes")


def test_numbers_of_tensors_that_require_grad_are_warned_about():
    code = """
import warnings
import eagre
x = eagre.tensor(2.0, requires_grad=True)
with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter("always")
    float(x), float(x.detach()), x.item()
print(len(seen), seen[0].message)
"""
    import subprocess
    import sys

    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.stdout.startswith("1 float(): Converting a tensor with requires_grad=True")


def test_no_elements_have_no_address():
    x = eagre.empty(2, 2)
    assert x.data_ptr() != 0
    assert x[0:0].data_ptr() == 0
    assert not eagre.empty(0).is_set_to(eagre.empty(0))


def test_a_number_on_meta_is_printed_without_its_value():
    x = eagre.empty((), device="meta")
    assert format(x) == repr(x)


def test_random_truth_by_a_tensor_of_chances():
    for dtype in (eagre.int64, eagre.bool, eagre.float16):
        x = eagre.zeros(2, dtype=dtype)
        assert x.bernoulli_(eagre.tensor([0.0, 1.0])).tolist() == [0, 1]
        assert eagre.bernoulli(eagre.tensor([1.0, 0.0]), out=x) is x
        assert x.tolist() == [1, 0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert eagre.zeros(3).bernoulli_(1.0).tolist() == [1, 1, 1]
