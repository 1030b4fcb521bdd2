"""Private identifiers are found however they are written, and what only looks like one is left alone."""

from __future__ import annotations

import phonenumbers
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from souvenance.errors import FilterBroken
from souvenance.write.filters import identifiers
from souvenance.write.filters.identifiers import Found, redact

#: (text around, the identifier in it, its type)
FORMS = [
    ("Mon fixe : {}, le soir.", "02 97 41 58 06", "phone"),
    ("Mon fixe : {}, le soir.", "02/97/41/58/06", "phone"),
    ("Mon fixe : {}, le soir.", "02_97_41_58_06", "phone"),
    ("Mon fixe : {}, le soir.", "0 2 9 7 4 1 5 8 0 6", "phone"),
    ("Mon fixe : {}, le soir.", "02\u202f97\u202f41\u202f58\u202f06", "phone"),
    ("Mon fixe : {}, le soir.", "0\u200b297\u200b415806", "phone"),
    ("Mon fixe : {}, le soir.", "０２９７４１５８０６", "phone"),
    ("Mon fixe : {}, le soir.", "O2 97 41 58 O6", "phone"),
    ("Mon fixe : {}, le soir.", "zéro deux, quatre-vingt-dix-sept, quarante et un, cinquante-huit, zéro six", "phone"),
    ("Mon fixe : {}, le soir.", "02 quatre-vingt-dix-sept 41 cinquante-huit 06", "phone"),
    ("Ma ligne belge, {}.", "+32 (0)475 83 21 09", "phone"),
    ("Depuis Genève, {}.", "0041 22 918 43 07", "phone"),
    ("My cell is {} now.", "6175550148", "phone"),
    ("Ask for Ruth at {} after six.", "(617) 555-0148", "phone"),
    ("Ring {} tonight.", "six one seven, double five five, oh one four eight", "phone"),
    ("Écris à {} vite.", "odile.marchand+jardin@courrier.bzh", "email"),
    ("Écris à {} vite.", "odile point marchand arobase courrier point bzh", "email"),
    ("Reach me: {}!", "ruth_k (at) parcel (dot) io", "email"),
    ("Reach me: {}!", "ruth.k at parcel dot io", "email"),
    ("Reach me: {}!", "ruth [at] mail.parcel.io", "email"),
    ("Paie avec {} s'il te plaît.", "4539 1488 0343 6467", "card"),
    ("Paie avec {} s'il te plaît.", "4539.1488.0343.6467", "card"),
    ("Paie avec {} s'il te plaît.", "3782 822463 10005", "card"),
    ("Verse sur {} demain.", "FR76 3000 6000 0112 3456 7890 189", "iban"),
    ("Verse sur {} demain.", "ch93-0076-2011-6238-5295-7", "iban"),
    ("Sécu : {}.", "2 55 08 14 168 025 38", "national_id"),
    ("Ma carte d'identité, c'est {}.", "T7X62TZ79", "national_id"),
    ("My SSN is {}, keep it.", "536 22 8145", "national_id"),
    ("Her NI number: {}.", "AB 12 34 56 C", "national_id"),
    ("Mon DNI español: {}.", "12345678Z", "national_id"),
    ("Passeport n° {} à renouveler.", "19FV08214", "passport"),
    ("My passport, {}, has expired.", "533401872", "passport"),
    ("Permis de conduire : {}.", "880513200154", "other_id"),
    ("Mon numéro fiscal : {}.", "14 82 650 371 946", "other_id"),
    ("NHS number {} on the wristband.", "943 476 5919", "other_id"),
    ("Titre de séjour n° {}.", "7712046538", "other_id"),
    ("Titre de séjour n° {}.", "0226836969", "other_id"),
    ("Numéro fiscal : {}.", "zéro trois, douze, quatre cent cinq, deux cent dix, trois cent sept", "other_id"),
    ("Passport no. {}, to be renewed.", "PA1234567", "passport"),
    ("Mon passeport : {}.", "21 TE 64662", "passport"),
    ("{} c'est mon passeport", "12AB34567", "passport"),
    ("{} is my cell, text only.", "2125550147", "phone"),
    ("Ma pièce d'identité, {}.", "0610 4163 4160", "national_id"),
    ("My NINO is {}.", "A B 1 2 3 4 5 6 C", "national_id"),
    ("Sans la clé, ma sécu : {}.", "2 69 05 49 588 157", "national_id"),
    ("My social, {}.", "five three six, two two, eight one four five", "national_id"),
    ("Vire sur {} merci.", "F-R-7-6-3-0-0-0-6-0-0-0-0-1-1-2-3-4-5-6-7-8-9-0-1-8-9", "iban"),
    ("Vire sur {} merci.", "FR76 trois mille 6000 0112 3456 7890 189", "iban"),
    ("Carte : {}.", "quatre mille six cent dix-huit, cinq mille deux cent cinq, quatre mille cent vingt-sept, huit mille trois cent seize", "card"),
    ("Mon numéro : {}.", "06 12 34 et puis 56 78", "phone"),
    ("tel{}", "0612345678", "phone"),
    ("My number is {}.", "five five five, oh one two three", "phone"),
    ("Mon mail : {}.", "l e a @ exemple . fr", "email"),
    ("Écris à {}.", "lea@exemple,com", "email"),
    ("{} is my address", "lea at work dot co dot uk", "email"),
]  # fmt: skip

HARMLESS = [
    "Je suis née le 03/09/1984 à 5 h 40.",
    "Le devis est de 12 450,00 € pour 120 m².",
    "The ISBN is 978-2-07-061275-8.",
    "Le SIRET de l'atelier : 732 829 320 00074.",
    "SIRET 36252187900034, TVA FR40303265045.",
    "Le refuge est à 45.832619, 6.865175.",
    "Build 10.0.19045.3996 is out.",
    "id 3f2b8c1e-9d47-4a6b-8e21-0c5d7f9a1b34",
    "Les numéros du loto : 07 12 23 34 45.",
    "Commande n° 0612345678 expédiée.",
    "Colis 8R 4302 1187 5590 arrivé.",
    "On a perdu 21-19, 17-21, 15-13.",
    "J'ai fait 10 234 pas puis 06 km.",
    "Il y avait 1 200 000 000 habitants.",
    "2024-03-11T08:15:42.123456 : démarrage.",
    "Rendez-vous le 12.11.2031 14:30, salle 204.",
    "Mon passeport expire le 14/02/2032.",
    "Permis de conduire obtenu en 2004, au bout de 3 essais.",
    "J'habite 27 rue des Forges, 29200 Brest.",
    "Il est @ruth_quilts sur le forum.",
    "Look at the dot, com­pare the two.",
    "Je travaille au point de vente, at home parfois.",
    "Un, deux, trois, quatre, cinq, six, sept !",
    "mille neuf cent quatre-vingt-quatre, quel livre",
    "Vol AF 0061 7234, porte 12, siège 34A.",
    "Ratio 3,14159265 contre 2,71828182.",
    "J'ai lu 1004 pages cette nuit.",
    "Ça coûte 552251 euros en tout.",
    "Elle compte : un deux trois quatre cinq six sept huit neuf dix onze !",
    "Score final : 0-4 3-5 0-1 4-4 5-6.",
    "Tailles de 36 38 40 à 44.",
    "La sécu a un déficit de 18 000 000 000 euros.",
    "Passeport talent, 4 ans, 2020 2024.",
    "His social media has 12345678 followers.",
    "Serial AB123456C on the back.",
    "Mon numéro de client est 12345678.",
    "Rendez-vous chez Paul point de vente.",
    "Une ligne de 12 345 678 abonnés.",
    "Bingo card: 4539 1488 0343 6467, not even a line.",
]


@pytest.mark.parametrize(("around", "identifier", "type_"), FORMS)
def test_an_identifier_is_found_where_it_stands(around, identifier, type_):
    """Offsets are those of the text as typed, so that the sentence around it stays."""
    text = around.format(identifier)
    start = around.index("{}")
    assert redact(text).found == (Found(start, start + len(identifier), type_),)
    assert redact(text).text == around.format(f"[{type_}]")


@pytest.mark.parametrize("text", HARMLESS)
def test_what_only_looks_like_an_identifier_is_left_alone(text):
    """A hole in a memory is a loss too."""
    assert redact(text).found == ()
    assert redact(text).text == text


@pytest.mark.parametrize(
    "region",
    [
        "FR",
        "BE",
        "CH",
        "LU",
        "CA",
        "US",
        "GB",
        "IE",
        "DE",
        "ES",
        "IT",
        "PT",
        "NL",
        "AT",
        "DK",
        "SE",
        "NO",
        "FI",
        "PL",
        "MA",
        "DZ",
        "TN",
        "SN",
        "AU",
        "NZ",
        "IN",
        "BR",
        "MX",
        "JP",
    ],
)
@pytest.mark.parametrize(
    "shape", [phonenumbers.PhoneNumberFormat.E164, phonenumbers.PhoneNumberFormat.INTERNATIONAL]
)
def test_the_telephones_of_many_countries_are_found(region, shape):
    """The plan of each country is the oracle: its own example numbers."""
    for sort in (phonenumbers.PhoneNumberType.MOBILE, phonenumbers.PhoneNumberType.FIXED_LINE):
        number = phonenumbers.format_number(
            phonenumbers.example_number_for_type(region, sort), shape
        )
        assert [f.type for f in redact(f"On me joint au {number}, merci.").found] == ["phone"]


def test_several_identifiers_keep_their_order():
    """What was taken out is told in the order it stood."""
    redaction = redact("ruth@parcel.io, 06 98 41 27 30 et 4539148803436467")
    assert redaction.text == "[email], [phone] et [card]"
    assert [f.type for f in redaction.found] == ["email", "phone", "card"]


def test_a_postal_address_is_kept():
    """A companion may know where somebody lives; the policy keeps addresses."""
    text = "J'habite au 8 bis quai des Brumes, 33000 Bordeaux, bâtiment C, code 4512."
    assert redact(text).text == text


_PIECES = st.sampled_from(
    [
        "06", "07", " ", " ", "-", ".", "12", "34", "56", "78", "4", "9", "0", "+33", "@", "a", "bob",
        " arobase ", " point ", "fr", ".com", "[phone]", "[email]", " at ", " dot ", "zéro ", "six ",
        "FR76", "4242", "passeport ", "tel ", "\u200b", "１", "n°", "\n", "sécu ", "2A", ", ", "(", ")",
    ]
)  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(st.lists(_PIECES, max_size=40).map("".join))
def test_redacting_twice_changes_nothing(text):
    """Texts pass the filter on every write path, some of them more than once."""
    once = redact(text).text
    assert redact(once).text == once
    assert redact(once).found == ()


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=80))
def test_every_find_lies_in_the_text_apart_and_in_order(text):
    """Whatever is typed, offsets can be trusted to cut by."""
    last = 0
    for found in redact(text).found:
        assert last <= found.start < found.end <= len(text)
        last = found.end


def test_a_crash_in_the_filter_writes_nothing(monkeypatch):
    """The filter fails closed: no text comes back unread."""

    def broken(_: str) -> object:
        raise ZeroDivisionError

    monkeypatch.setattr(identifiers, "view_of", broken)
    with pytest.raises(FilterBroken):
        redact("anything")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Mon code de carte est 4970 2212 3456 7891.", "Mon code de carte est [card]."),
        ("4970 2212 3456 7891, that's my card", "[card], that's my card"),
        ("Ma carte de fidélité a 12 points.", "Ma carte de fidélité a 12 points."),
        ("Menu à la carte 15 €, 18 € ou 22 €", "Menu à la carte 15 €, 18 € ou 22 €"),
        ("Carte du bingo : 12 24 35 46 57 68 71", "Carte du bingo : 12 24 35 46 57 68 71"),
    ],
)
def test_a_number_that_a_card_word_announces_goes_even_mistyped(text: str, left: str) -> None:
    """A wrong digit breaks the check sum, and leaves fifteen right ones."""
    assert redact(text).text == left
