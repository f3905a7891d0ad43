"""JSON that an earlier run has written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tertium.exceptions import InputError


def load_json(path: str) -> Any:
    """What a JSON file holds."""
    try:
        return json.loads(Path(path).read_bytes())
    except OSError as error:
        raise InputError(f"cannot read '{path}': {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not JSON: {error}") from None
