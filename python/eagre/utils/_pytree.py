"""Nested values, under the names that code for PyTorch uses; eagre._tree has them too."""

from eagre import _tree


class TreeSpec:
    """The structure of nested values, without the values."""

    def __init__(self, structure):
        self._structure = structure
        self.num_leaves = len(_tree.leaves(structure))

    def __eq__(self, other):
        return isinstance(other, TreeSpec) and self._structure == other._structure

    def __hash__(self):
        return hash(repr(self._structure))

    def __repr__(self):
        return f"TreeSpec({self._structure})"

    def unflatten(self, leaves):
        """The structure with these values."""
        leaves = list(leaves)
        if len(leaves) != self.num_leaves:
            raise ValueError(
                f"tree_unflatten(leaves, treespec): `leaves` has length {len(leaves)} but the spec "
                f"refers to a tree that holds {self.num_leaves} items"
            )
        return _tree.rebuilt(self._structure, leaves)


def tree_flatten(tree):
    """The values from left to right, and the structure."""
    return _tree.leaves(tree), TreeSpec(_tree.structure(tree))


def tree_unflatten(leaves, treespec):
    """The structure with these values."""
    return treespec.unflatten(leaves)


def tree_leaves(tree):
    """The values from left to right."""
    return _tree.leaves(tree)


def tree_structure(tree):
    """The structure alone."""
    return tree_flatten(tree)[1]


def tree_map(func, tree, *rests):
    """func of every value, and of those at the same place in the other trees."""
    leaves, spec = tree_flatten(tree)
    others = []
    for rest in rests:
        flat, other = tree_flatten(rest)
        if other != spec:
            raise ValueError(f"tree_map(): the trees differ: {spec} and {other}")
        others.append(flat)
    return spec.unflatten([func(*values) for values in zip(leaves, *others, strict=True)])


def tree_map_only(type_or_types, func, tree):
    """func of the values of these types; others stay."""
    return tree_map(lambda value: func(value) if isinstance(value, type_or_types) else value, tree)


def tree_any(pred, tree):
    """True if it holds for some value."""
    return any(pred(value) for value in _tree.leaves(tree))


def tree_all(pred, tree):
    """True if it holds for all values."""
    return all(pred(value) for value in _tree.leaves(tree))
