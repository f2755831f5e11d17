"""The random numbers of the default generator."""

from eagre._C import default_generator


def seed():
    """Starts from a random seed and returns it."""
    return default_generator.seed()


def initial_seed():
    """The seed in use."""
    return default_generator.initial_seed()


def get_rng_state():
    """A uint8 tensor from which set_rng_state() goes on at the same place."""
    return default_generator.get_state()


def set_rng_state(new_state):
    """Goes on where the state was taken."""
    default_generator.set_state(new_state)
