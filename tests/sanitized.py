"""pytest on kernels that are known to be sanitized: see `make sanitize`."""

import sys
from pathlib import Path

import pytest

from labelrank import _native


def main():
    kernels = Path(_native.__file__)
    if b"__asan_report" not in kernels.read_bytes():
        sys.exit(f"{kernels} was built without AddressSanitizer: the run would prove nothing.")
    return pytest.main(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
