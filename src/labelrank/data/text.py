"""Words of a text and keys of a tag: what terms and tags are compared by."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from labelrank import _native
from labelrank.data.stop_words import STOP_WORDS
from labelrank.errors import InputError, MissingExtraError

__all__ = ["TagKeys", "Words", "clean_tag", "language_of"]

_LONGEST = 1_000_000  # characters of one text that are read
# Signs that belong to the letter before them, and scripts whose vowels are such signs: Python's \w
# leaves them out and would cut words of Arabic, Hebrew, Hindi or Thai in two.
_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a"
    "\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed"
    "\u0900-\u0963\u0966-\u0dff\u0e30-\u0e3a\u0e47-\u0e4e\u1000-\u1049\u1780-\u17d3\u200c\u200d"
)
_EMOJI = "\u2600-\u27bf\U0001f000-\U0001faff"
# c++ and c# are words of their own; an emoji is a word
_WORD = re.compile(rf"[^\W_](?:[^\W_]|[{_MARKS}])*(?:\+\+|#(?!\w))?|[{_EMOJI}]")
_ASCII_WORD = re.compile(r"[a-z0-9]+(?:\+\+|#(?!\w))?")
_GAP = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u200b\u2028\u2029\ufeff]+")


class Words:
    """Text to words: small letters, stop words out, the rest stemmed.

    Parameters
    ----------
    stemming : str, optional
        "porter" (Porter 1980, paper 001 §5.1) is built in; other languages such as "english" (its
        successor), "german" or "french" need the extra ``text``. None keeps words as they are.
    stop_words : str or sequence of str, optional
        A language of `STOP_WORDS`, or the words themselves; None keeps all.

    Notes
    -----
    Of a text the first million characters are read. Signs above and below letters belong to their
    word, so Arabic, Hebrew or Hindi stay whole; everything is brought to the Unicode form NFKC.

    Examples
    --------
    >>> from labelrank.data import Words
    >>> Words()("Running the tests of C++ and of naïve_bayes")
    ['run', 'test', 'c++', 'naïve', 'bay']
    """

    def __init__(
        self, stemming: str | None = "porter", stop_words: str | Iterable[str] | None = "english"
    ) -> None:
        self._stems = _stemmer(stemming)
        self._stop = _stopped(stop_words)
        self.stopped_stems = frozenset(self._stems(sorted(self._stop)))

    def __call__(self, text: str) -> list[str]:
        """The stems of the words of a text, in their order."""
        stop = self._stop
        return self._stems([word for word in plain_words(text) if word not in stop])


def plain_words(text: str) -> list[str]:
    """The words of a text in small letters.

    Examples
    --------
    >>> plain_words("Don't panic: 42 🎉")
    ['don', 't', 'panic', '42', '🎉']
    """
    text = text[:_LONGEST]
    if text.isascii():
        return _ASCII_WORD.findall(text.lower())
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())


def clean_tag(tag: str) -> str:
    r"""A tag as it is shown: runs of blanks and control signs become one blank.

    Examples
    --------
    >>> clean_tag(" Machine\tLearning\x00")
    'Machine Learning'
    """
    if not tag.isascii():
        tag = tag.encode("utf-8", "replace").decode("utf-8")  # halves of a surrogate pair
    return _GAP.sub(" ", tag).strip()


class TagKeys:
    """What makes two tags the same.

    Parameters
    ----------
    same : {"stem", "case"}
        "stem": tags whose words have the same stems, whatever stands between the words, so that
        ``neural-networks`` and ``Neural network`` are one tag (paper 001, §5.1: no trivial
        recommendations). "case": tags that differ only in case, blanks or Unicode form.
    stemming : str, optional
        See `Words`.

    Examples
    --------
    >>> TagKeys()("Neural_Networks"), TagKeys("case")(" Neural  Networks ")
    ('neural network', 'neural networks')
    """

    def __init__(self, same: str = "stem", stemming: str | None = "porter") -> None:
        if same not in ("stem", "case"):
            raise InputError(f"same must be stem or case, found {same!r:.60}.")
        self._words = Words(stemming, None) if same == "stem" else None

    def __call__(self, tag: str) -> str:
        """The key of a tag; empty where the tag is blank."""
        plain = clean_tag(tag)
        if self._words is not None:
            words = self._words(plain)
            if words:
                return " ".join(words)
        if plain.isascii():
            return plain.lower()
        return _GAP.sub(" ", unicodedata.normalize("NFKC", plain).casefold()).strip()


def language_of(text: str) -> str | None:
    """The language most of whose stop words stand in a text; None where hardly any does.

    Examples
    --------
    >>> language_of("This is a text about the art of writing")
    'english'
    >>> language_of("Der Text handelt von der Kunst und ist nicht lang")
    'german'
    """
    words = plain_words(text)
    share = {name: sum(w in stop for w in words) for name, stop in STOP_WORDS.items()}
    best = max(share, key=lambda name: share[name])
    return best if share[best] >= max(1, 0.08 * len(words)) else None


def _stopped(stop_words: str | Iterable[str] | None) -> frozenset[str]:
    if stop_words is None:
        return frozenset()
    if isinstance(stop_words, str):
        if stop_words not in STOP_WORDS:
            raise InputError(
                f"there are no stop words called {stop_words!r}, only {', '.join(STOP_WORDS)}; "
                "give a list of words, or None."
            )
        return STOP_WORDS[stop_words]
    given = list(stop_words)
    if not all(isinstance(word, str) for word in given):
        raise InputError("stop_words must be a language, a list of words or None.")
    return frozenset(word for entry in given for word in plain_words(entry))


def _stemmer(name: str | None) -> Callable[[list[str]], list[str]]:
    """From words to stems, all of a text at once."""
    if name is None:
        return lambda words: words
    if name == "porter":
        return _porter
    if not isinstance(name, str):
        raise InputError(f"stemming must be a language or None, found {name!r:.60}.")
    return _snowball(name)


def _porter(words: list[str]) -> list[str]:
    return _native.porter("\n".join(words)).split("\n") if words else []


@lru_cache
def _snowball(name: str) -> Callable[[list[str]], list[str]]:
    known, make = _snowball_package()
    if name not in known:
        raise InputError(f"there is no stemmer {name!r}; known are {', '.join(known)}.")
    stems: Callable[[list[str]], list[str]] = make(name).stemWords
    return stems


def _snowball_package() -> tuple[list[str], Callable[[str], Any]]:
    """(names, maker) of PyStemmer, which is compiled, or of snowballstemmer: the same stems."""
    try:
        import Stemmer

        return Stemmer.algorithms(), Stemmer.Stemmer
    except ModuleNotFoundError:
        pass
    try:
        import snowballstemmer
    except ModuleNotFoundError:
        raise MissingExtraError("stemming other than porter", "snowballstemmer", "text") from None
    return list(snowballstemmer.algorithms()), snowballstemmer.stemmer
