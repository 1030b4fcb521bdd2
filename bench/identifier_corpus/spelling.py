"""Writes figures as words in French and English, as somebody dictates them."""

from __future__ import annotations

FRENCH = [
    "zéro",
    "un",
    "deux",
    "trois",
    "quatre",
    "cinq",
    "six",
    "sept",
    "huit",
    "neuf",
    "dix",
    "onze",
    "douze",
    "treize",
    "quatorze",
    "quinze",
    "seize",
]
ENGLISH = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS_FR = ("", "", "vingt", "trente", "quarante", "cinquante", "soixante")
_TENS_EN = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


def french(n: int) -> str:
    """A figure below ten thousand in French."""
    if n >= 1000:
        head, rest = divmod(n, 1000)
        start = "mille" if head == 1 else f"{french(head)} mille"
        return start if not rest else f"{start} {french(rest)}"
    if n >= 100:
        head, rest = divmod(n, 100)
        start = "cent" if head == 1 else f"{french(head)} cent"
        return start if not rest else f"{start} {french(rest)}"
    if n < 17:
        return FRENCH[n]
    if n < 20:
        return f"dix-{FRENCH[n - 10]}"
    if n < 70:
        ten, unit = divmod(n, 10)
        if unit == 0:
            return _TENS_FR[ten]
        return f"{_TENS_FR[ten]} et un" if unit == 1 else f"{_TENS_FR[ten]}-{FRENCH[unit]}"
    if n < 80:
        return "soixante et onze" if n == 71 else f"soixante-{french(n - 60)}"
    return "quatre-vingts" if n == 80 else f"quatre-vingt-{french(n - 80)}"


def english(n: int) -> str:
    """A figure below a hundred in English."""
    if n < 20:
        return ENGLISH[n]
    ten, unit = divmod(n, 10)
    return _TENS_EN[ten] if unit == 0 else f"{_TENS_EN[ten]}-{ENGLISH[unit]}"


def spoken_group(group: str, language: str) -> str:
    """A group of digits as said at once: leading zeros one by one, then the figure."""
    zeros = len(group) - len(group.lstrip("0"))
    words = [FRENCH[0] if language == "fr" else ENGLISH[0]] * zeros
    rest = group[zeros:]
    if rest:
        if language == "fr":
            words.append(french(int(rest)))
        elif len(rest) <= 2:
            words.append(english(int(rest)))
        else:
            words += [ENGLISH[int(d)] for d in rest]
    return " ".join(words)


def digit_words(digits: str, language: str) -> list[str]:
    """Each digit as its word."""
    table = FRENCH if language == "fr" else ENGLISH
    return [table[int(d)] for d in digits]
