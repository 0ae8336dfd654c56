"""Write the figures of benchmarks/results/*.json into the tables of the documentation."""

import json
from pathlib import Path

from common import HERE

DOCS = HERE.parent / "docs"
BEGIN, END = "<!-- made by benchmarks/table.py -->\n", "<!-- end -->"
OWN_TABLES = ("letor", "hybrid")  # not in the table of all others
OTHERS = {  # with their default parameters, on the same folds
    "ListNet": "RankLib .4847", "AdaRank": "RankLib .4952", "RankBoost": "RankLib .5003",
    "RankSVM": "RankSVM .5018", "RandomForest": "RankLib .5011", "Mart": "RankLib .5036",
    "LambdaMart": "RankLib .5050, LightGBM .5089, XGBoost .5020, CatBoost .4989 and .5062",
}  # fmt: skip


def ratios() -> list[str]:
    """What was asked beside what was measured, for everything but the quality of rankers."""
    lines = ["| what | figure | asked | median | least – most |", "|---|---|---|---|---|"]
    for file in sorted((HERE / "results").glob("*.json")):
        for row in json.loads(file.read_text())["rows"] if file.stem not in OWN_TABLES else []:
            if file.stem == "extreme_trees" and row["measure"] != "ratio":
                continue  # a table of docs/extreme.md
            figure = row["method"] if row["measure"] == "ratio" else row["measure"]
            digits = 1 if row["value"] >= 10 else 2
            ends = [row[end] for end in ("low", "high") if end in row]  # of one run there are none
            span = " – ".join(f"{end:.{digits}f}" for end in ends)
            cells = [row["dataset"], figure, row.get("asked", "")]
            lines.append(f"| {' | '.join(cells)} | **{row['value']:.{digits}f}** | {span} |")
    return lines


def letor() -> list[str]:
    """Rankers on MQ2008: one a row, a measure a column, other tools beside them."""
    found: dict[str, dict[str, float]] = {}
    for row in json.loads((HERE / "results" / "letor.json").read_text())["rows"]:
        found.setdefault(row["method"], {})[row["measure"]] = row["value"]
    measures = list(next(iter(found.values())))
    lines = [f"| ranker | {' | '.join(measures)} | others |", "|---" * (len(measures) + 2) + "|"]
    for method, values in found.items():
        cells = [f"{values[m]:.4f}".lstrip("0") for m in measures]
        lines.append(f"| `{method}` | {' | '.join(cells)} | {OTHERS.get(method, '')} |")
    return lines


def tags() -> list[str]:
    """nDCG@5 of paper 001's experiment: a data set a row, with what is gained."""
    best = ("RandomForest", "MART", "LambdaMART")
    header = ["data set", "LATRE+wTS", "RankSVM", "GP", "RankBoost", "AdaRank", "ListNet", *best,
              "best of three", "with neighbours", "both"]  # fmt: skip
    lines = [f"| {' | '.join(header)} |", "|---" * len(header) + "|"]
    gains = []
    for file in sorted((HERE / "results" / "tags").glob("*.json")):
        rows = json.loads(file.read_text())["rows"]
        found = {r["method"]: r["value"] for r in rows if r["measure"] == "nDCG@5"}
        base, run = found["LATRE+wTS"], [m for m in best if m in found]
        more = [found[f"{m} + neighbours"] for m in run]
        ratios = [b / found[m] - 1 for b, m in zip(more, run, strict=True)]
        each = [max(found[m] for m in run) / base - 1, sum(ratios) / len(run), max(more) / base - 1]
        gains.append(each)
        cells = [
            file.stem,
            *(f"{found[m]:.3f}".lstrip("0") if m in found else "–" for m in header[1:-3]),
        ]
        lines.append(f"| {' | '.join(cells)} | {' | '.join(f'{100 * g:+.1f} %' for g in each)} |")
    if gains:
        means = [f"{100 * sum(column) / len(gains):+.1f} %" for column in zip(*gains, strict=True)]
        lines.append(f"| mean |{' |' * (len(header) - 4)} {' | '.join(means)} |")
    return lines


def put(page: Path, lines: list[str]) -> None:
    """Replace what stands between the marks of a page."""
    head, begin, rest = page.read_text().partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not (begin and end):
        raise SystemExit(f"{page} has no place for the table: {BEGIN.strip()} … {END}")
    page.write_text(f"{head}{begin}{chr(10).join(lines)}\n{end}{tail}")


if __name__ == "__main__":
    put(DOCS / "benchmarks.md", ratios())
    put(DOCS / "learning-to-rank.md", letor())
    put(DOCS / "tags.md", tags())
