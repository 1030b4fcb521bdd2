"""`souvenance calibrate recall` as a person uses it: refused, looked at, drawn, labelled, applied and in force."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Tree

import pytest
from typer.testing import CliRunner, Result

from souvenance import opening
from souvenance.interfaces.cli import calibrate
from souvenance.interfaces.cli.app import app
from souvenance.models.fakes import HashEmbedder
from souvenance.models.scripted import Fail, ScriptedServer

Run = Callable[..., Result]


def _words(text: str, between: str = " ") -> list[str]:
    return text.split(between)


#: What a person says of themselves and of the day, in the two languages; each line is a message and, mostly, a memory.
TOLD = {
    "en": (
        [f"I keep {n} {a} in my garden behind the {p}." for n, a, p in zip(_words("two three four five six seven eight nine ten twelve"), _words("goats hens bees ducks geese rabbits quails sheep ponies frogs"), _words("mill barn shed church school forge inn bridge tower quay"), strict=True)]
        + [f"My {k} {n} works as a {j} in {c}." for k, n, j, c in zip(_words("sister brother cousin uncle aunt mother father neighbour friend nephew"), _words("Saoirse Bram Tilda Osric Petra Lorna Hugo Wilf Nadia Joss"), _words("baker nurse welder tailor pilot farmer joiner cook vet potter"), _words("Cork Leeds Hull Bath York Derry Perth Bristol Oban Truro"), strict=True)]
        + [f"I really love {a}, but I can't stand {b}." for a, b in zip(_words("tea plums leeks rye figs honey trout beans cider mint"), _words("coffee prunes garlic oats dates jam salmon peas beer sage"), strict=True)]
        + [f"Last {d} I learned to {v} with an old {t}." for d, v, t in zip(_words("Monday Tuesday Wednesday Thursday Friday Saturday Sunday winter spring summer"), _words("weave carve sail knit solder graft row plaster fence juggle"), _words("loom knife sloop needle iron blade skiff trowel foil ball"), strict=True)]
        + [f"I collect {a} that come from {c}." for a, c in zip(_words("stamps coins maps bells masks clocks shells spoons kites boots"), _words("Malta Chad Peru Laos Cuba Oman Fiji Mali Iran Togo"), strict=True)]
    ),
    "fr": (
        [f"J'ai {n} {a} dans mon jardin derrière {p}." for n, a, p in zip(_words("deux trois quatre cinq six sept huit neuf dix douze"), _words("chèvres poules ruches canards oies lapins cailles brebis poneys grenouilles"), _words("le moulin;la grange;la remise;l'église;l'école;la forge;l'auberge;le pont;la tour;le quai", ";"), strict=True)]
        + [f"{k} {n} travaille comme {j} à {c}." for k, n, j, c in zip(_words("Ma sœur;Mon frère;Ma cousine;Mon oncle;Ma tante;Ma mère;Mon père;Mon voisin;Mon amie;Mon neveu", ";"), _words("Ilse Bram Tilda Osric Petra Lorna Hugo Wilf Nadia Josse"), _words("boulangère infirmier soudeuse tailleur pilote fermière menuisier cuisinier vétérinaire potier"), _words("Brest Lyon Nantes Lille Metz Tours Nancy Dijon Rouen Caen"), strict=True)]
        + [f"J'adore {a}, mais je déteste {b}." for a, b in zip(_words("le thé;les prunes;les poireaux;le seigle;les figues;le miel;la truite;les fèves;le cidre;la menthe", ";"), _words("le café;les pruneaux;l'ail;l'avoine;les dattes;la confiture;le saumon;les pois;la bière;la sauge", ";"), strict=True)]
        + [f"J'ai appris à {v} avec {t}." for v, t in zip(_words("tisser sculpter naviguer tricoter souder greffer ramer enduire clôturer jongler"), _words("un vieux métier;un couteau;un voilier;des aiguilles;un fer;une lame;une barque;une truelle;un fleuret;des balles", ";"), strict=True)]
        + [f"Je collectionne les {a} qui viennent de {c}." for a, c in zip(_words("timbres monnaies cartes cloches masques horloges coquillages cuillères lanternes bottes"), _words("Malte Lima Oslo Riga Cuba Oman Fidji Bamako Téhéran Lomé"), strict=True)]
    ),
}  # fmt: skip
#: What else they say in the same breath, which no memory keeps: what is left of a message without its memory.
CHAT = {
    "en": _words("Good evening Wren, listen to that storm!;Hello there, what a silly film tonight!;Well well, look who answers so late!;Goodness, the tram was packed again!", ";"),
    "fr": _words("Bonsoir Mira, écoute cet orage !;Coucou toi, quel drôle de film ce soir !;Tiens tiens, regarde qui répond si tard !;Mon Dieu, le tram était encore bondé !", ";"),
}  # fmt: skip
WORDS = ("goats", "Saoirse", "chèvres", "Ilse", "jardin", "garden")


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command on the database of this test, with an embedder that needs no model."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("SOUVENANCE_CHAT_DISCOVER", "false")
    monkeypatch.setattr(opening, "choose_embedder", lambda _: HashEmbedder(64))

    def invoke(*args: str) -> Result:
        return CliRunner().invoke(app, [*args, "--db", "memory.db"])

    return invoke


def _chatty(code: str) -> list[str]:
    return [f"{CHAT[code][n % 4]} {line}" for n, line in enumerate(TOLD[code])]


def _talk(run: Run, code: str, lines: list[str]) -> None:
    messages = [
        {"role": role, "at": f"2026-03-{1 + n // 20:02}T{8 + n // 60:02}:{n % 60:02}:00+00:00", "text": text}
        for n, line in enumerate(lines)
        for role, text in (("user", line), ("character", "Hm."))
    ]  # fmt: skip
    talk = {"id": f"talk-{code}", "lang": code, "character": f"Keeper {code}", "user_name": f"Ines{code}", "messages": messages}  # fmt: skip
    Path("talks.jsonl").write_text(json.dumps(talk) + "\n", "utf-8")
    done = run("replay", "talks.jsonl", "--json")
    assert done.exit_code == 0, done.output


def _json(result: Result) -> Any:
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("en", ("Recall, English", "unrelated", "weight of words", "Related pairs are guessed", "threshold")),
        ("fr", ("Rappel, français", "sans lien", "poids des mots", "liées sont devinées", "seuil")),
    ],
)  # fmt: skip
def test_a_proposal_needs_no_label(run: Run, code: str, said: tuple[str, ...]) -> None:
    """On any talk of some length: both distributions, what holds now and what is proposed, in either language."""
    _talk(run, code, _chatty(code))
    shown = run("calibrate", "recall", "--index", "--lang", code)
    assert shown.exit_code == 0, shown.output
    assert [piece for piece in said if piece not in shown.stdout] == [], shown.output
    assert "◀" in shown.stdout
    found = _json(run("calibrate", "recall", "--json"))
    (one,) = found["languages"].values()
    proposed = one["proposed"]
    assert (found["embedder"], one["read_from"]) == ("hash-64", "masked messages")
    assert proposed["threshold"]["low"] <= proposed["threshold"]["value"]
    assert proposed["threshold"]["value"] <= proposed["threshold"]["high"]
    assert proposed["threshold"]["value"] != one["now"]["threshold"]
    assert one["passing"]["unrelated"] < 0.25
    assert sum(one["histogram"]["unrelated"]) == pytest.approx(1, abs=0.01)
    assert (proposed["word_weight"], one["word_weights"]) == (one["now"]["word_weight"], {})
    higher = _json(run("calibrate", "recall", "--json", "--spreads", "2"))["languages"][code]
    assert higher["proposed"]["threshold"]["value"] > proposed["threshold"]["value"]
    assert higher["passing"]["unrelated"] < one["passing"]["unrelated"]


@pytest.mark.parametrize(
    ("code", "missing"),
    [
        ("en", "have no vector by hash-64 yet"),
        ("fr", "n'ont pas encore de vecteur par hash-64"),
    ],
)
def test_missing_vectors_are_counted_with_the_command_that_makes_them(
    run: Run, monkeypatch: pytest.MonkeyPatch, code: str, missing: str
) -> None:
    """Half an index would tell of half the memories."""
    monkeypatch.setattr("souvenance.tend.worker.Worker.index_once", _nothing)
    _talk(run, code, TOLD[code][:8])
    refused = run("calibrate", "recall", "--lang", code)
    assert refused.exit_code == 2
    assert missing in refused.stderr
    assert "souvenance --database memory.db calibrate recall --index" in refused.stderr


async def _nothing(_: Any) -> Any:
    from souvenance.tend.index import Indexed

    return Indexed(0, left=False)


@pytest.mark.parametrize(
    ("code", "said"), [("en", "Too little to propose"), ("fr", "Trop peu pour proposer")]
)
def test_too_little_is_said_with_how_much_it_takes(run: Run, code: str, said: str) -> None:
    """No figure out of nothing; that is an answer, not an error, and `--apply` then writes nothing."""
    _talk(run, code, TOLD[code][:8])
    refused = run("calibrate", "recall", "--index", "--apply", "--lang", code)
    assert refused.exit_code == 0
    assert said in refused.stderr
    assert "40" in refused.stderr
    assert not Path("souvenance.toml").exists()


@pytest.mark.parametrize(
    ("code", "said"),
    [("en", "There is no embedder"), ("fr", "Il n'y a pas de modèle de vecteurs")],
)
def test_without_an_embedder_there_is_nothing_to_read(
    run: Run, monkeypatch: pytest.MonkeyPatch, code: str, said: str
) -> None:
    """Words have no cosine."""
    _talk(run, code, TOLD[code][:2])
    monkeypatch.setattr(opening, "choose_embedder", lambda _: None)
    refused = run("calibrate", "recall", "--lang", code)
    assert refused.exit_code == 2
    assert said in refused.stderr


@pytest.mark.parametrize(
    ("code", "said"), [("en", "leave nothing to guess from"), ("fr", "ne laissent rien à deviner")]
)
def test_no_recall_is_told_where_nothing_can_be_guessed(run: Run, code: str, said: str) -> None:
    """Memories that are their whole messages give a threshold all the same, for that rests on unrelated pairs."""
    _talk(run, code, TOLD[code])
    shown = run("calibrate", "recall", "--index", "--lang", code)
    assert shown.exit_code == 0, shown.output
    assert said in shown.stdout
    assert "◀" in shown.stdout
    assert _json(run("calibrate", "recall", "--json"))["languages"][code]["recall"] == []


@pytest.mark.parametrize("code", ["en", "fr"])
@pytest.mark.parametrize("name", ["plot.svg", "plot.html"])
def test_the_drawing_holds_no_word_of_a_memory(run: Run, code: str, name: str) -> None:
    """It is made to be shown around: two distributions, the threshold, and recall against places."""
    _talk(run, code, _chatty(code))
    drawn = run("calibrate", "recall", "--index", "--plot", name, "--lang", code)
    assert drawn.exit_code == 0, drawn.output
    made = Path(name).read_text("utf-8")
    assert not any(word in made for word in WORDS)
    assert 'class="related"' in made
    assert made.count("<polyline") == made.count("<polygon") == 1
    assert {"en": "proposed", "fr": "proposé"}[code] in made
    if name.endswith(".svg"):
        Tree.fromstring(made)


def test_another_kind_of_drawing_is_refused_before_anything_is_measured(run: Run) -> None:
    """In the person's language, with what can be made."""
    refused = run("calibrate", "recall", "--plot", "plot.png", "--lang", "fr")
    assert refused.exit_code == 2
    assert "un fichier .svg ou .html" in refused.stderr


def test_what_is_applied_is_in_force_for_that_embedder_alone(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The settings file keeps its other lines, the next reading finds the proposal in force, `doctor` says so."""
    Path("souvenance.toml").write_text("# mine\n[turn]\nrecent_messages = 9 # short\n", "utf-8")
    _talk(run, "fr", TOLD["fr"])
    applied = run("calibrate", "recall", "--index", "--apply", "--lang", "fr")
    assert applied.exit_code == 0, applied.output
    assert "[recall.fr] écrit dans souvenance.toml" in applied.stderr
    text = Path("souvenance.toml").read_text("utf-8")
    assert text.startswith("# mine\n[turn]\nrecent_messages = 9 # short\n")
    assert "# Lu le 20" in text
    written = tomllib.loads(text)["recall"]["fr"]
    assert written["embedder"] == "hash-64"
    now = _json(run("calibrate", "recall", "--json"))["languages"]["fr"]["now"]
    assert now == {key: written[key] for key in ("threshold", "spread", "word_weight", "slots")}
    assert "en vigueur" in run("doctor", "--lang", "fr").stdout
    monkeypatch.setattr(opening, "choose_embedder", lambda _: HashEmbedder(32))
    other = _json(run("calibrate", "recall", "--index", "--json"))["languages"]["fr"]["now"]
    assert other["threshold"] == HashEmbedder.threshold
    told = run("doctor", "--lang", "fr").stdout
    assert "hash-64, donc ignorés" in told
    assert "souvenance calibrate recall --apply" in told


def test_what_is_applied_changes_what_a_message_calls(run: Run) -> None:
    """A threshold that nothing reaches calls nothing; one that all reach calls all there is room for."""
    _talk(run, "en", TOLD["en"])
    counts = []
    for threshold in (-1.0, 1.0):
        Path("souvenance.toml").write_text(
            f"[recall.en]\nembedder = 'hash-64'\nthreshold = {threshold}\nslots = 7\nword_weight = 0\n",
            "utf-8",
        )
        asked = ("context", "What did I say about the weather?", "-p", "Inesen", "-c", "keeper-en")
        slots = _json(run(*asked, "--json"))["slots"]
        counts.append(sum(slot["stage"] == "recalled" for slot in slots))
    assert counts == [7, 0]


@pytest.fixture
def typing(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Makes this a terminal where these answers are typed, "n" after them; "^C" interrupts. Gives the questions."""

    def answers(*keys: str) -> list[str]:
        waiting: Iterator[str] = iter(keys)
        asked: list[str] = []

        def answer(question: str) -> str:
            asked.append(question)
            key = next(waiting, "n")
            if key == "^C":
                raise KeyboardInterrupt
            return key

        monkeypatch.setattr(calibrate, "at_terminal", lambda: True)
        monkeypatch.setattr("builtins.input", answer)
        return asked

    return answers


def test_labels_are_kept_through_an_interruption_and_are_a_bench_file(
    run: Run, typing: Callable[..., list[str]]
) -> None:
    """Few of them are a guess and change nothing; each is asked for once, and `bench recall` reads them."""
    _talk(run, "en", TOLD["en"])
    asked = typing("y", "perhaps", "n", "y", "^C")
    stopped = run("calibrate", "recall", "--index", "--labels", "l.jsonl", "--messages", "3")
    assert stopped.exit_code == 130, stopped.output
    assert len(asked) == 5
    assert "Labels kept in l.jsonl: 3." in stopped.stdout
    assert "below 30 they are a guess" in stopped.stdout
    lines = [json.loads(line) for line in Path("l.jsonl").read_text("utf-8").splitlines()]
    assert [line["belongs"] for line in lines] == [True, False, True]
    assert Path("l.jsonl").stat().st_mode & 0o777 == 0o600
    asked = typing()
    assert run("calibrate", "recall", "--labels", "l.jsonl", "--messages", "3").exit_code == 0
    every = [json.loads(line) for line in Path("l.jsonl").read_text("utf-8").splitlines()]
    assert len(asked) == len(every) - 3
    assert len({(line["id"], line["memory"]["id"]) for line in every}) == len(every)
    measured = _json(run("bench", "recall", "l.jsonl", "--embedder", "bundled", "--json"))
    assert measured["n"] == len({line["id"] for line in every if line["belongs"]})


def test_with_enough_labels_everything_is_read_off_them(
    run: Run, typing: Callable[..., list[str]]
) -> None:
    """Then words are weighed too, and the recall is that of what the person said belongs."""
    _talk(run, "fr", TOLD["fr"])
    typing(*["o", "n"] * 45)
    read = run("calibrate", "recall", "--index", "--labels", "l.jsonl", "--messages", "30", "--lang", "fr")  # fmt: skip
    assert read.exit_code == 0, read.output
    assert "celles que vous avez étiquetées" in read.stdout
    one = _json(run("calibrate", "recall", "--labels", "l.jsonl", "--json"))["languages"]["fr"]
    assert one["read_from"] == "labels"
    assert one["labels"] >= 30
    assert {"0", "1.2", "2.5"} <= set(one["word_weights"])
    assert len(one["recall"]) == 24
    shares = [figure["value"] for figure in one["recall"]]
    assert shares == sorted(shares)


def test_a_line_that_is_no_label_is_named(run: Run) -> None:
    """By its number, in the person's language."""
    _talk(run, "en", TOLD["en"][:2])
    Path("l.jsonl").write_text('{"id": "q"}\n', "utf-8")
    refused = run("calibrate", "recall", "--labels", "l.jsonl", "--lang", "fr")
    assert refused.exit_code == 2
    assert "La ligne 1 n'est pas une étiquette" in refused.stderr


@pytest.mark.parametrize("kind", ["ollama", "openai"])
def test_an_embedder_behind_a_server_is_read_like_any_other(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """It has no threshold but a guess until somebody reads one; what is applied names its model."""
    monkeypatch.undo()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("SOUVENANCE_CHAT_DISCOVER", "false")
    monkeypatch.setenv("SOUVENANCE_EMBEDDER_KIND", kind)
    monkeypatch.setenv("SOUVENANCE_EMBEDDER_MODEL", "own-model")
    with ScriptedServer(ollama=kind == "ollama") as server:
        monkeypatch.setenv("SOUVENANCE_EMBEDDER_URL", server.root if kind == "ollama" else server.url)  # fmt: skip
        _talk(run, "en", TOLD["en"])
        applied = run("calibrate", "recall", "--index", "--apply", "--lang", "en")
        assert applied.exit_code == 0, applied.output
        written = tomllib.loads(Path("souvenance.toml").read_text("utf-8"))["recall"]["en"]
        assert "own-model" in written["embedder"]
        now = _json(run("calibrate", "recall", "--json"))["languages"]["en"]["now"]
        assert now["threshold"] == written["threshold"]
        server.embeddings.extend([Fail(500)] * 50)
        broken = run("calibrate", "recall", "--lang", "en")
        assert broken.exit_code != 0
        assert "Traceback" not in broken.stderr
