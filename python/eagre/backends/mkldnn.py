"""oneDNN: not there."""

from eagre.backends.absent import install

install(
    __name__,
    {"enabled": False, "deterministic": False, "allow_tf32": False},
    is_available=lambda: False,
)
