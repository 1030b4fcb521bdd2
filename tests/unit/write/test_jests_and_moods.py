"""What is said in jest, given up in the same breath or of the minute is no memory; what lasts beside it is one."""

from __future__ import annotations

import pytest
from tests.unit.write.test_extractive import texts

from souvenance.lang import language
from souvenance.write.told.requests import gives_up_only

JEST = [
    ("en", "If Martin hums in the meeting again I'm moving to a lighthouse."),
    ("en", "one more invoice and im becoming a shepherd"),
    (
        "en",
        "I swear if the printer jams one more time I'm throwing it in the canal and retiring to Crete.",
    ),
    ("en", "I told her sure, I'll climb Everest in slippers too."),
    ("en", "Yeah right, and I'm the Queen of Sheba."),
    ("en", "Oh sure, I'll just buy a yacht while I'm at it."),
    ("en", "If this bus doesn't come soon I'm walking to Glasgow."),
    ("en", "Any more rain and I'm building an ark."),
    ("en", "Told my sister fine, I'll marry a goat then."),
    ("en", "The day I go jogging is the day pigs fly, I'll run a marathon then."),
    ("en", "Next time Karen rings at six I'm changing my name and leaving the country."),
    ("fr", "Si Gérard siffle encore une fois je m'engage dans la Légion."),
    ("fr", "encore une réunion et je pars élever des chèvres"),
    ("fr", "Je te jure, si l'imprimante plante encore je déménage en Laponie."),
    ("fr", "Je lui ai dit bien sûr, je ferai l'Everest en tongs aussi."),
    ("fr", "Ouais c'est ça, et moi je suis la reine d'Angleterre."),
    ("fr", "Mais oui, je vais m'acheter un yacht tant que j'y suis."),
    ("fr", "Si le bus arrive pas je rentre à pied jusqu'à Lille."),
    (
        "fr",
        "La prochaine fois que Karine appelle à six heures je change de nom et je quitte le pays.",
    ),
    ("fr", "J'ai répondu à ma sœur ok, j'épouserai une chèvre alors."),
]


@pytest.mark.parametrize(("code", "said"), JEST)
def test_a_threat_or_a_promise_in_jest_is_left_out(code: str, said: str) -> None:
    """Kept as said, it would come back as a plan of the person."""
    assert texts(code, said) == []


DROP = [
    (
        "en",
        "Marco wants to get married in Las Vegas, we talked about it but no, we're not doing it, far too expensive.",
    ),
    ("en", "We looked into adopting a greyhound but it's not happening, the landlord said no."),
    ("en", "Thought about cycling to Lisbon this spring. Not going to happen."),
    ("en", "My wife fancied a cruise in Norway, we priced it up, but nah, we're not going."),
    ("en", "Considered a tattoo for my fortieth. Decided against it."),
    ("en", "Was gonna learn the cello. Gave up on that idea."),
    ("en", "We had a look at a caravan in Tenby but we're not buying it, too damp."),
    ("en", "I'd my heart set on Iceland in June. Had to let it go."),
    (
        "fr",
        "Marco voulait se marier à Las Vegas, on a regardé mais non, on le fait pas, beaucoup trop cher.",
    ),
    ("fr", "On s'est renseignés pour adopter un lévrier mais ça se fera pas, le proprio refuse."),
    ("fr", "J'ai pensé descendre à Lisbonne à vélo au printemps. Ça se fera pas."),
    (
        "fr",
        "Ma femme avait envie d'une croisière en Norvège, on a comparé les prix, mais bon, on y va pas.",
    ),
    ("fr", "Songé à un tatouage pour mes quarante ans. J'ai laissé tomber."),
    ("fr", "J'allais apprendre le violoncelle. Finalement non."),
    ("fr", "On a visité une caravane à Royan mais on la prend pas, trop humide."),
    ("fr", "Je rêvais de l'Islande en juin. J'ai dû y renoncer."),
]


@pytest.mark.parametrize(("code", "said"), DROP)
def test_a_plan_that_is_given_up_in_the_same_message_tells_of_no_plan(code: str, said: str) -> None:
    """The plan and its end are one candidate, so that settling sees that nothing of it holds."""
    found = texts(code, said)
    assert not found or (len(found) == 1 and gives_up_only(found[0], language(code)))


NOISE = [
    ("en", "My feet are killing me."),
    ("en", "I'm in love."),
    ("en", "One problem."),
    ("en", "I haven't slept properly all week."),
    ("en", "I'm sitting down."),
    ("en", "My head is pounding today."),
    ("en", "I'm freezing."),
    ("en", "Quick one."),
    ("en", "I'm soaked to the bone."),
    ("en", "I could eat a whole cow right now."),
    ("en", "My back hurts tonight."),
    ("en", "I'm so tired I could cry."),
    ("en", "Leave it. It's perfect."),
    ("fr", "J'ai les pieds en compote."),
    ("fr", "Je suis amoureux."),
    ("fr", "Un souci."),
    ("fr", "J'ai mal dormi toute la semaine."),
    ("fr", "Je suis assise là."),
    ("fr", "J'ai la tête qui explose."),
    ("fr", "Je suis gelée."),
    ("fr", "Petite question."),
    ("fr", "Je suis trempé jusqu'aux os."),
    ("fr", "J'ai les doigts gelés."),
    ("fr", "J'ai mal au dos ce soir."),
    ("fr", "Je suis tellement fatigué."),
    ("fr", "M'en parle pas."),
]


@pytest.mark.parametrize(("code", "said"), NOISE)
def test_a_mood_or_an_ache_of_the_minute_is_left_out(code: str, said: str) -> None:
    """It is over by the next talk."""
    assert texts(code, said) == []


LAST = [
    ("en", "My knees have been bad since the accident in 2015."),
    ("en", "I'm in love with a sailor called Jonas."),
    ("en", "I get migraines when I skip breakfast."),
    ("en", "I've had back pain for ten years."),
    ("en", "I suffer from insomnia."),
    ("en", "I'm always cold because of my thyroid."),
    ("en", "If I eat nuts I swell up."),
    ("en", "I told him I'm allergic to nuts."),
    ("en", "I told my boss I'm leaving in March."),
    ("en", "We looked at three flats and we took the one in Leith."),
    ("en", "I wanted to be a vet but I became a nurse."),
    ("en", "Sure, I'm a vegetarian."),
    ("en", "I'd been thinking of leaving teaching, and I resigned on Monday."),
    ("en", "I don't want to move to Paris, it's out of the question."),
    ("en", "I hurt my back lifting crates."),
    ("en", "If the sun is out I cycle to work."),
    ("en", "My wife wants to move to Spain."),
    ("en", "I lost my dad this week."),
    ("fr", "J'ai mal au genou depuis mon accident de 2015."),
    ("fr", "Je suis amoureuse d'un marin qui s'appelle Jonas."),
    ("fr", "J'ai des migraines quand je saute le petit déjeuner."),
    ("fr", "J'ai le dos abîmé depuis dix ans."),
    ("fr", "Je suis insomniaque."),
    ("fr", "Si je mange des noix je gonfle."),
    ("fr", "J'ai promis à Léa d'être là."),
    ("fr", "Je lui ai dit que je suis allergique aux noix."),
    ("fr", "J'ai dit à mon patron que je pars en mars."),
    ("fr", "On a visité trois appartements et on a pris celui de Lorient."),
    ("fr", "Je voulais être véto mais je suis devenue infirmière."),
    ("fr", "Oui, je suis végétarienne."),
    ("fr", "Je veux pas déménager à Paris, hors de question."),
    ("fr", "J'ai perdu mon chien cette semaine."),
    ("fr", "Je suis fatiguée depuis ma grossesse."),
]


@pytest.mark.parametrize(("code", "said"), LAST)
def test_what_lasts_is_kept_beside_what_passes(code: str, said: str) -> None:
    """The same words with a cause, a length or a habit tell something of the person."""
    assert texts(code, said)


REPORTED = [
    (
        "en",
        "My brother-in-law swears by onions, says he never caught a cold. He also sold his car, the idiot.",
    ),
    ("en", "My uncle lives on garlic, claims he can smell rain. He quit the choir too."),
    (
        "fr",
        "Ma belle-mère jure que le thé soigne tout, dit qu'elle n'est jamais malade. Elle a aussi vendu sa voiture.",
    ),
    (
        "fr",
        "Mon oncle ne mange que de l'ail, prétend qu'il sent la pluie. Il a quitté la chorale aussi.",
    ),
]


@pytest.mark.parametrize(("code", "said"), REPORTED)
def test_what_a_later_clause_reports_is_hearsay(code: str, said: str) -> None:
    """The first verb that reports may report nothing; the second one does."""
    assert texts(code, said) == []


ANNOUNCED = [
    ("en", "My cousin Rosa is expecting. Rosa says it's a boy."),
    ("fr", "Ma cousine Rosa est enceinte. Rosa dit que c'est un garçon."),
]


@pytest.mark.parametrize(("code", "said"), ANNOUNCED)
def test_what_somebody_of_the_circle_announces_is_told(code: str, said: str) -> None:
    """It is of no third person: it is the family's news."""
    assert texts(code, said) == [said]


JESTED = [
    ("en", "I quit the union.", "Just kidding, I didn't quit."),
    ("en", "I'm marrying a sailor in June.", "I'm kidding! Nobody would have me."),
    ("fr", "J'ai quitté le syndicat.", "Je plaisante, j'y suis toujours."),
    ("fr", "J'épouse un marin en juin.", "Je rigole ! Personne ne voudrait de moi."),
]


@pytest.mark.parametrize(("code", "said", "back"), JESTED)
def test_a_joke_owned_up_to_a_message_later_is_left_out(code: str, said: str, back: str) -> None:
    """The person has said that it is not so."""
    assert said not in texts(code, said, back)


def test_a_joke_takes_only_what_it_names_with_it() -> None:
    """What was told beside it was meant."""
    found = texts("en", "I keep bees in Leeds. I quit the union.", "Kidding about the union.")
    assert found == ["I keep bees in Leeds."]
