"""Reads the day a change that is announced will take effect, where the sentence says it plainly.

It reads little on purpose: a day and month, a month, a weekday, tomorrow. A wrong date is worse than none.
"""

from __future__ import annotations

from datetime import date, timedelta

from souvenance.lang import Language
from souvenance.write.decisive import Item, read


def upcoming(text: str, words: Language, today: date) -> date | None:
    """The first day after `today` that the text names, None when it names none.

    A month alone is its first day; a weekday is the next one to come.
    """
    items = read(text, words).items
    for n, item in enumerate(items):
        if item.sort == "month":
            return _in_month(items, n, today)
        if item.sort == "moment" and item.form in words.words["tomorrow"]:
            return today + timedelta(days=1)
        if item.sort == "day":
            return today + timedelta(days=(int(item.form) - today.weekday() - 1) % 7 + 1)
    return None


def _in_month(items: tuple[Item, ...], n: int, today: date) -> date | None:
    near = [*reversed(items[max(0, n - 2) : n]), *items[n + 1 : n + 2]]
    figures = [int(i.form) for i in near if i.sort == "figure" and i.form.isdigit()]
    day = next((f for f in figures if 1 <= f <= 31), 1)
    month = int(items[n].form)
    for year in (today.year, today.year + 1):
        try:
            found = date(year, month, day)
        except ValueError:  # "31 June", or 29 February of a common year
            continue
        if found > today:
            return found
    return None
