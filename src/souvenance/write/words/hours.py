"""Reads the hour of a clock from the pieces of a text: "14h30", "2:30 pm", "half past two" in one spelling.

Where the half of the day is not said, none is supposed: "half past two" is "2:30" and not "14:30".
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from souvenance.lang import fold
from souvenance.write.words.decisive import Item

_HOUR = re.compile(r"(\d{1,2})h?")
_DOTTED = re.compile(r"(\d{1,2})\.(\d\d)")
_MINUTES = re.compile(r"\d{1,2}")
_NOON = {"midi": 12, "minuit": 0, "noon": 12, "midnight": 0}
_SHARES = {"demie": 30, "demi": 30, "quart": 15}


def clock(items: Sequence[Item], at: int, text: str, *, halves: bool) -> tuple[str, int] | None:
    """The hour that starts at a piece, as "14h30", and how many pieces it takes; None when there is none.

    With `halves` the hours of a day are told twice over: then one whose half is not said is marked "?".
    """
    said = _past(items, at) or _digits(items, at, text) or _french(items, at)
    if said is None:
        whole = _HOUR.fullmatch(items[at].form) or _DOTTED.fullmatch(items[at].word)
        if whole is None or items[at].sort != "figure":
            return None
        said = (int(whole.group(1)), 0, 1)
        half, more = _half(items, at + 1, text)
        if not half:
            return None
    hour, minute, used = said
    if used == 1 and (dotted := _DOTTED.fullmatch(items[at].word)) is not None:
        minute = int(dotted.group(2))
    half, more = _half(items, at + used, text)
    if hour > 24 or minute > 59:
        return None
    if half == "pm" and hour < 12:
        hour += 12
    elif half == "am" and hour == 12:
        hour = 0
    open_half = "?" if halves and half not in ("am", "pm") and hour <= 12 else ""
    return (f"{hour}h{minute:02d}" if minute else f"{hour}h") + open_half, used + more


def hour_after(
    items: Sequence[Item], at: int, text: str, leads: Collection[str], *, dated: bool, halves: bool
) -> tuple[str, int] | None:
    """The whole hour that a small word makes of the clock: "à 14 h", and "at 4" where it is `dated`.

    "À 8 heures de route" measures how long, and so does "8 heures par semaine", which no such word leads.
    """
    lead = items[at - 1] if at else None
    hour = _HOUR.fullmatch(items[at].form)
    if lead is None or hour is None or int(hour.group(1)) > 24:
        return None
    said = text[lead.start : lead.end].casefold()
    accented = said == "a" and dated  # typed without its accent, it is "has" elsewhere
    beside_day = lead.sort in ("day", "month") and items[at].form.endswith("h")
    if (not beside_day and lead.word not in leads) or (
        lead.word == "a" and said != "à" and not accented
    ):
        return None
    following = items[at + 1] if at + 1 < len(items) and not items[at + 1].after_stop else None
    if items[at].form.endswith("h"):
        if following is not None and following.word in ("de", "d", "par", "of"):
            return None
    elif not dated or (following is not None and following.sort in ("word", "name", "day")):
        return None
    open_half = "?" if halves and int(hour.group(1)) <= 12 else ""
    return f"{int(hour.group(1))}h{open_half}", 1


def _digits(items: Sequence[Item], at: int, text: str) -> tuple[int, int, int] | None:
    """Hour and minutes in figures: "14h30", "14 h 30", "14:30"."""
    hour = _HOUR.fullmatch(items[at].form)
    if hour is None or at + 1 >= len(items):
        return None
    minutes = items[at + 1]
    gap = fold(text[items[at].end : minutes.start])
    digits = text[minutes.start : minutes.end]
    if minutes.sort != "figure" or not re.fullmatch(r"\d\d", digits):
        return None
    if gap == ":" or (items[at].form.endswith("h") and gap in ("", " ")):
        return int(hour.group(1)), int(digits), 2
    return None


def _past(items: Sequence[Item], at: int) -> tuple[int, int, int] | None:
    """English turns: "half past two", "quarter to six"."""
    said = [i.word for i in items[at : at + 2]]
    if len(items) <= at + 2 or items[at + 2].sort != "figure":
        return None
    hour = _MINUTES.fullmatch(items[at + 2].form)
    if hour is None or said[1] not in ("past", "to") or not 1 <= int(hour.group()) <= 12:
        return None
    share = {"half": 30, "quarter": 15}.get(said[0])
    if share is None:
        return None
    if said[1] == "past":
        return int(hour.group()), share, 3
    return ((int(hour.group()) + 10) % 12 + 1, 60 - share, 3) if share == 15 else None


def _french(items: Sequence[Item], at: int) -> tuple[int, int, int] | None:
    """French turns: "huit heures et demie", "sept heures moins le quart", "midi et demi"."""
    hour = items[at].form[:-1] if items[at].form.endswith("h") else ""
    start = _NOON.get(items[at].word) if items[at].sort == "moment" else None
    if start is None and not hour.isdigit():
        return None
    start = int(hour) if start is None else start
    said = [i.word for i in items[at + 1 : at + 4]]
    if said[:1] == ["et"] and said[1:2] and said[1] in _SHARES:
        return start, _SHARES[said[1]], 3
    if said[:3] == ["moins", "le", "quart"]:
        return (start - 1) % 24, 45, 4
    if said[:1] == ["moins"] and at + 2 < len(items) and _MINUTES.fullmatch(items[at + 2].form):
        minutes = int(items[at + 2].form)
        return ((start - 1) % 24, 60 - minutes, 3) if 0 < minutes < 60 else None
    return None


def _half(items: Sequence[Item], at: int, text: str) -> tuple[str, int]:
    """Which half of the day is said after an hour, and in how many pieces."""
    said = [i.word for i in items[at : at + 3]]
    if not said:
        return "", 0
    if said[0] in ("am", "pm"):
        return said[0], 1
    if said[0] in ("a", "p") and said[1:2] == ["m"] and _dotted(items, at, text):
        return f"{said[0]}m", 2
    if said[:2] == ["o", "clock"]:
        half, more = _half(items, at + 2, text)
        return half or "o", 2 + more
    for turn, half in _HALVES.items():
        if tuple(" ".join(said).split()[: len(turn)]) == turn:
            used, spoken = 0, 0
            while spoken < len(turn):
                spoken += len(items[at + used].word.split())
                used += 1
            return half, used
    return "", 0


_HALVES = {
    ("du", "matin"): "am",
    ("du", "soir"): "pm",
    ("de", "l", "apres", "midi"): "pm",
    ("in", "the", "morning"): "am",
    ("in", "the", "evening"): "pm",
    ("in", "the", "afternoon"): "pm",
}


def _dotted(items: Sequence[Item], at: int, text: str) -> bool:
    return text[items[at].end : items[at + 1].start] == "."
