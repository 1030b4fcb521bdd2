"""Messages cleaned together: pieces of one identifier go, and so does what repeats them; the rest stays."""

from __future__ import annotations

import pytest

from souvenance.domain import Role
from souvenance.write.filters.identifiers.several import clean_talk

#: Who speaks ("p" the person, "c" the character), what is said, what is left.
TALKS = {
    "the character repeats the first half": [
        ("p", "card 4539 1488", "card [card]"),
        ("c", "Your card starts with 4539 1488, right?", "Your card starts with [card], right?"),
        ("p", "yes, then 0343 6467", "yes, then [card]"),
    ],
    "the character repeats the last group of a whole number": [
        ("p", "My card is 4539 1488 0343 6467.", "My card is [card]."),
        ("c", "The one that ends in 6467. In 2031?", "The one that ends in [card]. In 2031?"),
    ],
    "the character ends the number": [
        ("p", "Mon numéro commence par 06 12 34", "Mon numéro commence par [phone]"),
        ("c", "et ensuite 56 78 ?", "et ensuite [phone] ?"),
        ("p", "voilà", "voilà"),
    ],
    "the character says it whole": [
        ("p", "Mon numéro commence par 06 12 34", "Mon numéro commence par [phone]"),
        ("c", "Donc 06 12 34 56 78 ?", "Donc [phone] ?"),
    ],
    "the character begins the number": [
        ("c", "It starts with 06 12 34, I think.", "It starts with [phone], I think."),
        ("p", "then 56 78", "then [phone]"),
    ],
    "each short piece is said back": [
        ("p", "My phone is", "My phone is"),
        ("p", "06 12", "[phone]"),
        ("c", "06 12?", "[phone]?"),
        ("p", "34 56", "[phone]"),
        ("c", "34 56, ok", "[phone], ok"),
        ("p", "78", "[phone]"),
    ],
    "the first half of an address is said back": [
        ("p", "écris à lea.martin@", "écris à [email]"),
        ("c", "lea.martin@ quoi ?", "[email] quoi ?"),
        ("p", "exemple.fr", "[email]"),
    ],
    "said in words": [
        ("p", "mon numéro : zéro six douze trente-quatre", "mon numéro : [phone]"),
        ("c", "zéro six douze trente-quatre, et ?", "[phone], et ?"),
        ("p", "cinquante-six soixante-dix-huit", "[phone]"),
    ],
    "figures of a talk": [
        ("p", "J'ai 12 chats", "J'ai 12 chats"),
        ("c", "12 chats ! Et 34 chiens ?", "12 chats ! Et 34 chiens ?"),
        ("p", "56 poules", "56 poules"),
    ],
    "a year that is said beside a card": [
        ("c", "C'était en 2031.", "C'était en 2031."),
        ("p", "Ma carte : 4539 1488 0343 6467", "Ma carte : [card]"),
        ("c", "Elle date de 2031 ?", "Elle date de 2031 ?"),
    ],
}  # fmt: skip


def _said(talk: list[tuple[str, str, str]]) -> list[tuple[Role, str]]:
    return [("user" if who == "p" else "character", text) for who, text, _ in talk]


@pytest.mark.parametrize("name", TALKS)
def test_pieces_and_their_echoes_go(name: str) -> None:
    """Whoever says them, before or after."""
    talk = TALKS[name]
    assert [c.text for c in clean_talk(_said(talk))] == [left for _, _, left in talk]


@pytest.mark.parametrize("name", TALKS)
def test_what_is_stored_is_cleaned_as_what_is_said(name: str) -> None:
    """The last message may come alone; those before stand as redaction left them."""
    talk = TALKS[name]
    last = len(talk) - 1
    before = _said(talk)[:last]
    cleaned = zip(before, clean_talk(before), strict=True)
    stored = [(role, str(one.text)) for (role, _), one in cleaned]
    now = clean_talk([*stored, _said(talk)[last]], last)
    kept = [c.text for c in now][:last]
    assert kept == [left for _, _, left in talk][:last]


def test_what_was_taken_out_of_each_is_told() -> None:
    """The store looks for these pieces in all that rests on the message."""
    first, reply, last = clean_talk(_said(TALKS["the character repeats the first half"]))
    assert [(p.text, p.mark) for p in first.pieces] == [("4539 1488", "[card]")]
    assert [(p.text, p.mark) for p in reply.pieces] == [("4539 1488", "[card]")]
    assert last.types == ("card",)
