"""Everyday words said plainly: "ma frangine" becomes "ma sœur", as most texts that models are trained on have it.

A message to a companion is familiar and a memory is not; a small embedder does not know that both mean the same.
"""

from __future__ import annotations

from souvenance.lang import Language, tokens


def in_plain_words(text: str, language: Language) -> str:
    """The text with each everyday word exchanged for the plain one; names, written with a capital, stay.

    In a text all in capitals, they tell nothing.

    For an embedder and for matching words only: gender and number may no longer agree.
    """
    if not language.everyday:
        return text
    parts: list[str] = []
    done, shouted = 0, text.isupper()
    for token in tokens(text):
        plain = language.everyday.get(token.word)
        if plain is None:
            continue
        if token.raw[0].isupper() and not shouted and _is_inside(text, token.start):
            continue
        parts += [text[done : token.start], plain]
        done = token.end
    return "".join([*parts, text[done:]])


def _is_inside(text: str, start: int) -> bool:
    """Whether something is said before that place in its sentence."""
    before = text[:start].rstrip(" \t\n«\"'—-–¡¿(")
    return bool(before) and before[-1] not in ".!?…"
