"""The forms in place, `f_`, of functions that are made of other operators."""

import functools

import eagre


def in_place(function):
    """A method that puts the result of the function into the tensor itself."""

    @functools.wraps(function)
    def wrapped(self, *args, **kwargs):
        # Of a copy: what the function saves for its gradient must not change under it.
        result = function(self.clone(), *args, **kwargs)
        if result.shape != self.shape:
            raise RuntimeError(
                f"{name}(): output with shape {list(self.shape)} doesn't match the broadcast shape "
                f"{list(result.shape)}"
            )
        if not eagre.can_cast(result.dtype, self.dtype):
            raise RuntimeError(
                f"{name}(): result type {result.dtype} can't be cast to the desired output type "
                f"{self.dtype}"
            )
        return self.copy_(result)

    name = function.__name__ + "_"
    wrapped.__name__ = wrapped.__qualname__ = name
    wrapped.__doc__ = f"{function.__name__}() in place."
    return wrapped
