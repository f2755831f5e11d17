"""Calls of a module with other parameters and buffers than its own."""

from __future__ import annotations

import contextlib

from eagre import _C

__all__ = ["functional_call"]


_NOTHING = object()  # in the place of a tensor that a module does not have


class _Places:
    """Where tensors of a module are: the dict and name of each path, found once per module."""

    def __init__(self, module) -> None:
        self.modules = {"": module}

    def module(self, path):
        found = self.modules.get(path)
        if found is None:
            above, _, name = path.rpartition(".")
            found = self.module(above)._modules.get(name)
            if found is None:
                raise AttributeError(f"{path} is no module")
            self.modules[path] = found
        return found

    def swap(self, path, value):
        """Puts `value` there, or nothing for `_NOTHING`, and returns what was there."""
        if value is not None and value is not _NOTHING and not isinstance(value, _C.Tensor):
            raise TypeError(f"{value} is not an instance of torch.Tensor")
        above, _, name = path.rpartition(".")
        module = self.module(above)
        if name == "":
            raise KeyError('tensor name can\'t be empty string ""')
        for members in (module._parameters, module._buffers):
            if name in members:
                old, members[name] = members[name], value
                return old
        # An attribute like any other, what a parametrization gives, or a name that is new.
        old = getattr(module, name, _NOTHING)
        if old is not None and old is not _NOTHING and not isinstance(old, _C.Tensor):
            raise TypeError(f"attribute `{name}`: {old} is not an instance of torch.Tensor")
        if value is _NOTHING:
            vars(module).pop(name, None)
        elif old is _NOTHING or name in vars(module):
            vars(module)[name] = value  # no parameter, even if the value is one
        else:
            setattr(module, name, value)
        return old


def _names_of_same(module):
    """Lists of the names that lead to one tensor."""
    names = {}
    for name, tensor in (
        *module.named_parameters(remove_duplicate=False),
        *module.named_buffers(remove_duplicate=False),
    ):
        names.setdefault(tensor, []).append(name)
    return names.values()


def _with_ties(module, given):
    """What is given, under all names of the same tensor."""
    given = dict(given)
    for names in _names_of_same(module):
        known = [name for name in names if name in given]
        if not known or len(names) == 1:
            continue
        if len({id(given[name]) for name in known}) > 1:
            raise ValueError(
                f"functional_call got multiple values for keys {sorted(known)}, which are tied. "
                "Consider using tie_weights=False"
            )
        given |= dict.fromkeys(names, given[known[0]])
    return given


@contextlib.contextmanager
def _reparametrize_module(
    module, parameters_and_buffers, tie_weights=False, strict=False, stack_weights=False
):
    given = dict(parameters_and_buffers)
    if tie_weights:
        given = _with_ties(module, given)
    if strict:
        own = {name for names in _names_of_same(module) for name in names}
        missing, unexpected = sorted(own - given.keys()), sorted(given.keys() - own)
        if missing or unexpected:
            lines = []
            if unexpected:
                lines.append(f"Unexpected key(s): {', '.join(unexpected)}.")
            if missing:
                lines.append(f"Missing key(s): {', '.join(missing)}.")
            raise RuntimeError("Error(s) in reparametrizing:\n\t" + "\n\t".join(lines))
    places, kept = _Places(module), {}
    try:
        for path, value in given.items():
            kept[path] = places.swap(path, value)
        yield
    finally:
        for path in reversed(kept):
            # What the call itself wrote into the place of a buffer goes back to the caller.
            now = places.swap(path, kept[path])
            if now is not given[path] and now is not _NOTHING and path in parameters_and_buffers:
                with contextlib.suppress(TypeError):
                    parameters_and_buffers[path] = now


def functional_call(
    module, parameters_and_buffers, args=None, kwargs=None, *, tie_weights=True, strict=False
):
    """torch.func.functional_call(), under its old name."""
    import warnings

    warnings.warn(
        "This API is deprecated as of PyTorch 2.0 and will be removed in a future version of "
        "PyTorch. Please use torch.func.functional_call instead which is a drop-in replacement "
        "for this API.",
        FutureWarning,
        stacklevel=2,
    )
    return _functional_call(
        module, parameters_and_buffers, args, kwargs, tie_weights=tie_weights, strict=strict
    )


def _functional_call(
    module, parameters_and_buffers, args=None, kwargs=None, *, tie_weights=True, strict=False
):
    if args is None:
        args = ()
    elif not isinstance(args, tuple):
        args = (args,)
    with _reparametrize_module(module, parameters_and_buffers, tie_weights, strict):
        return module(*args, **(kwargs or {}))
