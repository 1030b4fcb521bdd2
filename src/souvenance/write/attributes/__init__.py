"""Reads who, what and which value from a sentence: "j'habite à Lyon" is (person, city, Lyon).

In order: `spoken` cuts the text, `clauses` marks what it falls into, `owners` reads whose each is, `polarity` whether
it still holds, `fitting` lays the `templates` on it, whose slots `measures`, `places` and `things` read, `findings` makes
attributes of it; `reading` goes through it all, `comparing` tells what replaces what. All of it is pure.
"""

from souvenance.write.attributes.comparing import closes, replaces, rivals, same_attribute
from souvenance.write.attributes.reading import filed, primary, read_attributes
from souvenance.write.attributes.record import Attribute, State

__all__ = [
    "Attribute",
    "State",
    "closes",
    "filed",
    "primary",
    "read_attributes",
    "replaces",
    "rivals",
    "same_attribute",
]
