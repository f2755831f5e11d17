"""Tools around tensors."""
