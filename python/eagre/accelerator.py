"""The accelerator of this machine: none, unless a plug-in brings one and is named by device."""


def is_available():
    """False: there is no accelerator that is found by itself."""
    return False


def device_count():
    """0."""
    return 0


def current_accelerator(check_available=False):
    """None: there is no accelerator that is found by itself."""
    return


def current_device_index():
    """There is none to ask about."""
    raise RuntimeError("accelerator.current_device_index(): there is no accelerator")


current_device_idx = current_device_index


def synchronize(device=None):
    """Waits for the work on a device; without one there is nothing to wait for."""
    if device is not None:
        import eagre

        eagre.synchronize(device)


def empty_cache():
    """Nothing to give back: eagre.cpu.empty_cache() is for host memory."""
