"""Settings that programs for PyTorch make about conversions of modules, by to() and the like."""

__all__ = [
    "get_overwrite_module_params_on_conversion",
    "get_swap_module_params_on_conversion",
    "set_overwrite_module_params_on_conversion",
    "set_swap_module_params_on_conversion",
]

_settings = {"overwrite": False, "swap": False}


def set_overwrite_module_params_on_conversion(value):
    """Whether conversions make new parameters; else the old ones get new values."""
    _settings["overwrite"] = value


def get_overwrite_module_params_on_conversion():
    """What was set; False at first."""
    return _settings["overwrite"]


def set_swap_module_params_on_conversion(value):
    """Whether parameters stay the same objects also where PyTorch would have to make others. Here
    they stay the same wherever they can."""
    _settings["swap"] = value


def get_swap_module_params_on_conversion():
    """What was set; False at first."""
    return _settings["swap"]
