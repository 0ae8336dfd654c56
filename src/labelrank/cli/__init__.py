"""The command: one file a command, errors as one sentence, imports only when a command runs."""

from __future__ import annotations

import os
import sys
from typing import Any

import typer

from labelrank.cli import data, demo, evaluate, l2r, methods, rank, recommend, reproduce, train
from labelrank.errors import InputError, MissingExtraError

__all__ = ["app", "main"]

_INTERRUPTED = 130

app = typer.Typer(
    name="labelrank",
    help="Rank labels: which apply, in which order, how many to keep, how sure, and why.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command()(demo.demo)
app.command()(train.train)
app.command()(methods.methods)
app.command()(rank.rank)
app.command()(recommend.recommend)
app.command()(evaluate.evaluate)
app.command()(l2r.l2r)
app.command()(reproduce.reproduce)
app.add_typer(data.app, name="data")


def _version(wanted: bool) -> None:
    if wanted:
        from labelrank import __version__

        print(__version__)
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Show the version."
    ),
) -> None:
    """Rank labels: which apply, in which order, how many to keep, how sure, and why."""


def main() -> None:
    """Run the command; what a user can mend ends in one sentence and exit code 2."""
    try:
        code = _run()
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of our output has gone: nothing to say
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    sys.exit(code)


def _run() -> int:
    """Run the command and turn every error into a sentence and an exit code."""
    try:
        code = app(standalone_mode=False)
        if code == _INTERRUPTED:  # typer's word for Ctrl-C
            raise KeyboardInterrupt
        return code if isinstance(code, int) else 0
    except (KeyboardInterrupt, typer.Abort):
        return _fail("interrupted; nothing was written.", _INTERRUPTED)
    except BrokenPipeError:
        raise
    except (InputError, MissingExtraError, MemoryError) as error:
        return _fail(str(error) or "not enough memory.", 2)
    except OSError as error:
        return _fail(f"{error.filename or 'a file'}: {error.strerror or error}.", 2)
    except Exception as error:
        if hasattr(error, "format_message"):  # typer's own, whose class moved between versions
            return _misused(error)
        if os.environ.get("LABELRANK_DEBUG"):
            raise
        said = str(error).partition("\n")[0]
        return _fail(f"{type(error).__name__}: {said} (LABELRANK_DEBUG=1 shows where)", 1)


def _misused(error: Any) -> int:
    """A wrong word in the call; a call without words gets the help instead."""
    if type(error).__name__ == "NoArgsIsHelpError":
        print(error.format_message())
        return 2
    return _fail(error.format_message(), 2)


def _fail(sentence: str, code: int) -> int:
    print(f"labelrank: {sentence}", file=sys.stderr)
    return code
