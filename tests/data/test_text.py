"""Words and keys: Porter's stems, scripts of the world, and what people type by mistake."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labelrank import InputError, MissingExtraError, _native
from labelrank.data import Dataset, TagKeys, Words, in_language, merged_tags
from labelrank.data.stop_words import STOP_WORDS
from labelrank.data.text import clean_tag, language_of, plain_words

SUFFIXES = """
ational tional enci anci izer abli alli entli eli ousli ization ation ator alism iveness fulness
ousness aliti iviti biliti icate ative alize iciti ical ful ness al ance ence er ic able ible ant
ement ment ent ion ou ism ate iti ous ive ize sses ies ss s eed ed ing e ll y
"""
PARTS = st.sampled_from(["", *SUFFIXES.split()])
roots = st.text("abcdeghilmnorstuvwyxz", min_size=1, max_size=8)
long_words = st.builds("".join, st.tuples(roots, PARTS, PARTS))


@given(st.lists(long_words.filter(lambda w: len(w) > 2), max_size=60))
def test_stems_are_those_of_snowballs_porter(words):
    snowball = pytest.importorskip("snowballstemmer").stemmer("porter")
    assert Words(stop_words=None)(" ".join(words)) == snowball.stemWords(words)


@pytest.mark.parametrize(
    ("word", "stem"),
    [("caresses", "caress"), ("ponies", "poni"), ("agreed", "agre"), ("hopping", "hop"),
     ("falling", "fall"), ("filing", "file"), ("happy", "happi"), ("sky", "sky"),
     ("relational", "relat"), ("conditional", "condit"), ("adoption", "adopt"), ("rate", "rate"),
     ("controlling", "control"), ("js", "js"), ("os", "os"), ("naïve", "naïve"),
     ("c++", "c++"), ("", "")],
)  # fmt: skip
def test_examples_from_porters_paper_and_words_that_stay(word, stem):
    assert _native.porter(word) == stem


@given(st.text(max_size=60))
def test_any_text_has_words_and_any_tag_a_key(text):
    words = Words()(text)
    assert all(words)
    assert all(not any(c.isspace() or c == "\x00" for c in word) for word in words)
    for same in ("stem", "case"):
        key = TagKeys(same)(text)
        assert bool(key) == bool(clean_tag(text))
        assert "\n" not in key


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Emoji 🎉🎉 and ☕", ["emoji", "🎉", "🎉", "and", "☕"]),
        ("👨\u200d👩\u200d👧", ["👨", "👩", "👧"]),
        ("مرحبا بالعالم", ["مرحبا", "بالعالم"]),
        ("עִבְרִית היא שפה", ["עִבְרִית", "היא", "שפה"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("a\x00b\x00", ["a", "b"]),
        ("C++, C# and F#; node.js #tag", ["c++", "c#", "and", "f#", "node", "js", "tag"]),
        ("Straße ＦＵＬＬ ﬁle", ["strasse", "full", "file"]),
        ("e\u0301te\u0301", ["été"]),
        ("", []),
    ],
)
def test_words_of_many_scripts(text, words):
    assert plain_words(text) == words


def test_ten_megabytes_are_read_as_far_as_their_first_million_characters():
    words = Words()("running " * 1_250_000)
    assert len(words) == 125_000  # of the first million characters
    assert set(words) == {"run"}
    assert len(Words()("é " * 5_000_000)) == 500_000


def test_one_word_of_a_million_letters():
    assert [len(w) for w in Words()("a" * 3_000_000)] == [1_000_000]


@pytest.mark.parametrize(
    ("same", "equal", "different"),
    [
        ("stem", ["Neural Networks", "neural_network", "NEURAL-NETWORK", " neural\tnetwork "],
         ["neuron network", "neuralnetwork"]),
        ("case", ["Ab  Cd", "ab cd", " AB\x00CD", "ａb cd"], ["ab-cd", "abs cd"]),
        ("stem", ["🎉"], ["🎊"]),
        ("stem", ["-"], ["--", "_"]),
    ],
)  # fmt: skip
def test_which_tags_are_the_same(same, equal, different):
    key = TagKeys(same)
    assert len({key(tag) for tag in equal}) == 1
    assert key(equal[0]) not in {key(tag) for tag in different}


def test_tags_are_merged():
    data = Dataset(
        Y=[[1, 0, 2, 0, 1], [0, 1, 0, 0, 0], [0, 1, 1, 1, 0]],
        label_names=["Tests", "test", "TEST", "other", "  "],
    )
    merged = merged_tags(data)
    assert merged.label_names == ["TEST", "other"]
    assert merged.Y.toarray().tolist() == [[2, 0], [1, 0], [1, 1]]
    assert merged_tags(data, same="case").label_names == ["Tests", "TEST", "other"]
    assert merged_tags(merged).label_names == merged.label_names


def test_half_a_surrogate_pair_is_no_tag_that_breaks_files():
    assert clean_tag("a\ud800b") == "a?b"
    assert TagKeys()("\ud800") == "?"


def test_stop_words():
    assert Words(stop_words=None)("the cat") == ["the", "cat"]
    assert Words(stop_words="german")("der the und cat") == ["the", "cat"]
    assert Words(stop_words=["Cat", "two words"])("the cat has two words") == ["the", "ha"]
    with pytest.raises(InputError, match="only english, german"):
        Words(stop_words="latin")
    with pytest.raises(InputError, match="stop_words must be a language"):
        Words(stop_words=[1])


def test_other_stemmers():
    pytest.importorskip("snowballstemmer")
    assert Words("german", None)("Häuser")[0] == "haus"
    assert Words(None)("Running tests") == ["running", "tests"]
    with pytest.raises(InputError, match="there is no stemmer 'klingon'; known are arabic"):
        Words("klingon")
    with pytest.raises(InputError, match="stemming must be a language or None, found 3"):
        Words(3)


def test_the_plain_stemmer_gives_the_same_stems(monkeypatch):
    pytest.importorskip("snowballstemmer")
    from labelrank.data import text

    text._snowball.cache_clear()
    compiled = Words("english")("generalisations of running")
    monkeypatch.setitem(sys.modules, "Stemmer", None)
    text._snowball.cache_clear()
    assert Words("english")("generalisations of running") == compiled
    monkeypatch.setitem(sys.modules, "snowballstemmer", None)
    text._snowball.cache_clear()
    with pytest.raises(MissingExtraError, match=r"labelrank\[text\]"):
        Words("english")
    text._snowball.cache_clear()


def test_languages():
    texts = {
        "english": "The cat sat on the mat and it was not happy with what they said",
        "german": "Die Katze ist auf der Matte und sie war nicht mit dem was sie sagten zufrieden",
        "french": "Le chat est sur le tapis et il ne veut pas aller dans la maison avec nous",
        "spanish": "El gato está en la casa y no quiere salir con los otros que son más grandes",
        "italian": "Il gatto è sul tappeto e non vuole uscire con gli altri che sono più grandi",
        "portuguese": "O gato está em casa e não quer sair com os outros que são mais velhos",
        "dutch": "De kat zit op de mat en zij is niet blij met wat ze van haar hebben gezegd",
    }
    assert {language: language_of(text) for language, text in texts.items()} == {
        language: language for language in texts
    }
    assert texts.keys() == STOP_WORDS.keys()
    assert language_of("") is None
    assert language_of("numpy scipy pandas") is None


def test_rows_of_one_language():
    texts = {"title": ["Der Hund ist nicht da", "The dog is not there", "x"], "body": ["", "", ""]}
    data = Dataset(Y=[[1], [0], [1]], texts=texts, ids=list("abc"))
    assert in_language(data, "german").ids == ["a", "c"]
    assert in_language(data, "english").ids == ["b", "c"]
    with pytest.raises(InputError, match="the language 'latin' is not known; known are english"):
        in_language(data, "latin")
