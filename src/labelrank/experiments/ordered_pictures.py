"""Ranked digits by three losses: Tables 1 and 2, Figures 2, 3 and 5 of paper 002."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from labelrank.data import RankedDigits
from labelrank.experiments.clock import Clock
from labelrank.experiments.paper_002 import MEASURES, RANKED, UNRANKED, paper
from labelrank.measures import evaluate
from labelrank.ranking import Ranking
from labelrank.scorers import OrderedLabelNet

__all__ = ["LOSSES", "Calibration", "PicturePlan", "PictureStudy", "Sample", "picture_study"]

LOSSES = {"RLSEP": "rlsep", "LSEP": "lsep", "CE": "ce"}
PARTIAL = "RLSEP, three digits only"
_AT_ONCE = 20_000  # pictures that are kept in memory; more are composed when they are asked for


@dataclass(frozen=True)
class PicturePlan:
    """How much of everything.

    Attributes
    ----------
    images : (int, int, int)
        Pictures to learn from, to stop by, to test on.
    canvas, epochs, seeds : int
    digits : (int, int)
        In each picture.
    scales : (float, float)
        Of the digits.
    counts : tuple of int
        Numbers of digits of Figure 5; none leaves it out.
    calibration : int
        Pictures of Figure 3.
    net : dict
        Parameters of every network.
    """

    images: tuple[int, int, int] = (5_000, 1_000, 1_000)
    canvas: int = 64
    epochs: int = 40
    seeds: int = 3
    counts: tuple[int, ...] = (3, 4, 5, 6)
    calibration: int = 2_000
    digits: tuple[int, int] = (3, 6)
    scales: tuple[float, float] = (1.0, 4.0)
    net: dict[str, Any] = field(default_factory=lambda: {"batch": 32, "shift": 0.05, "zoom": 0.2})

    @classmethod
    def quick(cls) -> PicturePlan:
        """A first look within two minutes: fewer, smaller pictures of fewer, larger digits."""
        return cls((1_000, 200, 300), 32, 9, 1, (3, 4), 200, (2, 4), (2.0, 5.0), {"batch": 16})


class Calibration(NamedTuple):
    """Scores of digits of four scales, above the mean of the absent ones (Figure 3)."""

    scales: NDArray[np.float64]
    scores: NDArray[np.float64]  # (pictures, scales)


class Sample(NamedTuple):
    """A picture, its digits in order, and those that each method says (Figure 2)."""

    image: NDArray[np.uint8]
    truth: list[int]
    said: dict[str, list[int]]


@dataclass
class PictureStudy:
    """What was measured on one source of digits.

    Attributes
    ----------
    name : str
    plan : PicturePlan
    values : dict
        By method and measure, one value a seed.
    calibration : Calibration
    digits : dict
        Ranked accuracy by number of digits (Figure 5), of each series.
    samples : list of Sample
    timings : list of dict
    """

    name: str
    plan: PicturePlan
    values: dict[str, dict[str, list[float]]] = field(default_factory=dict)
    calibration: Calibration | None = None
    digits: dict[str, list[tuple[float, float]]] = field(default_factory=dict)
    samples: list[Sample] = field(default_factory=list)
    timings: list[dict[str, Any]] = field(default_factory=list)

    def p_value(self, method: str, measure: str) -> float | None:
        """Welch's t-test of a method against RLSEP over seeds; None without two of each."""
        both = [np.array(self.values[name][measure]) for name in ("RLSEP", method)]
        n = len(both[0])
        if method == "RLSEP" or n < 2:
            return None
        errors = [max(float(v.var(ddof=1)), 1e-18) / n for v in both]  # scipy warns of equal ones
        freedom = sum(errors) ** 2 * (n - 1) / sum(e * e for e in errors)
        t = (both[0].mean() - both[1].mean()) / np.sqrt(sum(errors))
        return float(2 * stats.t.sf(abs(t), freedom))

    def rows(self) -> list[dict[str, Any]]:
        """In the form of results.json."""
        found: list[dict[str, Any]] = []
        for method, by_measure in self.values.items():
            for measure, values in by_measure.items():
                row: dict[str, Any] = {"dataset": self.name, "method": method, "measure": measure}
                row |= {"value": float(np.mean(values)), "low": min(values), "high": max(values)}
                p = self.p_value(method, measure)
                known = paper(method, measure, many=self.plan.images[0] >= 60_000)
                found.append(row | _given(p_against_rlsep=p, paper=known))
        for method, line in self.digits.items():
            found += [
                {"dataset": f"{self.name}, {int(d)} digits", "method": method}
                | {"measure": "ranked-Acc", "value": value}
                for d, value in line
            ]
        if self.calibration is not None:
            means = self.calibration.scores.mean(axis=0)
            found += [
                {"dataset": self.name, "method": "RLSEP", "measure": f"score at scale {scale:g}"}
                | {"value": float(mean)}
                for scale, mean in zip(self.calibration.scales, means, strict=True)
            ]
        return found


def picture_study(
    name: str,
    source: str | Path | None,
    plan: PicturePlan,
    random_state: int = 0,
    verbose: int = 0,
    say: Callable[[str], None] = lambda sentence: None,
) -> PictureStudy:
    """Train networks by each loss over the seeds and judge them on pictures of other digits."""
    work = _Work(PictureStudy(name, plan), source, random_state, verbose, say)
    work.compare()
    if plan.counts:
        work.count_digits()
    return work.study


@dataclass
class _Work:
    study: PictureStudy
    source: str | Path | None
    random_state: int
    verbose: int
    say: Callable[[str], None]

    def compare(self) -> None:
        """Tables 1 and 2; the first seed's networks draw Figures 2 and 3."""
        test = self._pictures("test")
        images, Y = test.images(), test.Y
        first: dict[str, Ranking] = {}
        for method, loss in LOSSES.items():
            for seed in range(self.study.plan.seeds):
                net = self._net(method, loss, seed)
                ranking, kept = net.rank(images), net.decide(images)
                values = {m: evaluate(ranking, Y, m)[m].value for m in RANKED}
                values |= {m: evaluate(kept, Y, m)[m].value for m in UNRANKED}
                mine = self.study.values.setdefault(method, {m: [] for m in MEASURES})
                for measure, value in values.items():
                    mine[measure].append(float(value))
                if seed == 0:
                    first[method] = kept
                    if method == "RLSEP":
                        self.study.calibration = self._calibration(net)
        truth = Ranking.from_csr(Y)
        for i in range(min(6, len(images))):
            said = {m: kept.row(i)[0].tolist() for m, kept in first.items()}
            self.study.samples.append(Sample(images[i], truth.row(i)[0].tolist(), said))

    def count_digits(self) -> None:
        """Figure 5: each number of digits by networks of its own, and by one of three digits."""
        counts = self.study.plan.counts
        tests = {d: self._pictures("test", d) for d in counts}
        lines: dict[str, list[tuple[float, float]]] = {"RLSEP": [], PARTIAL: [], "LSEP": []}
        three = self._net("RLSEP", "rlsep", 0, 3)
        for d, test in tests.items():
            images = test.images()
            nets = {
                "RLSEP": three if d == 3 else self._net("RLSEP", "rlsep", 0, d),
                PARTIAL: three,
                "LSEP": self._net("LSEP", "lsep", 0, d),
            }
            for name, net in nets.items():
                score = evaluate(net.rank(images), test.Y, "ranked-Acc")["ranked-Acc"]
                lines[name].append((float(d), float(score.value)))
        self.study.digits = lines

    def _calibration(self, net: OrderedLabelNet) -> Calibration:
        plan = self.study.plan
        scales = np.linspace(*plan.scales, 4).tolist()
        pictures = self._pictures("test", scales=scales, n=plan.calibration)
        scores = net.rank(pictures.images()).to_csr().toarray()
        grades = pictures.Y.toarray()
        absent = np.ma.masked_array(scores, grades > 0).mean(axis=1).filled(0.0)
        by_scale = np.stack([scores[grades == g] for g in (1, 2, 3, 4)], axis=1)
        return Calibration(np.array(scales), by_scale - absent[:, None])

    def _net(self, method: str, loss: str, seed: int, count: int | None = None) -> OrderedLabelNet:
        plan = self.study.plan
        what = "" if count is None else f", {count} digits"
        self.say(f"  {method}{what}, network {seed + 1}")
        train, held = self._pictures("train", count), self._pictures("validation", count)
        net = OrderedLabelNet(
            "conv", loss, epochs=plan.epochs, random_state=self.random_state + seed,
            measure="ranked-F1" if loss == "rlsep" else "loss", verbose=self.verbose, **plan.net,
        )  # fmt: skip
        clock = Clock(self.study.name + what, method, self.study.timings)
        validation = (held.images(), held.Y)
        if len(train) > _AT_ONCE:
            net.fit(train, validation=validation)
        else:
            net.fit(train.images(), train.Y, validation)
        clock.lap("train")
        return net

    def _pictures(
        self, part: str, count: int | None = None, scales: Any = None, n: int | None = None
    ) -> RankedDigits:
        plan = self.study.plan
        size = dict(zip(("train", "validation", "test"), plan.images, strict=True))[part]
        return RankedDigits(
            size if n is None else n, digits=count or plan.digits, canvas=plan.canvas, part=part,
            source=self.source, scales=scales or plan.scales, fixed=scales is not None,
            seed=self.random_state,
        )  # fmt: skip


def _given(**facts: Any) -> dict[str, Any]:
    return {name: value for name, value in facts.items() if value is not None}
