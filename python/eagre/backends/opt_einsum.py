"""opt_einsum: not there; einsum() goes from left to right."""

from eagre.backends.absent import install

install(
    __name__,
    {"enabled": False, "strategy": None},
    is_available=lambda: False,
    get_opt_einsum=lambda: None,
)
