"""Private identifiers are taken out of a candidate; what then says nothing is dropped."""

from __future__ import annotations

from dataclasses import replace

from souvenance.domain import Candidate, Dropped, Exchange, Kept, Verdict
from souvenance.lang import Language, tokens
from souvenance.write.filters.identifiers import MARK, redact
from souvenance.write.filters.identifiers.cues import entries
from souvenance.write.filters.mentions import own_words

NAME = "identifiers"

_LABELS = ("phone_cues", "email_cues", "national_id_cues", "passport_cues", "other_id_cues")


def without_identifiers(candidate: Candidate) -> Candidate:
    """The candidate with every text redacted. Errors: `FilterBroken`."""
    return replace(
        candidate,
        text=redact(candidate.text).text,
        quote=redact(candidate.quote).text,
        entity=_clean(candidate.entity),
        attribute=_clean(candidate.attribute),
        value=_clean(candidate.value),
    )


def _clean(text: str | None) -> str | None:
    return None if text is None else redact(text).text


def check(candidate: Candidate, exchange: Exchange, words: Language) -> Verdict:
    """Kept with every text of the candidate redacted; dropped when only the identifier was in it."""
    cleaned = without_identifiers(candidate)
    if MARK.search(cleaned.text) and not _says_something(cleaned.text, exchange, words):
        return Dropped(
            cleaned, NAME, "It holds nothing but a private identifier, which is not kept."
        )
    return Kept(cleaned)


def _says_something(text: str, exchange: Exchange, words: Language) -> bool:
    """Whether a content word is left beside the marks, the names and the words that announce a number."""
    labels = {t.word for name in _LABELS for entry in entries(name) for t in tokens(entry)}
    skip = own_words(exchange, words) | words.words["function_words"] | labels
    return any(t.word not in skip and len(t.word) > 1 for t in tokens(MARK.sub(" ", text)))
