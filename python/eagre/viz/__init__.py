"""Pictures of graphs: viz.graph(y) shows how y was made, with shapes and source lines."""

from __future__ import annotations

import json

from eagre.autograd.graph import get_gradient_edge, to_json
from eagre.viz._layers import layered, rows_of
from eagre.viz._svg import Box, drawn

TYPE_CHECKING = False  # which type checkers take for true
if TYPE_CHECKING:
    from os import PathLike
    from typing import TypeVar

    _Path = TypeVar("_Path", bound=str | PathLike[str])

__all__ = ["Picture", "graph"]

_FAR = 4  # rows


class Picture:
    """A drawing as text; notebooks show it."""

    def __init__(self, svg, title) -> None:
        self.svg = svg
        self.title = title

    @property
    def html(self) -> str:
        """A page with the drawing."""
        return (
            f'<!DOCTYPE html>\n<html><head><meta charset="utf-8"><title>{self.title}</title></head>'
            f'\n<body style="margin:0;overflow:auto">\n{self.svg}</body></html>\n'
        )

    def save(self, path: _Path) -> _Path:
        """Writes the drawing (.svg), or a page with it (.html); returns the path."""
        name = str(path).lower()
        if not name.endswith((".svg", ".html", ".htm")):
            raise ValueError(
                f"save(): the name must end in .svg or .html, but got '{path}'. Hint: "
                "rsvg-convert, Inkscape or the package cairosvg make other formats of an .svg"
            )
        text = self.svg if name.endswith(".svg") else self.html
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def _repr_svg_(self):
        return self.svg

    def __repr__(self):
        return f"<Picture '{self.title}', {len(self.svg)} characters of SVG>"


def graph(tensor, params=None, *, max_nodes=400) -> Picture:
    """The graph of a tensor that requires grad: results above, what they were made of below.

    `params` (a dict, or pairs, of names and tensors) says what leaves are called. Of graphs with
    more nodes than `max_nodes`, those nearest to `tensor` are shown.
    """
    root = get_gradient_edge(tensor).node  # raises if there is no graph
    nodes = json.loads(to_json(tensor))["nodes"]
    names = _names_of_leaves(root, params)
    visible = nodes[:max_nodes]  # they are numbered by distance
    edges = [
        (node["id"], target["node"])
        for node in visible
        for target in node["next"]
        if target is not None and target["node"] < len(visible)
    ]
    boxes = [_box(node, names) for node in visible]
    _repeat_far_leaves(boxes, edges)
    left_out = len(nodes) - len(visible)
    note = f"{left_out} more nodes are not shown" if left_out else ""
    layout = layered([box.width for box in boxes], edges)
    return Picture(drawn(layout, boxes, note), f"graph of {nodes[0]['name']}")


def _repeat_far_leaves(boxes, edges):
    """A leaf that is used all over the graph stands beside each use that is far from the others."""
    rows = rows_of(len(boxes), edges)
    for index, (upper, lower) in enumerate(edges):
        if boxes[lower].is_leaf and rows[lower] - rows[upper] > _FAR:
            edges[index] = (upper, len(boxes))
            boxes.append(boxes[lower])


def _box(node, names):
    outputs = node["outputs"]
    shapes = ", ".join(f"{output['dtype']} {output['shape']}" for output in outputs[:3])
    if len(outputs) > 3:
        shapes += f", … ({len(outputs)})"
    if outputs[0]["device"] != "cpu":
        shapes += f" {outputs[0]['device']}"
    is_leaf = node["name"] == "AccumulateGrad"
    title = names.get(node["id"], "leaf") if is_leaf else node["name"]
    return Box(title, shapes, node["site"], is_leaf)


def _names_of_leaves(root, params):
    """By the numbers of to_json(), which come from the walk that this repeats."""
    items = params.items() if hasattr(params, "items") else params or ()
    wanted = {get_gradient_edge(t).node: name for name, t in items if t.requires_grad}
    if not wanted:
        return {}
    numbers, queue = {root: 0}, [root]
    for node in queue:
        for target, _ in node.next_functions:
            if target is not None and target not in numbers:
                numbers[target] = len(queue)
                queue.append(target)
    return {numbers[node]: name for node, name in wanted.items() if node in numbers}


def __dir__():
    return __all__
