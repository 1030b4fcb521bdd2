"""A third language is a folder: with two dozen short lists, laid outside the package, it is read like the others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

import souvenance
from souvenance.domain import (
    DEFAULT_SPACE,
    MAIN_THREAD,
    Address,
    Candidate,
    Character,
    CharacterId,
    Exchange,
    Kind,
    Message,
    MessageId,
    Person,
    PersonId,
    Redacted,
    Role,
    Scope,
)
from souvenance.lang import Language, codes, detect, extra_folder, language, without_folder
from souvenance.lang.__main__ import main
from souvenance.write import reflection
from souvenance.write.alike.similarity import compare
from souvenance.write.dates import read_dates
from souvenance.write.extractive import extract
from souvenance.write.filters import judge

#: Spanish, in as few words as show that nothing else is needed; `|` stands between entries of several words.
LISTS = {
    "articles": "el la los las un una unos unas",
    "function_words": "el la los las un una unos unas de del a al en con por para y o que se lo le les me mi mis su "
    "sus tu yo es esta son soy muy hay como pero si tengo",
    "conjunctions": "y o pero porque aunque",
    "light": "el la los las un una unos unas muy bien",
    "negations": "no|nunca|jamás|nada|nadie|tampoco|ya no",
    "negation_words": "no nunca jamás nada nadie tampoco",
    "no_longer": "ya no|",
    "numbers": "uno = 1|dos = 2|tres = 3|cuatro = 4|cinco = 5|seis = 6|siete = 7|ocho = 8|nueve = 9|diez = 10",
    "weekdays": "lunes = 0|martes = 1|miércoles = 2|jueves = 3|viernes = 4|sábado = 5|domingo = 6",
    "months": "enero = 1|febrero = 2|marzo = 3|abril = 4|mayo = 5|junio = 6|julio = 7|agosto = 8|septiembre = 9|"
    "octubre = 10|noviembre = 11|diciembre = 12",
    "moments": "mañana|ayer|hoy",
    "measures": "euro = euros|kilo = kilos = kg",
    "relations": "antes|después|sin|con|contra|hasta|desde|ya|todavía = aún",
    "circle": "madre padre hermano hermana hijo hija primo prima abuelo abuela tío tía amigo amiga perro gato",
    "synonyms": "coche = auto = carro|vive = reside|médico = doctor",
    "first_person": "yo me mi mis soy vivo tengo nosotros nuestro nuestra",
    "subjects": "yo nosotros",
    "possessives": "mi mis nuestro nuestra",
    "their": "su sus",
    "third_person": "ella ellos ellas le su sus",
    "user_words": "usuario usuaria",
    "gender_endings": "o = a|",
    "past_endings": "aba|....ió|...aron",
    "date_forms": "hoy = offset 0|ayer = offset -1|mañana = offset 1",
    "phone_cues": "teléfono|móvil|llámame al",
}

ADDRESS = Address(DEFAULT_SPACE, PersonId("ana"), CharacterId("mo"))
AT = datetime(2026, 3, 2, 20, 0, tzinfo=UTC)


def lay(folder: Path) -> Path:
    """The folder of the language, laid there."""
    folder.mkdir()
    (folder / "language.toml").write_text(
        'name = "Español"\nstemmer = "spanish"\nthe_user = "la persona"\n'
        '[traits]\nnumeric_dates = "day-month"\n',
        "utf-8",
    )
    for name, entries in LISTS.items():
        lines = entries.split("|") if "|" in entries else entries.split()
        (folder / f"{name}.txt").write_text("\n".join([f"# {name}.", *lines, ""]), "utf-8")
    return folder


@pytest.fixture(scope="module")
def spanish(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Language]:
    code = extra_folder(lay(tmp_path_factory.mktemp("languages") / "es"))
    yield language(code)
    without_folder(code)


def exchange(*told: tuple[Role, str]) -> Exchange:
    messages = tuple(
        Message(ADDRESS, MAIN_THREAD, MessageId(str(n)), None, role, Redacted(text), AT, "")
        for n, (role, text) in enumerate(told)
    )
    character = Character(DEFAULT_SPACE, ADDRESS.character, "Morgan", "", "es")
    return Exchange(messages, Person(DEFAULT_SPACE, ADDRESS.person, "Ana"), character)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Vive en Madrid con dos gatos.", "Vive en Madrid con tres gatos."),
        ("Paga 40 euros por el gimnasio.", "Paga 45 euros por el gimnasio."),
        ("Tiene una cita el martes.", "Tiene una cita el jueves."),
        ("Su cumpleaños es el 3 de mayo.", "Su cumpleaños es el 3 de junio."),
        ("Le gusta el café.", "No le gusta el café."),
        ("Come carne.", "Nunca come carne."),
        ("Fuma.", "Ya no fuma."),
        ("Su hermano trabaja en Lima.", "Su hermana trabaja en Lima."),
        ("Su primo trabaja en Lima.", "Su tío trabaja en Lima."),
        ("Vive con su vecino.", "Vive con su vecina."),
        ("Trabaja en un banco.", "Trabajaba en un banco."),
        ("Llega antes de la cena.", "Llega después de la cena."),
        ("Toma el té con azúcar.", "Toma el té sin azúcar."),
        ("Vive en Madrid.", "Vive en Sevilla."),
    ],
)
def test_figures_days_denials_and_relatives_tell_two_facts(spanish, a, b):
    """What is merged is lost, in whichever language it was said."""
    assert not compare(a, b, spanish).same, compare(a, b, spanish)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Vive en Madrid.", "Reside en Madrid."),
        ("Tiene un coche rojo.", "Tiene un carro rojo."),
        ("Tiene dos gatos.", "Tiene 2 gatos."),
        ("Su médico vive en Lima.", "Su doctor vive en Lima."),
        ("Trabaja en un banco.", "Trabaja en el banco."),
        ("Tiene un perro.", "Tiene un perro muy viejo."),
        ("Tiene una cita el miercoles", "Tiene una cita el miércoles."),
    ],
)
def test_a_repetition_merges(spanish, a, b):
    """Synonyms, figures in words, articles and accents tell no fact apart."""
    assert compare(a, b, spanish).same, compare(a, b, spanish)


def test_its_texts_are_known_from_those_of_the_others(spanish):
    """By its function words, whatever language the character speaks."""
    said = "Vivo con mi hermana y los gatos de mi madre."
    assert (spanish.code, codes()) == ("es", ("en", "es", "fr"))
    assert detect(said) == detect(said, "fr") == "es"
    assert detect("I live with my sister and the cats.") == "en"
    assert detect("Je vis avec ma sœur et les chats de ma mère.") == "fr"


def test_its_numeric_dates_have_the_order_its_traits_say(spanish):
    """Elsewhere 4/5 is in April or in May, and is left unread."""
    today = date(2026, 3, 2)
    said = "Tengo una cita el 04/05/2026."
    assert [d.start for d in read_dates(said, spanish, today)] == [date(2026, 5, 4)]
    assert not read_dates("The visit is on 04/05/2026.", language("en"), today)


def test_reflection_without_a_model_reads_it(spanish):
    """It keeps what the person tells of themselves, and nothing of what the character says."""
    told = exchange(
        ("user", "Soy enfermera en Bilbao. ¿Y tú? ¡Vivo con mi hermana desde ayer!"),
        ("character", "Yo soy de Sevilla."),
        ("user", "No tengo coche, y mi perro se llama Luno."),
    )
    kept = [c.text for c in extract(told, {m.message_id for m in told.messages})]
    assert not any("Sevilla" in text for text in kept)
    assert any("perro" in text for text in kept), kept


def test_a_model_is_asked_with_the_english_prompt_until_it_has_one(spanish):
    """A nameless person is called as the folder says."""
    told = exchange(("user", "Soy enfermera en Bilbao."))
    nameless = Exchange(told.messages, Person(DEFAULT_SPACE, ADDRESS.person, ""), told.character)
    system, asked = reflection.ask(nameless, {told.messages[0].message_id}, [])
    assert "la persona" in system.text and "Bilbao" in asked.text


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Ana es enfermera en Bilbao.", "Soy enfermera en Bilbao."),
        ("Ana es piloto en Oslo.", "Soy enfermera en Bilbao."),
        ("Ana no tiene coche.", "no tengo coche"),
        ("Mi teléfono es 612 345 678.", "Mi teléfono es 612 345 678."),
        ("", ""),
    ],
)
def test_the_filters_judge_a_candidate_in_it(spanish, text, quote):
    """Each gives a verdict, and what nobody said does not pass."""
    told = exchange(
        ("user", "Soy enfermera en Bilbao."),
        ("user", "Yo no tengo coche. Mi teléfono es 612 345 678."),
    )
    candidate = Candidate(text, Kind.FACT, Scope.GLOBAL, 0.9, quote)
    judged = judge([candidate], told)
    assert len(judged.kept) + len(judged.dropped) == 1
    if "Oslo" in text:
        assert judged.dropped
    assert not any("612" in k.text for k in judged.kept)


def test_a_conversation_in_it_is_remembered(spanish, tmp_path):
    """From the message to the context: one memory for a repetition, and no telephone."""
    said = [
        "Mi hermana Inés es alérgica a las nueces.",
        "Tengo dos gatos.",
        "Tengo 2 gatos.",
        "Mi teléfono es 612 345 678.",
    ]
    with souvenance.open(tmp_path / "memory.db") as engine:
        engine.put_character(Character(DEFAULT_SPACE, CharacterId("luz"), "Luz", "", "es"))
        talk = engine.thread(person="ana", character="luz")
        for text in said:
            talk.record(text, "¡Qué bien!")
        engine.drain(timeout_s=20)
        shown = talk.context("¿A qué es alérgica mi hermana?").text
    assert "nueces" in shown and shown.count("gatos") == 1 and "612" not in shown, shown


def test_the_command_tells_how_far_it_is(tmp_path, capsys):
    """A path stands for a code; it ends with 1, as most lists are still missing."""
    assert main([str(lay(tmp_path / "es"))]) == 1
    shown = capsys.readouterr().out
    assert "articles" in shown and "lists have words" in shown
    (tmp_path / "es" / "language.toml").write_text("stemmer =", "utf-8")
    with pytest.raises(SystemExit):
        main([str(tmp_path / "es")])


def test_a_folder_without_a_list_is_read_plainly(tmp_path):
    """A stemmer is enough for figures and names to tell facts apart, and nothing needs a list to be there."""
    (tmp_path / "it").mkdir()
    (tmp_path / "it" / "language.toml").write_text('stemmer = "italian"', "utf-8")
    words = language(extra_folder(tmp_path / "it"))
    try:
        said = "Vivo a Roma con 2 gatti. Mia sorella ha un cane."
        told = exchange(("user", said))
        told = replace(told, character=replace(told.character, language="it"))
        candidate = Candidate("Vive a Roma.", Kind.FACT, Scope.GLOBAL, 0.9, "Vivo a Roma")
        judged = judge([candidate], told)
        assert len(judged.kept) + len(judged.dropped) == 1
        kept = extract(told, {m.message_id for m in told.messages})
        assert all(c.text in said for c in kept)
        assert compare("Vive a Roma", "Vive a Roma.", words).same
        assert not compare("Ha 2 gatti", "Ha 3 gatti", words).same
        assert not compare("Vive a Roma", "Vive a Milano", words).same
    finally:
        without_folder("it")


@pytest.mark.parametrize(
    ("name", "described", "told"),
    [
        ("fr", 'stemmer = "french"', "already"),
        ("Español", 'stemmer = "spanish"', "no code"),
        ("it", 'stemmer = "latin"', "Snowball"),
        ("it", 'stemmer = "italian"\n[traits]\npossesive_s = true', "no trait"),
        ("it", 'stemmer = "italian"\n[traits]\npossessive_s = "yes"', "should be like"),
        ("it", 'stemmer = "italian"\n[traits]\nnumeric_dates = "year"', "numeric_dates"),
        ("it", "stemmer =", "Invalid"),
    ],
)
def test_a_folder_that_cannot_be_read_is_refused_and_says_why(tmp_path, name, described, told):
    """A typing error in a trait would otherwise be a rule that never applies."""
    (tmp_path / name).mkdir()
    (tmp_path / name / "language.toml").write_text(described, "utf-8")
    before = codes()
    with pytest.raises(ValueError, match=told):
        extra_folder(tmp_path / name)
    assert codes() == before


def test_a_folder_without_a_description_is_refused(tmp_path):
    """The stemmer is the least that is needed."""
    (tmp_path / "it").mkdir()
    with pytest.raises(ValueError, match="no language"):
        extra_folder(tmp_path / "it")
