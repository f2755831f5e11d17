"""Errors in records: they name the file, the line, the operator and the field."""

from codegen.model import Place


class RecordError(Exception):
    def __init__(self, place: Place, op: str | None, field: str | None, message: str):
        where = f"{place}: op '{op}'" if op else str(place)
        super().__init__(f"{where}, field '{field}': {message}" if field else f"{where}: {message}")
