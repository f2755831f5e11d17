"""Tools for networks: clipped gradients, parameters as vectors, weights that are functions of
others, fusion, pruning, sequences of several lengths."""

from eagre._late_names import late as _late

_PLACES = {
    "clip_grad": "clip_grad_norm clip_grad_norm_ clip_grad_value_ clip_grads_with_norm_ "
    "get_total_norm",
    "convert_parameters": "parameters_to_vector vector_to_parameters",
    "fusion": "fuse_conv_bn_eval fuse_conv_bn_weights fuse_linear_bn_eval fuse_linear_bn_weights",
    "init": "skip_init",
    "memory_format": "convert_conv2d_weight_memory_format convert_conv3d_weight_memory_format",
    "_old_spectral_norm": "remove_spectral_norm spectral_norm",
    "_old_weight_norm": "remove_weight_norm weight_norm",
}
_MODULES = frozenset(
    [
        "clip_grad",
        "convert_parameters",
        "fusion",
        "init",
        "memory_format",
        "parametrizations",
        "parametrize",
        "prune",
        "rnn",
        "stateless",
    ]
)
_MODULE_OF = {name: module for module, names in _PLACES.items() for name in names.split()}

__all__ = [*_MODULE_OF, "parametrizations", "parametrize", "prune", "rnn", "stateless"]


globals()["__getattr__"] = _late(globals(), _MODULE_OF, _MODULES)  # unseen by type checkers

TYPE_CHECKING = False  # which type checkers take for true
if TYPE_CHECKING:
    from eagre.nn.utils import parametrizations, parametrize, prune, rnn, stateless  # noqa: F401
    from eagre.nn.utils._old_spectral_norm import remove_spectral_norm, spectral_norm  # noqa: F401
    from eagre.nn.utils._old_weight_norm import remove_weight_norm, weight_norm  # noqa: F401
    from eagre.nn.utils.clip_grad import *  # noqa: F403
    from eagre.nn.utils.convert_parameters import *  # noqa: F403
    from eagre.nn.utils.fusion import *  # noqa: F403
    from eagre.nn.utils.init import *  # noqa: F403
    from eagre.nn.utils.memory_format import *  # noqa: F403


def __dir__():
    return __all__
