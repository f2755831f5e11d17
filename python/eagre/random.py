"""The random numbers of the default generator."""

from eagre._C import Tensor, default_generator, manual_seed

__all__ = [
    "fork_rng",
    "get_rng_state",
    "initial_seed",
    "manual_seed",
    "seed",
    "set_rng_state",
]


def seed() -> int:
    """Starts from a random seed and returns it."""
    return default_generator.seed()


def initial_seed() -> int:
    """The seed in use."""
    return default_generator.initial_seed()


def get_rng_state() -> Tensor:
    """A uint8 tensor from which set_rng_state() goes on at the same place."""
    return default_generator.get_state()


def set_rng_state(new_state) -> None:
    """Goes on where the state was taken."""
    default_generator.set_state(new_state)


class fork_rng:  # noqa: N801  PyTorch's name
    """with fork_rng(): random numbers drawn in the scope do not change those that come after it."""

    def __init__(self, devices=None, enabled=True, device_type="cuda") -> None:
        if devices:
            raise RuntimeError(
                f"fork_rng(): there is no {device_type} device; devices must be empty"
            )
        self._enabled = enabled
        self._states = []

    def __enter__(self) -> None:
        self._states.append(get_rng_state() if self._enabled else None)

    def __exit__(self, *exception) -> None:
        state = self._states.pop()
        if state is not None:
            set_rng_state(state)

    def __call__(self, function):
        import functools

        @functools.wraps(function)
        def wrapped(*args, **kwargs):
            with self:
                return function(*args, **kwargs)

        return wrapped


def __dir__():
    return __all__
