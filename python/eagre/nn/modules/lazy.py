"""Modules that learn the shapes of their parameters from their first input."""

from eagre.nn.parameter import is_lazy

__all__ = ["LazyModuleMixin"]


class LazyModuleMixin:
    """For a class of modules whose parameters have no shape before the first call, which runs
    initialize_parameters(). Then the module becomes a `cls_to_become`, if the class names one."""

    cls_to_become = None

    def __init__(self, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self._load_hook = self._register_load_state_dict_pre_hook(self._lazy_load_hook)
        self._initialize_hook = self.register_forward_pre_hook(
            self._infer_parameters, with_kwargs=True
        )

    def _save_to_state_dict(self, destination, prefix, keep_vars):
        for name, value in (*self._parameters.items(), *self._buffers.items()):
            if value is None or name in self._non_persistent_buffers_set:
                continue
            keep = is_lazy(value) or keep_vars
            destination[prefix + name] = value if keep else value.detach()

    def _lazy_load_hook(
        self,
        state_dict,
        prefix,
        local_metadata,
        strict,
        missing_keys,
        unexpected_keys,
        error_msgs,
    ):
        """Takes the shapes of parameters that are loaded."""
        for name, value in (*self._parameters.items(), *self._buffers.items()):
            loaded = state_dict.get(prefix + name)
            if value is not None and loaded is not None and is_lazy(value) and not is_lazy(loaded):
                from eagre.autograd.grad_mode import no_grad

                with no_grad():
                    value.materialize(loaded.shape)

    def initialize_parameters(self, *args, **kwargs):
        """Gives the parameters their shapes, from the arguments of a call."""
        raise NotImplementedError(
            f"initialize_parameters is not implemented for {type(self).__name__}"
        )

    def has_uninitialized_params(self):
        """Is there a parameter or buffer without a shape?"""
        return any(is_lazy(one) for one in (*self._parameters.values(), *self._buffers.values()))

    def _infer_parameters(self, module, args, kwargs=None):
        """The hook in front of the first call."""
        module.initialize_parameters(*args, **(kwargs or {}))
        if module.has_uninitialized_params():
            raise RuntimeError(f"module {self._get_name()} has not been fully initialized")
        module._initialize_hook.remove()
        module._load_hook.remove()
        delattr(module, "_initialize_hook")
        delattr(module, "_load_hook")
        if module.cls_to_become is not None:
            module.__class__ = module.cls_to_become

    def _replicate_for_data_parallel(self):
        raise RuntimeError(
            "Modules with uninitialized parameters can't be used with `DataParallel`. "
            "Hint: call the module once before"
        )
