"""One small multi-label problem, written in every form the experiment reads."""

import json

import numpy as np


def problem(n=60, seed=0):
    """Rows, and three labels that follow from them; every row has one of the first two."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    first = X[:, 0] + 0.2 * rng.normal(size=n) > 0
    Y = np.column_stack([first, ~first, X[:, 1] > 0.3]).astype(int)
    return X, Y


def arff(path, X, Y):
    labels = [f"y{j}" for j in range(Y.shape[1])]
    lines = ["@relation small"]
    lines += [f"@attribute x{j} numeric" for j in range(X.shape[1])]
    lines += [f"@attribute {label} {{0,1}}" for label in labels]
    lines += ["@data"]
    lines += [",".join([*(f"{v:.5f}" for v in x), *map(str, y)]) for x, y in zip(X, Y, strict=True)]
    path.write_text("\n".join(lines) + "\n")
    named = "".join(f'<label name="{label}"></label>' for label in labels)
    xml = path.with_name("small.xml")
    xml.write_text(f'<labels xmlns="http://mulan.sourceforge.net/labels">{named}</labels>')


def svmlight(path, X, Y, first=0):
    lines = []
    for x, y in zip(X, Y, strict=True):
        values = " ".join(f"{j + 1}:{v:.5f}" for j, v in enumerate(x))
        lines.append(f"{','.join(str(c + first) for c in np.flatnonzero(y))} {values}")
    path.write_text("\n".join(lines) + "\n")


def classes(path, X, header=True):
    """The class first: which third of the first column's range a row lies in."""
    names = np.array(["low", "middle", "high"])[np.digitize(X[:, 0], [-0.4, 0.4])]
    lines = ["y,a,b,c,d"] if header else []
    lines += [",".join([c, *(f"{v:.5f}" for v in x)]) for c, x in zip(names, X, strict=True)]
    path.write_text("\n".join(lines) + "\n")
    return names


def texts(path, Y, splits=None, seed=0):
    """Each label has words of its own."""
    rng = np.random.default_rng(seed)
    with path.open("w") as out:
        for i, y in enumerate(Y):
            own = [f"w{c}{rng.integers(4)}" for c in np.flatnonzero(y) for _ in range(3)]
            record = {"title": own[0], "body": " ".join([*own[1:], f"noise{rng.integers(9)}"])}
            record["labels"] = [f"topic {c}" for c in np.flatnonzero(y)]
            if splits is not None:
                record["split"] = splits[i]
            out.write(json.dumps(record) + "\n")
