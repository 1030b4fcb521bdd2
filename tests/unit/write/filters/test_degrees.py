"""How much, how often, and what somebody only looks like, as a memory may turn them round."""

from __future__ import annotations

import pytest

from souvenance.domain import Dropped, Kept, Kind

DEGREES = [
    ("en", "drop", Kind.FACT, "I hardly ever cook, toast if I'm lucky.", "Nadège cooks a lot."),
    ("en", "drop", Kind.FACT, "I rarely swim these days.", "Nadège often swims."),
    ("en", "drop", Kind.FACT, "I seldom see my brother.", "Nadège sees her brother every week."),
    ("en", "drop", Kind.FACT, "I barely sleep.", "Nadège sleeps well."),
    (
        "en",
        "drop",
        Kind.FACT,
        "We scarcely watch any telly at home.",
        "Nadège watches a great deal of telly.",
    ),
    (
        "en",
        "keep",
        Kind.FACT,
        "I barely drink, a glass at New Year at most.",
        "Nadège hardly drinks.",
    ),
    (
        "en",
        "keep",
        Kind.FACT,
        "I barely drink, a glass at New Year at most.",
        "Nadège drinks very little.",
    ),
    (
        "en",
        "keep",
        Kind.FACT,
        "I rarely swim but I often row.",
        "Nadège often rows and rarely swims.",
    ),
    ("en", "keep", Kind.FACT, "I rarely swim but I often row.", "Nadège rows often."),
    ("en", "keep", Kind.FACT, "I barely eat meat.", "Nadège eats almost no meat."),
    (
        "en",
        "keep",
        Kind.FACT,
        "I barely sleep because I work a lot.",
        "Nadège works a lot and barely sleeps.",
    ),
    ("fr", "drop", Kind.FACT, "Je bois à peine, un verre à Noël.", "Nadège boit beaucoup."),
    ("fr", "drop", Kind.FACT, "Je cuisine rarement, sauf des nouilles.", "Nadège cuisine souvent."),
    ("fr", "drop", Kind.FACT, "Je ne vois guère ma sœur.", "Nadège voit très souvent sa sœur."),
    (
        "fr",
        "drop",
        Kind.FACT,
        "Je sors presque jamais le soir.",
        "Nadège sort tout le temps le soir.",
    ),
    ("fr", "drop", Kind.FACT, "Je mange très peu de viande.", "Nadège mange énormément de viande."),
    ("fr", "keep", Kind.FACT, "Je bois à peine, un verre à Noël.", "Nadège boit très peu."),
    (
        "fr",
        "keep",
        Kind.FACT,
        "Je cuisine rarement, mais je jardine souvent.",
        "Nadège jardine souvent et cuisine rarement.",
    ),
    (
        "fr",
        "keep",
        Kind.FACT,
        "Je ne sors presque jamais le soir.",
        "Nadège sort rarement le soir.",
    ),
    (
        "fr",
        "keep",
        Kind.FACT,
        "Je dors peu parce que je travaille beaucoup.",
        "Nadège travaille beaucoup et dort peu.",
    ),
    ("fr", "keep", Kind.FACT, "Je vais rarement chez ma mère.", "Nadège va peu chez sa mère."),
    ("en", "drop", Kind.FACT, "I've not opened a novel in years.", "Nadège often reads novels."),
    (
        "en",
        "drop",
        Kind.FACT,
        "I haven't set foot in a church for ages.",
        "Nadège goes to church every week.",
    ),
    (
        "en",
        "drop",
        Kind.FACT,
        "I sold my drums, I haven't picked up a stick since school.",
        "Nadège regularly plays the drums.",
    ),
    (
        "en",
        "keep",
        Kind.FACT,
        "I've not opened a novel in years.",
        "Nadège hasn't read a novel in years.",
    ),
    (
        "en",
        "keep",
        Kind.FACT,
        "I gave my piano away, I've not touched a key in years.",
        "Nadège no longer plays the piano.",
    ),
    (
        "fr",
        "drop",
        Kind.FACT,
        "J'ai pas touché à un pinceau depuis des lustres.",
        "Nadège peint souvent.",
    ),
    (
        "fr",
        "drop",
        Kind.FACT,
        "J'ai donné ma guitare, je n'y ai plus touché depuis le lycée.",
        "Nadège joue régulièrement de la guitare.",
    ),
    (
        "fr",
        "drop",
        Kind.FACT,
        "Ça fait dix ans que je n'ai pas ouvert un roman.",
        "Nadège lit souvent des romans.",
    ),
    (
        "fr",
        "keep",
        Kind.FACT,
        "J'ai donné ma guitare, je n'y ai plus touché depuis le lycée.",
        "Nadège ne joue plus de guitare.",
    ),
    (
        "fr",
        "keep",
        Kind.FACT,
        "Ça fait dix ans que je n'ai pas ouvert un roman.",
        "Nadège n'a pas lu de roman depuis dix ans.",
    ),
]

HEIGHTS = [
    ("fr", "drop", Kind.FACT, "Y a pas plus têtu que moi.", "Nadège n'est pas têtue."),
    ("fr", "drop", Kind.FACT, "Il n'y a pas plus bavarde que moi.", "Nadège n'est pas bavarde."),
    ("fr", "drop", Kind.FACT, "On fait pas plus frileuse que moi.", "Nadège n'est pas frileuse."),
    ("fr", "keep", Kind.FACT, "Y a pas plus têtu que moi.", "Nadège est très têtue."),
    ("fr", "keep", Kind.FACT, "Il n'y a pas plus bavarde que moi.", "Nadège est très bavarde."),
    (
        "fr",
        "drop",
        Kind.FACT,
        "Personne n'est plus gourmand que moi.",
        "Nadège n'est pas gourmande.",
    ),
    (
        "fr",
        "keep",
        Kind.FACT,
        "On ne fait pas plus distraite que moi.",
        "Nadège est très distraite.",
    ),
    (
        "fr",
        "keep",
        Kind.FACT,
        "Je ne connais pas plus maladroit que moi.",
        "Nadège est maladroite.",
    ),
    (
        "fr",
        "drop",
        Kind.FACT,
        "Je ne fais pas plus de sport que toi.",
        "Nadège fait plus de sport que Corbin.",
    ),
    ("en", "drop", Kind.FACT, "There's nobody more stubborn than me.", "Nadège isn't stubborn."),
    ("en", "drop", Kind.FACT, "You won't find anyone lazier than me.", "Nadège isn't lazy."),
    ("en", "drop", Kind.FACT, "Nobody's clumsier than I am.", "Nadège isn't clumsy."),
    ("en", "drop", Kind.FACT, "They don't come more stubborn than me.", "Nadège isn't stubborn."),
    ("en", "keep", Kind.FACT, "There's nobody more stubborn than me.", "Nadège is very stubborn."),
    (
        "en",
        "keep",
        Kind.FACT,
        "You won't find anyone more careful than me.",
        "Nadège is very careful.",
    ),
    ("en", "keep", Kind.FACT, "They don't come more stubborn than me.", "Nadège is very stubborn."),
    ("en", "keep", Kind.FACT, "No one is more impatient than me.", "Nadège is very impatient."),
    (
        "en",
        "drop",
        Kind.FACT,
        "I'm not more patient than my sister.",
        "Nadège is more patient than her sister.",
    ),
]

APPEARANCES = [
    (
        "fr",
        "drop",
        Kind.FACT,
        "On me croit toujours fâchée, mais je ne suis pas fâchée du tout.",
        "Nadège est fâchée.",
    ),
    (
        "fr",
        "drop",
        Kind.FACT,
        "Mon accent fait belge, mais je ne suis pas belge.",
        "Nadège est belge.",
    ),
    (
        "fr",
        "drop",
        Kind.FACT,
        "J'ai l'air timide, mais je ne suis pas timide.",
        "Nadège est timide.",
    ),
    (
        "fr",
        "drop",
        Kind.FACT,
        "Mon nom sonne breton, pourtant je ne suis pas bretonne.",
        "Nadège est bretonne.",
    ),
    (
        "fr",
        "keep",
        Kind.FACT,
        "Mon nom sonne breton, pourtant je ne suis pas bretonne.",
        "Nadège n'est pas bretonne.",
    ),
    (
        "fr",
        "keep",
        Kind.FACT,
        "Mon nom sonne breton, pourtant je ne suis pas bretonne.",
        "Le nom de Nadège sonne breton.",
    ),
    ("en", "drop", Kind.FACT, "My name sounds Irish but I'm not Irish at all.", "Nadège is Irish."),
    ("en", "drop", Kind.FACT, "I look shy, but I'm not shy.", "Nadège is shy."),
    ("en", "drop", Kind.FACT, "People take me for a vegan, I'm not vegan.", "Nadège is vegan."),
    (
        "en",
        "keep",
        Kind.FACT,
        "My name sounds Irish but I'm not Irish at all.",
        "Nadège isn't Irish.",
    ),
    (
        "en",
        "keep",
        Kind.FACT,
        "My name sounds Irish but I'm not Irish at all.",
        "Nadège's name sounds Irish.",
    ),
    (
        "en",
        "drop",
        Kind.FACT,
        "My accent comes across as posh, but I'm not posh.",
        "Nadège is posh.",
    ),
]


@pytest.mark.parametrize(("lang", "expect", "kind", "said", "text"), DEGREES)
def test_degree_is_read(screened, lang, expect, kind, said, text):
    """How much or how often, and what became of a thing, is not turned round."""
    verdict = screened(lang, said, text, kind=kind)
    assert isinstance(verdict, Dropped if expect == "drop" else Kept), verdict


@pytest.mark.parametrize(("lang", "expect", "kind", "said", "text"), HEIGHTS)
def test_height_is_read(screened, lang, expect, kind, said, text):
    """Nobody more so than me affirms."""
    verdict = screened(lang, said, text, kind=kind)
    assert isinstance(verdict, Dropped if expect == "drop" else Kept), verdict


@pytest.mark.parametrize(("lang", "expect", "kind", "said", "text"), APPEARANCES)
def test_appearance_is_read(screened, lang, expect, kind, said, text):
    """What somebody only looks or sounds like is no fact once they deny it."""
    verdict = screened(lang, said, text, kind=kind)
    assert isinstance(verdict, Dropped if expect == "drop" else Kept), verdict
