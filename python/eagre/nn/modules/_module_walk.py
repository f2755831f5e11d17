"""Names of what is in modules, and ways to each of them."""

from __future__ import annotations

from eagre.nn.parameter import Parameter

TYPE_CHECKING = False  # which type checkers take for true
if TYPE_CHECKING:
    from collections.abc import Iterator

    from eagre import Tensor
    from eagre.nn.modules.module import Module


class WalkMethods:
    """The methods of Module that find parameters, buffers and submodules."""

    __slots__ = ()

    def _named_members(self, get_members_fn, prefix="", recurse=True, remove_duplicate=True):
        """What `get_members_fn` gives of each module, under its path."""
        seen = set()
        modules = (
            self.named_modules(prefix=prefix, remove_duplicate=remove_duplicate)
            if recurse
            else [(prefix, self)]
        )
        for path, module in modules:
            for name, value in get_members_fn(module):
                if value is None or value in seen:
                    continue
                if remove_duplicate:
                    seen.add(value)
                yield f"{path}.{name}" if path else name, value

    def parameters(self, recurse=True) -> Iterator[Parameter]:
        """The parameters, each once."""
        for _, parameter in self.named_parameters(recurse=recurse):
            yield parameter

    def named_parameters(
        self, prefix="", recurse=True, remove_duplicate=True
    ) -> Iterator[tuple[str, Parameter]]:
        """Names and parameters."""
        yield from self._named_members(_parameters, prefix, recurse, remove_duplicate)

    def buffers(self, recurse=True) -> Iterator[Tensor]:
        """The buffers, each once."""
        for _, buffer in self.named_buffers(recurse=recurse):
            yield buffer

    def named_buffers(
        self, prefix="", recurse=True, remove_duplicate=True
    ) -> Iterator[tuple[str, Tensor]]:
        """Names and buffers."""
        yield from self._named_members(_buffers, prefix, recurse, remove_duplicate)

    def children(self) -> Iterator[Module]:
        """The modules directly below this one, each once."""
        for _, module in self.named_children():
            yield module

    def named_children(self) -> Iterator[tuple[str, Module]]:
        """Names and modules directly below this one."""
        seen = set()
        for name, module in self._modules.items():
            if module is not None and module not in seen:
                seen.add(module)
                yield name, module

    def modules(self, remove_duplicate=True) -> Iterator[Module]:
        """This module and all below it, each once unless told otherwise."""
        for _, module in self.named_modules(remove_duplicate=remove_duplicate):
            yield module

    def named_modules(
        self, memo=None, prefix="", remove_duplicate=True
    ) -> Iterator[tuple[str, Module]]:
        """Paths and modules: this one, which has the path `prefix`, and all below it."""
        if memo is None:
            memo = set()
        if self in memo:
            return
        if remove_duplicate:
            memo.add(self)
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                path = f"{prefix}.{name}" if prefix else name
                yield from module.named_modules(memo, path, remove_duplicate)

    def get_submodule(self, target) -> Module:
        """The module at a path like "encoder.0"; of "" this one."""
        module = self
        for name in target.split(".") if target else ():
            if not hasattr(module, name):
                raise AttributeError(f"{module._get_name()} has no attribute `{name}`")
            module = getattr(module, name)
            if not isinstance(module, WalkMethods):
                raise AttributeError(f"`{name}` is not an nn.Module")
        return module

    def set_submodule(self, target, module, strict=False) -> None:
        """Puts `module` at a path like "encoder.0", in place of what is there; with `strict` there
        must be a module."""
        if target == "":
            raise ValueError("Cannot set the submodule without a target name!")
        if not isinstance(module, WalkMethods):
            raise ValueError(f"`module` is not an nn.Module, found {type(module)}")
        path, _, name = target.rpartition(".")
        owner = self.get_submodule(path)
        present = hasattr(owner, name)
        if strict and not present:
            raise AttributeError(f"{owner._get_name()} has no attribute `{name}`")
        if present and not isinstance(getattr(owner, name), WalkMethods):
            raise AttributeError(f"`{name}` is not an nn.Module")
        setattr(owner, name, module)

    def get_parameter(self, target) -> Parameter:
        """The parameter at a path like "encoder.weight"."""
        value = self._member(target)
        if not isinstance(value, Parameter):
            raise AttributeError(f"`{target.rpartition('.')[2]}` is not an nn.Parameter")
        return value

    def get_buffer(self, target) -> Tensor:
        """The buffer at a path like "norm.running_mean"."""
        value = self._member(target)
        path, _, name = target.rpartition(".")
        if name not in self.get_submodule(path)._buffers:
            raise AttributeError(f"`{name}` is not a buffer")
        return value

    def _member(self, target):
        path, _, name = target.rpartition(".")
        owner = self.get_submodule(path)
        if not hasattr(owner, name):
            raise AttributeError(f"{owner._get_name()} has no attribute `{name}`")
        return getattr(owner, name)


def _parameters(module):
    return module._parameters.items()


def _buffers(module):
    return module._buffers.items()
