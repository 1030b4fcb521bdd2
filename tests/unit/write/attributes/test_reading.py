"""What a sentence tells of somebody is read where it is said plainly, and nowhere else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from souvenance.lang import language
from souvenance.write.attributes import Attribute, filed, primary, read_attributes
from souvenance.write.attributes.record import MANY, SINGLE
from souvenance.write.attributes.templates import templates

#: A sentence, and what it tells: entity, attribute with its subject, value, state.
FRENCH = [
    ("j'habite à Lyon", "person city Lyon now"),
    ("slt jhabite a marseille", "person city marseille now"),
    ("Bon, pour te situer : j'habite Rouen depuis mai.", "person city Rouen now"),
    ("J'habite à La Rochelle.", "person city La Rochelle now"),
    ("Je vis à Aix-en-Provence avec ma copine.", "person city Aix-en-Provence now"),
    ("J'ai déménagé à Rennes.", "person city Rennes now"),
    ("Je déménage à Nantes en juin.", "person city Nantes upcoming"),
    ("J'habitais à Dijon.", "person city Dijon past"),
    ("Je n'habite plus à Dijon.", "person city Dijon ended"),
    ("Je vis en Belgique.", "person country Belgique now"),
    ("J'habite en Bretagne.", "person region Bretagne now"),
    ("Mon adresse c'est 12 rue des Lilas.", "person address 12 rue des Lilas now"),
    ("Ma sœur Inès habite à Lyon.", "person/sister:ines city Lyon now"),
    ("La mère de l'utilisateur vit à Brest.", "person/mother city Brest now"),
    ("je m'appelle Aurélie", "person name Aurélie now"),
    ("ma sœur s'appelle Inès", "person/sister name Inès now"),
    ("le chien de ma sœur s'appelle Rex", "person/sister/dog name Rex now"),
    ("appelle-moi Manu", "person nickname Manu now"),
    ("Je viens d'avoir 30 ans.", "person age 30 now"),
    ("Mon chat Biscuit a 7 ans.", "person/cat:biscuit age 7 now"),
    ("Ma fille Léa a 7 mois.", "person/daughter:lea age 7 mois now"),
    ("J'aurai 30 ans en mai.", "person age 30 upcoming"),
    ("L'anniversaire de ma mère est le 3 juin.", "person/mother birthday 3 juin now"),
    ("Je suis né en 1990.", "person birth_year 1990 now"),
    ("Je suis prof de maths.", "person job prof de maths now"),
    ("mon père était boulanger", "person/father job boulanger past"),
    ("Je bosse chez Dassault.", "person employer Dassault now"),
    ("je bosse plus chez Dassault", "person employer Dassault ended"),
    ("Depuis septembre je bosse chez Leroy Merlin.", "person employer Leroy Merlin now"),
    ("Je commence chez Airbus lundi.", "person employer Airbus upcoming"),
    ("J'ai démissionné hier.", "person employer  ended"),
    ("Je suis étudiante en droit.", "person studies droit now"),
    ("Je sors avec Karim.", "person partner Karim now"),
    ("On s'est séparés.", "person partner  ended"),
    ("Je suis divorcé.", "person relationship divorced now"),
    ("J'ai deux enfants.", "person children 2 now"),
    ("j'ai pas d'enfants", "person children 0 now"),
    ("J'ai trois frères.", "person siblings/brother 3 now"),
    ("J'ai un chat qui s'appelle Biscuit.", "person pet chat Biscuit now"),
    ("Je suis intolérante au lactose.", "person allergy lactose now"),
    ("Mon fils est asthmatique.", "person/son condition asthmatique now"),
    ("Je prends du Levothyrox.", "person medication Levothyrox now"),
    ("Je suis devenue végane.", "person diet vegan now"),
    ("Je ne mange pas de porc.", "person diet_rule porc now"),
    ("Mon budget passe à 750.", "person budget 750 now"),
    ("Mon budget vélo est de 700 €.", "person budget/velo 700 € now"),
    ("Mon budget pour le vélo, c'est 900 €.", "person budget/velo 900 € now"),
    ("Je gagne 2000 € net par mois.", "person salary 2000 € (net, mois) now"),
    ("Le loyer passe à 750 €.", "person amount/rent 750 € now"),
    ("10 séances à 200 €", "person deal 10 séances à 200 € now"),
    ("Pour le coaching c'est 5 séances à 40 €.", "person deal/coaching 5 séances à 40 € now"),
    ("mon rdv dentiste c'est jeudi 14h", "person appointment/dentist jeudi 14h now"),
    ("Mon IRM est le 14 mai à 9h.", "person appointment/irm 14 mai à 9h now"),
    ("Ma voiture est une Clio.", "person car Clio now"),
    ("Je parle espagnol.", "person language espagnol now"),
    ("J'ai arrêté le judo.", "person hobby judo ended"),
    ("J'habite à Lyon, et toi ?", "person city Lyon now"),
]  # fmt: skip

ENGLISH = [
    ("i live in new york with my wife", "person city new york now"),
    ("We moved to Bristol.", "person city Bristol now"),
    ("I'm moving to York in May", "person city York upcoming"),
    ("I used to live in Leeds", "person city Leeds past"),
    ("I've lived in Leeds for ten years", "person city Leeds now"),
    ("I don't live in Leeds anymore", "person city Leeds ended"),
    ("I live in Texas", "person region Texas now"),
    ("I live in Canada", "person country Canada now"),
    ("I live at 12 Elm Street", "person address 12 Elm Street now"),
    ("The user's mother lives in York.", "person/mother city York now"),
    ("User's sister is called Ines.", "person/sister name Ines now"),
    ("my sister's dog is 7", "person/sister/dog age 7 now"),
    ("My name is Aurelia", "person name Aurelia now"),
    ("You can call me Jo.", "person nickname Jo now"),
    ("I'm 34 years old.", "person age 34 now"),
    ("I just turned 35", "person age 35 now"),
    ("my cat Biscuit is 7", "person/cat:biscuit age 7 now"),
    ("My birthday is on August 5.", "person birthday August 5 now"),
    ("I'm a night nurse", "person job night nurse now"),
    ("I was a nurse", "person job nurse past"),
    ("my mum's a nurse", "person/mother job nurse now"),
    ("I work for Dassault", "person employer Dassault now"),
    ("I've been working at Ikea for two years.", "person employer Ikea now"),
    ("I start at Aldi on Monday", "person employer Aldi upcoming"),
    ("I quit my job", "person employer  ended"),
    ("I'm studying law", "person studies law now"),
    ("I'm dating Paul", "person partner Paul now"),
    ("We broke up", "person partner  ended"),
    ("We got married on Saturday!", "person relationship married now"),
    ("I have two kids", "person children 2 now"),
    ("I'm an only child.", "person siblings/any 0 now"),
    ("I have a cat called Biscuit", "person pet cat Biscuit now"),
    ("I have a nut allergy", "person allergy nut now"),
    ("I was diagnosed with ADHD.", "person condition ADHD now"),
    ("I'm on sertraline", "person medication sertraline now"),
    ("I'm no longer vegetarian", "person diet vegetarian ended"),
    ("I don't eat pork", "person diet_rule pork now"),
    ("My budget is $700", "person budget $700 now"),
    ("My budget for the bike is £700", "person budget/bike £700 now"),
    ("I earn £30k a year", "person salary £30k (year) now"),
    ("My rent went up to £850", "person amount/rent £850 now"),
    ("For the coaching it's 5 sessions at $40.", "person deal/coach 5 sessions at $40 now"),
    ("My dentist appointment is Thursday at 2pm", "person appointment/dentist Thursday at 2pm now"),
    ("My flight is on June 3rd", "person appointment/flight June 3rd now"),
    ("I drive a Honda Civic", "person car Honda Civic now"),
    ("I speak fluent Welsh", "person language Welsh now"),
    ("I play the guitar", "person hobby guitar now"),
]  # fmt: skip

#: Sentences that tell no attribute, each for a reason of its own.
NOTHING_FR = [
    "si j'habitais à Lyon, je prendrais le métro", "j'aimerais vivre à Lyon",
    "il croit que j'ai 30 ans", "Mon père dit que j'habite à Nantes.", "tu crois que j'ai 30 ans ?",
    "*je m'appelle Zorg et j'habite à Paris*", "dans le jeu je m'appelle Zorg",
    "Il m'a dit : « j'habite à Lyon depuis toujours »", "j'ai 100 ans ce matin",
    "j'ai 10 ans d'expérience", "j'ai 20 ans dans ma tête", "je suis à Lyon ce week-end",
    "j'habite à Lyon pour l'instant", "j'habite pas à Lyon", "quand j'avais 20 ans, je vivais à Rome",
    "j'habite à la campagne", "j'habite à côté de la gare", "j'habite à 10 minutes du centre",
    "Appelle-moi demain", "je suis une catastrophe", "je suis fan de ce médecin",
    "J'ai un chat dans la gorge", "je fais du bruit", "je parle à mon chat", "je suis né à Lyon",
    "ma voiture est en panne", "Je travaille chez moi", "je travaille à Lyon", "je travaille de nuit",
    "je gagne 50 euros au loto", "mon budget est serré", "la sœur de Paul habite à Lyon",
    "son frère habite à Lyon", "je vais peut-être déménager à Nice", "je n'ai que 20 ans",
    "Mon budget était de 500 €", "Mon budget serait de 500 €", "Je suis avocate du diable",
    "Mon boulot est un enfer", "Ma voiture est une épave", "Je travaille à la réussite de mon projet",
    "Je suis peintre à mes heures", "Je suis en couple avec mon canapé", "On est séparés par la Manche",
    "je suis plus fatiguée que toi", "je suis allergique au lundi", "ma fille a 40 de fièvre",
]  # fmt: skip

NOTHING_EN = [
    "if I lived in Leeds I'd be happy", "I'd love to live in Leeds", "he thinks I'm 30",
    "do you think I'm 30?", "*I live in Paris* she says", "in the game I'm 300 years old",
    "I'm 100 years old this morning", "I'm 5 minutes away", "I'm 34 weeks pregnant",
    "I'm 6 feet tall", "I'm 80% sure", "I feel like I'm 90", "I'm in Leeds this weekend",
    "I live in Leeds for now", "I never lived in Leeds", "I live in fear", "I live in a flat",
    "when I was 20 I lived in Rome", "call me later", "call me crazy", "I'm a mess",
    "I'm a bad driver", "I'm not a nurse", "I'm a former nurse", "I'm a nurse's daughter",
    "my car is broken", "I work from home", "I work in Leeds", "I work at night", "I'm on holiday",
    "Tom's sister lives in Leeds", "you live in York", "I might move to York", "I'm from York",
    "My budget was $500", "I'm a judge of character", "I moved to Spotify", "My job is hell",
    "My car is a lemon", "I'm engaged with the topic", "I joined a gym last week", "I'm blind with rage",
    "I'm married to my job", "I'm single minded", "I quit smoking", "my budget is tight",
    "I'm seeing double", "I speak my mind", "my name is hard to spell", "my flight is late",
]  # fmt: skip


def shown(found: tuple[Attribute, ...]) -> list[str]:
    """Each reading in one line."""
    return [f"{a.entity} {a.key} {a.value} {a.state}" for a in found]


@pytest.mark.parametrize(("text", "told"), FRENCH)
def test_a_french_sentence_tells_an_attribute(text: str, told: str) -> None:
    """Each attribute is told in its own ways, typed or written by a model."""
    assert told in shown(read_attributes(text, language("fr")))


@pytest.mark.parametrize(("text", "told"), ENGLISH)
def test_an_english_sentence_tells_an_attribute(text: str, told: str) -> None:
    """Each attribute is told in its own ways, typed or written by a model."""
    assert told in shown(read_attributes(text, language("en")))


@pytest.mark.parametrize(
    ("code", "text"), [("fr", t) for t in NOTHING_FR] + [("en", t) for t in NOTHING_EN]
)
def test_what_is_not_plainly_said_of_somebody_is_not_read(code: str, text: str) -> None:
    """A wish, a hypothesis, somebody else's belief, play and metaphor would overwrite what is true."""
    assert shown(read_attributes(text, language(code))) == []


def test_one_sentence_tells_several_attributes() -> None:
    """ "As" and "and" add an attribute; the pronoun goes on with whom the clause before was of."""
    words = language("fr")
    work = shown(read_attributes("je bosse chez Dassault comme soudeur", words))
    assert sorted(work) == ["person employer Dassault now", "person job soudeur now"]
    text = "Ma maman s'appelle Rose et elle vit à Tours."
    assert shown(read_attributes(text, words)) == [
        "person/mother name Rose now", "person/mother city Tours now",
    ]  # fmt: skip
    nuts = read_attributes("je suis allergique aux noix, aux kiwis et au lait", words)
    assert [a.value for a in nuts] == ["noix", "kiwis", "lait"]


def test_a_person_is_known_by_name_only_in_what_others_write_of_them() -> None:
    """In a text that says "I", the same name is somebody else's."""
    words = language("en")
    assert shown(read_attributes("Hugo works at Shell.", words, called=("Hugo",))) == [
        "person employer Shell now"
    ]
    assert read_attributes("Hugo works at Shell.", words) == ()
    assert read_attributes("I know Hugo. Hugo works at Shell.", words, called=("Hugo",)) == ()


def test_what_a_character_says_of_itself_is_not_the_persons() -> None:
    """ "I live in Leeds" in a reply is the character's home."""
    (home,) = read_attributes("I live in Leeds.", language("en"), speaker="character")
    assert home.entity == "character"


def test_a_correction_says_so() -> None:
    """ "No", "en fait" take back what was said before."""
    (said,) = read_attributes("Non, j'habite à Nantes.", language("fr"))
    (plain,) = read_attributes("J'habite à Nantes.", language("fr"))
    assert (said.corrects, plain.corrects) == (True, False)


def test_what_stands_beside_something_else_is_not_the_only_value() -> None:
    """A second job, or one of two sisters, takes the place of nothing."""
    beside = [
        ("fr", "Je suis serveuse le week-end."), ("en", "I also work at Aldi."),
        ("fr", "Ma sœur habite à Lyon."), ("en", "My brother is 20."),
        ("fr", "J'habite près de Lyon."), ("en", "I have a dentist appointment on Monday."),
    ]  # fmt: skip
    for code, text in beside:
        assert [a.single for a in read_attributes(text, language(code))] == [False], text


def test_a_memory_is_filed_under_its_only_present_attribute() -> None:
    """What tells two things, or what is over, must not be closed by a new value of one of them."""
    words = language("fr")
    home = filed("J'habite à Lyon.", words)
    assert home is not None and (home.key, home.value) == ("city", "Lyon")
    assert filed("J'habite à Lyon et je bosse chez Airbus.", words) is None
    assert filed("Je n'habite plus à Lyon.", words) is None
    assert filed("J'ai un chat.", words) is None
    assert primary(()) is None


def test_a_figure_is_filed_under_what_it_measures_and_not_under_what_happened() -> None:
    """ "I ate 3 apples" is replaced by no other meal; five hours of sleep are by six."""
    filed_under = [
        ("fr", "Je dors cinq heures.", "figure/dor/h"), ("en", "I sleep 5 hours.", "figure/sleep/h"),
        ("fr", "Mon trajet dure 40 minutes.", "figure/trajet/min"),
        ("en", "I ate 3 apples.", None), ("en", "My brother won 2 medals.", None),
        ("fr", "Je commande 2 pizzas.", None), ("fr", "Si je dors cinq heures, je tiens.", None),
    ]  # fmt: skip
    for code, text, key in filed_under:
        found = filed(text, language(code))
        assert (found.key if found else None) == key, text


def test_every_template_is_of_the_closed_list() -> None:
    """A misspelt attribute in a data file would file memories where nothing looks for them."""
    for code in ("fr", "en"):
        assert {t.attribute for t in templates(code)} <= SINGLE | MANY


_TEXTS = st.text(max_size=80) | st.lists(
    st.sampled_from(" ".join(t for t, _ in FRENCH + ENGLISH).split()), max_size=14
).map(" ".join)


@given(_TEXTS, st.sampled_from(["fr", "en"]))
def test_reading_never_raises_and_is_the_same_each_time(text: str, code: str) -> None:
    """Whatever somebody types is read or left alone."""
    words = language(code)
    assert read_attributes(text, words) == read_attributes(text, words)
    filed(text, words)


@given(st.sampled_from(FRENCH + ENGLISH), st.sampled_from([".", "!", " .", "…", "\n", ""]))
def test_the_stop_at_the_end_changes_nothing(case: tuple[str, str], stop: str) -> None:
    """People leave the stop out, or type three."""
    code = "fr" if case in FRENCH else "en"
    text = case[0].rstrip(".!")
    if not text.endswith("?"):
        bare = read_attributes(text, language(code))
        assert read_attributes(text + stop, language(code)) == bare
