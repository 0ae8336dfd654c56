"""What paper 001 reports, to stand beside what is measured.

Canuto, Belém, Almeida and Gonçalves (2013), "A comparative study of learning-to-rank techniques for
tag recommendation". Of its five collections two come from the same places as sets of the catalog,
but they are other samples: 150,000 LastFM artists instead of 10,703, and 6,500 films of MovieLens.
"""

from __future__ import annotations

__all__ = ["GAIN", "SAME_PLACE", "STAGES", "paper"]

SAME_PLACE = {"lastfm": "LastFM", "movielens10m": "MovieLens"}
"""Sets of the catalog, and the paper's sample of the same place."""

GAIN = (0.08, 0.29)
"""How much the best ranker's nDCG@5 is above LATRE+wTS, least and most over the paper's sets."""

_COLLECTIONS = ("Bibsonomy", "LastFM", "MovieLens", "YahooVideo", "YouTube")
_TABLES = {
    "nDCG@5": """
LATRE+wTS     0.397 0.388 0.321 0.744 0.489
RankSVM       0.412 0.407 0.354 0.765 0.515
GP            0.406 0.440 0.388 0.770 0.530
RankBoost     0.444 0.402 0.307 0.696 0.488
RandomForest  0.495 0.469 0.413 0.803 0.549
MART          0.489 0.463 0.411 0.794 0.547
LambdaMART    0.493 0.468 0.409 0.802 0.551
AdaRank       0.446 0.160 0.206 0.653 0.419
ListNet       0.431 0.380 0.273 0.607 0.472
""",
    "P@5": """
LATRE+wTS     0.438 0.401 0.314 0.733 0.489
RankSVM       0.456 0.419 0.346 0.754 0.517
GP            0.441 0.450 0.363 0.755 0.520
RankBoost     0.451 0.424 0.366 0.763 0.517
RandomForest  0.502 0.494 0.386 0.797 0.543
MART          0.496 0.489 0.385 0.792 0.541
LambdaMART    0.501 0.493 0.385 0.797 0.546
AdaRank       0.454 0.134 0.180 0.712 0.440
ListNet       0.437 0.398 0.316 0.661 0.499
""",
    "R@5": """
LATRE+wTS     0.430 0.377 0.250 0.637 0.451
RankSVM       0.446 0.390 0.275 0.651 0.474
GP            0.431 0.415 0.280 0.654 0.478
RankBoost     0.441 0.394 0.287 0.657 0.474
RandomForest  0.491 0.460 0.301 0.689 0.498
MART          0.485 0.455 0.300 0.685 0.496
LambdaMART    0.490 0.459 0.298 0.690 0.502
AdaRank       0.443 0.152 0.194 0.618 0.408
ListNet       0.428 0.374 0.259 0.575 0.459
""",
}

STAGES = {
    "lazy rule generation": (116.06, 1198.11, 238.00, 968.18, 592.13),
    "metric computation": (0.53, 0.96, 0.49, 0.58, 0.97),
    "model application": {
        "LATRE+wTS": (0.02, 0.04, 0.02, 0.02, 0.03),
        "RankSVM": (0.72, 1.52, 0.46, 0.65, 1.35),
        "GP": (2.12, 5.35, 2.23, 1.95, 4.99),
        "RankBoost": (0.59, 1.30, 1.38, 0.53, 1.17),
        "RandomForest": (47.20, 54.43, 799.23, 55.63, 57.18),
        "MART": (10.24, 19.11, 82.38, 10.23, 16.01),
        "LambdaMART": (50.76, 60.69, 472.00, 52.29, 90.02),
        "AdaRank": (1.48, 4.53, 3.92, 1.33, 4.11),
        "ListNet": (1.43, 2.79, 2.38, 1.05, 2.91),
    },
    "candidate sorting": (0.04, 0.08, 0.05, 0.03, 0.07),
}
"""Table VII: milliseconds an object, for each collection in the order of the paper."""


def paper(dataset: str, method: str, measure: str) -> float | None:
    """Tables IV to VI: the figure of the paper's sample of the same place, where there is one.

    Examples
    --------
    >>> paper("lastfm", "RandomForest", "nDCG@5"), paper("npm", "RandomForest", "nDCG@5")
    (0.469, None)
    """
    place = SAME_PLACE.get(dataset)
    for line in _TABLES.get(measure, "").strip().splitlines() if place else ():
        name, *values = line.split()
        if name == method:
            return float(values[_COLLECTIONS.index(str(place))])
    return None
