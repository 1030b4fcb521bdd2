"""What the library says in English reaches a French reader in French."""

from __future__ import annotations

import ast
import string
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import souvenance
from souvenance.characters import read_character
from souvenance.domain import Space
from souvenance.errors import BadInput, SouvenanceError
from souvenance.interfaces.cli.border import sentence
from souvenance.interfaces.cli.said import origin_text
from souvenance.interfaces.cli.wording import words
from souvenance.measure import locomofile, recallfile
from souvenance.measure.conversations import read
from souvenance.models.embed import E5Embedder
from souvenance.opening import choose_embedder
from souvenance.settings import EmbedderSettings, Settings, load

SOURCE = Path(souvenance.__file__).parent


def _raised(work: Callable[[], Any]) -> SouvenanceError:
    with pytest.raises(SouvenanceError) as caught:
        work()
    return caught.value


def _character(text: str) -> Callable[[], Any]:
    return lambda: read_character(text, space=Space("default"), origin="éloi.toml")


def _setting(name: str, value: str) -> Callable[[], Any]:
    return lambda: load(env={name: value})


FRENCH = [
    (_setting("SOUVENANCE_CHAT_ULR", "x"), "Le réglage SOUVENANCE_CHAT_ULR n'existe pas (environnement) ; vouliez-vous dire SOUVENANCE_CHAT_URL ?"),
    (_setting("SOUVENANCE_INDEX_BATCH", "many"), "index.batch = many (environnement SOUVENANCE_INDEX_BATCH) ne convient pas : il faut un nombre entier."),
    (_setting("SOUVENANCE_INDEX_BATCH", "0"), "index.batch = 0 (environnement SOUVENANCE_INDEX_BATCH) ne convient pas : il faut un nombre d'au moins 1."),
    (_setting("SOUVENANCE_EMBEDDER_KIND", "best"), "embedder.kind = best (environnement SOUVENANCE_EMBEDDER_KIND) ne convient pas : il faut l'une de ces valeurs : 'auto', 'blend', 'bundled', 'e5', 'minilm', 'openai', 'ollama', 'none'."),
    (_setting("SOUVENANCE_CHAT_URL", "ici"), "chat.url = ici (environnement SOUVENANCE_CHAT_URL) ne convient pas : il faut une adresse comme http://localhost:11434/v1."),
    (_setting("SOUVENANCE_EMBEDDER_KIND", "openai"), "Il faut embedder.url quand embedder.kind vaut « openai » (environnement SOUVENANCE_EMBEDDER_KIND)."),
    (_setting("SOUVENANCE_EMBEDDER_KIND", "ollama"), "Il faut embedder.model quand embedder.kind vaut « ollama » (environnement SOUVENANCE_EMBEDDER_KIND)."),
    (_setting("SOUVENANCE_RECALL_FR_SLOTS", "9"), "Les réglages recall.fr demandent leur recall.fr.embedder, du nom que montre `souvenance doctor` (environnement SOUVENANCE_RECALL_FR_SLOTS)."),
    (_character('nmae = "Éloi"'), "éloi.toml : la clé « nmae » n'existe pas ; les clés sont greeting, id, isolation, language, name, persona, plan, state."),
    (_character('name = "Éloi"'), 'éloi.toml demande persona = "…", un texte qui n\'est pas vide.'),
    (_character('name = "Éloi"\npersona = "Tu passes."\nplan = "guide"'), "éloi.toml : plan vaut « guide » ; c'est au choix companion, agent."),
    (lambda: recallfile.read(Path("nulle-part.json")), "nulle-part.json ne peut pas être lu : No such file or directory."),
    (lambda: recallfile.read(Path("nulle-part.jsonl")), "nulle-part.jsonl ne peut pas être lu : No such file or directory."),
    (lambda: locomofile.read(Path("nulle-part.json")), "nulle-part.json ne peut pas être lu : No such file or directory."),
    (lambda: read(Path("nulle-part.jsonl")), "nulle-part.jsonl ne peut pas être lu : No such file or directory."),
]  # fmt: skip


@pytest.mark.parametrize(("work", "said"), FRENCH, ids=[said[:30] for _, said in FRENCH])
def test_a_frequent_error_is_one_french_sentence(work: Callable[[], Any], said: str) -> None:
    """Whoever reads French gets neither English nor two full stops."""
    assert sentence(_raised(work), words("fr")) == said


def test_an_embedder_that_is_not_installed_is_said_in_french(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its kind is no kind of value: taken for one, the sentence ended in a traceback."""
    monkeypatch.setattr(E5Embedder, "is_installed", classmethod(lambda cls: False))
    settings = Settings(embedder=EmbedderSettings(kind="e5"))
    said = sentence(_raised(lambda: choose_embedder(settings)), words("fr"))
    assert said.startswith("embedder.kind vaut « e5 », qui n'est pas installé pour ce Python")


LINES = [
    ("{nope", "La ligne 1 n'est pas du JSON"),
    ("[]", "La ligne 1 n'est pas un objet JSON."),
    ('{"id": "a", "messages": {}}', "Ligne 1 : « messages » doit être une liste."),
    ('{"id": "a", "messages": [{"role": "dog"}]}', "Ligne 1 (messages[0]) : « role » doit valoir"),
    ('{"id": "a", "messages": [{"role": "user", "at": "once"}]}', "Ligne 1 (messages[0]) : « at »"),
]


@pytest.mark.parametrize(("line", "said"), LINES)
def test_a_bad_line_is_named_in_french(line: str, said: str, tmp_path: Path) -> None:
    """The number of the line and the place in it must survive the translation."""
    path = tmp_path / "talks.jsonl"
    path.write_text(line, "utf-8")
    assert sentence(_raised(lambda: read(path)), words("fr")).startswith(said)


def test_english_and_unknown_codes_keep_the_words_of_the_error() -> None:
    """An error that nobody translated must still be said."""
    error = BadInput("The lamp is out: fill it.", code="lamp")
    assert sentence(error, words("fr")) == "The lamp is out: fill it."
    assert sentence(BadInput("did you mean tea?"), words("en")) == "did you mean tea?"


def test_an_origin_names_its_file_or_variable_as_it_is() -> None:
    """Only the word for the place is translated: the rest is to be found on the machine."""
    assert origin_text("flag --lang", words("fr")) == "option --lang"
    assert origin_text("souvenance.toml (/a b/c)", words("fr")) == "souvenance.toml (/a b/c)"
    assert origin_text("default", words("en")) == "default"


def _codes() -> Iterator[tuple[str, set[str]]]:
    """Every code that the source gives an error by a literal, with the fields that stand beside it."""
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            given = {keyword.arg: keyword.value for keyword in node.keywords}
            code, fields = given.get("code"), given.get("fields")
            if isinstance(code, ast.Constant) and code.value:
                keys = fields.keys if isinstance(fields, ast.Dict) else []
                yield str(code.value), {str(k.value) for k in keys if isinstance(k, ast.Constant)}


def test_every_code_has_a_french_sentence_that_uses_only_its_fields() -> None:
    """A missing field would be a crash in the middle of an error."""
    codes = dict(_codes())
    assert len(codes) > 25
    french = words("fr").errors
    for code, fields in codes.items():
        used = {name for _, name, _, _ in string.Formatter().parse(french[f"said.{code}"]) if name}
        assert used <= fields | {"line"}, code


@pytest.mark.parametrize("held", [b"{", b"", b"\xff\xfe", b"[" * 100_000])
def test_a_file_that_is_not_json_is_named_in_french(held: bytes, tmp_path: Path) -> None:
    """Whatever is in it, one sentence."""
    path = tmp_path / "cas.json"
    path.write_bytes(held)
    for reads in (recallfile.read, locomofile.read):
        said = sentence(_raised(lambda reads=reads: reads(path)), words("fr"))
        assert said.startswith(f"{path} n'est pas du JSON en UTF-8 : ")
