"""`souvenance calibrate recall` as a person uses it: refused, looked at, drawn, labelled, applied and in force."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from souvenance import opening
from souvenance.interfaces.cli.app import app
from souvenance.models.fakes import HashEmbedder

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
    _talk(run, code, TOLD[code])
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
    assert one["passing"]["unrelated"] < 0.1
    assert sum(one["histogram"]["unrelated"]) == pytest.approx(1, abs=0.01)
    assert (proposed["word_weight"], one["word_weights"]) == (one["now"]["word_weight"], {})
    lower = _json(run("calibrate", "recall", "--json", "--spreads", "1"))["languages"][code]
    assert lower["proposed"]["threshold"]["value"] < proposed["threshold"]["value"]
    assert lower["passing"]["unrelated"] > one["passing"]["unrelated"]


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
