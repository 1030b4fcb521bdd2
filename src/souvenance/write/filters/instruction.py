"""An order to the model is no memory; a wish on how to be answered is.

It counts attacks more than it stops them: what protects is that a memory rests on words the person typed.
Beside it: `disguise` undoes hidden characters and simple codes, `orders` reads what a sentence asks of a model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files

from souvenance.domain import Candidate, Dropped, Exchange, Kept, Verdict
from souvenance.lang import Language, codes, detect, fold, language, read_list
from souvenance.write.filters.borrowed import quotations
from souvenance.write.filters.disguise import carries_code, hides, views
from souvenance.write.filters.evidence import find
from souvenance.write.filters.listed import spoken
from souvenance.write.filters.orders import order, quoted_frame
from souvenance.write.filters.smuggled import carries_order

NAME = "instruction"

#: Markup, role tags and images, as chat templates, pages and Markdown write them.
_MARKUP = re.compile(
    r"!\[[^\]]{0,200}\]\(|\[[^\]]{0,200}\]\(https?:|<!--|\[//\]:"
    r"|<\s{0,3}/?\s{0,3}(?:system|systeme|assistant|user|memory|memories|souvenance-memory|context|instructions?|prompt|img"
    r"|script|iframe|tool|tool_result|tool_call|function|document|span|div|style|s)\b"
    r"|\[\s?/?\s?(?:system|systeme|inst|assistant|user|instructions?|prompt|admin)\s?\]|<\||\|>|<<\s?/?sys"
    r"|#{2,6}\s{0,3}(?:system|systeme|instructions?|consignes?|assistant|new instructions?|nouvelles (?:instructions|consignes))\b"
    r"|(?:^|\n|\"|«)\s{0,3}(?:system|systeme|assistant)\s{0,2}:|\{\{|```|javascript:|data:text"
    r"|(?<![-=_])[-=_]{3,60}\s{0,3}(?:begin|end|start|debut|fin)\b|\"(?:role|candidates|quote|content|tool)\"\s{0,3}:"
)
_ROLE = re.compile(r"\b(?:SYSTEM|SYSTEME|SYSTÈME|ASSISTANT|USER|ADMIN)\s?:")

_STOP = re.compile(r"(?<=[.!?…])\s+|\n|;")

#: Characters of what was said that tell its language. Chosen, not measured.
_TONGUE = 500

#: Characters of a text that are read for disguises. Chosen, not measured: four times the longest memory of a model.
_READ = 2_000


def check(candidate: Candidate, exchange: Exchange, words: Language) -> Verdict:
    """Kept unless the candidate carries markup, a disguise, or an order to break rules or hand something out."""
    person = exchange.person
    names: frozenset[str] | None = None  # a promise of the character's gets no benefit of the doubt
    if candidate.spoken_by == "user":
        named = (person.display_name or "", *person.aliases)
        names = frozenset(w for name in named for w in spoken(name))
    why = _why(candidate.text, names, words)
    evidence = find(candidate, exchange, words)
    if why is None and evidence.by == "user":
        told = language(detect(evidence.passage[:_TONGUE], words.code))
        if carries_order(candidate.text, evidence.passage, names or frozenset(), told):
            why = "It carries an order to the model that stood beside a fact."
    return Dropped(candidate, NAME, why) if why else Kept(candidate)


def _why(text: str, names: frozenset[str] | None, words: Language) -> str | None:
    if carries_code(text[:_READ]):
        return "It hides words in a code."
    found = _plainly(text, names, words)
    if found is None and hides(text[:_READ]):
        found = "It carries hidden characters."
    for view in views(text[:_READ]) if found is None else ():
        if _plainly(view, names, words):
            return "It disguises an order to the model."
    return found


def _plainly(text: str, names: frozenset[str] | None, words: Language) -> str | None:
    """Why the text as it stands is an order, in the language of the candidate or in another, or None."""
    folded = fold(text)
    if _MARKUP.search(folded) or _ROLE.search(text):
        return "It carries markup or a role tag, as an instruction would."
    if any(all(piece in folded for piece in line) for line in _elsewhere()):
        return "It orders the model in another language."
    parts = [(part, said) for part in _parts(text) if (said := spoken(part))]
    quoted = [said for q in _quoted(text) if (said := spoken(q))]
    for lang in (words, *(language(code) for code in codes() if code != words.code)):
        for part, said in parts:
            why = order(said, part, names, lang)
            if why:
                return why
        if any(quoted_frame(said, lang) for said in quoted):
            return "It passes for the end or the start of a model's orders."
    return None


#: Words between single quotation marks.
_SINGLE = re.compile(r"(?<!\w)['‘]([^'’\n]{3,200})['’](?!\w)")


def _quoted(text: str) -> Iterator[str]:
    """What stands between quotation marks of any kind."""
    yield from (text[a:b] for a, b in quotations(text))
    yield from (m[1] for m in _SINGLE.finditer(text))


def _parts(text: str) -> Iterator[str]:
    """The sentences of a text, and of each what stands after its first colon."""
    for sentence in _STOP.split(text):
        if sentence.strip():
            yield sentence
            _, _, after = sentence.partition(":")
            if after.strip():
                yield after


@lru_cache(maxsize=1)
def _elsewhere() -> tuple[tuple[str, ...], ...]:
    entries = read_list((files("souvenance.lang") / "orders_elsewhere.txt").read_text("utf-8"))
    return tuple(tuple(piece.strip() for piece in entry.split("+")) for entry in entries)
