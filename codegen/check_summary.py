"""python -m codegen.check_summary [--update]: is docs/operators.md what the records say?"""

from __future__ import annotations

import sys
from pathlib import Path

from codegen.emit_summary import summary
from codegen.load import load_ops

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "operators.md"


def main() -> int:
    text = summary(list(load_ops(ROOT / "ops")))
    if "--update" in sys.argv[1:]:
        PAGE.write_text(text)
    elif PAGE.read_text() != text:
        print(f"{PAGE} is not current: run python -m codegen.check_summary --update")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
