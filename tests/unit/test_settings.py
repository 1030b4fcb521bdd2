"""Settings: where values come from, which wins, and the sentence when one cannot be used."""

from __future__ import annotations

from pathlib import Path

import pytest

from souvenance.errors import BadSetting
from souvenance.settings import EmbedderSettings, Settings, load


@pytest.fixture(autouse=True)
def nobody_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No settings file of the machine's user or of the checkout takes part."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)


def _file(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "elsewhere.toml"
    path.write_text(text, "utf-8")
    return path


def test_nothing_needs_to_be_set() -> None:
    """A new user has no file and no model: every default must be usable as it is."""
    loaded = load(env={})
    assert loaded.settings == Settings()
    assert loaded.settings.chat.url is None
    assert loaded.settings.turn.embedding_deadline_s == 1.5
    assert set(loaded.origins.values()) == {"default"}


def test_every_key_has_an_origin_and_a_shown_value() -> None:
    """`doctor` shows one line per setting, so none may be missing from either side."""
    loaded = load(env={})
    assert set(loaded.origins) == set(loaded.shown())
    assert {"database", "chat.url", "embedder.kind", "index.every_s"} <= set(loaded.origins)


def test_the_file_yields_to_the_environment_and_the_environment_to_flags(tmp_path: Path) -> None:
    """The nearer to the command, the stronger; each value says which of the three it is."""
    path = _file(
        tmp_path, 'space = "club"\n[turn]\nbudget_tokens = 1000\nrecent_messages = 5\n[chat]\nmodel = "a"\n'
    )  # fmt: skip
    loaded = load(
        file=path,
        env={"SOUVENANCE_TURN_BUDGET_TOKENS": "2000", "SOUVENANCE_CHAT_MODEL": "b"},
        flags={"chat.model": "c", "space": None},
    )
    settings = loaded.settings
    assert (settings.space, settings.turn.budget_tokens, settings.chat.model) == ("club", 2000, "c")
    assert settings.turn.recent_messages == 5
    assert loaded.origins["space"] == f"souvenance.toml ({path})"
    assert loaded.origins["turn.budget_tokens"] == "environment SOUVENANCE_TURN_BUDGET_TOKENS"
    assert loaded.origins["chat.model"] == "flag --chat-model"
    assert loaded.origins["chat.url"] == "default"


def test_the_language_flag_is_called_lang() -> None:
    """The origin must name the flag as it is typed."""
    assert load(env={}, flags={"language": "fr"}).origins["language"] == "flag --lang"


def test_the_file_of_the_folder_comes_before_the_file_of_the_user(tmp_path: Path) -> None:
    """A project's own file is the more precise choice."""
    user = tmp_path / "config" / "souvenance"
    user.mkdir(parents=True)
    (user / "souvenance.toml").write_text('space = "user"\n', "utf-8")
    assert load(env={}).settings.space == "user"
    (tmp_path / "souvenance.toml").write_text('space = "folder"\n', "utf-8")
    assert load(env={}).settings.space == "folder"
    other = _file(tmp_path, 'space = "asked"\n')
    assert load(env={"SOUVENANCE_CONFIG": str(other)}).settings.space == "asked"


def test_a_relative_path_in_a_file_is_beside_that_file(tmp_path: Path) -> None:
    """Otherwise the database would depend on the folder the command was typed in."""
    folder = tmp_path / "project"
    folder.mkdir()
    path = folder / "souvenance.toml"
    path.write_text('database = "memory.db"\ncharacters = "/srv/faces"\n', "utf-8")
    settings = load(file=path, env={}).settings
    assert settings.database == folder / "memory.db"
    assert settings.characters == Path("/srv/faces")


def test_a_tilde_is_the_home_folder(tmp_path: Path) -> None:
    """Shells expand it on the command line, but nothing does in a file or after an equals sign."""
    loaded = load(env={"SOUVENANCE_DATABASE": "~/x.db"})
    assert loaded.settings.database == tmp_path / "home" / "x.db"


def test_an_empty_variable_is_not_a_value() -> None:
    """`SOUVENANCE_CHAT_URL= souvenance …` is how shells unset something for one command."""
    assert load(env={"SOUVENANCE_CHAT_URL": ""}).settings.chat.url is None


def test_a_trailing_slash_of_an_address_does_not_matter() -> None:
    """Two spellings of one server must be one server, or what was learned about it is learned twice."""
    settings = load(env={"SOUVENANCE_CHAT_URL": "http://localhost:8080/v1/"}).settings
    assert settings.chat.url == "http://localhost:8080/v1"


REFUSED = [
    # (file text, environment, flags, every piece the sentence must hold)
    ('lenguage = "fr"', {}, {}, ["lenguage", "elsewhere.toml", "did you mean language?"]),
    ("[chat]\nurll = 'http://x'", {}, {}, ["chat.urll", "did you mean chat.url?"]),
    ("[chatt]\nurl = 'http://x'", {}, {}, ["chatt.url", "did you mean chat.url?"]),
    ('chat = "http://x"', {}, {}, ["unknown setting chat "]),
    ("zzz = 1", {}, {}, ["unknown setting zzz", "souvenance doctor"]),
    ("", {"SOUVENANCE_CHAT_URI": "http://x"}, {}, ["did you mean SOUVENANCE_CHAT_URL?"]),
    ("", {}, {"chat.modle": "x"}, ["chat.modle", "did you mean chat.model?"]),
    ('language = "de"', {}, {}, ["language = de", "elsewhere.toml", "'auto', 'fr' or 'en'"]),
    ("", {"SOUVENANCE_TURN_BUDGET_TOKENS": "many"}, {},
     ["turn.budget_tokens = many", "environment SOUVENANCE_TURN_BUDGET_TOKENS", "integer"]),
    ("[turn]\nembedding_deadline_s = 0", {}, {}, ["turn.embedding_deadline_s = 0", "greater than 0"]),
    ("[turn]\nembedding_deadline_s = nan", {}, {}, ["finite number"]),
    ("", {"SOUVENANCE_CHAT_DISCOVER": "perhaps"}, {}, ["chat.discover = perhaps", "boolean"]),
    ("[chat]\nurl = 'localhost:11434'", {}, {}, ["chat.url", "http://localhost:11434/v1"]),
    ("[chat]\nurl = 'http://'", {}, {}, ["chat.url", "expected an address"]),
    ("[chat]\nurl = 'http://[::1'", {}, {}, ["chat.url", "expected an address"]),
    ("[chat]\nurl = 'http://host:port'", {}, {}, ["chat.url", "expected an address"]),
    ("[embedder]\nkind = 'openai'\nmodel = 'e'", {}, {}, ["embedder.url is needed", "elsewhere.toml"]),
    ("", {"SOUVENANCE_EMBEDDER_KIND": "ollama"}, {}, ["embedder.model is needed", "environment"]),
    ("[recall.fr]\nthreshold = 0.6", {}, {}, ["need its embedder", "elsewhere.toml"]),
    ("[recall.en]\nembedder = 'e'\nslots = 25", {}, {}, ["recall.en.slots", "25"]),
    ("[chat\n", {}, {}, ["not valid TOML", "elsewhere.toml", "line 1"]),
    ("", {}, {"database": "a\0b"}, ["flag --database", "path of a file"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "env", "flags", "pieces"), REFUSED)
def test_a_value_that_cannot_be_used_is_named_with_its_place_and_what_is_expected(
    tmp_path: Path, text: str, env: dict[str, str], flags: dict[str, str], pieces: list[str]
) -> None:
    """One sentence must be enough to go and mend it."""
    with pytest.raises(BadSetting) as caught:
        load(file=_file(tmp_path, text), env=env, flags=flags)
    sentence = str(caught.value)
    assert "\n" not in sentence
    for piece in pieces:
        assert piece in sentence


@pytest.mark.parametrize("make", ["missing", "folder", "latin1"])
def test_a_file_that_was_asked_for_and_cannot_be_read_is_an_error(
    tmp_path: Path, make: str
) -> None:
    """Going on with defaults would use another database than the one the person chose."""
    path = tmp_path / "asked.toml"
    if make == "folder":
        path.mkdir()
    elif make == "latin1":
        path.write_bytes('space = "été"\n'.encode("latin-1"))
    with pytest.raises(BadSetting, match=r"asked\.toml"):
        load(file=path, env={})


def test_secrets_are_never_shown(tmp_path: Path) -> None:
    """Doctor's output is pasted into bug reports; errors end up in logs."""
    env = {
        "SOUVENANCE_CHAT_API_KEY": "sk-veryhidden",
        "SOUVENANCE_CHAT_URL": "https://bob:veryhidden@models.test/v1?key=veryhidden",
    }
    loaded = load(env=env)
    assert loaded.settings.chat.api_key is not None
    assert loaded.settings.chat.api_key.get_secret_value() == "sk-veryhidden"
    shown = loaded.shown()
    assert "veryhidden" not in f"{loaded!r}{loaded.origins}{shown}".replace(
        env["SOUVENANCE_CHAT_URL"], ""
    )
    assert shown["chat.api_key"] == "••••••"
    assert "models.test" in shown["chat.url"]
    with pytest.raises(BadSetting) as caught:
        load(file=_file(tmp_path, "[chat]\napi_key = 99887766\n"), env={})
    assert "99887766" not in str(caught.value)


def test_settings_made_in_python_are_checked_too() -> None:
    """A library user has no file; the same rules hold for what they build."""
    with pytest.raises(ValueError, match=r"embedder\.url"):
        EmbedderSettings(kind="openai", model="e")
    assert Settings(embedder=EmbedderSettings(kind="none")).embedder.kind == "none"
