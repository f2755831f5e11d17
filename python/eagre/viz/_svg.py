"""Boxes and arrows as SVG."""

import html

_MARGIN = 16
_ROW = 104  # from one row to the next
_LINE = 16
_LETTER = 6.7  # width of a letter at 12 pixels, about

_STYLE = """<style>
 .box{fill:#f4f4f2;stroke:#8a8a86} .leaf{fill:#dcebfa;stroke:#5b8db8}
 text{font:12px ui-monospace,Menlo,Consolas,monospace;text-anchor:middle;fill:#222}
 .title{font-weight:bold} .place{fill:#666;font-size:10.5px}
 .edge{fill:none;stroke:#777;stroke-width:1.2}
</style>
<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7"
 orient="auto"><path d="M0 0L8 4L0 8z" fill="#777"/></marker></defs>
"""


class Box:
    """Three lines of text; what the last one leaves out is shown by the pointer."""

    def __init__(self, title, shapes, place, is_leaf):
        self.lines = [line for line in (title, shapes, place.rpartition("/")[2]) if line]
        self.place = place
        self.is_leaf = is_leaf
        self.width = max(map(len, self.lines)) * _LETTER + 20
        self.height = len(self.lines) * _LINE + 12


def drawn(layout, boxes, note):
    """The whole picture; `note` stands below it."""
    tops = [layout.row[i] * _ROW for i in range(len(boxes))]
    height = max(top + box.height for top, box in zip(tops, boxes, strict=True))
    width = layout.width + 2 * _MARGIN
    full = height + 2 * _MARGIN + (_LINE if note else 0)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{full:.0f}" '
        f'viewBox="{-_MARGIN} {-_MARGIN} {width:.0f} {full:.0f}">\n',
        _STYLE,
    ]
    by_place = {(layout.x[i], layout.row[i]): box for i, box in enumerate(boxes)}
    parts += (_edge(route, by_place[route[0]].height) for route in layout.routes)
    parts += (_box(layout.x[i], tops[i], box) for i, box in enumerate(boxes))
    if note:
        parts.append(f'<text x="{layout.width / 2:.1f}" y="{height + _LINE:.1f}">{note}</text>\n')
    return "".join(parts) + "</svg>\n"


def _box(x, top, box):
    kind = "leaf" if box.is_leaf else "box"
    classes = ["title", "shapes", "place"]
    lines = "".join(
        f'<text class="{name}" x="{x:.1f}" y="{top + 19 + i * _LINE:.1f}">{text}</text>'
        for i, (name, text) in enumerate(zip(classes, map(html.escape, box.lines), strict=False))
    )
    return (
        f'<g><title>{html.escape(box.place)}</title><rect class="{kind}" rx="5" '
        f'x="{x - box.width / 2:.1f}" y="{top:.1f}" width="{box.width:.1f}" '
        f'height="{box.height:.1f}"/>{lines}</g>\n'
    )


def _edge(route, height):
    """From the bottom of a box to the top of another, straight down where it passes rows."""
    (x, row), *rest = route
    y = row * _ROW + height
    path = [f"M{x:.1f} {y:.1f}"]
    for next_x, next_row in rest:
        top = next_row * _ROW
        bend = (top - y) / 2
        path.append(f"C{x:.1f} {y + bend:.1f} {next_x:.1f} {top - bend:.1f} {next_x:.1f} {top:.1f}")
        x, y = next_x, top
        if next_row != rest[-1][1]:
            y = top + _ROW / 2
            path.append(f"V{y:.1f}")
    return f'<path class="edge" marker-end="url(#tip)" d="{"".join(path)}"/>\n'
