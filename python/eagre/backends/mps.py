"""Apple's GPUs: not there."""

from eagre.backends.absent import install

install(__name__, {}, is_available=lambda: False, is_built=lambda: False)
