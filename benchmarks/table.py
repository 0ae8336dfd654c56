"""Print the figures of benchmarks/results/*.json as the rows of docs/benchmarks.md need them."""

import json

from common import HERE

for file in sorted((HERE / "results").glob("*.json")):
    for row in json.loads(file.read_text())["rows"]:
        names = f"{row['dataset']:55} {row['method']:35} {row['measure']:15}"
        print(f"{names} {row['value']:6.2f}  {row['low']:.1f} – {row['high']:.1f}")
