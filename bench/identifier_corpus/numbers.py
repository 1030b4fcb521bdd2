"""Valid identifiers of every class, drawn at random from public plans and check sums."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import phonenumbers
from phonenumbers import PhoneNumberFormat, PhoneNumberType
from stdnum import iban, luhn
from stdnum.fr import nir
from stdnum.gb import nhs
from stdnum.numdb import get as numdb

#: Home countries of B1: France and twenty more.
COUNTRIES = (
    "FR", "BE", "CH", "LU", "CA", "US", "GB", "IE", "DE", "ES", "IT", "PT", "NL", "AT", "DK", "SE",
    "PL", "MA", "DZ", "TN", "SN", "AU",
)  # fmt: skip

#: Brand: prefix and length. Source: ISO/IEC 7812 ranges as published by the brands.
BRANDS = {
    "visa": (("4",), 16),
    "visa_13": (("4",), 13),
    "visa_19": (("4",), 19),
    "mastercard": (("51", "53", "55", "2221", "2350", "2720"), 16),
    "amex": (("34", "37"), 15),
    "discover": (("6011", "645", "65"), 16),
    "diners": (("300", "305", "36", "38"), 14),
    "jcb": (("3528", "3550", "3589"), 16),
    "unionpay": (("620", "625", "628"), 16),
    "maestro": (("5018", "5893", "6304", "6759"), 16),
}

_UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#: Letters of the series of French documents, those that read like digits left out. Source: ICAO 9303 usage.
_SERIES = "CDFGHJKLMNPRTVWXYZ"


@dataclass(frozen=True, slots=True)
class Value:
    """One identifier: its type, its class in the report, its bare characters, and how they are grouped."""

    type: str
    form: str
    bare: str
    sizes: tuple[int, ...]
    plus: bool = False

    def grouped(self, by: str = " ") -> str:
        """The characters in their groups, `by` between two."""
        return ("+" if self.plus else "") + by.join(self.groups())

    def groups(self) -> list[str]:
        """The groups in order."""
        out, at = [], 0
        for size in self.sizes:
            out.append(self.bare[at : at + size])
            at += size
        return out


def _digits(rng: random.Random, n: int) -> str:
    return "".join(rng.choice("0123456789") for _ in range(n))


def french_phone(rng: random.Random) -> Value:
    """A French number as dialled at home."""
    bare = "0" + rng.choice("12345677669") + _digits(rng, 8)
    return Value("phone", "phone_fr", bare, (2,) * 5)


def french_abroad(rng: random.Random) -> Value:
    """The same with its calling code."""
    bare = "33" + rng.choice("1234567") + _digits(rng, 8)
    return Value("phone", "phone_fr_abroad", bare, (2, 1, 2, 2, 2, 2), plus=True)


def _valid_number(rng: random.Random, region: str) -> phonenumbers.PhoneNumber:
    """A number that the plan of that country holds valid: an example with its last digits redrawn."""
    sort = rng.choice((PhoneNumberType.MOBILE, PhoneNumberType.FIXED_LINE))
    example = phonenumbers.example_number_for_type(region, sort)
    assert example is not None
    text = str(example.national_number)
    for _ in range(60):
        fresh = text[:3] + _digits(rng, len(text) - 3)
        number = phonenumbers.PhoneNumber(
            country_code=example.country_code,
            national_number=int(fresh),
            italian_leading_zero=example.italian_leading_zero,
        )
        if phonenumbers.is_valid_number(number):
            return number
    return example


def phone_abroad(rng: random.Random, region: str) -> tuple[str, Value]:
    """A number of that country as written for a caller abroad, and its bare value."""
    number = _valid_number(rng, region)
    style = rng.choice((PhoneNumberFormat.E164, PhoneNumberFormat.INTERNATIONAL))
    text = phonenumbers.format_number(number, style)
    if rng.random() < 0.2:
        text = "00" + text[1:]
    bare = re.sub(r"\D", "", text)
    return text, Value("phone", f"phone_{region.lower()}_abroad", bare, (len(bare),))


def phone_at_home(rng: random.Random, region: str) -> str:
    """A number of that country as dialled there; a word has to announce it."""
    number = _valid_number(rng, region)
    return phonenumbers.format_number(number, PhoneNumberFormat.NATIONAL)


def card(rng: random.Random, brand: str) -> Value:
    """A card number of that brand with its check digit."""
    prefixes, length = BRANDS[brand]
    while True:
        body = rng.choice(prefixes)
        body += _digits(rng, length - 1 - len(body))
        bare = body + luhn.calc_check_digit(body)
        if luhn.is_valid(bare):
            break
    sizes = {15: (4, 6, 5), 14: (4, 6, 4), 13: (4, 3, 3, 3), 19: (4, 4, 4, 4, 3)}
    return Value("card", f"card_{brand}", bare, sizes.get(length, (4, 4, 4, 4)))


@lru_cache(maxsize=1)
def iban_plans() -> dict[str, str]:
    """The structure of the account part by country. Source: SWIFT registry, through python-stdnum."""
    return {
        country: info["bban"] for _, country, _, info, _ in numdb("iban").prefixes if "bban" in info
    }


def iban_number(rng: random.Random, country: str) -> Value:
    """An IBAN of that country with right check digits."""
    body = ""
    for length, sort in re.findall(r"([1-9][0-9]*)!([nac])", iban_plans()[country]):
        letters = {"n": "0123456789", "a": _UPPER, "c": "0123456789" + _UPPER[:6]}[sort]
        body += "".join(rng.choice(letters) for _ in range(int(length)))
    bare = country + str(iban.calc_check_digits(country + "00" + body)).zfill(2) + body
    whole, rest = divmod(len(bare), 4)
    return Value("iban", "iban", bare, (4,) * whole + ((rest,) if rest else ()))


def register_number(rng: random.Random) -> Value:
    """A French register number (NIR) with its key; one in five is Corsican."""
    county = rng.choice(("2A", "2B")) if rng.random() < 0.2 else f"{rng.randint(1, 95):02d}"
    if county == "20":
        county = "2A"
    body = f"{rng.choice('12')}{rng.randint(0, 99):02d}{rng.randint(1, 12):02d}{county}"
    body += f"{rng.randint(1, 990):03d}{rng.randint(1, 999):03d}"
    key = str(nir.calc_check_digits(body)).zfill(2)
    form = "nir_corsica" if county[1] in "AB" else "nir"
    return Value("national_id", form, body + key, (1, 2, 2, 2, 3, 3, 2))


def old_card_of_identity(rng: random.Random) -> Value:
    """A French identity card from before 2021: twelve digits."""
    bare = f"{rng.randint(4, 21):02d}{rng.randint(1, 12):02d}{rng.randint(1, 95):02d}" + _digits(
        rng, 6
    )
    return Value("national_id", "cni_old", bare, (4, 4, 4))


def new_card_of_identity(rng: random.Random) -> Value:
    """A French identity card since 2021: nine letters and digits."""
    while True:
        bare = rng.choice(_SERIES) + "".join(rng.choice(_SERIES + "0123456789") for _ in range(8))
        if sum(c.isdigit() for c in bare) >= 2:
            return Value("national_id", "cni_new", bare, (9,))


def passport(rng: random.Random) -> Value:
    """A French passport: two digits, two letters, five digits."""
    letters = rng.choice(_UPPER) + rng.choice(_UPPER)
    return Value("passport", "passport", _digits(rng, 2) + letters + _digits(rng, 5), (2, 2, 5))


def foreign_passport(rng: random.Random) -> Value:
    """A passport of nine digits, or a letter and eight (United States, United Kingdom)."""
    bare = rng.choice(("", rng.choice(_UPPER)))
    return Value("passport", "passport_abroad", bare + _digits(rng, 9 - len(bare)), (9,))


def licence(rng: random.Random) -> Value:
    """A French driving licence: twelve digits, or the shape of a passport since 2013."""
    if rng.random() < 0.5:
        return Value("other_id", "licence", _digits(rng, 12), (12,))
    return Value("other_id", "licence", passport(rng).bare, (2, 2, 5))


def social_security(rng: random.Random) -> Value:
    """A US social security number."""
    area = rng.choice([n for n in range(1, 900) if n != 666])
    bare = f"{area:03d}{rng.randint(1, 99):02d}{rng.randint(1, 9999):04d}"
    return Value("national_id", "ssn", bare, (3, 2, 4))


def insurance_number(rng: random.Random) -> Value:
    """A UK national insurance number."""
    letters = rng.choice("ABCEGHJKLMNPRSTWXYZ") + rng.choice("ABCEGHJKLMNPRSTWXYZ")
    return Value(
        "national_id", "nino", letters + _digits(rng, 6) + rng.choice("ABCD"), (2, 2, 2, 2, 1)
    )


def health_number(rng: random.Random) -> Value:
    """An NHS number with its check digit."""
    while True:
        bare = rng.choice("4679") + _digits(rng, 9)
        if nhs.is_valid(bare):
            return Value("other_id", "nhs", bare, (3, 3, 4))


def tax_number(rng: random.Random) -> Value:
    """A French tax number: thirteen digits."""
    return Value("other_id", "tax_fr", rng.choice("0123") + _digits(rng, 12), (2, 2, 3, 3, 3))


def permit(rng: random.Random) -> Value:
    """A French residence permit: ten digits."""
    return Value("other_id", "permit", _digits(rng, 10), (10,))


_FIRST = (
    "amelie", "bastien", "chloe", "dorian", "elsa", "fabrice", "gwen", "hamid", "ines", "jules",
    "kenza", "leo", "manon", "noah", "oriane", "paul", "rita", "sven", "thea", "victor",
)  # fmt: skip
_LAST = (
    "arnaud", "besson", "clement", "dumas", "faure", "garnier", "hubert", "joly", "lemoine",
    "marchal", "noel", "perrin", "renard", "simon", "thomas", "vidal", "walker", "young",
)  # fmt: skip
_HOSTS = (
    "gmail.com", "orange.fr", "wanadoo.fr", "laposte.net", "free.fr", "yahoo.co.uk", "proton.me",
    "outlook.com", "mairie-lyon.fr", "atelier.bzh", "univ-tours.fr", "mail.studio.io", "exemple.org",
)  # fmt: skip


def email(rng: random.Random, *, plain: bool = False) -> Value:
    """An address; `plain` holds no sign but dots, so that every disguise can spell it."""
    first, last = rng.choice(_FIRST), rng.choice(_LAST)
    local = rng.choice((f"{first}.{last}", f"{first}{rng.randint(1, 99)}", f"{first[0]}.{last}"))
    if not plain:
        local = rng.choice((local, f"{first}_{last}", f"{first}-{last}", f"{first}+list"))
    address = f"{local}@{rng.choice([h for h in _HOSTS if not plain or '-' not in h])}"
    return Value("email", "email", address, (len(address),))


#: The classes of B1 whose canonical spelling is the grouped or the bare value.
PLAIN: dict[str, Callable[[random.Random], Value]] = {
    "phone_fr": french_phone,
    "phone_fr_abroad": french_abroad,
    "nir": register_number,
    "cni_old": old_card_of_identity,
    "cni_new": new_card_of_identity,
    "passport": passport,
    "passport_abroad": foreign_passport,
    "licence": licence,
    "ssn": social_security,
    "nino": insurance_number,
    "nhs": health_number,
    "tax_fr": tax_number,
    "permit": permit,
    "email": email,
}
