"""What one clause changes in another: an answer, an exception, a pronoun, a thing one is without."""

from __future__ import annotations

import pytest

from souvenance.domain import Dropped, Kept, Kind

#: Language, message, candidate, kind, and the words quoted when these are not the whole message.
TURNED = [
    ("fr", "Je mange du poisson mais pas de crustacés.", "Nadège mange des crustacés.", "fact", ""),
    ("fr", "Je fuis les foules mais pas les concerts en plein air.", "L'utilisateur fuit les concerts en plein air.", "preference", ""),
    ("fr", "J'ai arrêté le café mais pas le thé.", "Nadège a arrêté le thé.", "fact", ""),
    ("en", "I avoid gluten but not dairy.", "User avoids dairy.", "fact", ""),
    ("en", "I gave up smoking but not drinking.", "Nadège gave up drinking.", "fact", ""),
    ("en", "I hate mornings but not the sunrise itself.", "Nadège hates the sunrise.", "preference", ""),
    ("en", "Without my glasses I can't read a thing; with them I read all night.", "User can't read a thing with glasses.", "fact", ""),
    ("fr", "Sans ma canne je ne marche pas, avec elle je trotte.", "Nadège ne marche pas avec sa canne.", "fact", ""),
    ("fr", "Sans mon traitement je ne dors pas ; avec, je dors bien.", "L'utilisateur ne dort pas avec son traitement.", "fact", ""),
    ("en", "Where did you hear that I drink? I've been sober for two years.", "Nadège drinks.", "fact", "Where did you hear that I drink?"),
    ("en", "What makes you think I'm married? I've never even been engaged.", "User is married.", "fact", "What makes you think I'm married?"),
    ("fr", "Qui t'a dit que je chante ? J'ai arrêté il y a dix ans.", "Nadège chante.", "fact", "Qui t'a dit que je chante ?"),
    ("fr", "Depuis quand je suis avocat ? Je suis greffier.", "L'utilisateur est avocat.", "fact", "Depuis quand je suis avocat ?"),
    ("fr", "Où t'as vu que j'ai un chien ? Je n'ai que des chats.", "Nadège a un chien.", "fact", "Où t'as vu que j'ai un chien ?"),
    ("en", "I've given up sugar for good.", "User eats sugar.", "fact", ""),
    ("fr", "J'ai lâché la cigarette en janvier.", "Nadège fume la cigarette.", "fact", ""),
    ("fr", "Impossible pour moi de courir sans musique.", "L'utilisateur court sans musique.", "fact", ""),
    ("en", "I'm unable to sleep without a fan on.", "Nadège sleeps without a fan on.", "fact", ""),
    ("fr", "Je ne rate jamais un marché le dimanche.", "Nadège ne va jamais au marché le dimanche.", "fact", ""),
    ("en", "I never skip breakfast.", "User never eats breakfast.", "fact", ""),
    ("en", "Why does everyone think I'm rich? I rent a room.", "Nadège is rich.", "fact", ""),
    ("fr", "Je me passe très bien de télé.", "Nadège regarde la télé.", "fact", ""),
    ("fr", "Ma nièce a refusé la bourse.", "La nièce de Nadège a accepté la bourse.", "fact", ""),
]  # fmt: skip

SAID = [
    ("fr", "Je mange du poisson mais pas de crustacés.", "Nadège mange du poisson, pas de crustacés.", "fact", ""),
    ("fr", "J'évite le bus mais pas le tram.", "L'utilisateur évite le bus.", "preference", ""),
    ("en", "I avoid gluten but not dairy.", "User avoids gluten but eats dairy.", "fact", ""),
    ("en", "Without my glasses I can't read a thing; with them I read all night.", "User can't read without glasses.", "fact", ""),
    ("fr", "Sans ma canne je ne marche pas, avec elle je trotte.", "Nadège ne marche pas sans sa canne.", "fact", ""),
    ("en", "Did I tell you I smoke? Ten a day, sadly.", "Nadège smokes ten a day.", "fact", ""),
    ("fr", "Tu sais que je chante ? Depuis mes six ans, en chorale.", "Nadège chante en chorale depuis ses six ans.", "fact", ""),
    ("en", "Everyone thinks I'm lazy. No, I'm anaemic.", "Nadège is anaemic, not lazy.", "fact", ""),
    ("en", "We didn't sell the farm, the bank took it.", "User's farm was taken by the bank, not sold.", "fact", ""),
    ("fr", "On me croit snob. Non, je suis juste myope.", "Nadège est myope, pas snob.", "fact", ""),
    ("fr", "Je n'ai pas démissionné, on m'a viré.", "L'utilisateur a été viré, il n'a pas démissionné.", "fact", ""),
    ("fr", "C'est pas le boulot qui me manque, c'est les collègues.", "Ce sont ses collègues qui manquent à Nadège, pas le travail.", "fact", ""),
    ("en", "It's not the cold I mind, it's the dark.", "Nadège minds the dark, not the cold.", "preference", ""),
    ("fr", "Moi, raciste ? Jamais de la vie, ma femme est sénégalaise.", "La femme de Nadège est sénégalaise et Nadège n'est pas raciste.", "fact", ""),
    ("en", "Me, afraid of dogs? Not at all, I'm a vet.", "User is a vet and isn't afraid of dogs.", "fact", ""),
    ("fr", "Impossible de manger plus de deux œufs sans être malade.", "Nadège ne peut pas manger plus de deux œufs sans être malade.", "fact", ""),
    ("en", "Since the accident it's impossible to walk more than a mile.", "Nadège cannot walk more than a mile since the accident.", "fact", ""),
    ("fr", "Incapable de conduire la nuit depuis mon opération des yeux.", "L'utilisateur ne peut pas conduire la nuit depuis son opération des yeux.", "fact", ""),
    ("fr", "je suis pas fâché mais mon père, je l'appelle plus", "Nadège n'appelle plus son père.", "fact", "mon père, je l'appelle plus"),
    ("fr", "Les vaches, j'y touche plus depuis l'accident.", "Nadège ne touche plus aux vaches depuis l'accident.", "fact", ""),
    ("en", "I wouldn't sell my old piano for the world.", "User has an old piano.", "fact", ""),
    ("fr", "Je ne prête pas mon vieux vélo.", "Nadège a un vieux vélo.", "fact", ""),
    ("en", "The storm didn't break the fence, the goats did.", "Nadège's fence was broken by the goats, not the storm.", "fact", ""),
    ("en", "You can't imagine how fond I am of my nephew.", "Nadège is very fond of her nephew.", "fact", ""),
    ("fr", "Je me passe très bien de télé.", "Nadège se passe de télé.", "preference", ""),
    ("en", "I think the world of my uncle.", "Nadège adores her uncle.", "fact", ""),
    ("en", "I quit meat last year and haven't missed it.", "Nadège quit meat last year.", "fact", ""),
]  # fmt: skip


@pytest.mark.parametrize(("lang", "said", "proposed", "kind", "quote"), TURNED)
def test_what_a_neighbouring_clause_denies_is_not_affirmed(
    screened, lang, said, proposed, kind, quote
):
    """Each word of such a candidate was said; only the clause beside it tells that it is not so."""
    verdict = screened(lang, said, proposed, quote or None, kind=Kind(kind))
    assert isinstance(verdict, Dropped)


@pytest.mark.parametrize(("lang", "said", "proposed", "kind", "quote"), SAID)
def test_both_sides_of_a_contrast_may_be_told(screened, lang, said, proposed, kind, quote):
    """A memory that words what is and what is not so tells what the person told."""
    verdict = screened(lang, said, proposed, quote or None, kind=Kind(kind))
    assert isinstance(verdict, Kept)
