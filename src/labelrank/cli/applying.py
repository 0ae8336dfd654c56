"""Applying a model folder to a data set, block by block: what `rank` and `evaluate` share."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from labelrank.data import Dataset, Stream
    from labelrank.ranking import Ranking

__all__ = ["Applied", "apply", "tag_model"]


@dataclass
class Applied:
    """A model and the rows it is applied to.

    Attributes
    ----------
    model : fitted model
    rows : Stream
    k : int or None
        The most labels to list.
    """

    model: Any
    rows: Stream
    k: int | None

    @property
    def label_names(self) -> list[str] | None:
        """The model's names of labels."""
        names: list[str] | None = self.model.label_names_
        return names

    def __iter__(self) -> Iterator[tuple[Dataset, Ranking]]:
        """Blocks of rows and their rankings."""
        from labelrank.recipes import rank_data

        for block in self.rows:
            yield block, rank_data(self.model, block, self.k)


def apply(model: Path, source: str, part: str | None, data: Path | None, k: int | None) -> Applied:
    """Load a model and open a data set; a named set gives its test part unless another is named."""
    from labelrank.data import CATALOG, stream
    from labelrank.errors import InputError
    from labelrank.store import load_model

    loaded = load_model(model)
    if not hasattr(loaded, "n_labels_") or not hasattr(loaded, "rank"):
        raise InputError(f"{model} holds a {type(loaded).__name__}, which ranks no data set.")
    if part is None and not Path(source).exists() and source in CATALOG:
        part = "test" if "test" in CATALOG[source].parts else None
    return Applied(loaded, stream(source, part=part, data=data), k)


def tag_model(model: Path) -> Any:
    """The model, where it ranks tags for things with texts and tags; else None."""
    from labelrank.scorers.things import TagScorer
    from labelrank.store import load_model

    loaded = load_model(model)
    return loaded if isinstance(loaded, TagScorer) else None
