"""What the command line says, in French and English, read from the files beside this one.

A message is looked up by its dotted key; one with a plural is a pair `one` / `other` chosen by `n`. What the library
says by itself is English: `errors.fr.toml` says its errors in French, `reasons.fr.toml` the reasons of its decisions.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal, get_args

Language = Literal["fr", "en"]
LANGUAGES: tuple[Language, ...] = get_args(Language)


@dataclass(frozen=True, slots=True)
class Words:
    """The messages of one language."""

    language: Language
    messages: Mapping[str, str]
    #: The library's own sentences in this language, by key; empty in English, where it says them itself.
    errors: Mapping[str, str] = field(default_factory=dict)
    #: Its reasons, by the English they are stored in; empty in English.
    reasons: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, key: str, **values: object) -> str:
        """The message of that key with its placeholders filled; `n` chooses between one and several."""
        text = self.messages.get(key)
        if text is None:
            n = values.get("n")
            text = self.messages[f"{key}.{'one' if self._is_one(n) else 'other'}"]
        return text.format(**values) if values else text

    def get(self, key: str, default: str = "") -> str:
        """The message of that key as written, `default` when there is none."""
        return self.messages.get(key, default)

    def has(self, key: str) -> bool:
        """Whether there is a message of that key."""
        return key in self.messages

    def _is_one(self, n: object) -> bool:
        return n == 1 or (n == 0 and self.language == "fr")  # French counts zero as singular


@lru_cache(maxsize=2)
def words(language: Language) -> Words:
    """The messages of a language."""
    french = language == "fr"
    errors = _read("errors.fr.toml") if french else {}
    reasons = _read("reasons.fr.toml") if french else {}
    return Words(language, _read(f"{language}.toml"), errors, reasons)


def _read(name: str) -> dict[str, str]:
    tree = tomllib.loads((files(__package__) / name).read_text("utf-8"))
    return dict(_flat(tree))


def from_locale(env: Mapping[str, str] | None = None) -> Language:
    """The language of the locale: French when LC_ALL, else LC_MESSAGES, else LANG says so; English otherwise."""
    env = os.environ if env is None else env
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if env.get(name):
            return "fr" if env[name].lower().startswith("fr") else "en"
    return "en"


def early(args: Sequence[str], env: Mapping[str, str] | None = None) -> Language:
    """The language before any settings file was read: `--lang`, then SOUVENANCE_LANGUAGE, then the locale."""
    env = os.environ if env is None else env
    asked = env.get("SOUVENANCE_LANGUAGE", "")
    for index, arg in enumerate(args):
        if arg == "--lang" and index + 1 < len(args):
            asked = args[index + 1]
        elif arg.startswith("--lang="):
            asked = arg.removeprefix("--lang=")
    return chosen(asked, env)


def chosen(setting: str, env: Mapping[str, str] | None = None) -> Language:
    """The language a setting stands for; `auto` and anything unknown follow the locale."""
    for language in LANGUAGES:
        if setting == language:
            return language
    return from_locale(env)


def _flat(tree: Mapping[str, Any], prefix: str = "") -> list[tuple[str, str]]:
    flat = []
    for key, value in tree.items():
        if isinstance(value, Mapping):
            flat += _flat(value, f"{prefix}{key}.")
        else:
            flat.append((prefix + key, str(value)))
    return flat
