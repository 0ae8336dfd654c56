"""Table I of paper 001 in plain Python: things are (set of tags, words of each field)."""

from collections import Counter
from itertools import combinations
from math import log


def rules(D, given, length, support, confidence):
    """{(X, c): (things with X, things with X and c)} for X within `given` and c outside it."""
    found = {}
    for size in range(1, length + 1):
        for X in combinations(sorted(given), size):
            with_x = [tags for tags, _ in D if set(X) <= tags]
            for c, n in Counter(c for tags in with_x for c in tags - set(given)).items():
                if n >= support and n >= confidence * len(with_x):
                    found[X, c] = len(with_x), n
    return found


def times(c, words):
    """How often the words of a tag stand in a text, one after another."""
    own = c.split(" ")
    return sum(words[i : i + len(own)] == own for i in range(len(words) - len(own) + 1))


def field_spread(D, field):
    """AFS: the mean over the field's instances of the mean TS of its words."""

    def ts(word, fields):
        return sum(word in words for words in fields)

    instances = [fields for _, fields in D if fields[field]]
    means = [sum(ts(w, f) for w in set(f[field])) / len(set(f[field])) for f in instances]
    return sum(means) / len(means) if means else 0.0


def stab(f, k):
    return k / (k + abs(k - log(f))) if f else 0.0


def entropy(D, c, support, confidence):
    shares = [both / n for n, both in rules(D, {c}, 1, support, confidence).values()]
    return -sum(share * log(share) for share in shares)


def metrics(D, given, fields, *, support=2, confidence=0.0, k_x=5, k_c=5, k_r=5, k_s=5, length=3):
    """{candidate: the thirteen metrics in the order of Table I}."""
    R = rules(D, given, length, support, confidence)
    f_tag = Counter(c for tags, _ in D for c in tags)
    spreads = [field_spread(D, i) for i in range(len(fields))]
    implied = {c for _, c in R}
    said = {c for c in f_tag if any(times(c, words) for words in fields)}
    table = {}
    for c in (implied | said) - set(given):
        single = {X[0]: both / n for (X, head), (n, both) in R.items() if head == c and len(X) == 1}
        weight = {}
        for x, share in single.items():
            others = [b / n for (X, _), (n, b) in R.items() if (x,) == X]
            place = 1 + sum(other > share for other in others)
            weight[x] = stab(f_tag[x], k_x) * stab(f_tag[c], k_c) * k_r / (k_r + place)
        tf = [times(c, words) for words in fields]
        in_text = [any(times(c, words) for words in own) for _, own in D]
        both = sum(c in tags and there for (tags, _), there in zip(D, in_text, strict=True))
        table[c] = [
            sum(single.values()),
            sum(both / n for (_, head), (n, both) in R.items() if head == c),
            sum(share * weight[x] for x, share in single.items()),
            len(single),
            sum(weight.values()),
            sum(n > 0 for n in tf),
            sum(tf),
            sum(s for n, s in zip(tf, spreads, strict=True) if n),
            sum(n * s for n, s in zip(tf, spreads, strict=True)),
            log((len(D) + 1) / (f_tag[c] + 1)),
            stab(f_tag[c], k_s),
            entropy(D, c, support, confidence),
            both / sum(in_text) if sum(in_text) else 0.0,
        ]
    return table
