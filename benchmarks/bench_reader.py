"""Reading debian-deps: our reader of extreme-classification text against scikit-learn's."""

from __future__ import annotations

from common import ratio_row, save, take_turns, timing_rows

import gzip
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from sklearn.datasets import load_svmlight_file

from labelrank.data import CATALOG, read_xmc
from labelrank.data.catalog import data_folder

_PEAK = """
import re, sys
from pathlib import Path
from labelrank.data import read_xmc
def status(field):
    text = Path("/proc/self/status").read_text()
    return int(re.search(field + r":\\s+(\\d+) kB", text)[1]) * 1024
read_xmc(sys.argv[2])  # a small file first, so that what is loaded once is not counted
Path("/proc/self/clear_refs").write_text("5")  # the peak starts from here
before = status("VmRSS")
data = read_xmc(sys.argv[1])
after = status("VmHWM")
arrays = [a for m in (data.X, data.Y) for a in (m.data, m.indices, m.indptr)]
print((after - before) / sum(a.nbytes for a in arrays))
"""


def main() -> None:
    folder = data_folder()
    if folder is None:
        sys.exit("bench_reader needs debian-deps: set LABELRANK_DATA")
    packed = folder / CATALOG["debian-deps"].parts["train"]
    with tempfile.TemporaryDirectory() as scratch:
        whole, headless = Path(scratch, "train.txt"), Path(scratch, "headless.txt")
        text = gzip.decompress(packed.read_bytes())
        whole.write_bytes(text)
        headless.write_bytes(text.partition(b"\n")[2])  # scikit-learn's reader knows no header
        rows, timings = [], []
        for form, ours, theirs, asked in (
            ("text", whole, headless, "≥ 5"),
            ("gzip", packed, _zipped(headless), ""),
        ):
            seconds = take_turns(
                {
                    "labelrank": lambda path=ours: read_xmc(path),
                    "scikit-learn": lambda path=theirs: _peer(path),
                }
            )
            data = f"reading debian-deps, {form}"
            rows.append(ratio_row(data, seconds, "labelrank", "scikit-learn", asked))
            timings += timing_rows(data, seconds, "read")
        a, (X, labels) = read_xmc(whole), _peer(headless)
        np.testing.assert_array_equal(a.X.indices, X.indices)
        np.testing.assert_array_equal(a.X.data, X.data)
        assert [len(row) for row in labels] == np.diff(a.Y.indptr).tolist()
        peaks, small = [], Path(scratch, "small.txt")
        small.write_text("1 1 1\n0 0:1\n")
        for _ in range(5):
            run = [sys.executable, "-c", _PEAK, str(whole), str(small)]
            peaks.append(float(subprocess.run(run, check=True, capture_output=True).stdout))
        row = {"dataset": "reading debian-deps, text", "method": "labelrank"}
        row |= {"measure": "peak memory / arrays", "asked": "< 2.5"}
        row |= {"value": float(np.median(peaks)), "low": min(peaks), "high": max(peaks)}
        print(f"peak memory / arrays returned = {row['value']:.2f}")
        save("reader", [*rows, row], timings)


def _peer(path: Path) -> tuple:
    return load_svmlight_file(str(path), dtype=np.float32, multilabel=True, zero_based=True)


def _zipped(path: Path) -> Path:
    packed = path.with_suffix(".gz")
    packed.write_bytes(gzip.compress(path.read_bytes(), 6))
    return packed


if __name__ == "__main__":
    main()
