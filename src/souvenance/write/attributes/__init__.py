"""Reads who, what and which value from a sentence: "j'habite à Lyon" is (person, city, Lyon).

In order: `spoken` cuts the text, `owners` reads whose it is, `polarity` whether it still holds, `templates` are
laid on what is said, `values` and `places` read their slots, `reading` puts it together, `comparing` tells what
replaces what. Everything is pure; only what is said plainly is read.
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
