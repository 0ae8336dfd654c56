"""The command: one file a command, errors as one sentence, imports only when a command runs."""

from __future__ import annotations

import os
import sys

import click
import typer

from labelrank.cli import data, demo, evaluate
from labelrank.errors import InputError, MissingExtraError

__all__ = ["app", "main"]

app = typer.Typer(
    name="labelrank",
    help="Rank labels: which apply, in which order, how many to keep, how sure, and why.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command()(demo.demo)
app.command()(evaluate.evaluate)
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
        code = app(standalone_mode=False)
    except click.exceptions.Abort:
        code = _fail("interrupted; nothing was written.", 130)
    except click.ClickException as error:
        code = _fail(error.format_message(), 2)
    except (InputError, MissingExtraError, OSError, MemoryError) as error:
        code = _told(error)
    except KeyboardInterrupt:
        code = _fail("interrupted; nothing was written.", 130)
    except Exception as error:
        if os.environ.get("LABELRANK_DEBUG"):
            raise
        kind = type(error).__name__
        said = str(error).partition("\n")[0]
        code = _fail(f"{kind}: {said} (LABELRANK_DEBUG=1 shows where)", 1)
    sys.exit(code if isinstance(code, int) else 0)


def _told(error: BaseException) -> int:
    if isinstance(error, BrokenPipeError):  # the reader of our output has gone: nothing to say
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    if isinstance(error, OSError) and error.strerror and not isinstance(error, MissingExtraError):
        return _fail(f"{error.filename or 'a file'}: {error.strerror}.", 2)
    return _fail(str(error) or type(error).__name__, 2)


def _fail(sentence: str, code: int) -> int:
    print(f"labelrank: {sentence}", file=sys.stderr)
    return code
