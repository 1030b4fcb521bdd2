"""Reads when: the dates of a sentence, in French and in English, from the day on which it was said.

Text is cut (lexing), forms are matched (forms, numeric), what is no date is set aside (guards), the side is told
(tense), days are counted (resolving, almanac), and what they do to a fact is concluded (effects).
"""

from souvenance.write.dates.effects import Effect, effective, names_a_day, upcoming
from souvenance.write.dates.local import local_day
from souvenance.write.dates.reading import Dated, Role, read_dates, the_date

__all__ = [
    "Dated", "Effect", "Role", "effective", "local_day", "names_a_day", "read_dates", "the_date",
    "upcoming",
]  # fmt: skip
