"""Texts that hold no identifier: ordinary sentences, and figures that look like one and are none."""

from __future__ import annotations

import random
import re
import uuid
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from stdnum import isbn
from stdnum.fr import siret

_HERE = Path(__file__).parent
_SLOT = re.compile(r"\{(\w+)\}")


def lines_of(language: str, name: str) -> list[str]:
    """The lines of a text file of that language, comments left out."""
    text = (_HERE / language / f"{name}.txt").read_text("utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


@lru_cache(maxsize=4)
def _fillers(language: str) -> dict[str, list[str]]:
    pairs = (line.split(":", 1) for line in lines_of(language, "fillers"))
    return {slot: [e.strip() for e in entries.split("|")] for slot, entries in pairs}


def _drawn(slot: str, language: str, rng: random.Random) -> str:
    fillers = _fillers(language)
    if slot in fillers:
        return rng.choice(fillers[slot])
    hour, minute = rng.randint(0, 23), rng.randint(0, 59)
    n = rng.choice((rng.randint(1, 9), rng.randint(10, 99), rng.randint(100, 2500)))
    price = rng.choice(
        (f"{n},{minute:02d}", f"{rng.randint(1, 90)} {rng.randint(0, 999):03d}", str(n))
    )
    return {
        "n": str(n),
        "year": str(rng.randint(1930, 2035)),
        "day": str(rng.randint(1, 28)),
        "hour": f"{hour} h {minute:02d}" if language == "fr" else f"{hour}:{minute:02d}",
        "price": f"{price} €" if language == "fr" else f"${price.replace(' ', ',')}",
    }[slot]


def sentence(rng: random.Random, language: str) -> str:
    """One ordinary sentence, drawn."""
    template = rng.choice(lines_of(language, "clean"))
    text = _SLOT.sub(lambda m: _drawn(m.group(1), language, rng), template)
    return text[0].upper() + text[1:]


def _d(rng: random.Random, n: int) -> str:
    return "".join(rng.choice("0123456789") for _ in range(n))


def _isbn(rng: random.Random) -> str:
    body = rng.choice(("978207", "978014", "979109")) + _d(rng, 6)
    total = sum(int(c) * (1, 3)[i % 2] for i, c in enumerate(body))
    number = body + str(-total % 10)
    return isbn.format(number) if rng.random() < 0.5 else number


def _siret(rng: random.Random) -> str:
    while True:
        number = _d(rng, 14)
        if siret.is_valid(number):
            return siret.format(number) if rng.random() < 0.5 else number


def _date(rng: random.Random) -> str:
    day, month, year = rng.randint(1, 28), rng.randint(1, 12), rng.randint(1930, 2035)
    return rng.choice(
        (
            f"{day:02d}/{month:02d}/{year}",
            f"{day:02d}.{month:02d}.{year}",
            f"{year}-{month:02d}-{day:02d}",
            f"{day:02d}-{month:02d}-{year % 100:02d}",
            f"{day:02d}/{month:02d}/{year % 100:02d}",
            f"{year}{month:02d}{day:02d}",
            f"{year}-{month:02d}-{day:02d}T{rng.randint(0, 23):02d}:{rng.randint(0, 59):02d}:{rng.randint(0, 59):02d}Z",
        )
    )


def _price(rng: random.Random) -> str:
    n = rng.randint(1_000, 99_999_999)
    return rng.choice(
        (f"{n:,} €".replace(",", " "), f"{n:,}.00 €", f"${n:,}", f"{n} euros", f"{n:,} £", f"€{n}")
    )


def _scores(rng: random.Random) -> str:
    sets = [f"{rng.randint(0, 7)}-{rng.randint(0, 7)}" for _ in range(rng.randint(3, 5))]
    games = [f"{rng.randint(60, 130)}-{rng.randint(60, 130)}" for _ in range(rng.randint(2, 4))]
    return rng.choice((", ".join, " ".join))(rng.choice((sets, games)))


def _gps(rng: random.Random) -> str:
    lat, lon = rng.uniform(-90, 90), rng.uniform(-180, 180)
    return rng.choice(
        (f"{lat:.6f}, {lon:.6f}", f"{lat:.4f} {lon:.4f}", f"{abs(lat):.5f} N, {abs(lon):.5f} E",
         f"{int(abs(lat))}°{rng.randint(0, 59):02d}'{rng.randint(0, 59):02d}\" N")
    )  # fmt: skip


def _version(rng: random.Random) -> str:
    return rng.choice(
        (
            f"v{rng.randint(1, 20)}.{rng.randint(0, 20)}.{rng.randint(0, 99999)}.{rng.randint(0, 9999)}",
            f"{rng.randint(1, 20)}.{rng.randint(0, 99)}.{rng.randint(0, 99)}",
            f"{rng.randint(2018, 2030)}.{rng.randint(1, 12):02d}.{rng.randint(1, 28):02d}.{rng.randint(1, 9999)}",
            f"192.168.{rng.randint(0, 255)}.{rng.randint(1, 254)}",
        )
    )


def _uuid(rng: random.Random) -> str:
    return str(uuid.UUID(int=rng.getrandbits(128), version=4))


def _hash(rng: random.Random) -> str:
    return f"{rng.getrandbits(160):040x}"


def _order(rng: random.Random) -> str:
    return rng.choice(
        (
            _d(rng, 8),
            _d(rng, 10),
            f"{_d(rng, 3)}-{_d(rng, 7)}-{_d(rng, 7)}",
            "CMD-2031-" + _d(rng, 6),
        )
    )


def _tracking(rng: random.Random) -> str:
    return rng.choice(
        (f"6A{_d(rng, 11)}", f"1Z999AA1{_d(rng, 10)}", f"{_d(rng, 13)}", f"LX{_d(rng, 9)}FR")
    )


def _years(rng: random.Random) -> str:
    years = sorted(rng.sample(range(1940, 2036), rng.randint(3, 6)))
    return ", ".join(map(str, years)) if rng.random() < 0.6 else f"{years[0]}-{years[-1]}"


def _quantities(rng: random.Random) -> str:
    return rng.choice(
        (
            f"{rng.randint(1, 900)} g, {rng.randint(1, 900)} g et {rng.randint(1, 90)} cl",
            f"{rng.randint(1_000_000, 2_000_000_000):,}".replace(",", " ") + " habitants",
            f"{rng.randint(10, 99)} x {rng.randint(10, 99)} x {rng.randint(100, 999)} cm",
            f"{rng.randint(1000, 9999)} kWh",
        )
    )


def _lottery(rng: random.Random) -> str:
    return " ".join(f"{n:02d}" for n in rng.sample(range(1, 50), rng.randint(5, 7)))


def _timetable(rng: random.Random) -> str:
    return ", ".join(
        f"{rng.randint(5, 23):02d} h {rng.randint(0, 59):02d}" for _ in range(rng.randint(3, 6))
    )


def _barcode(rng: random.Random) -> str:
    body = rng.choice(("301", "376", "500")) + _d(rng, 9)
    total = sum(int(c) * (1, 3)[i % 2] for i, c in enumerate(body))
    return body + str(-total % 10)


def _counting(rng: random.Random) -> str:
    top = rng.randint(5, 16)
    words = (
        "un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize"
    )
    return rng.choice((" ", ", ")).join(words.split()[:top])


#: Kind of look-alike: how it is drawn, and the sentences around it, French then English.
HARD: dict[str, tuple[Callable[[random.Random], str], tuple[str, ...]]] = {
    "date": (_date, ("Il est né le {}.", "C'était le {}, je crois.", "Due on {}.")),
    "price": (_price, ("Ça coûte {} en tout.", "Le devis monte à {}.", "It cost {} last year.")),
    "isbn": (_isbn, ("ISBN {}.", "Le livre, ISBN {}, est épuisé.", "The ISBN is {}.")),
    "siret": (_siret, ("SIRET {}.", "Le SIRET de l'atelier : {}.", "Company SIRET {}.")),
    "score": (_scores, ("Ils ont gagné {}.", "Score final : {}.", "We lost {}.")),
    "gps": (_gps, ("Le refuge est à {}.", "Coordonnées : {}.", "The cabin is at {}.")),
    "version": (_version, ("Je suis passé en {}.", "La version {} plante.", "Build {} is out.")),
    "uuid": (_uuid, ("Identifiant technique {}.", "L'erreur dit {}.", "id {} in the log")),
    "hash": (_hash, ("Le commit {} casse tout.", "commit {}")),
    "order": (_order, ("Commande n° {} expédiée.", "Ma commande {} est en retard.", "Order {} shipped.")),
    "tracking": (_tracking, ("Numéro de suivi {}.", "Colis {} arrivé.", "Tracking {}.")),
    "years": (_years, ("On y est allés en {}.", "Les étés {}.", "In {} we moved.")),
    "quantity": (_quantities, ("Il faut {}.", "On parle de {}.", "It takes {}.")),
    "lottery": (_lottery, ("Tirage du loto : {}.", "Les numéros du loto : {}.", "Lottery draw: {}.")),
    "timetable": (_timetable, ("Les bus passent à {}.", "Départs : {}.")),
    "barcode": (_barcode, ("EAN {}.", "Le code-barres {} ne passe pas.", "Barcode {}.")),
    "counting": (_counting, ("Elle compte : {} !", "Et {}, c'est parti.")),
}  # fmt: skip


def look_alike(rng: random.Random, kind: str) -> str:
    """A sentence around something of that kind that only looks like an identifier."""
    draw, around = HARD[kind]
    return rng.choice(around).format(draw(rng))
