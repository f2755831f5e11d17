"""Nested tuples, lists and dicts of values: what functions take and return."""

import collections

from eagre._C import _set_tree_like, _tree_leaves, _tree_rebuilt

leaves = _tree_leaves  # the values, from left to right
rebuilt = _tree_rebuilt  # the same structure with other values


def is_node(value):
    return isinstance(value, (tuple, list, dict))


def children(node):
    return list(node.values()) if isinstance(node, dict) else list(node)


def like(node, items):
    """A node of the same type with other children."""
    if isinstance(node, collections.defaultdict):
        return type(node)(node.default_factory, zip(node, items, strict=True))
    if isinstance(node, dict):
        return type(node)(zip(node, items, strict=True))
    kind = type(node)
    return kind._make(items) if hasattr(kind, "_make") else kind(items)


_set_tree_like(like)


def mapped(function, tree):
    return rebuilt(tree, [function(leaf) for leaf in leaves(tree)])


def structure(tree):
    """The tree with a star for every leaf, for comparing and for messages."""
    return mapped(lambda leaf: "*", tree)


def spread(prefix, tree):
    """For every leaf of `tree` the value that stands above it in `prefix`; None if that has
    another structure."""
    if not is_node(prefix):
        return [prefix] * len(leaves(tree))
    if not is_node(tree) or type(prefix) is not type(tree) or len(prefix) != len(tree):
        return None
    if isinstance(tree, dict) and set(prefix) != set(tree):
        return None
    if isinstance(tree, dict):
        prefix = {key: prefix[key] for key in tree}
    parts = [spread(p, t) for p, t in zip(children(prefix), children(tree), strict=True)]
    return None if None in parts else [value for part in parts for value in part]
