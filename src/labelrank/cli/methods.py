"""``labelrank methods``: what `train --method` takes."""

from __future__ import annotations

__all__ = ["methods"]


def methods() -> None:
    """List the methods, what each needs, and which is taken when none is named."""
    from labelrank._text import table
    from labelrank.recipes import METHODS

    rows = [[m.name, m.needs, m.what, m.why] for m in METHODS.values()]
    print(table(["name", "needs", "what", "taken by default for"], rows, left=4))
    print(
        "\nThe first that suits is taken. Methods that need features get tf-idf weights of texts."
    )
