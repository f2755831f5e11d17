"""Files of tensors: PyTorch's archives and safetensors, and what they are made of."""
