"""Tells when a candidate says as current what the person only said in the past ("j'habitais", "I lived").

A past tense beside words that reach until now, or after "he said that", may well still hold and is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from souvenance.lang import Language, Token, language, tokens
from souvenance.write.filters.listed import has
from souvenance.write.words.sentences import sentences

_IMPERFECT = re.compile(r"^(.{3,}?)e?(?:ais|ait|aient|ions|iez)$")
_PRESENT = ("e", "es", "ent", "s", "t", "", "ons")

#: Words before a form within which its auxiliary stands ("have only lived", "ai longtemps habité"). Chosen, not measured.
_NEAR = 3


@dataclass(frozen=True, slots=True)
class _Forms:
    """Irregular verbs: the line of each present form, past form and participle of a lasting state."""

    present: Mapping[str, int]
    past: Mapping[str, int]
    participle: Mapping[str, int]


@lru_cache(maxsize=8)
def _forms(code: str) -> _Forms:
    present, past, participle = dict[str, int](), dict[str, int](), dict[str, int]()
    for line, entry in enumerate(sorted(language(code).words["past_forms"])):
        now, then = entry.split("=")
        once, _, done = then.partition("/")
        for forms, side in ((now, present), (once, past), (done, participle)):
            side.update((t.word, line) for t in tokens(forms))
    return _Forms(present, past, participle)


def is_over(text: str, passage: str, words: Language) -> bool:
    """Whether a verb stands in the present in the text, and only in the past in the passage."""
    if has(text, words, "past_words"):
        return False
    said = tokens(passage)
    if not any(_over(said, i, token, words) for i, token in enumerate(said)):
        return False  # most passages hold no past at all, and are read no further
    then, now = _past(passage, words)
    then -= now
    if not then:
        return False
    return bool(_present(text, words) & then)


Verb = tuple[str, str]
"""A verb, by its root or its line in the list, and for "be" and "have" the word that completes it."""


def _past(passage: str, words: Language) -> tuple[set[Verb], set[Verb]]:
    """The verbs that the passage has in a past that is over, and those it has in the present."""
    then, now = set[Verb](), set[Verb]()
    for sentence in sentences(passage, words):
        now |= _present(sentence.plain, words)
        if any(has(sentence.plain, words, n) for n in ("still_so", "reporting", "conditions")):
            continue
        said = tokens(sentence.plain)
        for i, token in enumerate(said):
            if token.word not in words.words["soft_past"]:
                then |= _over(said, i, token, words)
    return then, now


def _over(said: list[Token], i: int, token: Token, words: Language) -> set[Verb]:
    forms = _forms(words.code)
    before = {t.word for t in said[max(0, i - _NEAR) : i]}
    helped = bool(before & words.words["auxiliaries"])
    if token.word in forms.past and (words.traits.compound_past or not helped):
        return _verbs(str(forms.past[token.word]), said, i, words)
    if words.traits.compound_past:
        imperfect = _IMPERFECT.match(token.word)
        if imperfect and not imperfect[1].endswith(("er", "ir", "dr", "tr")):  # a conditional
            return {(imperfect[1], "")}
        if token.word in forms.participle and helped:
            return {(str(forms.participle[token.word]), "")}
        if helped and token.word in words.words["lasting"] and _is_participle(token, words):
            return {(token.word.rstrip("s").removesuffix("e"), "")}
        return set()
    if words.ends(token.word, "lasting_past_endings") and not helped:
        return {(words.stem(token.word), "")}
    return set()


def _present(text: str, words: Language) -> set[Verb]:
    """The verbs that a text has in the present."""
    found = set[Verb]()
    forms = _forms(words.code)
    said = tokens(text)
    for i, token in enumerate(said):
        if token.word in forms.present:
            line = str(forms.present[token.word])
            found |= _verbs(line, said, i, words)
            found.add((line, "")) if line not in _heavy(words) else None
        elif not words.traits.compound_past:
            if not words.ends(token.word, "no_present_endings") and not _after_infinitive(
                said, i, words
            ):
                found.add((words.stem(token.word), ""))
        elif not _is_participle(token, words) and not _IMPERFECT.match(token.word):
            found |= {
                (token.word.removesuffix(end), "") for end in _PRESENT if token.word.endswith(end)
            }
    return found


def _verbs(line: str, said: list[Token], i: int, words: Language) -> set[Verb]:
    """The verb of a line of the list; "be" and "have" say nothing without the word that completes them."""
    if line not in _heavy(words):
        return {(line, "")}
    skip = words.words["function_words"]
    for token in said[i + 1 : i + 1 + 2 * _NEAR]:
        if token.word not in skip:
            return {(line, words.stem(token.word))}
    return set()


@lru_cache(maxsize=8)
def _heavy_lines(code: str) -> frozenset[str]:
    forms = _forms(code)
    return frozenset(str(forms.present[w]) for w in ("est", "a", "is", "has") if w in forms.present)


def _heavy(words: Language) -> frozenset[str]:
    return _heavy_lines(words.code)


def _is_participle(token: Token, words: Language) -> bool:
    return token.raw.casefold().endswith(words.traits.accented_participles)


def _after_infinitive(said: list[Token], i: int, words: Language) -> bool:
    return i > 0 and said[i - 1].word in words.words["before_infinitives"]
