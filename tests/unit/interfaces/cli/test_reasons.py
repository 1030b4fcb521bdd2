"""Reasons are kept in English and said in the language of whoever reads them."""

from __future__ import annotations

import ast
import string
from pathlib import Path

import pytest

import souvenance
from souvenance.interfaces.cli.said import known_reason, reason_text
from souvenance.interfaces.cli.wording import words
from souvenance.models.wire import refused
from souvenance.write.attributes.record import MANY, SINGLE

SOURCE = Path(souvenance.__file__).parent

SAID = [
    ("new", "nouveau"),
    ("said again: same content", "redit : même contenu"),
    ("said again: more detail: yesterday, Lyon", "redit : un détail de plus : yesterday, Lyon"),
    ("takes the place of: I live in Lyon: really.", "prend la place de : I live in Lyon: really"),
    ("ends: I row on Sundays", "met fin à : I row on Sundays"),
    ("perhaps another city", "peut-être une autre valeur : ville"),
    ("new value of budget/bike", "nouvelle valeur : budget (bike)"),
    (
        "correction of what was said, but the older one is worded by hand",
        "correction de ce qui était dit, mais l'ancien est écrit de votre main",
    ),
    ("stands beside 0000000002, which is pinned", "reste à côté de 0000000002, qui est épinglé"),
    ("3 stored, 0 dropped", "gardés : 3, écartés : 0"),
    ("city announced for 2031-05-04", "annoncé pour le 2031-05-04 : ville"),
    ("Not noted: somebody else's, by hearsay.", "non noté : de quelqu'un d'autre, par ouï-dire"),
    ("The person was not sure (“maybe”), and that is lost.", "vous hésitiez (« maybe »), et cela se perd"),
    ("The figure 34 was never said.", "le chiffre 34 n'a jamais été dit"),
    (
        "the model server at http://h:9/v1 cannot be reached; check that it is running.",
        "le serveur du modèle, à http://h:9/v1, est injoignable ; vérifiez qu'il tourne",
    ),
    ("cellar / attic", "cellar / attic"),
]  # fmt: skip


@pytest.mark.parametrize(("stored", "french"), SAID)
def test_a_known_reason_is_said_in_french(stored: str, french: str) -> None:
    """What it holds of the person's own words is left as it is."""
    assert reason_text(stored, words("fr")) == french
    assert reason_text(stored, words("en")) == stored.rstrip(".")


@pytest.mark.parametrize("stored", ["a reason of another day", "perhaps another zeppelin", ""])
def test_an_unknown_reason_stays_as_it_was_written(stored: str) -> None:
    """Half a translation would be worse than English."""
    assert known_reason(stored, words("fr")) is None
    assert reason_text(stored, words("fr")) == stored


def test_what_a_reason_holds_is_no_template() -> None:
    """Braces typed by somebody are text, and a line of theirs stays one line."""
    assert reason_text("ends: {id} {0}\nx", words("fr")) == "met fin à : {id} {0} x"


def test_every_wording_holds_what_its_pattern_holds() -> None:
    """A figure lost on the way would be a reason that says less."""

    def held(text: str) -> set[str]:
        return {name for _, name, _, _ in string.Formatter().parse(text) if name}

    reasons = words("fr").reasons
    patterns = [key.removeprefix("reason.") for key in reasons if key.startswith("reason.")]
    assert len(patterns) > 80
    for pattern in patterns:
        assert held(pattern) == held(reasons[f"reason.{pattern}"]), pattern


def test_every_attribute_has_a_french_name() -> None:
    """ "perhaps another zeppelin" would stay English."""
    assert all(f"attribute.{name}" in words("fr").reasons for name in SINGLE | MANY)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 405, 413, 418, 429, 500, 503])
def test_what_a_model_server_refuses_is_said_in_french(status: int) -> None:
    """`doctor` and the benches say why the model fails."""
    said = known_reason(str(refused("http://h/v1", status, b"")), words("fr"))
    assert said is not None
    assert f"a répondu {status}" in said


def _reasons_of_drops() -> set[str]:
    """The plain sentences that the filters write."""
    found = set()
    for path in (SOURCE / "write/filters").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Dropped":
                last = node.args[-1]
                if isinstance(last, ast.Constant) and isinstance(last.value, str):
                    found.add(last.value)
    return found


def test_every_plain_reason_of_a_filter_is_said_in_french() -> None:
    """A new filter comes with its words."""
    drops = _reasons_of_drops()
    assert len(drops) > 10
    assert [d for d in sorted(drops) if known_reason(d, words("fr")) is None] == []
