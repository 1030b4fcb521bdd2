"""An identifier said over several messages is one identifier, and figures that merely follow each other are none."""

from __future__ import annotations

import pytest

from souvenance.errors import FilterBroken
from souvenance.write.filters import identifiers
from souvenance.write.filters.identifiers.split import redact_after

#: (what was said before, what is said now, what is left of each)
SPLIT = [
    (["Mon numéro c'est le 06 12 34"], "56 78", ["Mon numéro c'est le [phone]"], "[phone]"),
    (["Mon tel : 06 12 34"], "et la suite : 56 78 voilà", ["Mon tel : [phone]"], "et la suite : [phone] voilà"),
    (["My number is 06 12", "34 56"], "78", ["My number is [phone]", "[phone]"], "[phone]"),
    (["Mon mail c'est lea.martin"], "@exemple.fr", ["Mon mail c'est [email]"], "[email]"),
    (["Mon mail c'est lea.martin"], "et après @exemple.fr", ["Mon mail c'est [email]"], "et après [email]"),
    (["CB 4539 1488"], "0343 6467", ["CB [card]"], "[card]"),
    (["L'IBAN : FR76 3000 6000 0112"], "puis 3456 7890 189", ["L'IBAN : [iban]"], "puis [iban]"),
    (["Sécu : 2 55 08 14"], "168 025 38 ok ?", ["Sécu : [national_id]"], "[national_id] ok ?"),
    (["zéro six douze trente-quatre"], "cinquante-six soixante-dix-huit", ["[phone]"], "[phone]"),
    (["my number is 06 12 34"], "56 78 90", ["my number is [phone]"], "[phone]"),
    (["mail me at lea.martin@"], "exemple.fr", ["mail me at [email]"], "[email]"),
    (["mon mail : lea.martin arobase"], "exemple point fr", ["mon mail : [email]"], "[email]"),
    (["lea.martin", "@"], "exemple.fr", ["[email]", "[email]"], "[email]"),
    (["write to sam.low", "hang on"], "@example.org", ["write to [email]", "hang on"], "[email]"),
    (["My phone is", "06 12", "34 56"], "78", ["My phone is", "[phone]", "[phone]"], "[phone]"),
    (["06 12", "34 56"], "78", ["[phone]", "[phone]"], "[phone]"),
    (["iban FR76 3000 6000"], "0112 3456 7890", ["iban [iban]"], "[iban]"),
    (["GB29 NWBK 6016"], "1331 9268 19", ["[iban]"], "[iban]"),
    (["iban [iban]", "[iban]"], "189", ["iban [iban]", "[iban]"], "[iban]"),
    (["Mon tel : 06 12 34", "attends"], "56 78", ["Mon tel : [phone]", "attends"], "[phone]"),
    (["My phone is 06 12 34", "hm", "let me look"], "it's 56 78", ["My phone is [phone]", "hm", "let me look"], "it's [phone]"),
    (["ma carte 4539 1488", "une seconde"], "0343 6467", ["ma carte [card]", "une seconde"], "[card]"),
]  # fmt: skip

APART = [
    ("Je suis né en 1968", "12 34 56, les jeux sont faits"),
    ("J'arrive à 18 h 30", "06 personnes viennent"),
    ("On était 12 à table", "et 34 au dessert"),
    ("Mon permis date de 2004", "1234 jours déjà"),
    ("La chambre 12", "au 3e étage, bus 91"),
    ("C'est 12 €", "@lea_quilts est d'accord"),
    ("Ma carte", "12 24 36 48"),
    ("See you at", "exemple.fr is my site"),
    ("On se voit at", "midi.bisous"),
    ("Attends", "@lea_quilts est là"),
    ("FR 12 dans le Tarn", "34 personnes"),
    ("[phone]", "42"),
    ("[card]", "12"),
]


@pytest.mark.parametrize(("earlier", "text", "left", "now"), SPLIT)
def test_every_piece_of_an_identifier_goes(
    earlier: list[str], text: str, left: list[str], now: str
) -> None:
    """Each message keeps the words around its piece."""
    joined = redact_after(earlier, text)
    assert joined.here.text == now
    assert [r.text if r else t for r, t in zip(joined.earlier, earlier, strict=True)] == left


@pytest.mark.parametrize(("before", "text"), APART)
def test_figures_that_only_follow_each_other_stay(before: str, text: str) -> None:
    """Two figures in a row are the rule; an identifier over two messages is the exception."""
    joined = redact_after([before], text)
    assert joined.here.text == text
    assert joined.earlier == (None,)


def test_what_is_whole_in_one_message_is_not_joined() -> None:
    """A number that stands alone takes nothing from the message before it."""
    joined = redact_after(["Il est 06 12"], "06 98 41 27 30")
    assert joined.here.text == "[phone]"
    assert joined.earlier == (None,)


def test_a_crash_while_joining_writes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading two messages together fails closed, as reading one does."""

    def broken(_: str) -> object:
        raise ZeroDivisionError

    monkeypatch.setattr(identifiers, "view_of", broken)
    with pytest.raises(FilterBroken):
        redact_after(["06 12"], "34 56 78")
