"""Nearest things and their votes, one pair at a time: the specification of the kernels."""

from __future__ import annotations

import numpy as np


def counted(query, things_of, budget, most=1024):
    """The columns of a query that are looked at: rare ones first, equally rare ones all or none."""
    chosen, spent = [], 0
    for size in sorted({len(things_of[c]) for c in query} - {0}):
        equal = [c for c in query if len(things_of[c]) == size]
        spent += size * len(equal)
        if spent > budget or len(chosen) + len(equal) > most:
            break
        chosen += equal
    return set(chosen)


def rarity(column, things_of, n):
    """log((n + 1) / (n_c + 1)) squared, in units of 1/4096."""
    return int(4096 * max(np.log((n + 1) / (len(things_of[column]) + 1)), 0) ** 2 + 0.5)


def likeness(query, columns, things_of, n, seen):
    """sqrt(n_q / n_d) times the share of the query's rarity that is of columns the thing has."""
    one = np.float32
    query = [c for c in query if things_of[c]]
    total = sum(rarity(c, things_of, n) for c in query)
    shared = sum(rarity(c, things_of, n) for c in query if c in seen and c in columns)
    if total == 0:
        return one(0)
    return one(np.sqrt(len(query)) / total) * one(shared) / np.sqrt(one(max(len(columns), 1)))


def kept(likes, k):
    """How many of a list, nearest first, are its k nearest: ties too, unless more than 2k."""
    if len(likes) <= k:
        return len(likes)
    last = likes[k - 1]
    within = sum(like >= last for like in likes)
    return within if within <= 2 * k else sum(like > last for like in likes)


def nearest(terms, tags, term_things, tag_things, rows, skip, k, budget, share):
    """(thing, likeness) of the nearest in text, and in text and tags."""
    seen = counted(terms, term_things, budget), counted(tags, tag_things, budget)
    share, likes = np.float32(share), ([], [])
    for d, (its_terms, its_tags) in enumerate(rows):
        text = likeness(terms, its_terms, term_things, len(rows), seen[0])
        tagged = likeness(tags, its_tags, tag_things, len(rows), seen[1])
        for s, like in enumerate((text, share * text + (1 - share) * tagged)):
            if like > 0 and d != skip:
                likes[s].append((d, like))
    ordered = [sorted(found, key=lambda pair: (-pair[1], pair[0])) for found in likes]
    return [found[: kept([like for _, like in found], k)] for found in ordered]


def votes(near, tags_of, candidates, ks):
    """Of each candidate: for each k the share of likeness with the tag, and the largest."""
    F = np.zeros((len(candidates), len(ks) + 1))
    for i, c in enumerate(candidates):
        for j, k in enumerate(ks):
            chosen = near[: kept([like for _, like in near], k)]
            total = sum(like for _, like in chosen)
            having = sum(like for d, like in chosen if c in tags_of[d])
            F[i, j] = having / total if total > 0 else 0
        F[i, -1] = max((like for d, like in near if c in tags_of[d]), default=0)
    return F
