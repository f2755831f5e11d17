"""Lines of generated code, laid out much as clang-format does: none longer than WIDTH columns but
for a string or a word, and short functions on one line."""

from __future__ import annotations

import functools
import re
import textwrap

WIDTH = 100
_TOO_LONG = 1000  # what a line over the edge costs, in the terms of _best_lines()
_NECESSARY = 0.5  # the cost of a break that clang-format always makes
_CONDITION = re.compile(r" *if (constexpr )?\(")
_ENDS_CONDITION = re.compile(r" (\[\[\w+\]\] )?(?!\{)")
_DEFINITION = re.compile(
    r"(?P<indent> *)(?P<head>def \w+\()(?P<arguments>.*)(?P<end>\) -> [^()]*: \.\.\.)$"
)
_OPEN, _CLOSE = "([{", ")]}"
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'')
_SHORT_FUNCTION = re.compile(
    r"^(?P<head> *(?!(?:if|for|while|switch|namespace|class|struct)\b)[^\n/#]*\)[^\n;{}]*) \{\n"
    r" *(?P<body>[^\n/]*;)\n *\}$",
    re.MULTILINE,
)


def laid_out(path: str, text: str) -> str:
    """The text of a file as it is written."""
    if path.endswith((".cpp", ".h")):
        text = _SHORT_FUNCTION.sub(_on_one_line, text)
        return "\n".join(line for long in text.split("\n") for line in _cpp_lines(long))
    if path.endswith(".pyi"):
        return "\n".join(line for long in text.split("\n") for line in _python_lines(long))
    if path.endswith(".md"):
        return _page(text)
    return text


def _on_one_line(match: re.Match) -> str:
    whole = f"{match['head']} {{ {match['body']} }}"
    return whole if len(whole) <= WIDTH else match.group()


def _cpp_lines(line: str) -> list[str]:
    if len(line) <= WIDTH or line.startswith("#include"):
        return [line]
    stripped = line.lstrip()
    if stripped.startswith("//"):
        return _filled(stripped[2:].strip(), " " * (len(line) - len(stripped)) + "// ")
    return _code_lines(line)


def _python_lines(line: str) -> list[str]:
    source, imports, names = line.partition(" import ")
    if len(line) > WIDTH and imports:
        return [f"{source} import (", f"    {names},", ")"]
    found = _DEFINITION.match(line)
    if len(line) <= WIDTH or not found:
        return [line]
    indent = found["indent"]
    return [
        f"{indent}{found['head']}",
        *_filled(found["arguments"], f"{indent}    "),
        f"{indent}{found['end']}",
    ]


def _filled(text: str, start: str, more: str | None = None) -> list[str]:
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=start,
        subsequent_indent=start if more is None else more,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _page(text: str) -> str:
    """Markdown: prose and lists; code and tables stay as they are."""
    lines, in_code = [], False
    for line in text.split("\n"):
        in_code ^= line.startswith("```")
        if in_code or len(line) <= WIDTH or line.startswith(("|", "#", "    ", "`")):
            lines.append(line)
        else:
            lines += _filled(line, "", "  " if line.startswith("- ") else "")
    return "\n".join(lines)


# --- code ---


def _code_lines(line: str) -> list[str]:
    """Breaks a line where that makes the fewest lines; between equals, where brackets are least
    deep. What follows is aligned to its bracket, or four columns in."""
    return list(_best_lines(line, True)[1])


@functools.cache
def _best_lines(line: str, first: bool) -> tuple[int, tuple[str, ...]]:
    """What the layout costs, and its lines."""
    if len(line) <= WIDTH:
        return 0, (line,)
    best = (_TOO_LONG + len(line) - WIDTH, (line,))
    # Of places of one kind, the last that fit.
    places: dict[tuple[int, int], list[int]] = {}
    for at, column, cost in _breaks(line, first):
        if len(line[:at].rstrip()) > WIDTH:
            break
        places.setdefault((column, cost), []).append(at)
    if any(cost == _NECESSARY for _, cost in places):
        places = {kind: found for kind, found in places.items() if kind[1] == _NECESSARY}
    for (column, cost), found in places.items():
        for at in found[-1:]:
            head = line[:at].rstrip()
            more, rest = _best_lines(" " * column + line[at:].lstrip(), False)
            total = 10 + cost + more
            if total < best[0] or (total == best[0] and len(head) > len(best[1][0])):
                best = (total, (head, *rest))
    return best


def _characters(line: str):
    """The characters outside of strings, with their places."""
    strings = [match.span() for match in _STRING.finditer(line)]
    at = 0
    while at < len(line):
        if strings and at == strings[0][0]:
            at = strings.pop(0)[1]
            continue
        yield at, line[at]
        at += 1


def _depth_cost(depth: int) -> int:
    return 3 * depth if depth < 2 else 6 * depth - 4


def _breaks(line: str, first: bool):
    """Places where the line may be cut: where, the column of the rest, and the cost."""
    stack: list[int] = []
    start = len(line) - len(line.lstrip())
    outer = start + 4 if first else start
    angles = _angles(line)
    condition = _CONDITION.match(line) if first else None
    for at, character in _characters(line):
        if character in _OPEN or angles.get(at, -1) > at:
            stack.append(at + 1 + (line[at + 1 : at + 2] == " "))
            holds = line[at + 1 : at + 2] not in ("", ")", "]", "}", " ")
            if holds and character in "({" and line[at - 1] != "]":
                yield at + 1, start + 4, 3 + 12 * (len(stack) - 1)
            elif holds and character == "<":
                yield at + 1, start + 4, 20
            continue
        if character in _CLOSE or at in angles:
            stack = stack[:-1]
        column, cost = stack[-1] if stack else outer, _depth_cost(len(stack))
        if condition and not stack and line[at - 1] == ")" and _ENDS_CONDITION.match(line[at:]):
            after = _ENDS_CONDITION.match(line[at:])
            yield at + after.end(), start + 2, _NECESSARY
            condition = None
        elif character == "," or (character == ";" and line[at + 1 : at + 2] == " "):
            yield at + 1, column, cost
        elif character == " " and at > start:
            before = line[:at]
            if line[at + 1 : at + 3] in ("? ", ": "):
                yield at, column, cost + 3
            elif before.endswith((" ||", " &&", " |", " ->")):
                yield at, column, cost + 1
            elif before.endswith(" =") and not stack:
                yield at, start + 4, 2


def _angles(line: str) -> dict[int, int]:
    """Brackets of templates: the place of each and of its partner."""
    found, stack = {}, []
    for at, character in _characters(line):
        opens = line[at - 1 : at].isalnum() and line[at + 1 : at + 2] not in ("=", " ")
        if character == "<" and opens:
            stack.append(at)
        elif character == ">" and stack and line[at - 1 : at] != "-":
            other = stack.pop()
            found[other], found[at] = at, other
    return found
