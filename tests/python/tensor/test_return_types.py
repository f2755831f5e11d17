"""Results with names: their types, text, pickles and copies."""

import copy
import pickle

import pytest
from child import run

import eagre

PROTOCOLS = range(pickle.HIGHEST_PROTOCOL + 1)


def test_return_types_is_a_module_of_all_types():
    import eagre.return_types as types

    values = eagre.tensor([[1.0, 3.0], [4.0, 2.0]])
    assert types.max is type(values.max(1)) and types.sort is type(values.sort())
    assert {"max", "min", "sort", "topk"} <= set(dir(types))
    assert types.topk in types.all_return_types
    assert types.max((1, 2)).indices == 2
    with pytest.raises(AttributeError, match="'add': no operator of this name"):
        _ = types.add


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_results_with_names_are_pickled_and_copied(protocol):
    result = eagre.tensor([[1.0, 3.0], [4.0, 2.0]]).max(1)
    for made in (
        pickle.loads(pickle.dumps(result, protocol)),
        copy.copy(result),
        copy.deepcopy(result),
    ):
        assert type(made) is type(result)
        assert made.values.tolist() == [3.0, 4.0] and made.indices.tolist() == [1, 0]


def test_a_pickle_of_a_result_is_read_where_its_operator_was_never_called():
    text = pickle.dumps(eagre.tensor([3.0, 1.0]).sort()).hex()
    code = f"import pickle, eagre; print(pickle.loads(bytes.fromhex('{text}')).indices.tolist())"
    assert run(code)[0] == "[1, 0]"


def test_results_with_names_are_shown_with_them():
    x = eagre.tensor([[3.0, 1.0, 2.0], [9.0, 8.0, 7.0]])
    assert (
        repr(x.median(1))
        == "eagre.return_types.median(\nvalues=tensor([2., 8.]),\nindices=tensor([2, 1]))"
    )
    assert repr(x.max(1)).startswith("eagre.return_types.max(\nvalues=tensor([3., 9.]),\n")
