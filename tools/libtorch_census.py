"""Which methods and functions of libtorch the C++ interface has, overload by overload.

    python tools/libtorch_census.py                does the page say what is true?
    python tools/libtorch_census.py --write        makes it so
    <a PyTorch's python> tools/libtorch_census.py --read    makes libtorch.txt from its headers

`libtorch.txt` holds the facts about libtorch, a line for each method or function that PyTorch's
users see: its overloads with the types of their arguments, `=` and the default behind those that
may be left out. Ours are read from the headers by the same rules, so that this needs no compiler.
`libtorch_absent.txt` says why something is not there.
"""

import argparse
import fnmatch
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FACTS = Path(__file__).with_name("libtorch.txt")
REASONS = Path(__file__).with_name("libtorch_absent.txt")
PAGE = ROOT / "docs" / "coming-from-libtorch.md"
BEGIN, END = "<!-- census: begin -->", "<!-- census: end -->"

# libtorch's C++ types by short names, in which `?` is an optional one and `[]` a list.
TYPES = {
    "Tensor": "Tensor",
    "TensorBase": "Tensor",
    "TensorList": "Tensor[]",
    "ITensorListRef": "Tensor[]",
    "ArrayRef<Tensor>": "Tensor[]",
    "c10::List<optional<Tensor>>": "Tensor?[]",
    "ArrayRef<TensorIndex>": "index[]",
    "std::initializer_list<TensorIndex>": "index[]",
    "Scalar": "Scalar",
    "int64_t": "int",
    "IntArrayRef": "int[]",
    "OptionalIntArrayRef": "int[]?",
    "bool": "bool",
    "double": "float",
    "ArrayRef<double>": "float[]",
    "ArrayRef<Scalar>": "Scalar[]",
    "ScalarType": "dtype",
    "caffe2::TypeMeta": "dtype",
    "c10::string_view": "str",
    "std::string_view": "str",
    "string_view": "str",
    "std::string": "str",
    "TensorOptions": "options",
    "MemoryFormat": "memory_format",
    "Layout": "layout",
    "Device": "device",
    "Generator": "generator",
    "Storage": "storage",
    "Dimname": "dimname",
    "DimnameList": "dimname[]",
}
# And ours, with all of libtorch's that may be given for them.
OURS = {
    "const Tensor&": ("Tensor",),
    "const TensorBase&": ("Tensor",),
    "const OptionalTensor&": ("Tensor", "Tensor?"),
    "TensorList": ("Tensor[]", "Tensor?[]"),
    "Span<const TensorIndex>": ("index[]", "Tensor?[]"),
    "const Operand&": ("Tensor", "Scalar", "float"),
    "const OptionalOperand&": ("Tensor", "Scalar", "Tensor?", "Scalar?"),
    "const Scalar&": ("Scalar", "float", "int"),
    "int64_t": ("int",),
    "std::optional<int64_t>": ("int", "int?"),
    "Dims": ("int[]",),
    "const OptionalDims&": ("int", "int?", "int[]", "int[]?"),
    "bool": ("bool",),
    "std::same_as<bool> auto": ("bool", "bool?"),
    "std::optional<bool>": ("bool", "bool?"),
    "const std::vector<Tensor>&": ("Tensor[]", "Tensor[]?"),
    "double": ("float", "Scalar"),
    "std::optional<double>": ("float", "float?", "Scalar", "Scalar?"),
    "Text": ("str",),
    "std::optional<Text>": ("str", "str?"),
    "DType": ("dtype",),
    "ChosenBool auto": ("bool", "bool?"),
    "ChosenDType auto": ("dtype", "dtype?"),
    "std::optional<DType>": ("dtype", "dtype?"),
    "const TensorOptions&": ("options",),
    "TensorOptions": ("options",),
    "MemoryFormat": ("memory_format", "memory_format?"),
    "std::optional<MemoryFormat>": ("memory_format", "memory_format?"),
    "Device": ("device",),
    "std::optional<Device>": ("device", "device?"),
    "std::optional<Layout>": ("layout", "layout?"),
    "GeneratorRef": ("generator", "generator?"),
    "std::false_type": ("bool",),
}
# Defaults that mean the same.
DEFAULTS = {
    "::std::nullopt": "",
    "{}": "",
    "nullptr": "",
    "std::nullopt": "",
    "MemoryFormat::kContiguous": "contiguous",
    "c10::MemoryFormat::Contiguous": "contiguous",
    "MemoryFormat::Contiguous": "contiguous",
    "MemoryFormat::kPreserve": "",
    "at::MemoryFormat::Contiguous": "contiguous",
    "at::kLong": "",
    "TensorBase()": "",
    "at::Reduction::Mean": "mean",
    '"mean"': "mean",
}


def split_arguments(text):
    """At the commas that are not inside of brackets."""
    parts, depth, start = [], 0, 0
    for i, character in enumerate(text):
        depth += (character in "<({[") - (character in ">)}]")
        if character == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    return [p.strip() for p in [*parts, text[start:]] if p.strip()]


def default_of(text):
    text = DEFAULTS.get(text, text)
    try:
        return f"{float(text):g}"
    except ValueError:
        return text.strip('"{}').replace(" ", "").replace(",", ";")


def declarations(text, pattern):
    """(name, arguments) of what matches, the arguments as (type, default or None)."""
    text = re.sub(r"//[^\n]*", "", text)
    for match in re.finditer(pattern, text, re.M):
        arguments = []
        for argument in split_arguments(re.sub(r"\s+", " ", match["arguments"])):
            typed, equals, default = argument.partition("=")
            kind = re.sub(r"\s*\b\w+\s*$", "", typed.strip())
            arguments.append((kind.strip(), default_of(default.strip()) if equals else None))
        yield match["name"], arguments


# --- libtorch's headers ---
THEIR_METHOD = (
    r"^  (?:inline |static )*(?!return|else|throw)[\w:<>, *&]+?[ &*](?P<name>[a-z_]\w*)"
    r"\((?P<arguments>[^;{}]*(?:\{\}[^;{}]*)*?)\)(?: const)?(?: &&| noexcept)? ?[{;]"
)
THEIR_FUNCTION = r"^inline [\w:<>, &]+?[ &](?P<name>[a-z]\w*)\((?P<arguments>[^;]*?)\) \{$"


def short_type(kind):
    kind = re.sub(r"\bconst\b|&|\bat::|\bc10::(?!string_view|List|MemoryFormat)", "", kind)
    kind = re.sub(r"(::)?\bstd::optional|\b::optional", "optional", kind).strip()
    kind = re.sub(r"^c10::(?=MemoryFormat)", "", kind)
    optional = re.match(r"^optional<(.*)>$", kind)
    inner = optional[1].strip() if optional else kind
    if inner not in TYPES:
        return None
    return TYPES[inner] + "?" * bool(optional)


def their_overloads(include, python_names):
    """{'method sum': [[type, …], …]} of what PyTorch's users see."""
    found = {}

    def add(what, name, arguments):
        short = [(short_type(kind), default) for kind, default in arguments]
        if name.endswith("symint") or any(kind is None for kind, _ in short):
            return
        text = ", ".join(k if d is None else f"{k}={d}" for k, d in short)
        texts = found.setdefault((what, name), [])
        if text not in texts:
            texts.append(text)

    for header in ("TensorBase.h", "TensorBody.h"):
        text = (include / "ATen/core" / header).read_text()
        begin = re.search(r"^class TORCH_API Tensor\w*:? [^;]*\{", text, re.M).start()
        text = text[begin : text.find("\n};", begin)]
        for name, arguments in declarations(text, THEIR_METHOD):
            if name in python_names or "symint" not in name and not name.startswith("_"):
                add("method", name, arguments)
    for header in sorted((include / "ATen/ops").glob("*.h")):
        if re.search(r"_(ops|native|dispatch)$", header.stem) or header.stem not in python_names:
            continue
        for name, arguments in declarations(header.read_text(), THEIR_FUNCTION):
            if name == header.stem:
                add("function", name, arguments)
    return found


def read_headers():
    import torch

    include = Path(torch.__file__).parent / "include"
    names = {n for n in [*dir(torch), *dir(torch.Tensor)] if not n.startswith("__")}
    names |= {n for n in dir(torch.nn.functional) if not n.startswith("_")}
    for prefix in ("linalg", "special", "fft"):
        names |= {f"{prefix}_{n}" for n in dir(getattr(torch, prefix))}
    found = their_overloads(include, names)
    lines = [
        f"# libtorch {torch.__version__.partition('+')[0]}: made by libtorch_census.py --read."
    ]
    for (what, name), texts in sorted(found.items()):
        lines.append(f"{what} {name} " + " ".join(f"({text})" for text in texts))
    FACTS.write_text("\n".join(lines) + "\n")
    return len(found)


def read_facts(text):
    """{('method', 'sum'): [[(type, default or None), …], …]}"""
    facts = {}
    for line in text.splitlines():
        if not line.startswith("#"):
            what, name, overloads = line.split(" ", 2)
            facts[what, name] = [
                [
                    (kind, default if equals else None)
                    for kind, equals, default in (a.partition("=") for a in split_arguments(o))
                ]
                for o in re.findall(r"\((.*?)\)(?= \(|$)", overloads)
            ]
    return facts


# --- our headers ---
OUR_METHOD = (
    r"^  (?!return|using)(?:template <[^>]*>\n  )?(?:requires [^\n]*\n\s*)?(?:static |inline )*"
    r"[\w:<>, *&]+?[ &*](?P<name>[a-z_]\w*)\((?P<arguments>[^;{}]*(?:\{[^;{}]*\}[^;{}]*)*?)\)"
    r"(?: const)? ?[{;]"
)
OUR_FUNCTION = (
    r"^(?:EAGRE_API |inline )[\w:<>, &]+?[ &](?P<name>[a-z]\w*)"
    r"\((?P<arguments>[^;{}]*(?:\{[^;{}]*\}[^;{}]*)*?)\)(?: \{|;)"
)
HANDLES = (
    "eagre/core/tensor_base.h",
    "eagre/api/tensor_facts.h",
    "eagre/api/tensor_handle.h",
)
FUNCTIONS = ("eagre/api/factory.h",)


def our_overloads():
    sys.path.insert(0, str(ROOT))
    from codegen.__main__ import generate

    files = generate(ROOT / "ops").files
    generated = "include/eagre/api"
    sources = [("method", OUR_METHOD, (ROOT / h).read_text()) for h in HANDLES]
    sources.append(("method", OUR_METHOD, files[f"{generated}/tensor.h"]))
    sources += [("function", OUR_FUNCTION, (ROOT / h).read_text()) for h in FUNCTIONS]
    sources.append(("function", OUR_FUNCTION, files[f"{generated}/functions.h"]))
    found = {}
    for what, pattern, text in sources:
        for name, arguments in declarations(text, pattern):
            own = [a for a in arguments if a[0] != "CallSite"]
            found.setdefault((what, name), []).append(own)
    return found


# --- what is the same ---
def takes(ours, given, theirs):
    """Does a call of libtorch's overload with its first `given` arguments mean the same of ours?"""
    if len(ours) < given or any(default is None for _, default in ours[given:]):
        return False
    if any(
        kind not in OURS.get(own, ())
        for (own, _), (kind, _) in zip(ours[:given], theirs, strict=False)
    ):
        return False
    left_out = zip(ours[given:], theirs[given:], strict=False)
    return all(same_default(own, default) for (_, own), (_, default) in left_out)


def same_default(ours, theirs):
    # What libtorch does for a `correction` or a format that is not given.
    return ours == theirs or (theirs == "" and ours in ("1", "contiguous"))


def is_taken(overloads, theirs):
    """In all lengths."""
    required = sum(default is None for _, default in theirs)
    lengths = range(required, len(theirs) + 1)
    return all(any(takes(ours, n, theirs) for ours in overloads) for n in lengths)


def read_reasons(text):
    """(pattern, reason) of every line."""
    return [tuple(line.split(None, 1)) for line in text.splitlines() if line[:1] not in ("", "#")]


def reason_for(what, name, reasons):
    usual = "No such operator yet."
    return next((r for p, r in reasons if fnmatch.fnmatchcase(f"{what}|{name}", p)), usual)


def census(facts, ours, reasons):
    """Names that are complete, {reason: overloads} that names lack, and {reason: names} that are
    absent."""
    complete, lacking, absent = [], {}, {}
    for (what, name), overloads in facts.items():
        own = ours.get((what, name), [])
        missing = [o for o in overloads if not is_taken(own, o)]
        reason = reason_for(what, name, reasons)
        if not missing:
            complete.append((what, name))
        elif own:
            texts = [", ".join(k if d is None else f"{k}={d}" for k, d in o) for o in missing]
            lacking.setdefault(reason, []).extend((what, name, text) for text in texts)
        else:
            absent.setdefault(reason, []).append((what, name))
    return complete, lacking, absent


# --- the page ---
def shown(what, name):
    return f"`x.{name}`" if what == "method" else f"`{name}`"


def table(facts, complete, lacking, absent):
    lines = ["| | in libtorch | the same here | lack an overload | absent |", "|" + "---|" * 5]
    for what in ("method", "function"):
        partly = {n for rows in lacking.values() for w, n, _ in rows if w == what}
        counts = (
            sum(w == what for w, _ in facts),
            sum(w == what for w, _ in complete),
            len(partly),
            sum(w == what for rows in absent.values() for w, _ in rows),
        )
        lines.append(f"| {what}s | " + " | ".join(map(str, counts)) + " |")
    return lines


def section(facts, ours, reasons):
    """What the page says between its marks."""
    complete, lacking, absent = census(facts, ours, reasons)
    lines = [BEGIN, *table(facts, complete, lacking, absent), ""]
    lines += ["**Overloads that are not there**", "", "| | why |", "|---|---|"]
    for reason, rows in lacking.items():
        texts = [f"`{'x.' * (w == 'method')}{n}({text})`" for w, n, text in rows]
        lines.append(f"| {', '.join(texts)} | {reason} |")
    lines += ["", "**Names that are not there**", "", "| why | |", "|---|---|"]
    for reason, rows in sorted(absent.items()):
        lines.append(f"| {reason} | {', '.join(shown(*row) for row in rows)} |")
    return "\n".join([*lines, END])


def with_section(page, text):
    before, _, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not end:
        raise SystemExit(f"libtorch_census: {PAGE.name} has no '{BEGIN}' and '{END}'")
    return before + text + after


def unused_reasons(facts, ours, reasons):
    """Patterns that nothing needs any more."""
    _, lacking, absent = census(facts, ours, reasons)
    missing = {row[:2] for rows in (*lacking.values(), *absent.values()) for row in rows}
    texts = [f"{what}|{name}" for what, name in missing]
    return [p for p, _ in reasons if not any(fnmatch.fnmatchcase(t, p) for t in texts)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--read", action="store_true", help="read the headers of the PyTorch here")
    parser.add_argument("--write", action="store_true", help="write the page")
    arguments = parser.parse_args()
    if arguments.read:
        print(f"libtorch_census: {read_headers()} names")
        return 0
    known = read_facts(FACTS.read_text()), our_overloads(), read_reasons(REASONS.read_text())
    page = PAGE.read_text()
    wanted = with_section(page, section(*known))
    if arguments.write:
        PAGE.write_text(wanted)
        return 0
    for pattern in unused_reasons(*known):
        print(f"{REASONS.name}: nothing that is missing is called '{pattern}'")
        return 1
    if page != wanted:
        print(f"{PAGE.name} does not say what is true: run tools/libtorch_census.py --write")
        return 1
    print(f"libtorch_census: {len(known[0])} names, {len(census(*known)[0])} of them complete")
    return 0


if __name__ == "__main__":
    sys.exit(main())
