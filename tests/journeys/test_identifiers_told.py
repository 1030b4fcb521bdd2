"""Who asks to remember a private identifier is told plainly that it was not kept and why; the rest is kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from souvenance.interfaces.cli.app import app

#: (language, what is typed, what the person is told about it)
ASKED = [
    (
        "fr",
        "Retiens mon numéro 06 98 41 27 30 et que j'adore le fenouil",
        [
            "Laissé de côté, parce que cela vous identifie : un numéro de téléphone. Le reste de votre message est gardé.",
            "  noté : Retiens mon numéro [phone] et que j'adore le fenouil  [ID]",
        ],
    ),
    (
        "fr",
        "Mon IBAN FR76 3000 6000 0112 3456 7890 189, mon mail lea@exemple.fr, et j'habite à Sète",
        [
            "Laissé de côté, parce que cela vous identifie : une adresse e-mail, un compte bancaire. Le reste de votre message est gardé.",
            "  noté : Mon IBAN [iban], mon mail [email], et j'habite à Sète  [ID]",
        ],
    ),
    (
        "fr",
        "06 98 41 27 30",
        [
            "Laissé de côté, parce que cela vous identifie : un numéro de téléphone. Votre message ne disait rien d'autre : rien n'en est gardé.",
        ],
    ),
    (
        "en",
        "Remember my card 4539 1488 0343 6467, and that I love fennel",
        [
            "Left out, because it identifies you: a card number. The rest of what you typed is kept.",
            "  noted: Remember my card [card], and that I love fennel  [ID]",
        ],
    ),
    (
        "en",
        "Save my number (617) 555-0148 and remember that I keep bees",
        [
            "Left out, because it identifies you: a phone number. The rest of what you typed is kept.",
            "  noted: Save my number [phone] and remember that I keep bees  [ID]",
        ],
    ),
    (
        "en",
        "ruth@parcel.io",
        [
            "Left out, because it identifies you: an e-mail address. Your message said nothing else, so nothing of it is kept.",
        ],
    ),
]  # fmt: skip


@pytest.fixture(autouse=True)
def own_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOUVENANCE_DATABASE", str(tmp_path / "m.db"))
    monkeypatch.setenv("SOUVENANCE_EMBEDDER_KIND", "none")
    monkeypatch.setenv("SOUVENANCE_CHAT_DISCOVER", "false")
    monkeypatch.setenv("COLUMNS", "300")


@pytest.mark.parametrize(("language", "typed", "told"), ASKED)
def test_the_person_is_told_what_was_not_kept_and_the_rest_is(
    monkeypatch: pytest.MonkeyPatch, language: str, typed: str, told: list[str]
) -> None:
    """In the chat, right behind what was typed."""
    import re

    monkeypatch.setenv("SOUVENANCE_LANGUAGE", language)
    done = CliRunner().invoke(app, ["chat", "-p", "ines"], input=f"{typed}\n")
    assert done.exit_code == 0, done.output
    lines = [re.sub(r"\[[0-9a-f]{10}\]", "[ID]", line) for line in done.stdout.splitlines()]
    start = next(i for i, line in enumerate(lines) if line.startswith(told[0][:8]))
    assert lines[start : start + len(told)] == told


@pytest.mark.parametrize(
    ("language", "text", "told"),
    [
        ("fr", "J'habite à Sète, sécu 2 55 08 14 168 025 38", "Laissé de côté, parce que cela vous identifie : un numéro d'identité. Le reste de votre message est gardé."),
        ("en", "I keep bees, passport 533401872", "Left out, because it identifies you: a passport number. The rest of what you typed is kept."),
    ],
)  # fmt: skip
def test_a_memory_by_hand_says_it_too(
    monkeypatch: pytest.MonkeyPatch, language: str, text: str, told: str
) -> None:
    """The hand types what it wants kept, so it hears the same."""
    monkeypatch.setenv("SOUVENANCE_LANGUAGE", language)
    done = CliRunner().invoke(app, ["memories", "add", text, "-p", "ines"])
    assert done.exit_code == 0, done.output
    assert done.stdout.splitlines()[-1] == told
