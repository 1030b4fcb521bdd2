"""Reads each content word of a clause with its sign: affirmed or denied, wanted or unwanted.

Negation is read where it reaches ("ne … que" affirms, "pas que" affirms, "sans" and a second "not" turn
round again); where it may or may not reach, the sign is 0 and is never held against anybody.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from souvenance.lang import Language
from souvenance.write.filters.clause_reader import OfExceptions, Reader, Sign, opening
from souvenance.write.filters.heights import COMPARES, framed, heightens
from souvenance.write.filters.listed import marked, places, spoken
from souvenance.write.words.sentences import clauses, sentences

Clause = tuple[Sequence[str], int, int]
"""The words of a clause, and from where to where the lists of its signs stand."""


def read_signs(text: str, words: Language, exception: OfExceptions = "turns") -> list[list[Sign]]:
    """The signs of each clause of a text, in order.

    An exception ("except my gran") turns the sign of what stood before it, leaves everything open, or leaves
    what stood before it standing.
    """
    found: list[list[Sign]] = []
    for sentence in sentences(text, words):
        read_sentence(sentence.plain, words, found, exception)
    return found


def read_sentence(
    plain: str, words: Language, found: list[list[Sign]], exception: OfExceptions = "turns"
) -> list[Clause]:
    """The clauses of one sentence, whose signs are added to those found before."""
    before = len(found)
    cut: list[Clause] = []
    left = _OVER
    for clause in clauses(plain):
        start = len(found)
        said = spoken(clause)
        if _is_cut_short(said, left, words):
            found.append(_cut_short(said, left, words))
            left = _OVER
        else:
            for piece in _pieces(said):
                left = _read_piece(piece, words, found, before, exception)
        cut.append((said, start, len(found)))
    return cut


Left = tuple[int, int | None]
"""What a clause leaves behind it: `holds` and `liked` of what would come next, as no denial made them."""

_OVER: Left = (1, None)

#: Words of a clause cut short ("but not the cheese"). Chosen, not measured.
_SHORT = 5


def _is_cut_short(said: Sequence[str], left: Left, words: Language) -> bool:
    """Whether a clause only takes something out of what the one before gave up or disliked."""
    if left == _OVER or not 1 < len(said) <= _SHORT or said[0] not in words.words["excluding"]:
        return False
    if said[1] in ("de", "d"):
        return False  # "no cakes" goes on denying
    return not any(w in words.words["subject_words"] for w in said)


def _cut_short(said: Sequence[str], left: Left, words: Language) -> list[Sign]:
    """The signs of "but not the cheese": the reverse of what stands before."""
    holds, liked = left
    skip = words.words["function_words"]
    liked = None if liked is None else -liked
    return [
        Sign(words.stem(w), 1 if liked is not None else -holds, liked)
        for w in said[1:]
        if w not in skip and len(w) > 1
    ]


#: Words after which a clause without a stop is cut: no negation reaches so far. Chosen, not measured.
_REACH = 80


def _pieces(said: list[str]) -> list[list[str]]:
    return [said[i : i + _REACH] for i in range(0, len(said), _REACH)]


def _read_piece(
    said: Sequence[str],
    words: Language,
    found: list[list[Sign]],
    before: int,
    exception: OfExceptions,
) -> Left:
    turns = places(said, words, "dislike_turns")
    if turns and not _is_denied(said, turns[0][0], words):
        _dislike(said, words, found, before)
        return _OVER
    return _read_clause(said, words, found, exception)


def _is_denied(said: Sequence[str], i: int, words: Language) -> bool:
    """Whether a denial stands right before the turn at i ("ne m'ennuie pas", "doesn't bore me")."""
    before = said[i - 1] if i else ""
    lists = words.words
    return before in lists["negation_opens"] or before in lists["negation_turns"]


def _dislike(said: Sequence[str], words: Language, found: list[list[Sign]], before: int) -> None:
    """A turn such as "not my thing" is about the rest of its clause, or else about the clause before."""
    start, end = places(said, words, "dislike_turns")[0]
    skip = words.words["function_words"]
    rest = [w for w in (*said[:start], *said[end:]) if w not in skip and len(w) > 1]
    if rest:
        found.append([Sign(words.stem(w), 0, -1) for w in rest])
    elif len(found) > before:
        found[-1] = [replace(s, holds=0, liked=-1) for s in found[-1]]


def _read_clause(
    said: Sequence[str], words: Language, done: list[list[Sign]], exception: OfExceptions
) -> Left:
    reader = Reader(words, said, done, opening(words.code), exception)
    i = 0
    while i < len(said):
        i += _step(reader, i)
    left = _OVER if reader.denied or not reader.holds else (reader.holds, reader.liked)
    reader.next_clause()
    return left


def _step(r: Reader, i: int) -> int:
    """Reads what stands at word i and returns how many words that was."""
    if r.said[i] not in r.heads and not r.rather and not r.opened and not r.heightened:
        _content(r, i)
        return 1
    if length := r.word(i, "wonderings"):
        r.wonders = True
        return length
    if length := framed(r, i):
        r.opened = False
        return length
    harmless, turning = r.word(i, "no_negation"), r.word(i, "negation_turns")
    if harmless and harmless >= turning:
        r.opened = False
        return harmless
    if turning > 1 and (turned := _turn(r, i)):  # "ne saurait" before "ne"
        return turned
    if length := _break(r, i):
        return length
    if r.word(i, "negation_opens"):
        r.opened, r.opened_at = True, len(r.signs)
        return 1
    if (length := r.word(i, "likings")) > 1:  # "nothing against" before "nothing"
        return _liking(r, i, length)
    if turned := _negation(r, i):
        return turned
    if length:
        return _liking(r, i, length)
    if length := _verb(r, i):
        return length
    _reach(r, i)
    _content(r, i)
    return 1


def _verb(r: Reader, i: int) -> int:
    """The words at i of an ending, a skipping or a preference, which change what follows; 0 when none stands there."""
    if length := r.word(i, "endings"):
        if i and r.said[i - 1] in r.words.words["be_forms"]:  # "the wedding was called off"
            r.signs[r.since :] = [replace(s, holds=-s.holds) for s in r.signs[r.since :]]
            return length
        r.signs.append(Sign(r.words.stem(r.said[i]), r.holds))
        asked = r.holds > 0 and r.liked is None and _asks_to_end(r, i)
        r.holds = -r.holds
        r.liked = -1 if asked else (-r.liked if r.liked is not None else None)
        return length
    if length := _skipping(r, i):
        return length
    if (length := r.word(i, "over_words")) and _prefers(r, i):
        r.signs = [s if s.liking else replace(s, holds=0) for s in r.signs]
        r.holds, r.liked = 0, None  # "prefers sentences to lists"
        return length
    return 0


#: Words before "stop" that may open an order ("please, do stop…"). Chosen, not measured.
_ORDER = 2


def _asks_to_end(r: Reader, i: int) -> bool:
    """Whether whoever answers is asked to stop: what would go on is unwanted."""
    before = r.said[:i]
    if places(r.said[i:], r.words, "lessening"):
        return False  # "stop using so many": fewer are wanted
    if any(w in r.words.words["second_person"] for w in before):
        return not any(w in r.words.words["first_subjects"] for w in before)
    return all(w in r.words.words["before_orders"] for w in before[-_ORDER:]) and i <= _ORDER


def _skipping(r: Reader, i: int) -> int:
    """The words at i of a denied "skip", with which something is always done; 0 when none stands there."""
    length = r.word(i, "skippings")
    if not length:
        return 0
    if not r.words.traits.negation_in_two_words:
        if r.denied and r.holds < 0:
            r.holds = 1  # "never skips breakfast": has it
            return length
        return 0
    ahead = r.said[i + 1 : i + 3]
    things = r.words.words["determiners"] | {"de", "d"}
    if r.denied and r.holds < 0 and ahead and ahead[0] in things:
        r.holds = 1  # "n'a jamais raté un match"
        return length
    turned = len(ahead) == 2 and r.word(i + 1, "negation_words") and ahead[1] in things
    if turned and (r.opened or ahead[0] == "jamais"):
        r.opened = False  # "ne rate jamais un match"
        return 2
    return 0


def _prefers(r: Reader, i: int) -> bool:
    """Whether a verb of preferring, and something preferred, stand before i in the clause."""
    preferring = r.words.words["preferring"]
    verb = next((k for k in range(i - 1, -1, -1) if r.said[k] in preferring), i)
    return r.liked is not None and any(
        w not in r.words.words["function_words"] for w in r.said[verb + 1 : i]
    )


def _break(r: Reader, i: int) -> int:
    """The words of a join or an exception at i, which end the reach of what stood before; 0 when none."""
    if length := r.word(i, "other_than"):
        r.open_exception()
        return length
    if length := r.word(i, "clause_joins"):
        _join(r, i + length)
        return length
    return 0


def _reach(r: Reader, i: int) -> None:
    """What the word at i changes in the reach of a negation or a liking read earlier in the clause."""
    if r.without is not None and len(r.signs) > r.without and r.word(i, "conjunctions"):
        r.holds, r.without = 0, None
    if r.word(i, "complement_words") and (r.factive or r.liked is not None):
        _complement(r, i)
    if (r.word(i, "lessening") and not r.lowest) or _cleft(r, i):
        r.holds = 0  # "it isn't my aunt who…": somebody does it
    if (
        r.holds < 0
        and r.denied
        and r.word(i, "subordinators")
        and r.said[i - 1] not in r.words.words["comparing_words"]
    ):
        r.holds = 0
    if r.word(i, "subject_words"):
        if _points_away(r, i):
            r.holds, r.pointed = 0, True  # "it isn't the money I miss": something is missed
        r.since = len(r.signs)
        if r.without is not None:  # "sans mes lunettes je…": the verb is out of its reach
            r.holds, r.without, r.denied = 1, None, False
            r.signs = [replace(s, holds=0) for s in r.signs]
    if r.word(i, "factives"):
        r.factive = True


def _points_away(r: Reader, i: int) -> bool:
    """Whether "it isn't the …" comes to a subject of its own, without "that" between."""
    if not r.words.traits.that_may_be_left_out or not r.denied or r.holds >= 0 or not r.signs:
        return False
    lists = r.words.words
    opening = set(r.said[:3])
    if r.said[i - 1] in lists["complement_words"] or lists["truth_words"] & set(r.said[:i]):
        return False
    points = r.said[0] in lists["pointing_subjects"]
    return points and i > 2 and bool(opening & {*lists["be_forms"], "s"})


def _cleft(r: Reader, i: int) -> bool:
    """Whether a denied "it is" comes to what stands all the same ("it isn't my heart that's bad")."""
    if not r.denied or not r.word(i, "cleft_words"):
        return False
    if r.word(i, "complement_words"):
        if i and (r.word(i - 1, "negation_turns") or r.word(i - 1, "negation_words")):
            return False  # "it's not that I dislike"
        pointed = any(w in r.words.words["pointing_subjects"] for w in r.said[:3])
        return pointed and i > 0 and r.said[i - 1] not in r.words.words["truth_words"]
    return True


def _liking(r: Reader, i: int, length: int) -> int:
    """A verb of liking: what follows is wanted or unwanted."""
    r.signs.append(Sign(r.words.stem(r.said[i]), r.holds, liking=True))
    after = r.said[i + length] if i + length < len(r.said) else ""
    if after in ("to", "de", "d") and r.word(i, "withholding"):
        r.holds = -r.holds  # "refuses to fix": it is not fixed
        return length
    sign = -1 if marked(r.said, i, r.words, "likings") else 1
    r.liked = sign * (r.holds or 1) * (r.liked or 1)
    if r.pointed:
        r.signs = [s if s.liking else replace(s, holds=0, liked=-sign) for s in r.signs]
    return length


def _content(r: Reader, i: int) -> None:
    word = r.said[i]
    if word in r.words.words["function_words"] or (len(word) == 1 and not word.isdigit()):
        return
    holds = 0 if r.wonders or (r.liked is not None and r.holds < 0) else r.holds
    owned = holds < 0 and any(s.holds < 0 for s in r.signs[r.since :]) and _is_owned(r, i)
    r.signs.append(Sign(r.words.stem(word), holds, r.liked, owned=owned))


#: Words between a possessive and its thing ("my poor deaf cat"). Chosen, not measured.
_OWNED = 3


def _is_owned(r: Reader, i: int) -> bool:
    """Whether a possessive opens the words that lead to the one at i."""
    for k in range(i - 1, max(-1, i - 1 - _OWNED), -1):
        if r.said[k] in r.words.words["owning"]:
            return True
        if r.said[k] in r.words.words["function_words"]:
            return False
    return False


#: Denials that follow the verb they deny. Source: English grammar.
_LATE = ("nt", "not", "never")


def _join(r: Reader, after: int) -> None:
    """ "Et", "because"…: a new clause when a subject or a negation follows, else the reach is unknown."""
    if after < len(r.said) and (
        r.word(after, "subject_words")
        or r.word(after, "negation_opens")
        or r.word(after, "negation_turns")
        or (after + 1 < len(r.said) and r.word(after + 1, "negation_opens"))
        or "".join(r.said[after + 1 : after + 2]) in _LATE  # "and haven't", "and do not"
    ):
        r.next_clause()
    elif r.denied and r.holds < 0:
        r.holds = 0
    r.liked = None if r.denied else r.liked


def _complement(r: Reader, i: int) -> None:
    """What somebody knows stays true when they do not know it; what they hate may well be so."""
    if r.factive:
        r.holds = 1
    elif r.said[i] not in ("de", "d"):
        r.holds = 0
    r.factive = False


def _negation(r: Reader, i: int) -> int:
    """The words a negation takes at i; 0 when none stands there."""
    if heightens(r, i):
        r.opened, r.heightened = False, True
        return 1
    if length := r.word(i, "not_so_much"):
        r.deny()
        r.rather = True
        return length
    if r.rather and r.said[i] in ("as", "que", "qu"):
        r.holds, r.rather = 1, False
        return 1
    if r.heightened and r.said[i] == "plus":
        r.opened, r.heightened = False, False
        return 1
    return _turn(r, i) or _word(r, i)


#: Words that deny the verb before them, as its object. Source: English grammar.
_OBJECTS = ("nothing", "nobody", "nowhere")


def _turn(r: Reader, i: int) -> int:
    """The words at i that turn the meaning by themselves ("sans", "never"); 0 when none stands there."""
    if length := r.word(i, "negation_turns"):
        only = length == 1 and i + 1 < len(r.said) and r.word(i + 1, "only_words")
        if only and r.said[i] not in ("sans", "non"):
            return length + only
        if i + length >= len(r.said) and i == 0:
            return length  # a bare "no" answers; it denies nothing of what follows
        if r.denied and r.said[i] == "anything":  # "doesn't eat anything but": only
            r.open_exception()
            return length
        verb = len(r.signs) - 1 if len(r.signs) > r.since and r.said[i] in _OBJECTS else None
        sure = verb is not None and not r.denied and r.signs[verb].holds > 0
        r.deny()
        r.liked = -r.liked if r.liked is not None else None
        if verb is not None and sure:
            r.signs[verb] = replace(r.signs[verb], holds=-1)  # "I hear nothing"
        if r.said[i] in ("sans", "without"):
            # "Can't sleep without": neither the verb nor its denial is the point any more.
            r.signs = [replace(s, holds=0) if s.holds < 0 else s for s in r.signs]
            r.without = len(r.signs)
        return length
    return 0


def _word(r: Reader, i: int) -> int:
    """The words at i that deny together with a "ne", or alone in speech; 0 when none stands there."""
    if r.opened and r.said[i] in ("que", "qu") and not r.denied:
        r.opened = False  # "ne … que": only
        return 1
    length = r.word(i, "negation_words")
    if not length or (not r.opened and not _denies_alone(r, i)):
        return 0
    after = i + length
    not_only = r.said[i] in ("pas", "plus") and after < len(r.said) and r.word(after, "only_words")
    if not_only and (read := _not_only(r, after)):
        return read
    if r.denied and not r.opened:
        return length  # "ne … jamais personne" denies once
    late = not r.opened
    between = [_flipped(s) for s in r.signs[r.opened_at :]] if r.opened else []
    r.opened = False
    r.deny()
    if between:  # the verb stands between the two halves
        r.signs[len(r.signs) - len(between) :] = between
    if late and r.said[i] not in ("personne", "rien", "aucun", "aucune"):
        r.signs[r.since :] = [replace(s, holds=-1) for s in r.signs[r.since :]]
        r.liked = -r.liked if r.liked is not None else None
    elif r.liked is not None:
        r.liked = -r.liked
    return length


def _flipped(sign: Sign) -> Sign:
    """The sign of a verb between the two halves of a negation ("qu'on ne parle pas")."""
    return replace(sign, holds=-sign.holds, liked=None if sign.liked is None else -sign.liked)


def _not_only(r: Reader, after: int) -> int:
    """ "Pas que le foot" affirms; "pas que tu fumes" denies; "ce n'est pas que" leaves everything open."""
    if r.said[after] not in ("que", "qu"):
        r.opened = False
        return 2
    follows = after + 1 < len(r.said)
    if after > 1 and r.said[after - 2] in r.words.words["wills"]:
        return 0
    if follows and r.word(after + 1, "subject_words"):
        opener = r.said[max(0, after - 4) : after]
        if any(w in ("est", "etait") for w in opener):
            r.opened, r.denied = False, True
            r.holds = 0
            return 2
        return 0
    r.opened = False
    return 2


def _compares(r: Reader, i: int) -> bool:
    """Whether a "que" follows close enough for "plus" to mean "more than"."""
    return any(w in ("que", "qu") for w in r.said[i + 1 : i + 1 + COMPARES])


def _denies_alone(r: Reader, i: int) -> bool:
    """Whether a French negative word denies without its "ne" ("je fume plus depuis…")."""
    word = r.said[i]
    before = r.said[i - 1] if i else ""
    after = r.said[i + 1] if i + 1 < len(r.said) else ""
    if word in ("nul", "nulle"):
        return i == 0
    if word == "plus":
        told = bool(r.signs) and before not in r.words.words["determiners"]
        durable = not after or after in r.words.words["after_no_more"]
        if before in r.words.words["modal_verbs"]:
            return not _compares(r, i)
        has_none = after in ("de", "d") and before in ("ai", "as", "a", "avons", "ont", "reste")
        if has_none and not "".join(r.said[i + 2 : i + 3]).isdigit() and not _compares(r, i):
            return True
        return told and durable and not _compares(r, i)
    if word == "pas" and i > 1 and r.said[i - 2] in ("mes", "tes", "ses", "nos", "vos", "leurs"):
        return False  # "ses premiers pas"
    if word in ("personne", "pas"):
        return before not in r.words.words["determiners"]
    if word == "rien":
        return before not in ("de", "pour", "un")
    return True
