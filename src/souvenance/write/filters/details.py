"""Tells details that a candidate made up: a concrete thing never named, another act, an addition.

Free wording is welcome, so a new word counts only when it names what must be said to be known, when it takes the
place of its rival, or when nothing that was said is left for it to reword.
"""

from __future__ import annotations

from functools import lru_cache

from souvenance.domain import Candidate
from souvenance.lang import Language, Token, language, tokens
from souvenance.write.filters.contraries import families, opposites
from souvenance.write.filters.kin import Kin
from souvenance.write.filters.listed import has
from souvenance.write.filters.signs import read_signs
from souvenance.write.words.sentences import clauses

#: Content words of a candidate that must be the person's before one more counts as an addition to them.
#: Chosen on invented cases: with fewer, the candidate is a summary rather than a wording.
_RESTS_ON = 2


def made_up(
    candidate: Candidate, passage: str, said: str, frame: frozenset[str], words: Language
) -> str | None:
    """Why the candidate tells more than the person did, or None."""
    known, heard = Kin(words.stems(said), words), {t.word for t in tokens(said)}
    new = [
        t
        for t in _content(candidate.text, frame, words)
        if not _is_known(t, known, heard, words) and not _hangs_on(t, candidate.text)
    ]
    for token in new:
        if words.stem(token.word) in _things(words.code):
            return f"“{token.raw}” was never said."
    around = {words.stem(t.word) for t in _content(passage, frozenset(), words)}
    told = {words.stem(t.word) for t in tokens(candidate.text)}
    if _shows_nothing(passage, words):
        for token in new:
            if token.word in words.words["aversions"]:
                return f"“{token.raw}” was not shown by what was said."
    others = opposites(sorted(around - told), words, "rivals")
    acting = frozenset(w for w in frame if words.stem(w) not in families(words.code, "rivals"))
    for token in _content(candidate.text, acting, words):
        if others.of(words.stem(token.word)) and not _is_known(token, known, heard, words):
            return f"It says “{token.raw}” where something else was said."
    return _addition(candidate, passage, frame, new, words)


def _shows_nothing(passage: str, words: Language) -> bool:
    """Whether nothing in the passage is denied, exclaimed, or said to please or not (`polarity` reads that)."""
    if "!" in passage or has(passage, words, "dislike_turns"):
        return False
    signs = [s for clause in read_signs(passage, words) for s in clause]
    if any(s.holds < 0 or s.liked is not None or s.liking for s in signs):
        return False
    return not any(has(passage, words, name) for name in ("negation_words", "aversions"))


def _addition(
    candidate: Candidate, passage: str, frame: frozenset[str], new: list[Token], words: Language
) -> str | None:
    """The words added to a clause of which all that was said is already told."""
    bland = words.words["bland"]
    contrary = opposites(words.stems(passage), words)
    added = [t for t in new if t.word not in bland and not contrary.of(words.stem(t.word))]
    mine = Kin((words.stem(t.word) for t in _content(candidate.text, frame, words)), words)
    if not added or not _trails(candidate.text, added, frame, new, words):
        return None
    left, shared = 0, 0
    for clause in clauses(passage):
        heard = [
            words.stem(t.word)
            for t in _content(clause, frame, words)
            if t.word not in bland and t.word not in words.words["chatter"]
        ]
        told = [h for h in heard if mine.knows(h)]
        shared += len(set(told))
        left += len(heard) - len(told)
    if shared >= _RESTS_ON and not left:
        return f"“{added[0].raw}” adds to what was said."
    return None


def _trails(
    text: str, added: list[Token], frame: frozenset[str], new: list[Token], words: Language
) -> bool:
    """Whether everything added comes after the last word that was said: before it stands mere framing."""
    fresh = {t.start for t in new}
    said = tokens(text)
    places = {t.start: i for i, t in enumerate(said)}
    before = words.traits.nouns_before_nouns
    if before and any(_premodifies(said, places[t.start], fresh, words) for t in added):
        return True
    said_so = (t for t in _content(text, frame, words) if t.start not in fresh)
    figures = (t for t in said if t.word[0].isdigit())
    last = max((t.start for t in (*said_so, *figures)), default=-1)
    return last >= 0 and all(t.start > last for t in added)


def _premodifies(said: list[Token], i: int, fresh: set[int], words: Language) -> bool:
    """Whether an added word stands between an article and a word that was said ("a chemistry exam")."""
    if not 0 < i < len(said) - 1:
        return False
    articles = words.words["determiners"]
    opens = said[i - 1].word in articles
    after_one = i > 1 and said[i - 1].start not in fresh and said[i - 2].word in articles
    if not opens and not after_one:
        return False
    after = said[i + 1]
    return after.start not in fresh and after.word not in words.words["function_words"]


def _hangs_on(token: Token, text: str) -> bool:
    """Whether a word is the second half of a compound ("semi-marathon")."""
    return token.start > 1 and text[token.start - 1] == "-" and text[token.start - 2].isalpha()


def _content(text: str, frame: frozenset[str], words: Language) -> list[Token]:
    skip = words.words["function_words"] | frame | words.words["negation_words"]
    return [
        t for t in tokens(text) if t.word not in skip and len(t.word) > 1 and not t.word.isdigit()
    ]


def _is_known(token: Token, known: Kin, said: set[str], words: Language) -> bool:
    """Whether the person said it, or a short form of it ("kiné" for "kinésithérapeute")."""
    if known.knows(words.stem(token.word)):
        return True
    return any(token.word[:n] in said for n in range(_SHORT, len(token.word)))


#: Letters of a word said short ("prof", "kiné"). Chosen, not measured.
_SHORT = 4


@lru_cache(maxsize=8)
def _things(code: str) -> frozenset[str]:
    lang = language(code)
    named = (word for entry in lang.words["things"] for word in entry.split() if "-" not in word)
    return frozenset(lang.stem(t.word) for word in named for t in tokens(word))
