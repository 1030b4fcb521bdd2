"""Makes the text of a memory one line that a model or a screen cannot take for anything but a text.

A memory is what somebody said: it may look like the end of its fence, a speaker's name, a chat template or markup.
"""

from __future__ import annotations

import re
import unicodedata

#: Characters of one line's text; a longer memory is cut. Chosen, not measured.
LINE_CHARS = 500
_CUT = "..."

#: Characters read for each one that a line may hold, so that a message of a megabyte costs a turn no more than a long
#: one. Chosen: blanks and signs that nobody sees seldom make up three quarters of a text.
_READ = 4

#: Combining marks kept on one letter; more of them draw over the lines around. Chosen: Vietnamese needs two.
_MARKS = 2

#: Look-alikes that cannot imitate a fence, a role marker, a chat template or Markdown, nor split a line.
_HARMLESS = str.maketrans({
    "<": "‹", ">": "›", "[": "(", "]": ")", "{": "(", "}": ")", "|": "¦", "`": "'", "\\": "⧵",
})  # fmt: skip

#: Blank on screen although Unicode counts them as letters, marks or signs: fillers, selectors, the empty Braille cell.
_INVISIBLE = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufffc\U00016fe4\U0001d159"
) | {chr(c) for c in (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))}

#: Letters of other scripts drawn like a Latin one, which a role or a tag could be spelled with, and signs drawn like
#: a colon. For recognising only: what is recognised as nothing is left as it was written.
_DRAWN_LIKE = {
    "a": "аαᴀɑ", "b": "Ьв", "c": "сϲᴄ", "d": "ԁᴅ", "e": "еεєᴇ", "h": "һнʜ", "i": "іıιɪ", "j": "ј", "k": "кκᴋ",
    "l": "ӏⅼʟ", "m": "мᴍ", "n": "пηɴ", "o": "оοσᴏօ", "p": "рρᴘ", "q": "ԛ", "r": "гʀ", "s": "ѕꜱ", "t": "тτᴛ",
    "u": "υцᴜս", "v": "ѵνᴠ", "w": "ԝωᴡ", "x": "хχ", "y": "уγүʏ", ":": "՝ː∶꞉׃᛬⁚：",
}  # fmt: skip
_SKELETON = {sign: latin for latin, signs in _DRAWN_LIKE.items() for sign in signs}

#: Names of speakers, as chat formats write them, in both genders; and the words that announce what is to be obeyed.
_SPEAKERS = (
    r"systeme?|assistante?|user|utilisat(?:eur|rice)|humai?ne?|tool|outil|function|develop(?:er|peur|peuse)"
    r"|modele?|(?:chat)?bot|role|instructions?|consignes?"
)

#: A speaker's name with what may stand around it ("**System** :"), up to the colon that makes it one.
_ROLE = re.compile(
    rf"(?<![^\W\d_])(?:{_SPEAKERS})[^\w:]{{0,6}}(:(?:[^\w:]{{0,6}}:)*)", re.IGNORECASE
)

#: Our own fence, however its brackets are drawn; those before it are looked for from there, for a pattern that began
#: with them would read a long run of brackets anew from each of them.
_FENCE = re.compile(r"souvenance[\W_]*memory[/\s›>〉⟩❯❭»˃ᐳ⧽≻＞)]*", re.IGNORECASE)
_BEFORE_FENCE = "‹<〈⟨❮❬«˂ᐸ⧼≺＜(/ "
_NAMED = " souvenance memory "

#: An HTML entity, which a page would turn back into the character.
_ENTITY = re.compile(r"&(?=(?:#\w{1,8}|\w{2,31});)")

#: Runs that open a heading, a rule or an instruction block in usual chat formats.
_RUNS = re.compile(r"([#=*~_-])\1{2,}")

#: A stage direction that opens a line ("*draws a sword*"): its asterisk is no bullet.
_PLAYED = re.compile(r"\*[^\s*#+=~-][^*]*(?<!\s)\*+(?!\w)")


def harmless(text: str, limit: int = LINE_CHARS) -> str:
    """The text as one line that can neither leave its fence nor pass for a role, a heading or a template.

    Control, bidirectional, zero-width, private and unassigned characters go; brackets become look-alikes.
    Applying it twice changes nothing more.
    """
    most = _READ * limit
    shown = unicodedata.normalize("NFKC", _shown(text[:most]))[:most].translate(_HARMLESS)
    line = _ENTITY.sub("& ", " ".join(_shown(shown).split()))
    line = " ".join(_replaced(_FENCE, 0, _NAMED, line, before=_BEFORE_FENCE).split())
    line = " ".join(_replaced(_ROLE, 1, " -", line).split())
    quiet = _unbulleted(_RUNS.sub(r"\1", line)).rstrip()
    if len(quiet) <= limit:
        return quiet
    cut = quiet[: limit - len(_CUT)].rstrip() + _CUT
    return cut if _PLAYED.match(f"*{cut.lstrip('*')}") else cut.lstrip("*")


def _replaced(pattern: re.Pattern[str], group: int, by: str, text: str, *, before: str = "") -> str:
    """The text with that group of each match replaced, the pattern being tried on letters as they are drawn.

    The signs of `before` that stand in front of it go too.
    """
    drawn, places = _drawn(text)
    places.append(len(text))
    parts, done = list[str](), 0
    for found in pattern.finditer(drawn):
        first = len(drawn[: found.start(group)].rstrip(before)) if before else found.start(group)
        start, end = places[first], places[found.end(group)]  # its accents too
        parts += [text[done : max(start, done)], by]
        done = end
    return "".join([*parts, text[done:]])


def _drawn(text: str) -> tuple[str, list[int]]:
    """The text in small Latin letters without accents as far as it looks like that, and where each sign stands."""
    if text.isascii():
        return text, list(range(len(text)))
    signs, places = [], []
    for place, one in enumerate(text):
        for sign in unicodedata.normalize("NFD", one):
            if not unicodedata.combining(sign):
                low = sign.lower()[0]
                signs.append(_SKELETON.get(low, low))
                places.append(place)
    return "".join(signs), places


def _unbulleted(line: str) -> str:
    """The line without the bullet or heading it opens with; an asterisk that another one closes stays with it."""
    bare = line.lstrip("-#*+=~ ")
    lead = line[: len(line) - len(bare)]
    stars = lead[len(lead.rstrip("*")) :]
    return stars + bare if stars and _PLAYED.match(f"*{bare}") else bare


def _shown(text: str) -> str:
    """The text without what nobody sees; line breaks and other blanks become spaces, and marks do not pile up."""
    shown: list[str] = []
    marks = 0
    for one in text:
        marks = marks + 1 if unicodedata.combining(one) else 0
        if one not in _INVISIBLE and marks <= _MARKS:
            shown.append(_visible(one))
    return "".join(shown)


def _visible(character: str) -> str:
    category = unicodedata.category(character)
    if category in ("Cc", "Zl", "Zp", "Zs"):
        return " "
    return "" if category in ("Cf", "Cs", "Co", "Cn") else character
