"""A memory rests on words that the person typed; what the character says supports only its own promises.

The candidate may add a frame around these words, but no figure, no name, and no new subject.
"""

from __future__ import annotations

import re

from souvenance.domain import Candidate, Dropped, Exchange, Kept, Verdict
from souvenance.lang import Language, tokens
from souvenance.write.filters.circle_turns import circle_turns
from souvenance.write.filters.copied import copied
from souvenance.write.filters.details import made_up
from souvenance.write.filters.evidence import find, said_by, said_of
from souvenance.write.filters.identifiers.cues import entries
from souvenance.write.filters.kin import Kin
from souvenance.write.filters.listed import places
from souvenance.write.filters.mentions import own_words
from souvenance.write.filters.pledges import is_own_promise
from souvenance.write.words import decisive

NAME = "support"

#: Below this share of content words that the person also said, a candidate is made up.
#: Chosen on the development cases; it prefers losing an invention to losing a free wording.
_SHARE = 0.2


def check(candidate: Candidate, exchange: Exchange, words: Language) -> Verdict:
    """Kept when the quote is the person's (or a promise of the character's) and nothing is made up."""
    evidence = find(candidate, exchange, words)
    if evidence.by is None:
        return Dropped(
            candidate, NAME, "The quoted words are not in what was typed in this exchange."
        )
    if evidence.by == "character" and not is_own_promise(
        candidate, evidence, exchange, words, words
    ):
        return Dropped(candidate, NAME, "It rests on the character's words, not on the person's.")
    candidate = said_of(candidate, evidence)
    if evidence.own:
        return Kept(candidate)
    said = said_by(exchange, "user")
    if evidence.by == "character":
        said += "\n" + said_by(exchange, "character")
    said += circle_turns(said, words)
    invented = _invented(candidate.text, said, exchange, words) or made_up(
        candidate, evidence.passage, said, own_words(exchange, words), words
    )
    if invented is None and evidence.by == "user":
        invented = copied(candidate.text, said, exchange, words)
    return Dropped(candidate, NAME, invented) if invented else Kept(candidate)


def _invented(text: str, said: str, exchange: Exchange, words: Language) -> str | None:
    """Why the text says more than was said, or None."""
    told = _unnamed(text, exchange)
    figures = _figures(told) - _figures(said)
    if figures:
        figures = _numbers(told, words) - _numbers(said, words) - _figures(said)
    if figures:
        return f"The figure {min(figures)} was never said."
    frame = own_words(exchange, words)
    name = _new_name(text, said, frame, words)
    if name is not None:
        return f"The name {name} was never said."
    known = list(words.stems(_COMPOUND.sub(r"\1\2", said)))
    detail = _new_detail(text, Kin(known, words), {t.word for t in tokens(said)}, frame, words)
    if detail is not None:
        return f"“{detail}” was never said."
    kin = Kin([*known, *words.stems(said)], words)
    denials = words.words["negation_words"] | words.words["negation_turns"]
    plain = words.words["function_words"] | denials  # `polarity` reads what is denied
    content = [
        words.stem(t.word) for t in tokens(text) if t.word not in frame and t.word not in plain
    ]
    shared = sum(kin.knows(stem) for stem in content)
    if content and shared / len(content) < _SHARE:
        return "Nothing in what the person said speaks of it."
    return None


def _unnamed(text: str, exchange: Exchange) -> str:
    """The text without the names of the two who talk, of which a figure may be a part ("Unit 9")."""
    for name in (exchange.character.name, exchange.person.display_name or ""):
        if any(c.isdigit() for c in name):
            text = re.sub(rf"\b{re.escape(name)}\b", " ", text, flags=re.IGNORECASE)
    return text


#: A relative named by a word and a prefix ("grand-mère", "belle-soeur"): one relative, not the bare one.
_COMPOUND = re.compile(r"\b(grand|belle|beau|demi|petit|petite|step|god|half)-(\w+)", re.IGNORECASE)


def _new_detail(
    text: str, known: Kin, said: set[str], frame: frozenset[str], words: Language
) -> str | None:
    """A day, a month or somebody of the person's circle that was never spoken of."""
    dates = {e.split("=")[0].strip() for n in ("weekdays", "months") for e in words.words[n]}
    people = words.words["circle"] | {w.replace("-", "") for w in words.words["circle"]}
    together = bool(said & words.words["ourselves"])
    joined = _COMPOUND.sub(r"\1\2", text)
    said_so = tokens(joined)
    turns = places([t.word for t in said_so], words, "childhood")
    young = {i for a, b in turns for i in range(a, b)}
    for i, token in enumerate(said_so):
        if (
            i in young
            or token.word in frame
            or (token.start and joined[token.start - 1] == "-")  # "elle-même" is no "mémé"
            or (together and token.word in words.words["together"])
        ):
            continue
        detail = token.word in people or (token.word in dates and len(token.word) > 3)
        if detail and not known.knows(words.stem(token.word)):
            return token.raw
    return None


def _figures(text: str) -> frozenset[str]:
    """Figures, in digits or in words ("one" left out: it is also an article)."""
    values = dict(entry.split() for entry in entries("spelled_numbers"))
    found = {values.get(t.word, t.word) for t in tokens(text)}
    return frozenset(f for f in found if f[0].isdigit() and f not in ("0", "1"))


def _numbers(text: str, words: Language) -> frozenset[str]:
    """Figures as they are read together ("dix-sept" is 17)."""
    forms = " ".join(decisive.read(text, words).forms("figure"))
    return frozenset(re.findall(r"\d+", forms)) - {"0", "1"}


#: Letters from the start by which a name is known again in another form. Chosen, not measured.
_START = 5

#: Characters before a word within which the stop before it stands. Chosen, not measured.
_BEFORE = 12


def _new_name(text: str, said: str, frame: frozenset[str], words: Language) -> str | None:
    """A capitalised word inside a sentence that was never said, in any case."""
    known = {t.word for t in tokens(said)}
    kin = Kin((words.stem(word) for word in known), words)

    def known_as(word: str) -> bool:  # "Welsh" of somebody from Wales
        return kin.knows(words.stem(word))

    known |= {word[:_START] for word in known if len(word) >= _START}
    for i, token in enumerate(tokens(text)):
        opens = i == 0 or text[max(0, token.start - _BEFORE) : token.start].rstrip(
            " «\"'("
        ).endswith((".", "!", "?", ":"))
        proper = token.raw[0].isupper() and len(token.raw) > 1 and not opens
        said_so = token.word in known or token.word[:_START] in known
        if proper and token.word not in frame and not said_so and not known_as(token.word):
            return token.raw
    return None
