"""Where the records are: EAGRE_OPS_JSON, or the build tree that holds the package under test."""

import json
import os
from pathlib import Path

import eagre


def load_records():
    given = os.environ.get("EAGRE_OPS_JSON")
    path = Path(given) if given else Path(eagre.__file__).parents[2] / "gen" / "ops.json"
    if not path.exists():
        raise FileNotFoundError(f"{path} does not exist; set EAGRE_OPS_JSON to the generated file")
    return json.loads(path.read_text())
