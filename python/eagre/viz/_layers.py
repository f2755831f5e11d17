"""Where the boxes of a graph without cycles stand: in rows, every edge leading downwards.

After Sugiyama: rows by the longest path, edges over several rows cut by places of their own, orders
in the rows by the mean of neighbours, then columns by the same mean.
"""

_GAP = 24  # between neighbours in a row
_BEND = 8  # the width of a place where an edge passes
_SWEEPS = 8


class Layout:
    """Rows of the boxes (`row[i]`), their middles (`x[i]`), and edges as lists of (x, row)."""

    def __init__(self, row, x, routes, width):
        self.row = row
        self.x = x
        self.routes = routes
        self.width = width


def layered(widths, edges):
    """`widths` of the boxes; `edges` are pairs of their numbers, the upper one first."""
    row = rows_of(len(widths), edges)
    widths = list(widths)
    paths, links = [], []
    for upper, lower in edges:
        path = [upper]
        for between in range(row[upper] + 1, row[lower]):
            path.append(len(widths))
            widths.append(_BEND)
            row.append(between)
        path.append(lower)
        paths.append(path)
        links += zip(path, path[1:], strict=False)
    rows = [[] for _ in range(max(row) + 1)]
    for item, number in enumerate(row):
        rows[number].append(item)
    above, below = [[] for _ in widths], [[] for _ in widths]
    for upper, lower in links:
        below[upper].append(lower)
        above[lower].append(upper)
    _order(rows, above, below)
    x = _columns(rows, above, below, widths)
    left = min(x[i] - widths[i] / 2 for i in range(len(widths)))
    x = [value - left for value in x]
    routes = [[(x[i], row[i]) for i in path] for path in paths]
    return Layout(row, x, routes, max(x[i] + widths[i] / 2 for i in range(len(widths))))


def rows_of(count, edges):
    """The longest way from above; the first box is the one that no edge leads to."""
    targets, missing = [[] for _ in range(count)], [0] * count
    for upper, lower in edges:
        targets[upper].append(lower)
        missing[lower] += 1
    row = [0] * count
    ready = [i for i in range(count) if missing[i] == 0]
    for item in ready:
        for target in targets[item]:
            row[target] = max(row[target], row[item] + 1)
            missing[target] -= 1
            if missing[target] == 0:
                ready.append(target)
    return row


def _mean(places, neighbours, otherwise):
    return sum(places[n] for n in neighbours) / len(neighbours) if neighbours else otherwise


def _order(rows, above, below):
    place = {item: i for items in rows for i, item in enumerate(items)}
    for sweep in range(_SWEEPS):
        is_down = sweep % 2 == 0
        for items in rows if is_down else reversed(rows):
            sides = above if is_down else below
            means = {item: _mean(place, sides[item], place[item]) for item in items}
            items.sort(key=means.__getitem__)
            place.update((item, i) for i, item in enumerate(items))


def _columns(rows, above, below, widths):
    x = [0.0] * len(widths)
    for items in rows:
        _spread(items, [0.0] * len(items), widths, x)
    for sweep in range(2 * _SWEEPS):
        sides = above if sweep % 2 == 0 else below
        for items in rows if sweep % 2 == 0 else reversed(rows):
            _spread(items, [_mean(x, sides[i], x[i]) for i in items], widths, x)
    return x


def _spread(items, wanted, widths, x):
    """Puts a row where it wants to be, halfway between giving way to the right and to the left."""
    distances = [(widths[a] + widths[b]) / 2 + _GAP for a, b in zip(items, items[1:], strict=False)]
    to_right, to_left = list(wanted), list(wanted)
    for i, distance in enumerate(distances):
        to_right[i + 1] = max(to_right[i + 1], to_right[i] + distance)
    for i in range(len(distances) - 1, -1, -1):
        to_left[i] = min(to_left[i], to_left[i + 1] - distances[i])
    for i, item in enumerate(items):
        x[item] = (to_right[i] + to_left[i]) / 2
