"""The graph of gradients as text."""

from eagre._C import Node, _graph_to_dot, _graph_to_json

__all__ = ["Node", "to_dot", "to_json"]


def to_dot(tensor):
    """The graph of `tensor` for Graphviz: nodes with shapes and source lines."""
    return _graph_to_dot(tensor)


def to_json(tensor):
    """The same as JSON: "root" and "nodes", each with name, site, outputs and next."""
    return _graph_to_json(tensor)
