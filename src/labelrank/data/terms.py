"""Terms: the words of texts, and the phrases that tags of several words are."""

from __future__ import annotations

from collections.abc import Iterable

from labelrank.data.lists import Lists

__all__ = ["Terms", "phrase_of"]


def phrase_of(words: list[str], longest: int) -> str | None:
    """The key of the term that a tag's words make; None where a text cannot have it."""
    return " ".join(words) if 0 < len(words) <= longest else None


class Terms:
    """Terms by key and number, and the tags that each stands for.

    A term is a word, or several words of a tag in a row. Keys are stems with a blank between; a
    term has number -1 where it is not known.

    Parameters
    ----------
    keys : iterable of str
    tags : Lists
        The tags of each term.

    Examples
    --------
    >>> terms = Terms(["linear", "algebra", "linear algebra"], Lists.of([[], [], [7]]))
    >>> terms.counted(["the", "linear", "algebra", "linear"])
    {'the': 1, 'linear': 2, 'linear algebra': 1, 'algebra': 1}
    """

    def __init__(self, keys: Iterable[str] = (), tags: Lists | None = None) -> None:
        self.keys = list(keys)
        self.numbers = {key: i for i, key in enumerate(self.keys)}
        self.tags = Lists() if tags is None else tags
        self._phrases: dict[str, int] = {}  # first word -> words of its longest phrase
        for key in self.keys:
            self._note(key)

    def __len__(self) -> int:
        return len(self.keys)

    def number(self, key: str) -> int:
        """The number of a term."""
        return self.numbers.get(key, -1)

    def add(self, key: str) -> int:
        """A term more."""
        number = self.numbers[key] = len(self.keys)
        self.keys.append(key)
        self.tags.append()
        self._note(key)
        return number

    def remove(self, number: int) -> None:
        """A term less; the last one gets its number."""
        del self.numbers[self.keys[number]]
        last = self.keys.pop()
        if number < len(self.keys):
            self.keys[number] = last
            self.numbers[last] = number
        self.tags.move_last_to(number)

    def counted(self, words: list[str]) -> dict[str, int]:
        """How often each word, and each known phrase, stands in a text."""
        counts: dict[str, int] = {}
        phrases = self._phrases
        for i, word in enumerate(words):
            counts[word] = counts.get(word, 0) + 1
            if word in phrases:
                for end in range(i + 2, min(i + phrases[word], len(words)) + 1):
                    key = " ".join(words[i:end])
                    if key in self.numbers:
                        counts[key] = counts.get(key, 0) + 1
        return counts

    def _note(self, key: str) -> None:
        size = key.count(" ") + 1
        if size > 1:
            first = key.partition(" ")[0]
            self._phrases[first] = max(size, self._phrases.get(first, 0))
