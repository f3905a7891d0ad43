"""Print the folder for compiled kernels, named by a hash of their source and of Python's version.

A cached kernel is not recompiled when another module changes; a folder per state of all of them is
always right, and `make demo`, `make test` and `make bench` share it.
"""

import hashlib
import sys
from pathlib import Path

root = Path(__file__).resolve().parent.parent
digest = hashlib.sha256(sys.version.encode())
package = root / "src" / "tertium"
for path in sorted([*package.rglob("_kernels.py"), *package.glob("_jit.py")]):
    digest.update(path.relative_to(package).as_posix().encode())
    digest.update(path.read_bytes())
print(root / ".cache" / "numba" / digest.hexdigest()[:12])
