"""Reads ops/*.yaml into the model. Every rule about records is checked here, so that emitters can
rely on them; every error names file, line, op and field."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import yaml

from codegen.formula import (
    TANGENT,
    Apply,
    FormulaError,
    KnownOps,
    gradient_name,
    parse_call,
    parse_formula,
)
from codegen.load_names import check_names, read_names, read_python_source
from codegen.model import (
    DTYPE_GROUPS,
    DTYPES,
    TEMPLATES,
    Call,
    Gradient,
    Kind,
    Layout,
    Op,
    Place,
    Type,
)
from codegen.problem import RecordError
from codegen.signature import ParsedSignature, parse_signature

# The loader in C where PyYAML has it: several times as fast.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_FIELDS = {
    "op": str,
    "name": str,
    "aliases": list,
    "sig": str,
    "forms": list,
    "python_source": dict,
    "python": (list, dict),
    "own_method": bool,
    "cpp": list,
    "deprecated": list,
    "implicit_dim": bool,
    "reflected": str,
    "compute": str,
    "numbers": str,
    "no_bools": str,
    "number_input": bool,
    "result": (str, list),
    "inputs": dict,
    "meta": str,
    "shape_of": str,
    "shortcut": str,
    "kernel": dict,
    "per_isa": bool,
    "native": (bool, str, list),
    "layout": str,
    "out": list,
    "dtypes": list,
    "alias": str,
    "composite": bool,
    "transfer": bool,
    "amp": str,
    "node": str,
    "saved_names": dict,
    "batch": str,
    "grad": (dict, str),
    "dynamic_shape": bool,
    "doc": str,
    "test": dict,
}
_TYPE_NAMES = {
    str: "a text",
    list: "a list",
    bool: "true or false",
    dict: "a mapping",
    (dict, str): "a mapping, or 'none'",
    (str, list): "a text or a list",
    (list, dict): "a list of names, or one under 'only'",
    (bool, str, list): "true, false, 'size' or a list of dtypes",
}
_FORMS = {"function", "method", "inplace", "out", "internal"}
_COMPARISONS = {"==", "!=", "<", "<=", ">", ">="}
_ARITHMETIC = {"+", "-", "*", "/", "//", "%", "**", "@"}
_BITS = {"&", "|", "^", "<<", ">>", "~"}
_OPERATORS = _COMPARISONS | _ARITHMETIC | _BITS | {"abs"}
_AMP = {"low", "fp32", "widest", "keep"}
# How a batch passes through: see ARCHITECTURE.md, "Transforms".
_BATCH = {
    "pointwise",
    "reduce",
    "view",
    "rule",
    "random",
    "decompose",
    "loop",
    "none",
}
_JVP = {"linear", "elementwise", "bilinear", "reduce", "transpose"}
_TANGENT = {TANGENT: Type.TENSOR}
_OUT_RULES = {
    *("same_dtype", "exact", "chooses_dtype", "any_shape", "no_overlap", "expanded", "converted"),
    "keep",
}
_NUMBERS = {"rounded", "wide", "whole"}
_RESULTS = {"compute", "real", "stats", "bool", "bool_or_uint8", "int32", "int64"}
_INPUTS = {"compute", "keep", *DTYPES}
# The dtype rules of each kind of operator: those that take no arguments, and those that do.
_POINTWISE_RULES = {
    "promote": False,
    "promote_number": False,
    "promote_float": False,
    "first": False,
    "arg": True,
}
_STRUCTURED_RULES = {
    "same": True,
    "promote": True,
    "promote_float": True,
    "accumulate": True,
    "arg": True,
    "options": None,
    "options_float": True,
}


def load_ops(folder: Path) -> tuple[Op, ...]:
    records = [
        _Record(path, node, folder)
        for path in sorted(folder.glob("*.yaml"))
        for node in _entries(path, folder)
    ]
    known = KnownOps({}, {})
    for record in records:
        if record.name in known.signatures:
            record.fail("op", "there is another record of this name")
        known.signatures[record.name] = record.signature()
        for operator, name in record.spelled_by().items():
            if known.operators.setdefault(operator, name) != name:
                record.fail("forms", f"'{operator[0]}' is {known.operators[operator]} already")
    ops = tuple(record.build(known) for record in records)
    check_names(ops)
    return ops


def _entries(path: Path, folder: Path):
    try:
        root = yaml.compose(path.read_text(), Loader=_LOADER)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = Place(f"{folder.name}/{path.name}", mark.line + 1 if mark else 1)
        raise RecordError(place, None, None, f"not YAML: {error}") from None
    if root is None:
        return []
    if not isinstance(root, yaml.SequenceNode):
        raise RecordError(
            Place(f"{folder.name}/{path.name}", 1), None, None, "expected a list of records"
        )
    return root.value


def _about(path: Path) -> str:
    """The first sentence of the comment that a file of records begins with."""
    lines = itertools.takewhile(lambda line: line.startswith("#"), path.read_text().splitlines())
    text = " ".join(line.removeprefix("#").strip() for line in lines)
    return text.partition(". ")[0].rstrip(".")


def _parse_call(text: str) -> Call:
    match = re.match(r"^([a-z_0-9]+)(?:\((.*)\))?$", text.strip())
    if not match:
        raise ValueError(f"expected 'name' or 'name(argument, …)', got '{text}'")
    arguments = tuple(filter(None, (a.strip() for a in (match[2] or "").split(","))))
    return Call(match[1], arguments)


class _Record:
    """One YAML mapping with the lines of its fields."""

    def __init__(self, path: Path, node: yaml.Node, folder: Path):
        file = f"{folder.name}/{path.name}"
        self.place = Place(file, node.start_mark.line + 1)
        self.about = _about(path)
        if not isinstance(node, yaml.MappingNode):
            raise RecordError(self.place, None, None, "expected a record that begins with 'op:'")
        self.fields = yaml.SafeLoader("").construct_document(node)
        self.lines = {key.value: Place(file, key.start_mark.line + 1) for key, _ in node.value}
        self.name = self.fields.get("op")
        if not isinstance(self.name, str) or not re.match(r"^[a-z][a-z0-9_]*$", self.name):
            self.fail("op", "expected a name in lower case")
        written = [key.value for key, _ in node.value]
        for key, value in self.fields.items():
            if key not in _FIELDS:
                self.fail(key, f"unknown field; the fields are: {', '.join(sorted(_FIELDS))}")
            if not isinstance(value, _FIELDS[key]):
                self.fail(key, f"expected {_TYPE_NAMES[_FIELDS[key]]}, got '{value}'")
            if written.count(key) > 1:
                self.fail(key, "is given twice")

    def fail(self, field: str, message: str):
        raise RecordError(self.lines.get(field, self.place), self.name, field, message)

    def required(self, field: str):
        if field not in self.fields:
            self.fail(field, "is missing")
        return self.fields[field]

    def choice(self, field: str, allowed: set, default: str) -> str:
        value = self.fields.get(field, default)
        if value not in allowed:
            self.fail(field, f"expected one of {', '.join(sorted(allowed))}, got '{value}'")
        return value

    def signature(self) -> ParsedSignature:
        try:
            return parse_signature(self.required("sig"))
        except ValueError as error:
            self.fail("sig", str(error))

    def arguments(self):
        return self.signature().arguments

    def spelled_by(self) -> dict[tuple[str, int], str]:
        """The operator of Python that formulas may write for it, and its number of operands."""
        forms = [f for f in self.required("forms") if f.startswith("operator ")]
        operands = sum(a.type.is_tensor for a in self.arguments())
        return {(form.removeprefix("operator "), operands): self.name for form in forms}

    def call(self, field: str, text: str) -> Call:
        try:
            call = _parse_call(text)
        except ValueError as error:
            self.fail(field, str(error))
        known = {a.name for a in self.arguments()}
        for argument in call.arguments:
            if argument not in known:
                self.fail(field, f"'{argument}' is not an argument of the operator")
        return call

    def kind(self) -> Kind:
        if self.fields.get("composite"):
            return Kind.COMPOSITE
        if self.fields.get("transfer"):
            return Kind.TRANSFER
        alias = str(self.fields.get("alias", "new"))
        if alias.startswith("view"):
            return Kind.VIEW
        families = [key for key in self.required("kernel") if key != "header"]
        if len(families) != 1 or families[0] not in ("pointwise", "dense", *TEMPLATES):
            got = ", ".join(families)
            known = ", ".join(f"'{family}'" for family in ("pointwise", "dense", *TEMPLATES))
            self.fail("kernel", f"expected one of {known}, got '{got}'")
        if families == ["pointwise"]:
            return Kind.POINTWISE
        if "header" in self.fields["kernel"]:
            self.fail("kernel", "only a pointwise kernel has a 'header'")
        if alias == "new":
            return Kind.STRUCTURED
        if alias != f"update({self.arguments()[0].name})":
            self.fail("alias", "expected new, view(…) or update(…) of the first argument")
        return Kind.UPDATE

    def build(self, known: KnownOps) -> Op:
        kind = self.kind()
        arguments, outputs = self.signature()
        forms, operator = self.read_forms(kind)
        compute, meta, kernel = self.read_calls(kind)
        gradients = self.read_gradients(known, kind)
        jvp, jvp_formulas = self.read_jvp(known, gradients)
        if not self.fields.get("doc", "").strip():
            self.fail("doc", "is missing: say what the operator does, with an example")
        if outputs[0].is_bool and (kind is not Kind.COMPOSITE or {"inplace", "out"} & forms):
            self.fail("sig", "only a composite without 'inplace' and 'out' can give a bool")
        test = self.fields.get("test") or {}
        if "internal" not in forms and not (test.get("samples") or test.get("numpy")):
            self.fail(
                "test",
                "is missing: name the samples that test the operator, or give its value as a NumPy "
                "expression",
            )
        if "internal" not in forms:
            self.required("amp")
            self.required("batch")
        layout, format_argument = self.read_layout(kind, forms)
        dtypes = self.read_dtypes()
        if kernel is not None and not dtypes:
            self.fail("dtypes", "is missing: which dtypes do the kernels compute in?")
        return Op(
            name=self.name,
            public=self.fields.get("name", self.name),
            aliases=tuple(self.fields.get("aliases", ())),
            place=self.place,
            about=self.about,
            arguments=arguments,
            outputs=outputs,
            kind=kind,
            forms=forms,
            python_source=read_python_source(self, forms),
            python=read_names(self, forms),
            renamed=isinstance(self.fields.get("python"), dict),
            own_method=self.read_own_method(forms),
            cpp_orders=self.read_cpp_orders(),
            deprecated=self.read_deprecated(),
            implicit_dim=self.fields.get("implicit_dim", False),
            operator=operator,
            reflected=self.read_reflected(operator, known),
            compute=compute,
            wide_numbers=self.read_numbers(kind) != "rounded",
            whole_numbers=self.read_numbers(kind) == "whole",
            no_bools=self.fields.get("no_bools", ""),
            number_input=self.read_number_input(),
            results=self.read_results(len(outputs)),
            inputs=self.read_inputs(kind),
            meta=meta,
            shape_of=self.read_shape_of(kind),
            shortcut=self.read_shortcut(kind, forms),
            kernel=kernel,
            header=self.fields.get("kernel", {}).get("header"),
            template=next((t for t in TEMPLATES if t in self.fields.get("kernel", {})), None),
            layout=layout,
            format_argument=format_argument,
            out_rules=self.read_out_rules(forms),
            per_isa=self.fields.get("per_isa", kind is Kind.POINTWISE),
            by_size=self.fields.get("native") == "size",
            native=self.read_native(),
            dtypes=dtypes,
            amp=self.choice("amp", _AMP, "keep"),
            batch=self.read_batch(arguments),
            node=self.fields.get("node"),
            saved_names=self.fields.get("saved_names", {}),
            gradients=gradients,
            fused=self.read_fused(known, gradients),
            jvp=jvp,
            jvp_formulas=jvp_formulas,
            conjugates=self.read_conjugates(dtypes),
            doc=self.fields["doc"].strip(),
            samples=test.get("samples"),
            numpy=test.get("numpy"),
            bad=tuple(test.get("bad", ())),
            call=test.get("call"),
            on_devices=test.get("devices", True),
            dynamic_shape=self.fields.get("dynamic_shape", False),
        )

    def read_batch(self, arguments) -> str:
        batch = self.choice("batch", _BATCH, "loop")
        has_tensors = any(a.type.is_tensor for a in arguments)
        is_random = any(a.type is Type.GENERATOR for a in arguments)
        composite = bool(self.fields.get("composite"))
        if batch == "random":
            if not is_random or composite:
                self.fail("batch", "is 'random' where there is a generator and a kernel")
        elif is_random and not composite:
            self.fail("batch", "is 'random' where there is a generator and a kernel")
        elif has_tensors == (batch == "none") and "batch" in self.fields:
            self.fail("batch", "is 'none' where, and only where, there is no tensor argument")
        elif "batch" in self.fields and (batch == "decompose") != composite and batch != "none":
            self.fail("batch", "is 'decompose' where, and only where, the operator is a composite")
        return batch

    def read_own_method(self, forms: frozenset[str]) -> bool:
        given = self.fields.get("own_method", False)
        if given and not forms & {"method", "inplace"}:
            self.fail("own_method", "is for operators that have methods")
        return given

    def read_cpp_orders(self) -> tuple[tuple[str, ...], ...]:
        orders = tuple(tuple(order) for order in self.fields.get("cpp", []))
        if not orders:
            return ()
        first, *rest = self.arguments()
        for order in orders:
            left = [a.name for a in rest if a.name not in order and a.cpp_default is None]
            if not order or not set(order) <= {a.name for a in rest} or left:
                self.fail(
                    "cpp",
                    f"expected arguments behind '{first.name}', among them all that have no "
                    f"default, got '{', '.join(order)}'",
                )
        return tuple((first.name, *order) for order in orders)

    def read_deprecated(self) -> tuple[tuple[str, ...], ...]:
        arguments = self.arguments()
        orders = tuple(tuple(order) for order in self.fields.get("deprecated", []))
        positional = sum(not a.keyword_only for a in arguments)
        for order in orders:
            if not set(order) <= {a.name for a in arguments} or len(order) <= positional:
                self.fail(
                    "deprecated",
                    f"expected names of more than {positional} arguments, got '{', '.join(order)}'",
                )
        return orders

    def read_shortcut(self, kind: Kind, forms: frozenset[str]) -> Call | None:
        text = self.fields.get("shortcut")
        if text is None:
            return None
        if kind is not Kind.STRUCTURED or len(self.signature().outputs) > 1 or "out" in forms:
            self.fail("shortcut", "is for operators with a kernel, one result and no out= form")
        return self.call("shortcut", text)

    def read_shape_of(self, kind: Kind) -> str | None:
        name = self.fields.get("shape_of")
        if name is None:
            return None
        arguments, outputs = self.signature()
        if kind is not Kind.STRUCTURED or len(outputs) > 1 or outputs[0].is_list:
            self.fail("shape_of", "is for operators with a kernel and one result")
        if name not in {a.name for a in arguments if a.type is Type.TENSOR}:
            self.fail("shape_of", f"'{name}' is not a tensor that is always there")
        return name

    def read_layout(self, kind: Kind, forms: frozenset[str]) -> tuple[Layout, str | None]:
        """How tensors lie in memory, and the argument that says whether channels may be last."""
        call = self.call("layout", self.fields.get("layout", "any_strided"))
        name = call.function
        if name not in {layout.value for layout in Layout}:
            self.fail(
                "layout",
                "expected one of any_strided, contiguous, channels_last(…), reads_last(…), "
                "writes_last(…)",
            )
        layout = Layout(name)
        if layout in (Layout.ANY_STRIDED, Layout.CONTIGUOUS):
            return layout, None
        types = {a.name: a.type for a in self.arguments()}
        given = [types[argument] for argument in call.arguments]
        counts = given == [Type.INT] and layout is not Layout.WRITES_LAST
        tells = given == [Type.BOOL] and layout is not Layout.READS_LAST
        if not counts and not tells:
            count, choice = "int that counts spatial dimensions", "bool that says so"
            wanted = {
                Layout.CHANNELS_LAST: f"{count}, or the {choice}",
                Layout.READS_LAST: count,
                Layout.WRITES_LAST: choice,
            }[layout]
            self.fail("layout", f"{name}(…) is of the {wanted}")
        if kind is not Kind.STRUCTURED or "out" in forms:
            self.fail("layout", f"{name} is for operators with a kernel and no out= form")
        return layout, call.arguments[0]

    def read_out_rules(self, forms: frozenset[str]) -> frozenset[str]:
        given = self.fields.get("out", [])
        if given and "out" not in forms and not self.fields.get("alias", "").startswith("update"):
            self.fail("out", "are rules about a form that the operator does not have")
        if not set(given) <= _OUT_RULES:
            self.fail("out", f"expected some of {', '.join(sorted(_OUT_RULES))}, got '{given}'")
        arguments, _ = self.signature()
        if "chooses_dtype" in given and Type.OPTIONAL_DTYPE not in {a.type for a in arguments}:
            self.fail("out", "'chooses_dtype' is for operators with an argument 'dtype? dtype'")
        return frozenset(given)

    def read_number_input(self) -> bool:
        given = self.fields.get("number_input", False)
        arguments, _ = self.signature()
        types = [a.type for a in arguments[:2]]
        if given and types not in ([Type.TENSOR, Type.OPERAND], [Type.TENSOR, Type.TENSOR]):
            self.fail("number_input", "is for operators of two operands")
        return given

    def read_numbers(self, kind: Kind) -> str:
        if "numbers" in self.fields and kind is not Kind.POINTWISE:
            self.fail("numbers", "is for pointwise operators")
        return self.choice("numbers", _NUMBERS, "rounded")

    def read_native(self) -> tuple[str, ...]:
        given = self.fields.get("native", False)
        if given is False or given == "size":
            return ()
        if given is True:
            return tuple(DTYPES)
        if not isinstance(given, list) or not set(given) <= set(DTYPES):
            self.fail("native", f"expected true, false, 'size' or a list of dtypes, got '{given}'")
        return tuple(given)

    def read_results(self, count: int) -> tuple[str, ...]:
        given = self.fields.get("result", "compute")
        rules = tuple(given) if isinstance(given, list) else (given,) * count
        for rule in rules:
            if rule not in _RESULTS:
                self.fail("result", f"expected one of {', '.join(sorted(_RESULTS))}, got '{rule}'")
        if len(rules) != count:
            self.fail("result", f"expected one rule for each of the {count} results")
        return rules

    def read_inputs(self, kind: Kind) -> dict:
        given = self.fields.get("inputs", {})
        tensors = {a.name for a in self.arguments() if a.type.is_tensor}
        if given and kind not in (Kind.STRUCTURED, Kind.UPDATE):
            self.fail("inputs", "only operators with a dense kernel choose dtypes of their inputs")
        for name, dtype in given.items():
            if name not in tensors:
                self.fail("inputs", f"'{name}' is not a tensor argument")
            if dtype not in _INPUTS:
                self.fail("inputs", f"{name}: expected compute, keep or a dtype, got '{dtype}'")
        return given

    def read_reflected(self, operator: str | None, known: KnownOps) -> str | None:
        name = self.fields.get("reflected")
        arguments = self.arguments()
        takes_numbers = len(arguments) > 1 and arguments[1].type is Type.OPERAND
        if operator and takes_numbers and name is None and operator not in _COMPARISONS:
            self.fail("reflected", "is missing: which operator computes 'number ∘ tensor'?")
        if name is not None and name not in known.signatures:
            self.fail("reflected", f"there is no operator '{name}'")
        return name

    def read_dtypes(self) -> tuple[str, ...]:
        dtypes: set[str] = set()
        known = [*DTYPES, *DTYPE_GROUPS]
        for name in self.fields.get("dtypes", ()):
            if name not in known:
                self.fail("dtypes", f"unknown dtype '{name}'; known: {', '.join(known)}")
            dtypes.update(DTYPE_GROUPS.get(name, (name,)))
        return tuple(d for d in DTYPES if d in dtypes)

    def read_forms(self, kind: Kind):
        forms = set()
        operator = None
        for form in self.required("forms"):
            if form.startswith("operator "):
                operator = form.removeprefix("operator ")
                if operator not in _OPERATORS:
                    self.fail("forms", f"unknown operator '{operator}'")
            elif form in _FORMS:
                forms.add(form)
            else:
                self.fail(
                    "forms",
                    f"unknown form '{form}'; the forms are: "
                    f"{', '.join(sorted(_FORMS))}, operator +",
                )
        if "inplace" in forms and kind in (Kind.STRUCTURED, Kind.TRANSFER):
            self.fail("forms", "operators with shapes of their own have no in-place form")
        if "inplace" in forms and kind is Kind.VIEW and self.signature().outputs[0].is_list:
            self.fail("forms", "a tensor cannot become several views of itself")
        if "out" in forms and not all(output.has_name for output in self.signature().outputs):
            self.fail("forms", "results without names have no out= form")
        if "out" in forms and kind in (Kind.VIEW, Kind.TRANSFER):
            self.fail("forms", "views and transfers have no out= form")
        return frozenset(forms), operator

    def read_calls(self, kind: Kind):
        compute: tuple[Call, ...] = ()
        meta, kernel = None, None
        if kind in (Kind.POINTWISE, Kind.STRUCTURED, Kind.UPDATE):
            compute = self.read_compute(kind)
            kernel = self.call("kernel", str(next(iter(self.required("kernel").values()))))
            if kind is Kind.POINTWISE:
                self.check_pointwise(compute)
                if "meta" in self.fields:  # a check: the shape follows from broadcasting
                    meta = self.call("meta", self.fields["meta"])
        if kind in (Kind.STRUCTURED, Kind.UPDATE, Kind.VIEW):
            meta = self.call("meta", self.required("meta"))
        return compute, meta, kernel

    def read_compute(self, kind: Kind) -> tuple[Call, ...]:
        """`arg(dtype) > promote(input)`: the rules in order, the first that applies counts."""
        rules = _POINTWISE_RULES if kind is Kind.POINTWISE else _STRUCTURED_RULES
        text = self.required("compute")
        calls = tuple(self.call("compute", part) for part in text.split(">"))
        for call in calls:
            fixed = call.function in DTYPES and kind is not Kind.POINTWISE
            takes = None if fixed else rules.get(call.function, "unknown")
            if takes == "unknown" or (takes is not None and takes != bool(call.arguments)):
                known = ", ".join(f"{r}(…)" if rules[r] else r for r in rules)
                self.fail("compute", f"a {kind.value} operator has one of: {known}; got '{text}'")
        for call in calls[:-1]:
            if call.function != "arg":
                self.fail("compute", f"'{call.function}' always applies: nothing can follow it")
        if calls[-1].function == "arg" and self.may_be_missing(calls[-1].arguments[0]):
            self.fail("compute", f"'{text}' leaves open what to do when the argument is missing")
        return calls

    def may_be_missing(self, argument: str) -> bool:
        return next(a.type.may_be_missing for a in self.arguments() if a.name == argument)

    def check_pointwise(self, compute: tuple[Call, ...]):
        tensors = [a for a in self.arguments() if a.type.is_tensor]
        if len(tensors) not in (1, 2, 3):
            self.fail("sig", "a pointwise operator has one to three tensor arguments")
        chosen = {name for call in compute for name in call.arguments}
        for argument in self.arguments():
            known = argument.type in (Type.TENSOR, Type.OPERAND, Type.MASK, Type.SCALAR)
            if not known and argument.name not in chosen:
                self.fail(
                    "sig",
                    f"argument '{argument.name}' of a pointwise operator must be a "
                    f"Tensor or a Scalar, got {argument.type.spelling}",
                )

    def read_conjugates(self, dtypes: tuple[str, ...]) -> bool:
        """Formulas give f'; the gradient of a complex number needs its conjugate, which for real
        coefficients is f' of the conjugate. `conjugate: false` says a formula is right as it is."""
        given = self.fields.get("grad")
        chosen = given.get("conjugate", True) if isinstance(given, dict) else True
        if not isinstance(chosen, bool):
            self.fail("grad", f"conjugate: expected true or false, got '{chosen}'")
        return chosen and any(d in DTYPE_GROUPS["complex"] for d in dtypes)

    def read_gradients(self, known: KnownOps, kind: Kind):
        tensors = [a for a in self.arguments() if a.type.is_tensor]
        given = self.fields.get("grad")
        if kind is Kind.COMPOSITE:
            if given is not None:
                self.fail("grad", "a composite is differentiated through the operators it calls")
            return ()
        if given is None and tensors:
            self.fail(
                "grad",
                "is missing: give a formula for each differentiable argument, or 'grad: none'",
            )
        if given in (None, "none"):
            return ()
        gradients = []
        for name, text in given.items():
            if name in ("jvp", "conjugate", "fused"):
                continue
            if name not in {a.name for a in tensors}:
                self.fail("grad", f"'{name}' is not a tensor argument")
            if text != "none":
                gradients.append(self.read_formula(name, str(text), known))
        masks = {a.name for a in tensors if a.type is Type.MASK}
        missing = {a.name for a in tensors} - set(given) - masks
        if missing:
            self.fail("grad", f"no formula for '{min(missing)}'")
        return tuple(gradients)

    def read_fused(self, known: KnownOps, gradients: tuple[Gradient, ...]) -> Apply | None:
        """The operator that computes all gradients at once, where nobody differentiates them."""
        text = self.fields["grad"].get("fused") if gradients else None
        if text is None:
            return None
        try:
            call = parse_call(text, self.signature(), known)
        except (FormulaError, SyntaxError) as error:
            self.fail("grad", f"fused: {error}")
        count = len(known.signatures[call.op].outputs)
        if count != len(gradients):
            self.fail("grad", f"fused: {call.op}() has {count} results, not {len(gradients)}")
        return call

    def read_formula(self, name: str, text: str, known: KnownOps, names: dict | None = None):
        try:
            return Gradient(name, parse_formula(text, name, self.signature(), known, names))
        except FormulaError as error:
            self.fail("grad", f"{name}: {error}")

    def read_jvp(self, known: KnownOps, gradients: tuple[Gradient, ...]):
        """The rule, and what the tangent of each argument contributes to that of the result: for
        an operator on elements the same as backward, where `g` is the tangent."""
        if not gradients:
            return None, ()
        jvp = self.fields["grad"].get("jvp")
        if isinstance(jvp, dict):
            missing = {g.argument for g in gradients} ^ set(jvp)
            if missing:
                self.fail(
                    "grad", f"jvp: expected formulas for what has a gradient: '{min(missing)}'"
                )
            formulas = [
                self.read_formula(name, str(text), known, _TANGENT) for name, text in jvp.items()
            ]
            return "formula", tuple(formulas)
        if jvp not in _JVP:
            rules = ", ".join(sorted(_JVP))
            self.fail("grad", f"jvp: expected one of {rules}, or formulas, got '{jvp}'")
        if jvp != "reduce":
            return jvp, gradients
        # A reduction: the sum, over what is reduced, of tangents times slopes.
        name, output = gradients[0].argument, self.signature().outputs[0].name
        gradient = gradient_name(self.signature().outputs, 0)
        slope = re.sub(rf"\b{gradient}\b", f"ones_like({output})", self.fields["grad"][name])
        text = f"sum({TANGENT} * {slope}, dim, keepdim)"
        return jvp, (self.read_formula(name, text, known, _TANGENT),)
