"""Write the figures of benchmarks/results/*.json into the table of docs/benchmarks.md."""

import json

from common import HERE

PAGE = HERE.parent / "docs" / "benchmarks.md"
BEGIN, END = "<!-- made by benchmarks/table.py -->\n", "<!-- end -->"


def main() -> None:
    lines = ["| what | figure | asked | median | least – most |", "|---|---|---|---|---|"]
    for file in sorted((HERE / "results").glob("*.json")):
        for row in json.loads(file.read_text())["rows"]:
            figure = row["method"] if row["measure"] == "ratio" else row["measure"]
            digits = 1 if row["value"] >= 10 else 2
            span = " – ".join(f"{row[end]:.{digits}f}" for end in ("low", "high"))
            cells = [row["dataset"], figure, row.get("asked", "")]
            lines.append(f"| {' | '.join(cells)} | **{row['value']:.{digits}f}** | {span} |")
    head, begin, rest = PAGE.read_text().partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not (begin and end):
        raise SystemExit(f"{PAGE} has no place for the table: {BEGIN.strip()} … {END}")
    PAGE.write_text(f"{head}{begin}{chr(10).join(lines)}\n{end}{tail}")


if __name__ == "__main__":
    main()
