"""Include cycles: between modules (a .h/.cpp pair is one), and between folders.

`check_layers.py` reports them. Includes are resolved by the tree: `<eagre/...>` from its root,
`"..."` from python/src. Generated headers are not in the tree and so no part of a cycle.
"""

import re
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:[<"](eagre/[^>"]+)[>"]|"([^"]+)")')
BORDER = PurePosixPath("python/src")

Graph = dict[PurePosixPath, set[PurePosixPath]]


def module_of(path: PurePosixPath) -> PurePosixPath:
    return path.with_suffix("")


def module_graph(root: Path, files: Iterable[Path]) -> Graph:
    """Module -> modules that its header or source includes."""
    graph: Graph = {}
    for file in files:
        path = PurePosixPath(file.as_posix())
        is_border = path.is_relative_to(BORDER)
        if path.suffix not in {".h", ".cpp"} or not (path.parts[0] == "eagre" or is_border):
            continue
        targets = graph.setdefault(module_of(path), set())
        for line in (root / file).read_text(encoding="utf-8").splitlines():
            match = INCLUDE.match(line)
            if match is None or (match[2] and not is_border):
                continue
            target = PurePosixPath(match[1]) if match[1] else BORDER / match[2]
            if (root / target).is_file() and module_of(target) != module_of(path):
                targets.add(module_of(target))
    return graph


def folder_graph(modules: Graph) -> Graph:
    """Folder -> folders that its modules include, itself left out."""
    graph: Graph = {}
    for module, targets in modules.items():
        folders = graph.setdefault(module.parent, set())
        folders |= {target.parent for target in targets} - {module.parent}
    return graph


def cycles(graph: Graph) -> list[list[PurePosixPath]]:
    """One shortest cycle through the first node, by name, of every group that hangs together."""
    found, done = [], set()
    for start in sorted(graph):
        if start in done:
            continue
        cycle = shortest_cycle(graph, start)
        if cycle:
            found.append(cycle)
            done.update(cycle)
    return found


def shortest_cycle(graph: Graph, start: PurePosixPath) -> list[PurePosixPath]:
    came_from = {start: start}
    queue = [start]
    for node in queue:
        for target in sorted(graph.get(node, ())):
            if target == start:
                way = [node]
                while way[-1] != start:
                    way.append(came_from[way[-1]])
                return way[::-1]
            if target not in came_from:
                came_from[target] = node
                queue.append(target)
    return []
