"""Weights of convolutions in another memory format."""

__all__ = ["convert_conv2d_weight_memory_format", "convert_conv3d_weight_memory_format"]


def _converted(module, memory_format, classes):
    for one in module.modules():
        if isinstance(one, classes):
            one.weight.data = one.weight.detach().clone().contiguous(memory_format=memory_format)
    return module


def convert_conv2d_weight_memory_format(module, memory_format):
    """`module`, with the weights of all its 2d convolutions in this memory format."""
    from eagre.nn.modules.conv import Conv2d, ConvTranspose2d

    return _converted(module, memory_format, (Conv2d, ConvTranspose2d))


def convert_conv3d_weight_memory_format(module, memory_format):
    """`module`, with the weights of all its 3d convolutions in this memory format."""
    from eagre.nn.modules.conv import Conv3d, ConvTranspose3d

    return _converted(module, memory_format, (Conv3d, ConvTranspose3d))
