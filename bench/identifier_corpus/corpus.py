"""The three corpora: canonical forms (B1), disguised forms and splits (B2), clean texts (B3)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from identifier_corpus import clean, numbers, tricks
from identifier_corpus.numbers import Value


@dataclass(frozen=True, slots=True)
class Marked:
    """A text with one identifier at `[start, end)`; `group` is its class or its disguise."""

    text: str
    start: int
    end: int
    type: str
    group: str


@dataclass(frozen=True, slots=True)
class Split:
    """One identifier said over two messages; the second half stands at `[start, end)` of `second`."""

    first: str
    second: str
    start: int
    end: int
    type: str
    group: str


@dataclass(frozen=True, slots=True)
class Clean:
    """A text that must be left alone; `group` is `sentence` or its kind of look-alike."""

    text: str
    group: str


def _around(
    written: str, type_: str, group: str, language: str, carrier: str, rng: random.Random
) -> Marked:
    template = rng.choice(clean.lines_of(language, carrier))
    start = template.index("{}")
    return Marked(template.replace("{}", written), start, start + len(written), type_, group)


#: Classes that need no word around them: the carrier without a cue is drawn half of the time.
_NEED_NO_WORD = frozenset(
    ("phone_fr", "phone_fr_abroad", "nir", "nir_corsica", "email", "card", "iban", "phone_abroad")
)


def _carrier(form: str, cued: str, rng: random.Random) -> str:
    return "any" if form in _NEED_NO_WORD and rng.random() < 0.5 else cued


def _language(rng: random.Random) -> str:
    return rng.choice(("fr", "fr", "en"))


def canonical(rng: random.Random, per: int) -> Iterator[Marked]:
    """B1: `per` texts of every class, each way of writing it that a form allows."""
    for form, draw in numbers.PLAIN.items():
        for _ in range(per):
            value, language = draw(rng), _language(rng)
            by = rng.choice((" ", "")) if value.type != "email" else ""
            yield _around(
                value.grouped(by),
                value.type,
                form,
                language,
                _carrier(form, form_file(form), rng),
                rng,
            )
    for region in numbers.COUNTRIES:
        for i in range(per):
            language = _language(rng)
            if i % 2:
                text, _ = numbers.phone_abroad(rng, region)
                carrier = _carrier("phone_abroad", "phone", rng)
            else:
                text, carrier = numbers.phone_at_home(rng, region), "phone"
            yield _around(text, "phone", f"phone_{region.lower()}", language, carrier, rng)
    for brand in numbers.BRANDS:
        for _ in range(per):
            value, language = numbers.card(rng, brand), _language(rng)
            by = rng.choice(("", " ", "-"))
            carrier = _carrier("card", "card", rng)
            yield _around(value.grouped(by), "card", f"card_{brand}", language, carrier, rng)
    countries = sorted(numbers.iban_plans())
    for i in range(max(per, 4 * len(countries))):
        value, language = numbers.iban_number(rng, countries[i % len(countries)]), _language(rng)
        text = value.grouped(rng.choice(("", " ")))
        text = text.lower() if rng.random() < 0.2 else text
        carrier = _carrier("iban", "iban", rng)
        yield _around(text, "iban", f"iban_{len(value.bare)}", language, carrier, rng)


def form_file(form: str) -> str:
    """The file of sentences that announce this form."""
    return "phone" if form.startswith("phone") else form


def _numeric(rng: random.Random) -> tuple[Value, str]:
    """An identifier of digits alone and the carriers it takes."""
    sort = rng.choice(("phone_fr", "phone_fr", "card", "nir", "nhs", "tax_fr"))
    if sort == "card":
        return numbers.card(rng, rng.choice(("visa", "mastercard", "amex"))), "card"
    while True:
        value = numbers.PLAIN[sort](rng)
        if value.bare.isdigit():
            return value, form_file(sort)


def _written(rng: random.Random) -> tuple[Value, str]:
    """An identifier that may hold letters."""
    if rng.random() < 0.3:
        return numbers.iban_number(rng, rng.choice(sorted(numbers.iban_plans()))), "iban"
    if rng.random() < 0.2:
        sort = rng.choice(("nino", "passport"))
        return numbers.PLAIN[sort](rng), sort
    return _numeric(rng)


def disguised(rng: random.Random, per: int) -> Iterator[Marked]:
    """B2: `per` texts of every disguise; the word that announces it is there, as in dictation."""
    drawn: list[tuple[dict[str, tricks.Trick], Callable[[random.Random], tuple[Value, str]]]] = [
        (tricks.WRITTEN, _written),
        (tricks.SAID, _numeric),
    ]
    for table, draw in drawn:
        for name, trick in table.items():
            for _ in range(per):
                value, carrier = draw(rng)
                language = _language(rng)
                text = trick(value, rng, language)
                yield _around(text, value.type, name, language, carrier, rng)
    for name, trick in tricks.EMAIL.items():
        for _ in range(per):
            value = numbers.email(rng, plain=True)
            language = _language(rng)
            text = trick(value, rng, language)
            yield _around(text, "email", f"email_{name}", language, "email", rng)


_SECOND = {
    "fr": ("{}", "{} voilà", "et la suite : {}", "puis {}", "la fin c'est {}", "{}, tu as tout"),
    "en": ("{}", "{} there", "and the rest: {}", "then {}", "it ends with {}", "{}, that's all"),
}


def split(rng: random.Random, per: int) -> Iterator[Split]:
    """B2: identifiers said over two messages of the same person, the first half announced."""
    for sort in ("phone", "card", "nir", "iban", "email"):
        for _ in range(per):
            language = _language(rng)
            value, first, second = _halves(sort, rng)
            template = rng.choice(clean.lines_of(language, sort))
            template = template[: template.index("{}") + 2]
            after = rng.choice(_SECOND[language])
            start = after.index("{}")
            yield Split(
                template.replace("{}", first),
                after.replace("{}", second),
                start,
                start + len(second),
                value.type,
                sort,
            )


def _halves(sort: str, rng: random.Random) -> tuple[Value, str, str]:
    if sort == "email":
        value = numbers.email(rng)
        head, tail = value.bare.split("@")
        return value, head, f"@{tail}"
    value = {
        "phone": numbers.french_phone,
        "card": lambda r: numbers.card(r, r.choice(("visa", "mastercard"))),
        "nir": numbers.register_number,
        "iban": lambda r: numbers.iban_number(r, r.choice(("FR", "DE", "BE", "ES"))),
    }[sort](rng)
    groups = value.groups()
    at = rng.randint(2, len(groups) - 2) if len(groups) > 3 else 1
    by = rng.choice((" ", ".", ""))
    return value, by.join(groups[:at]), by.join(groups[at:])


def untouched(rng: random.Random, sentences: int, hard: int) -> Iterator[Clean]:
    """B3: ordinary French sentences, a fifth as many English ones, and look-alikes of every kind."""
    for _ in range(sentences):
        yield Clean(clean.sentence(rng, "fr"), "sentence")
    for _ in range(sentences // 5):
        yield Clean(clean.sentence(rng, "en"), "sentence_en")
    for kind in clean.HARD:
        for _ in range(hard):
            yield Clean(clean.look_alike(rng, kind), kind)
