"""eagre.viz: graphs as pictures."""

import re
import xml.etree.ElementTree as ElementTree

import pytest

import eagre
import eagre.viz
from eagre.viz._layers import layered


def texts(svg):
    return [element.text for element in ElementTree.fromstring(svg).iter() if element.text]


def boxes(svg):
    """(left, top, width, height) of each."""
    rects = ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}rect")
    return [tuple(float(r.get(name)) for name in ("x", "y", "width", "height")) for r in rects]


def test_nodes_with_shapes_and_lines():
    weight = eagre.ones(2, 3, requires_grad=True)
    bias = eagre.ones(3, requires_grad=True)
    y = (eagre.ones(4, 2) @ weight + bias).tanh().sum()
    picture = eagre.viz.graph(y, {"weight": weight, "bias": bias, "other": eagre.ones(1)})
    words = texts(picture.svg)
    for word in (
        "SumBackward0",
        "TanhBackward0",
        "float32 [4, 3]",
        "weight",
        "bias",
        "float32 [3]",
    ):
        assert word in words
    assert any(
        re.fullmatch(r"test_viz.py:\d+ in test_nodes_with_shapes_and_lines", w) for w in words
    )
    assert "leaf" in texts(eagre.viz.graph(y).svg)
    assert picture._repr_svg_() == picture.svg and "SumBackward0" in repr(picture)


def test_boxes_do_not_overlap_and_edges_lead_down():
    x = eagre.ones(3, requires_grad=True)
    parts = [(x * n).exp() + x for n in range(6)]
    y = eagre.stack(parts).sum() + parts[0].sum() + x.prod()
    svg = eagre.viz.graph(y).svg
    all_boxes = boxes(svg)
    for i, (left, top, width, height) in enumerate(all_boxes):
        for other_left, other_top, other_width, other_height in all_boxes[:i]:
            separate_x = left >= other_left + other_width or other_left >= left + width
            separate_y = top >= other_top + other_height or other_top >= top + height
            assert separate_x or separate_y
    for path in re.findall(r'd="M[\d.-]+ ([\d.-]+).* ([\d.-]+)"', svg):
        assert float(path[0]) < float(path[1])


def test_rows_of_a_diamond_with_a_long_edge():
    layout = layered([10, 10, 10, 10], [(0, 1), (0, 2), (1, 2), (2, 3), (0, 3)])
    assert layout.row[:4] == [0, 1, 2, 3]
    assert [len(route) for route in layout.routes] == [2, 3, 2, 2, 4]


def test_large_graphs_are_cut():
    x = eagre.ones(1, requires_grad=True)
    y = x
    for _ in range(3000):
        y = y * x
    svg = eagre.viz.graph(y, max_nodes=50).svg
    assert "2951 more nodes are not shown" in svg and len(boxes(svg)) < 120


def test_files(tmp_path):
    y = eagre.ones(1, requires_grad=True) * 2
    picture = eagre.viz.graph(y)
    path = picture.save(tmp_path / "graph.svg")
    assert path.read_text(encoding="utf-8") == picture.svg
    page = picture.save(tmp_path / "graph.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>") and picture.svg in page


def test_text_is_escaped():
    weight = eagre.ones(1, requires_grad=True)
    svg = eagre.viz.graph(weight * 2, {"<w & b>": weight}).svg
    assert "<w & b>" in texts(svg)


def test_there_must_be_a_graph():
    with pytest.raises(RuntimeError, match="does not require gradients"):
        eagre.viz.graph(eagre.ones(1))


def test_other_formats_are_refused(tmp_path):
    picture = eagre.viz.graph((eagre.ones(2, requires_grad=True) * 2).sum())
    with pytest.raises(ValueError, match=r"end in \.svg or \.html, but got '.*graph\.png'\. Hint"):
        picture.save(tmp_path / "graph.png")
    assert not (tmp_path / "graph.png").exists()
