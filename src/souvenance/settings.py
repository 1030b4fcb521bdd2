"""What can be set, where each value came from, and one clear sentence when a value cannot be used.

Values come from `souvenance.toml`, then the environment, then flags, the later winning; pydantic stays in this file.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit, urlunsplit

from platformdirs import user_config_path, user_data_path
from pydantic import (  # fmt: skip
    BaseModel,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from souvenance.errors import BadSetting

_PREFIX = "SOUVENANCE_"
#: Read elsewhere, and not settings: where the file is, and whether to show tracebacks.
_NOT_SETTINGS = frozenset({"SOUVENANCE_CONFIG", "SOUVENANCE_DEBUG"})
_FLAG_NAMES = {"language": "--lang", "embedder.kind": "--embedder"}
_MASK = "••••••"


# --- what can be set ----------------------------------------------------------------------------


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class _Server(_Section):
    """A server reached over HTTP, perhaps with a key."""

    url: str | None = None
    model: str | None = None
    api_key: SecretStr | None = None

    @field_validator("url")
    @classmethod
    def _is_http(cls, url: str | None) -> str | None:
        if url is None:
            return None
        try:
            parts = urlsplit(url)
            usable = parts.scheme in ("http", "https") and bool(parts.hostname)
            _ = parts.port
        except ValueError:
            usable = False
        if not usable:
            raise ValueError("an address such as http://localhost:11434/v1")
        return url.rstrip("/")


class ChatSettings(_Server):
    """The chat model. Without `url`, Ollama is looked for at its usual address when `discover` is true."""

    discover: bool = True
    #: Tokens of context asked of Ollama, whose own default is too short for a persona with a memory. Chosen, not measured.
    num_ctx: int = Field(default=8192, ge=512)
    connect_timeout_s: float = Field(default=3.0, gt=0)
    #: Seconds without a byte, not for the whole reply. Chosen, not measured: a small machine thinks long.
    read_timeout_s: float = Field(default=120.0, gt=0)


class EmbedderSettings(_Server):
    """What turns texts into vectors. `threshold` replaces the embedder's own cosine threshold."""

    #: `auto` is the blend of those of this process that are installed, `blend` needs them all.
    kind: Literal["auto", "blend", "bundled", "e5", "minilm", "openai", "ollama", "none"] = "auto"
    threshold: float | None = Field(default=None, ge=-1, le=1)
    #: What some models behind a server want before a text that looks for others, and before one that is looked for.
    query_prefix: str | None = None
    passage_prefix: str | None = None

    @model_validator(mode="after")
    def _is_complete(self) -> EmbedderSettings:
        if self.kind == "openai" and self.url is None:
            raise _lacks("embedder.url", self.kind)
        if self.kind in ("openai", "ollama") and self.model is None:
            raise _lacks("embedder.model", self.kind)
        return self


def _lacks(needed: str, kind: str) -> PydanticCustomError:
    """Why an embedder behind a server cannot be asked; the type is the code of the error."""
    told = {"needed": needed, "value": kind}
    return PydanticCustomError(
        "embedder_incomplete", '{needed} is needed when embedder.kind is "{value}"', told
    )


class TurnSettings(_Section):
    """What one turn may cost."""

    #: Seconds, outer deadline of the query's embedding, queues and locks included; 5 suits a remote embedder.
    embedding_deadline_s: float = Field(default=1.5, gt=0)
    budget_tokens: int = Field(default=4096, ge=256)
    recent_messages: int = Field(default=40, ge=0)
    #: Whether private identifiers are taken out of what the chat model is asked, as they are of what is stored.
    redact_before_model: bool = False


class ReflectionSettings(_Section):
    """How exchanges become memories once the reply is delivered."""

    idle_s: float = Field(default=2.0, ge=0)
    batch: int = Field(default=6, ge=1)
    attempts: int = Field(default=5, ge=1)
    lease_s: float = Field(default=60.0, gt=0)
    #: `auto` uses the chat model when there is one, and the person's own sentences otherwise.
    mode: Literal["auto", "model", "extractive"] = "auto"
    #: Proposals of a lower confidence are dropped. 0, off: on the cases of the filters a limit of 0.85 lets every
    #: defect through, because a model is as sure of what it made up; what the person doubted stands in the words.
    min_confidence: float = Field(default=0.0, ge=0, le=1)


class IndexSettings(_Section):
    """The background loop that embeds what changed."""

    every_s: float = Field(default=45.0, gt=0)
    batch: int = Field(default=64, ge=1)


class VerbatimSettings(_Section):
    """The messages themselves, searched for what no memory captured."""

    enabled: bool = True
    #: Messages that a context holds at most beside the memories. Chosen, not measured.
    messages: int = Field(default=3, ge=0, le=24)


class ReadSettings(_Section):
    """What was read of the person's own memories in one language, for one embedder: it serves no other."""

    #: The name of the embedder that the others were read for.
    embedder: str | None = None
    threshold: float | None = Field(default=None, ge=-1, le=1)
    spread: float | None = Field(default=None, gt=0, le=2)
    word_weight: float | None = Field(default=None, ge=0, le=10)
    #: Places of the recalled stage, of the 24.
    slots: int | None = Field(default=None, ge=1, le=24)

    @model_validator(mode="after")
    def _is_of_an_embedder(self) -> ReadSettings:
        read = (self.threshold, self.spread, self.word_weight, self.slots)
        if self.embedder is None and any(value is not None for value in read):
            raise PydanticCustomError(
                "recall_without_embedder",
                "recall settings of a language need its embedder, by the name that `souvenance doctor` shows",
            )
        return self


class RecallSettings(_Section):
    """How memories are called, by language of the character; `souvenance calibrate recall --apply` writes it."""

    fr: ReadSettings = Field(default_factory=ReadSettings)
    en: ReadSettings = Field(default_factory=ReadSettings)

    def of(self, language: str) -> ReadSettings:
        """What was read in a language; nothing for one that has no settings."""
        found = getattr(self, language) if language in type(self).model_fields else None
        return found or ReadSettings()


class Settings(_Section):
    """Everything that can be set; the defaults need no file, no network and no model."""

    database: Path = Field(default_factory=lambda: user_data_path("souvenance") / "memory.db")
    language: Literal["auto", "fr", "en"] = "auto"
    space: str = Field(default="default", min_length=1)
    #: A folder of the user's own characters, one TOML file each.
    characters: Path = Field(default_factory=lambda: user_config_path("souvenance") / "characters")
    chat: ChatSettings = Field(default_factory=ChatSettings)
    embedder: EmbedderSettings = Field(default_factory=EmbedderSettings)
    turn: TurnSettings = Field(default_factory=TurnSettings)
    reflection: ReflectionSettings = Field(default_factory=ReflectionSettings)
    index: IndexSettings = Field(default_factory=IndexSettings)
    recall: RecallSettings = Field(default_factory=RecallSettings)
    verbatim: VerbatimSettings = Field(default_factory=VerbatimSettings)

    @field_validator("database", "characters")
    @classmethod
    def _at_home(cls, path: Path) -> Path:
        """The path with a leading `~` resolved. Errors: no NUL, nothing empty."""
        if "\0" in str(path) or str(path) in ("", "."):
            raise ValueError("the path of a file or folder")
        return path.expanduser()


@dataclass(frozen=True, slots=True)
class Loaded:
    """The settings, and for each dotted key where its value came from."""

    settings: Settings
    origins: Mapping[str, str]

    def shown(self) -> dict[str, str]:
        """Every dotted key with its value as it may be shown: keys and passwords masked."""
        return {key: _show(key, value) for key, value in _leaves(self.settings)}


# --- reading them -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Given:
    """One value somebody gave: what, and where it was given."""

    value: Any
    origin: str


def load(
    *,
    file: Path | None = None,
    env: Mapping[str, str] | None = None,
    flags: Mapping[str, Any] | None = None,
) -> Loaded:
    """The settings in force and where each came from.

    Order: `file` (or `$SOUVENANCE_CONFIG`, `./souvenance.toml`, the user's own), then `env`, then `flags`
    (dotted keys; None counts as not given).
    Errors: `BadSetting`, which names the key, the value, where it stands and what is expected.
    """
    env = os.environ if env is None else env
    keys = [key for key, _ in _leaves(Settings())]
    given: dict[str, _Given] = {}
    path = _find(file, env)
    if path is not None:
        given |= _from_file(path)
    given |= _from_environment(env, keys)
    for key, value in (flags or {}).items():
        if value is not None:
            given[key] = _Given(value, f"flag {_FLAG_NAMES.get(key, '--' + _dashed(key))}")
    for key, one in given.items():
        if key not in keys:
            raise _unknown(key, one.origin, keys)
    settings = _validate(given)
    return Loaded(settings, {key: given[key].origin if key in given else "default" for key in keys})


def file_in_force(file: Path | None = None, env: Mapping[str, str] | None = None) -> Path:
    """The settings file that `load` reads, `./souvenance.toml` when there is none yet."""
    return _find(file, os.environ if env is None else env) or Path("souvenance.toml")


def _find(file: Path | None, env: Mapping[str, str]) -> Path | None:
    """The settings file in force, None when there is none. A file that was asked for must exist."""
    asked = file or (Path(env["SOUVENANCE_CONFIG"]) if env.get("SOUVENANCE_CONFIG") else None)
    if asked is not None:
        return asked.expanduser()
    for path in (Path("souvenance.toml"), user_config_path("souvenance") / "souvenance.toml"):
        if path.is_file():
            return path
    return None


def _from_file(path: Path) -> dict[str, _Given]:
    try:
        tree = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise BadSetting(
            f"the settings file {path} cannot be read: {error.strerror or error}",
            code="settings_unreadable",
            fields={"path": path, "why": error.strerror or error},
        ) from error
    except UnicodeDecodeError as error:
        raise BadSetting(
            f"the settings file {path} is not UTF-8 text",
            code="settings_not_utf8",
            fields={"path": path},
        ) from error
    except tomllib.TOMLDecodeError as error:
        raise BadSetting(
            f"the settings file {path} is not valid TOML: {error}",
            code="settings_not_toml",
            fields={"path": path, "why": error},
        ) from error
    given = {}
    for key, value in _flatten(tree):
        if key in ("database", "characters") and isinstance(value, str):
            value = str(path.parent / Path(value).expanduser())  # beside the file that names it
        given[key] = _Given(value, f"souvenance.toml ({path})")
    return given


def _from_environment(env: Mapping[str, str], keys: list[str]) -> dict[str, _Given]:
    names = {_PREFIX + key.replace(".", "_").upper(): key for key in keys}
    given = {}
    for name, value in env.items():
        if not name.startswith(_PREFIX) or name in _NOT_SETTINGS or not value:
            continue
        if name not in names:
            raise _unknown(name, "environment", list(names))
        given[names[name]] = _Given(value, f"environment {name}")
    return given


def _validate(given: Mapping[str, _Given]) -> Settings:
    tree: dict[str, Any] = {}
    for key, one in given.items():
        *sections, leaf = key.split(".")
        node = tree
        for section in sections:
            node = node.setdefault(section, {})
        node[leaf] = one.value
    try:
        return Settings.model_validate(tree)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        key = ".".join(str(part) for part in first["loc"])
        raise _unusable(key, given, first["msg"], first["type"], first.get("ctx", {})) from None


def _unusable(
    key: str, given: Mapping[str, _Given], message: str, kind: str, limits: Mapping[str, Any]
) -> BadSetting:
    """One sentence: which key, which value, from where, what is expected. `kind` and `limits` as pydantic gives them."""
    if key not in given:  # a check over a whole section
        section = [one for name, one in given.items() if name.startswith(key + ".")]
        origins = ", ".join(sorted({one.origin for one in section})) or "default"
        fields = {**limits, "key": key, "origin": origins}
        return BadSetting(f"{message} ({origins})", code=kind, fields=fields)
    expected = message.removeprefix("Value error, ").replace("Input should be ", "")
    expected = expected.split(", unable to", 1)[0].split(", got ", 1)[0]
    origin, value = given[key].origin, _show(key, given[key].value)
    if kind == "value_error":  # a check of our own: which one
        kind += "." + key.rpartition(".")[2]
    return BadSetting(
        f"{key} = {value} ({origin}) cannot be used: expected {expected}",
        code="bad_setting",
        fields={
            "key": key, "value": value, "origin": origin, "expected": expected, "kind": kind,
            "choices": str(limits.get("expected", "")).replace(" or ", ", "),
            **{name: limits.get(name) for name in ("gt", "ge", "lt", "le")},
        },
    )  # fmt: skip


def _unknown(key: str, origin: str, known: list[str]) -> BadSetting:
    """The error for a key that does not exist, with the nearest that does, else where they are listed."""
    close = get_close_matches(key, known, n=1, cutoff=0.6)
    hint = f"did you mean {close[0]}?" if close else "`souvenance doctor` lists the settings"
    return BadSetting(
        f"unknown setting {key} ({origin}); {hint}",
        code="unknown_setting_close" if close else "unknown_setting",
        fields={"key": key, "origin": origin, "close": close[0] if close else ""},
    )


# --- keys and how they are shown ----------------------------------------------------------------


def _leaves(section: BaseModel, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Every dotted key with its value, in the order of the file."""
    for name in type(section).model_fields:
        value = getattr(section, name)
        if isinstance(value, BaseModel):
            yield from _leaves(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value


def _flatten(tree: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in tree.items():
        if isinstance(value, Mapping) and value:
            yield from _flatten(value, f"{prefix}{name}.")
        elif not isinstance(value, Mapping):
            yield prefix + name, value


def _show(key: str, value: object) -> str:
    if value is None:
        return "-"
    if key.endswith("api_key"):
        return _MASK
    if key.endswith("url"):
        return _without_secrets(str(value))
    return str(value).lower() if isinstance(value, bool) else str(value)  # as TOML writes it


def _without_secrets(url: str) -> str:
    """The address without a password or a query, either of which may hold a key."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    host = parts.netloc.rpartition("@")
    netloc = f"{_MASK}@{host[2]}" if host[1] else parts.netloc
    return urlunsplit((parts.scheme, netloc, parts.path, _MASK if parts.query else "", ""))


def _dashed(key: str) -> str:
    return key.replace(".", "-").replace("_", "-")
