"""Steps of an optimizer on other parameters and states than its own, for a while."""

from collections import defaultdict
from contextlib import contextmanager


@contextmanager
def swap_in_optimizer_params_and_state(optimizer, swapin_parameters, swapin_optim_state):
    """Within it the optimizer has the parameters of the dict `swapin_parameters`, in their order,
    and the states and options of `swapin_optim_state`, which has the shape of state_dict(). Tensors
    are not copied: steps change them. Afterwards the optimizer is as it was."""
    state, groups = optimizer.state, optimizer.param_groups
    parameters = list(swapin_parameters.values())
    new_groups = swapin_optim_state["param_groups"]
    sizes = [len(group["params"]) for group in groups]
    if [len(group["params"]) for group in new_groups] != sizes or len(parameters) != sum(sizes):
        raise ValueError(
            f"expected {sum(sizes)} parameters in groups of {sizes}, as the optimizer has, but got "
            f"{len(parameters)} and a state with groups of "
            f"{[len(group['params']) for group in new_groups]}"
        )
    owners = dict(enumerate(parameters))
    try:
        optimizer.state = defaultdict(dict)
        for key, value in swapin_optim_state["state"].items():
            optimizer.state[owners.get(key, key)] = dict(value)
        optimizer.param_groups = [
            {**group, "params": [owners[number] for number in group["params"]]}
            for group in new_groups
        ]
        _tell(optimizer)
        yield
    finally:
        optimizer.state, optimizer.param_groups = state, groups
        _tell(optimizer)


def _tell(optimizer):
    if hasattr(optimizer, "_params"):  # LBFGS walks over one list
        optimizer._params = optimizer.param_groups[0]["params"]
