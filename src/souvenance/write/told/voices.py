"""Tells the person's own words from those a text quotes, reports or only supposes.

"Text from mum: I've moved to Leeds" and "suppose I live in Leeds" say nothing of where the person lives.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from souvenance.lang import Language, Token, language, tokens
from souvenance.write.words.phrases import find
from souvenance.write.words.sentences import sentences

#: Words between a verb of saying and the "I" whose words it gives ("told the whole team I"). Chosen, not measured.
_GAP = 4

#: Words of a label before a colon that is nothing but somebody's name ("Anna Lee:"). Chosen, not measured.
_NAME = 2


def is_voiced(text: str, words: Language) -> bool:
    """Whether some of a text is somebody else's words, or what is only supposed."""
    return own_words(text, words) != text


def own_words(text: str, words: Language) -> str:
    """The text with what it quotes, reports or supposes in the first person blanked out; offsets stay."""
    return _own_words(text, words.code)


@lru_cache(maxsize=512)
def _own_words(text: str, code: str) -> str:
    words = language(code)
    kept = text
    for sentence in sentences(text, words):
        at = _begins(sentence.text, words)
        if at is not None:
            start = sentence.start + at
            kept = kept[:start] + " " * (sentence.end - start) + kept[sentence.end :]
    return kept


def _begins(sentence: str, words: Language) -> int | None:
    """Where another's words or a supposition begin in a sentence; None when they do not."""
    said = tokens(sentence)
    supposed = find(sentence, words, "voice_supposed")
    if supposed is not None and any(
        t.word in words.words["first_person"] for t in said if t.end > supposed[0]
    ):
        return supposed[0]
    label = _label(sentence, said, words)
    if label is not None:
        return label
    for n, token in enumerate(said):
        if token.word in words.words["voice_tells"]:
            at = _given(sentence, said, n, words)
            if at is not None:
                return at
    return None


def _label(sentence: str, said: Sequence[Token], words: Language) -> int | None:
    """Where a sentence goes on after a name or a relative and a colon, and then says "I" ("Tom: I'm 35")."""
    head, colon, rest = sentence.partition(":")
    names = [t for t in said if t.end <= len(head)]
    if not colon or not names or not _says_i(tokens(rest)[:_GAP], words):
        return None
    spoken = [t.word for t in names]
    lists = words.words
    if any(w in lists["voice_headings"] or w in lists["first_subjects"] for w in spoken):
        return None
    led = lists["voice_senders"] | lists["possessives"]
    related = spoken[-1] in lists["circle"] or any(
        w in lists["circle"] and before in led for before, w in pairwise(spoken)
    )
    called = len(names) <= _NAME and all(t.raw[:1].isupper() for t in names)
    small = any(w in lists["function_words"] or w in lists["light"] for w in spoken)
    adverb = words.ends(spoken[-1], "adverb_endings")
    return len(head) + 1 if related or (called and not small and not adverb) else None


def _says_i(said: Sequence[Token], words: Language) -> bool:
    return any(t.word in words.words["first_person"] for t in said)


def _given(sentence: str, said: Sequence[Token], n: int, words: Language) -> int | None:
    """Where the words begin that the verb at `n` gives as somebody else's; None when it gives none."""
    lists = words.words
    ahead = said[n + 1 : n + 2 + _GAP]
    first = next((i for i, t in enumerate(ahead) if t.word in lists["subjects"]), None)
    if first is None:
        return _attributed(sentence, said, n, words)
    between = [t.word for t in ahead[:first]]
    joins = lists["clause_joins"] | lists["hypotheses"]
    parted = "," in sentence[said[n].end : ahead[first].start]
    if any(w in joins for w in between) or (parted and between):
        return None
    subject = _subject(sentence, said[:n], words)
    if subject == "healer":
        return None
    spoken_to = set(between) - lists["light"] - {"that", "que", "qu"}
    if subject == "mine" and (not spoken_to or spoken_to & lists["second_person"]):
        return None
    return ahead[first].start


def _subject(sentence: str, before: Sequence[Token], words: Language) -> str:
    """Who the verb after these words is of: the person ("mine"), a healer, or somebody else ("theirs")."""
    lists = words.words
    for n, token in enumerate(reversed(before)):
        gap = sentence[token.end :].lstrip()[:1]
        if gap in (",", ";", ":", ".", "!", "?") and n:
            break
        if token.word in lists["subjects"] and token.word != "on":
            return "mine"
        if token.word in lists["second_person"]:
            if not any(t.word in lists["subjects"] for t in before):
                return "theirs"
            continue
        if token.word in lists["healers"]:
            return "healer"
        if token.word in lists["circle"] or token.word in lists["third_person"]:
            return "theirs"
        if token.raw[:1].isupper() or token.word not in lists["function_words"]:
            return "theirs"
    return "mine"


def _attributed(sentence: str, said: Sequence[Token], n: int, words: Language) -> int | None:
    """0 when a sentence ends on who said it ("I live in Leeds now, says the hero"); else None."""
    before = sentence[: said[n].start].rstrip()
    follows = said[n + 1 : n + 2]
    theirs = bool(follows) and (
        follows[0].word in words.words["articles"] | words.words["third_person"]
        or follows[0].word in words.words["possessives"]
        or follows[0].raw[:1].isupper()
    )
    return 0 if before.endswith((",", "»", '"', "”")) and theirs else None
