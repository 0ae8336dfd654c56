"""The errors a user meets: one sentence that says what was found, where, and what to do."""

from __future__ import annotations

__all__ = ["InputError", "MissingExtraError", "ModelError"]


class InputError(ValueError):
    """Data or an argument cannot be used as it is."""


class ModelError(InputError):
    """A model folder cannot be read: missing, truncated, altered or of a newer version."""


class MissingExtraError(ImportError):
    """An optional package is needed; the message says what to install.

    Parameters
    ----------
    what : str
        What was asked for.
    package : str
        The package that does it.
    extra : str, optional
        The extra of labelrank that brings the package, where one does.
    """

    def __init__(self, what: str, package: str, extra: str | None = None) -> None:
        source = package if extra is None else f"'labelrank[{extra}]'"
        super().__init__(f"{what} needs {package}, which is not installed: pip install {source}.")
