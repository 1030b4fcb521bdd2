"""Tells from a fact what only sounds like one: a request to the character or its memory, and what would be.

"Forget what I said about coffee" and "if I won the lottery I'd move" say nothing that holds of the person.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from souvenance.lang import Language, Token, tokens
from souvenance.write.over.corrections import denials
from souvenance.write.words.decisive import read
from souvenance.write.words.phrases import find, has, opens
from souvenance.write.words.sentences import clauses
from souvenance.write.words.values import values


def is_naming(text: str, words: Language) -> bool:
    """Whether a text says by what name the person is called ("Call me Bea"), and gives no other order."""
    span = find(text, words, "naming")
    if span is None:
        return False
    rest = read(text[span[1] :], words).items
    named = _is_capital(text, span[1]) or (
        bool(rest) and rest[0].sort == "word" and not _commands(text, span, words)
    )
    return named and not has(text[: span[0]] + " " + text[span[1] :], words, "orders")


def _is_capital(text: str, at: int) -> bool:
    following = tokens(text[at:])[:1]
    return bool(following) and following[0].raw[0].isupper() and len(following[0].raw) > 1


def _commands(text: str, span: tuple[int, int], words: Language) -> bool:
    """Whether the naming turn opens the text, as "call me back" would."""
    first = next((t for t in tokens(text) if t.word not in words.words["light"]), None)
    return first is None or first.start >= span[0]


def is_forgetting(text: str, words: Language, names: frozenset[str]) -> bool:
    """Whether a text asks to forget or to keep nothing, and gives no value and no other clause of the person."""
    span = find(text, words, "forgettings")
    if span is None or values(text, words) or denials(text, words):
        return False
    for clause in clauses(text):
        own = [t.word for t in tokens(clause)]
        mine = any(w in words.words["first_person"] or w in names for w in own)
        if mine and not has(clause, words, "forgettings") and len(read(clause, words).content) > 1:
            return False
    return True


def is_reminder(text: str, words: Language) -> bool:
    """Whether a text asks to be reminded of something."""
    return has(text, words, "remind_me")


def is_hypothesis(text: str, words: Language) -> bool:
    """Whether all that a text says of the person is what would be ("si je gagnais, je partirais")."""
    parts = clauses(text)
    if not any(_supposes(p, words) for p in parts) or not any(_would(p, words) for p in parts):
        return False
    return all(
        _supposes(p, words)
        or _would(p, words)
        or not any(t.word in words.words["first_person"] for t in tokens(p))
        for p in parts
    )


def would_only(text: str, words: Language) -> bool:
    """Whether a text tells only what would be: on a condition, or said in the conditional ("I'd sell my soul")."""
    if is_hypothesis(text, words) or is_conditional_plan(text, words):
        return True
    own = [c for c in clauses(text) if any(t.word in words.words["subjects"] for t in tokens(c))]
    return bool(own) and all(_would_do(c, words) for c in own)


def _would_do(clause: str, words: Language) -> bool:
    """Whether the person would do something in a clause, a wish left out ("I'd like", "j'aimerais")."""
    if has(clause, words, "wishing"):
        return False
    spoken = [t.word for t in tokens(clause)]
    if words.traits.future_in_one_word:
        verbs = [after for word, after in pairwise(spoken) if word in words.words["subjects"]]
        return any(words.ends(v, "i_would_endings") for v in verbs)
    return any(
        word in words.words["subjects"] and after == "would" for word, after in pairwise(spoken)
    ) or any(
        word in words.words["subjects"] and d == "d" and verb in words.words["would_verbs"]
        for word, d, verb in zip(spoken, spoken[1:], spoken[2:], strict=False)
    )


def _supposes(clause: str, words: Language) -> bool:
    """Whether a clause holds an "if" that somebody follows ("si je", "if my sister")."""
    if opens(clause, words, "hypotheses") is not None:
        return True
    spoken = [t.word for t in tokens(clause)]
    someone = words.words["first_person"] | words.words["third_person"]
    return any(w in words.words["hypotheses"] and after in someone for w, after in pairwise(spoken))


def _would(clause: str, words: Language) -> bool:
    known = words.words["conditionals"]
    spoken = [t.word for t in tokens(clause)]
    endings = ("conditional_endings", "loose_conditional_endings")
    return any(w in known or any(words.ends(w, name) for name in endings) for w in spoken)


def is_conditional_plan(text: str, words: Language) -> bool:
    """Whether what the person will do hangs on an "if" ("if I fail again I'm moving to Peru").

    What their body or mood does on a condition always holds ("if I eat nuts I swell up"), and is none.
    """
    if opens(text, words, "one_more") is not None and _plans(text, words, joined=True):
        return True
    if _threatens_next(text, words):
        return True
    spoken = tokens(text)
    folded = [t.word for t in spoken]
    for n, token in enumerate(spoken[:-1]):
        if folded[n] not in words.words["hypotheses"]:
            continue
        if _opens_condition(folded, n, words):
            main = text[: token.start], _main_after(text, token.start, words)
            return any(_plans(part, words) for part in main)
        if _names_who(spoken, n, words) or _is_once_too_often(text, token.start, words):
            return _plans(_main_after(text, token.start, words), words)
    return False


def _threatens_next(text: str, words: Language) -> bool:
    """Whether a text opens with the next time of something, and says what the person will do then."""
    rest = opens(text, words, "next_times")
    if rest is None:
        return False
    following = tokens(text[rest:])[:1]
    if not following or following[0].word in words.words["being"]:
        return False
    return _plans(_main_after(text, rest, words), words)


def _names_who(spoken: Sequence[Token], n: int, words: Language) -> bool:
    """Whether an "if" that opens its clause has somebody or something named for a subject ("if Martin hums")."""
    after = spoken[n + 1]
    named = after.raw[:1].isupper() or after.word in words.words["determiners"]
    named = named or after.word in words.words["possessives"]
    return named and not (n > 0 and spoken[n - 1].word in words.words["whether"])


def _is_once_too_often(text: str, at: int, words: Language) -> bool:
    """Whether a condition says that the thing happens again ("if clive says it one more time")."""
    condition = next(iter(clauses(text[at:])), "")
    return has(condition, words, "once_again")


def is_mocked(text: str, words: Language) -> bool:
    """Whether a text promises or claims what nobody means: "yeah right, and I'm a duke", "I told her sure, I'll
    climb Everest too"."""
    rest = opens(text, words, "mock_assents")
    if rest is not None:
        return any(t.word in words.words["subjects"] for t in tokens(text[rest:]))
    span = find(text, words, "assents")
    if span is None or not has(text[span[1] :], words, "mock_tails"):
        return False
    before = [t.word for t in tokens(text[: span[0]])]
    retorts = any(w in words.words["retorting"] for w in before) and len(before) <= _RETORT
    return retorts and _plans(text[span[1] :], words)


#: Words before the "sure" of "I told my sister sure, I'll marry a goat too". Chosen, not measured.
_RETORT = 6


def _opens_condition(spoken: list[str], n: int, words: Language) -> bool:
    """Whether a word is an "if" with its subject, and asks nothing ("I don't know if I'll come")."""
    if spoken[n] not in words.words["hypotheses"]:
        return False
    if spoken[n] == "s" and (spoken[n + 1] not in ("il", "ils") or "plait" in spoken[n : n + 4]):
        return False
    asking = n > 0 and spoken[n - 1] in words.words["whether"]
    someone = words.words["first_person"] | words.words["third_person"] | words.words["whatever"]
    return spoken[n + 1] in someone and not asking


def _main_after(text: str, at: int, words: Language) -> str:
    """What follows a condition: after its comma, else from the second time that the person is the subject."""
    condition = next(iter(clauses(text[at:])), "")
    rest = text[text.index(condition, at) + len(condition) :]
    subjects = [t for t in tokens(condition) if t.word in words.words["subjects"]]
    first_is_mine = bool(subjects) and subjects[0] == tokens(condition)[1]
    later = subjects[1:] if first_is_mine else subjects
    return (condition[later[0].start :] if later else "") + rest


def _plans(text: str, words: Language, joined: bool = False) -> bool:
    """Whether the person says what they will do, after "and" when `joined`."""
    spoken = [t.word for t in tokens(text)]
    for n, word in enumerate(spoken):
        if word not in words.words["subjects"]:
            continue
        if joined and (n == 0 or spoken[n - 1] not in ("and", "et")):
            continue
        following = [w for w in spoken[n + 1 : n + 6] if w not in words.words["clitics"]]
        if following and _is_plan(following, words):
            return True
    return False


def _is_plan(following: list[str], words: Language) -> bool:
    if words.traits.future_in_one_word:
        reflexive = following[0] in ("me", "m", "nous") and len(following) > 1
        verb = following[1] if reflexive else following[0]
        known = {verb, f"{following[0]} {verb}"} & words.words["would_do"]
        own = words.ends(verb, "i_will_endings") or words.ends(verb, "we_will_endings")
        return bool(known) or own
    if following[0] in words.words["would_do"]:
        return True
    progressive = following[0] in ("m", "am", "re", "are") and len(following) > 1
    doing = [w for w in following[1:3] if w.endswith("ing")] if progressive else []
    return bool(doing) and following[1] not in words.words["general_truths"]


def is_given_up(text: str, words: Language) -> bool:
    """Whether a text tells of a plan and that it was given up ("I was going to move, then I called it off")."""
    return _gives_up_at(text, words) is not None


#: What a plan is told by, and what gives it up: a plan that was only looked at, or was somebody's wish, asks
#: for a refusal that cannot be of another thing.
_GIVEN_UP = (("planned", "given_up"), ("looked_into", "refused_plan"))


def _gives_up_at(text: str, words: Language) -> int | None:
    """Where what gives a plan up ends in a text; None when it gives none up."""
    for plan, refusal in _GIVEN_UP:
        planned = _unrefused(text, words, plan)
        given_up = find(text[planned[1] :], words, refusal) if planned else None
        if planned and given_up and not _is_the_plan(text[planned[1] :], given_up, words):
            return planned[1] + given_up[1]
    return None


def _unrefused(text: str, words: Language, plan: str) -> tuple[int, int] | None:
    """Where a plan is told; None when it is refused in the same breath ("I don't want to move, no way")."""
    planned = find(text, words, plan)
    if planned is None:
        return None
    clause = next((c for c in clauses(text) if text[planned[0] : planned[1]] in c), text)
    before = clause[: clause.find(text[planned[0] : planned[1]])]
    turned = any(i.sort == "negation" for i in read(before, words).items)
    after = tokens(text[planned[1] :])[:1]
    return None if turned or (after and after[0].word in ("pas", "plus")) else planned


def plans_only(text: str, words: Language) -> bool:
    """Whether a text tells of a plan that the next sentence may give up."""
    return any(_unrefused(text, words, plan) for plan, _ in _GIVEN_UP)


def refuses_plan(text: str, words: Language) -> bool:
    """Whether a text hardly does more than give a plan up: "Not gonna happen.", "Finalement non."."""
    for _, refusal in _GIVEN_UP[::-1]:
        span = find(text, words, refusal)
        if span is not None:
            rest = text[: span[0]] + " " + text[span[1] :]
            return len(read(rest, words).content) <= 1
    return False


def _is_the_plan(rest: str, dropped: tuple[int, int], words: Language) -> bool:
    """Whether to give up was itself what was planned, or all but done ("I nearly cancelled the dentist")."""
    between = rest[: dropped[0]]
    joined = any(t.word in words.words["clause_joins"] for t in tokens(between))
    parted = len(clauses(f"{between}x")) > 1 or any(c in between for c in ".!?…,;:")
    return not (joined or parted or read(between, words).content)


#: A clause of the person with this many pieces of content tells something else. Chosen, not measured.
_ELSE = 2


def gives_up_only(text: str, words: Language) -> bool:
    """Whether a text tells of a plan that was given up, and of nothing that took its place."""
    at = _gives_up_at(text, words)
    if at is None:
        return False
    for clause in clauses(text[at:]):
        mine = any(t.word in words.words["subjects"] for t in tokens(clause))
        content = len(read(clause, words).content)
        over = has(clause, words, "given_up") or has(clause, words, "refused_plan")
        if mine and content >= _ELSE and not over:
            return False
    return True


def is_headed(text: str, words: Language) -> bool:
    """Whether a text is headed as an instruction in disguise ("System note: …")."""
    head, colon, rest = text.partition(":")
    if not colon or not tokens(rest):
        return False
    said = " ".join(t.word for t in tokens(head))
    return (
        any(said == e or said.startswith(e + " ") for e in _headers(words))
        and len(tokens(head)) <= _HEAD
    )


#: A header has at most this many words ("New rule for you Sable"). Chosen, not measured.
_HEAD = 6


def _headers(words: Language) -> list[str]:
    return [" ".join(t.word for t in tokens(e)) for e in words.words["order_headers"]]
