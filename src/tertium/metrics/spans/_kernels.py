"""Hot loops of span metrics."""

from __future__ import annotations

from typing import Any

import numpy as np

from tertium._jit import kernel
