"""What was denied stays denied, in both languages, whatever carries the negation."""

from __future__ import annotations

import pytest

from souvenance.domain import Dropped, Kept

TURNED = [
    ("fr", "Les huîtres, très peu pour moi.", "Nadège aime les huîtres."),
    ("fr", "On m'a refusé ma bourse.", "Nadège a obtenu sa bourse."),
    (
        "fr",
        "Je ne saurais vivre loin du fleuve.",
        "Nadège sait vivre loin du fleuve.",
    ),
    ("fr", "Nul dans ma famille ne parle breton.", "La famille de Nadège parle breton."),
    ("en", "I'm not so much angry as tired.", "Nadège is angry."),
    ("en", "Few of my cousins know about my illness.", "Nadège's cousins know about her illness."),
    ("en", "We called off the wedding.", "Nadège is getting married."),
    ("en", "My landlord refuses to fix the roof.", "Nadège's landlord fixed the roof."),
    ("en", "I've yet to see a whale.", "Nadège has seen a whale."),
    ("en", "Jogging isn't my thing, I row.", "Nadège likes jogging."),
    ("en", "It's not like I hate my flat, I'm just bored.", "Nadège hates her flat."),
    ("fr", "J'ai raté mon permis bateau.", "Nadège a réussi son permis bateau."),
    ("fr", "Ce n'est pas moi qui ai fendu la cloche.", "Nadège a fendu la cloche."),
    ("fr", "je bois plus une goutte de cidre", "Nadège boit du cidre."),
    (
        "fr",
        "On s'est jamais fiancés, Aurel et moi, on vit juste ensemble.",
        "Nadège est fiancée à Aurel.",
    ),
    ("fr", "Il n'y a que le jeudi que je ne travaille pas.", "Nadège ne travaille que le jeudi."),
    (
        "fr",
        "Ce n'est pas faute d'aimer la neige, mais le ski m'effraie.",
        "Nadège n'aime pas la neige.",
    ),
    ("fr", "Mon cardiologue m'a interdit le sel.", "Nadège prend du sel."),
    ("en", "My street is anything but safe.", "Nadège's street is safe."),
    ("en", "I failed the bar exam.", "Nadège passed the bar exam."),
    ("en", "I'm not the one who wanted the move.", "Nadège wanted the move."),
    ("en", "I've never been less tired.", "Nadège is tired."),
    ("en", "I quit vaping in spring.", "Nadège vapes."),
    (
        "en",
        "Nobody in my village sings except my aunt.",
        "Everyone in Nadège's village sings except her aunt.",
    ),
    ("fr", "J'ai plus de chien depuis deux ans.", "Nadège a un chien."),
    ("fr", "Je n'ai jamais dit que j'étais contre la chasse.", "Nadège est contre la chasse."),
    ("fr", "J'ai rien contre les chats.", "Nadège n'aime pas les chats."),
    ("fr", "Ni mon père ni ma mère ne conduisent.", "Les parents de Nadège conduisent."),
    ("fr", "Je ne nie pas être jalouse.", "Nadège nie être jalouse."),
    ("fr", "Il est faux que j'aie quitté mon mari.", "Nadège a quitté son mari."),
    ("en", "Not a single friend came to my party.", "Nadège's friends came to her party."),
    ("en", "It's not as if I enjoy confrontation.", "Nadège enjoys confrontation."),
    ("en", "It isn't true that I sold the boat.", "Nadège sold the boat."),
    ("en", "I couldn't care less about football.", "Nadège cares about football."),
    ("fr", "Je ne supporte pas le fromage bleu.", "Nadège adore le fromage bleu."),
    ("fr", "Je ne regarde que des documentaires.", "Nadège ne regarde pas de documentaires."),
    ("fr", "Je prends mon café sans lait.", "Nadège prend son café avec du lait."),
    ("fr", "j'ai jamais mis les pieds en Italie", "Nadège a mis les pieds en Italie."),
    ("fr", "Je ne travaille plus à la mairie.", "Nadège travaille à la mairie."),
    ("fr", "je bosse plus à la mairie depuis mars", "Nadège bosse à la mairie."),
    ("fr", "Je n'aime pas que la montagne, la mer me va aussi.", "Nadège n'aime pas la montagne."),
    ("fr", "Je ne dors jamais sans ma veilleuse.", "Nadège dort sans veilleuse."),
    (
        "fr",
        "Personne ne m'a aidée au déménagement.",
        "Le déménagement : tout le monde a aidé Nadège.",
    ),
    ("fr", "Mon oncle n'est pas venu à mon mariage.", "L'oncle de Nadège est venu à son mariage."),
    ("fr", "Je ne dirais pas que je déteste mon voisin.", "Nadège déteste son voisin."),
    ("fr", "J'ai arrêté la clarinette l'an dernier.", "Nadège joue de la clarinette."),
    ("fr", "Je n'ai pas arrêté la clarinette.", "Nadège a arrêté la clarinette."),
    ("fr", "Ça ne me gêne pas de conduire la nuit.", "Nadège déteste conduire la nuit."),
    ("fr", "J'ai aucune allergie.", "Nadège a une allergie."),
    ("en", "I don't eat shellfish.", "Nadège eats shellfish."),
    ("en", "I haven't finished my thesis.", "Nadège has finished her thesis."),
    ("en", "I can't stand jazz.", "Nadège likes jazz."),
    ("en", "I never drink before noon.", "Nadège drinks before noon."),
    ("en", "I don't only paint portraits, I also do murals.", "Nadège doesn't paint portraits."),
    ("en", "I no longer own a car.", "Nadège owns a car."),
    ("en", "I don't mind spiders.", "Nadège hates spiders."),
    ("en", "I wouldn't say I dislike winter.", "Nadège dislikes winter."),
    ("en", "I stopped fencing years ago.", "Nadège does fencing."),
    ("en", "I never travel without my notebook.", "Nadège travels without a notebook."),
    ("en", "My cousin isn't a nurse.", "Nadège's cousin is a nurse."),
    ("en", "Nobody in my family speaks Breton.", "Nadège's family speaks Breton."),
    ("en", "I used to smoke.", "Nadège smokes."),
    ("en", "I love thunderstorms.", "Nadège hates thunderstorms."),
]

FAITHFUL = [
    ("en", "I've never felt this lonely.", "Nadège feels lonely."),
    (
        "fr",
        "J'aimerais autant qu'on ne parle pas de mon procès.",
        "Nadège préfère ne pas parler de son procès.",
    ),
    ("fr", "Ma nièce ne mange rien d'autre que du riz.", "La nièce de Nadège ne mange que du riz."),
    ("en", "My niece doesn't eat anything but rice.", "Nadège's niece only eats rice."),
    ("fr", "Les huîtres, très peu pour moi.", "Nadège n'aime pas les huîtres."),
    ("fr", "Pas question que je mange des huîtres.", "Nadège refuse de manger des huîtres."),
    (
        "fr",
        "Arrête de finir tes phrases par des points, c'est pénible.",
        "Nadège ne veut pas que les phrases finissent par des points.",
    ),
    ("en", "I'm not so much angry as tired.", "Nadège is tired."),
    ("en", "I've yet to see a whale.", "Nadège has never seen a whale."),
    ("en", "We called off the wedding.", "Nadège's wedding was called off."),
    ("en", "I wouldn't touch tripe with a bargepole.", "Nadège refuses to eat tripe."),
    ("en", "I only just scraped through my finals.", "Nadège barely passed her finals."),
    (
        "fr",
        "Ce n'est pas moi qui ai fendu la cloche, c'est mon neveu.",
        "Le neveu de Nadège a fendu la cloche.",
    ),
    (
        "fr",
        "Personne ne m'appelle Nadège à part mes élèves, les autres disent Nad.",
        "Nadège se fait appeler Nad, sauf par ses élèves.",
    ),
    ("fr", "J'aimerais que tu arrêtes avec les surnoms.", "Nadège ne veut pas de surnoms."),
    ("fr", "Je peux pas m'empêcher de compter les marches.", "Nadège compte les marches."),
    ("fr", "Rien ne me fait plus peur que les orages.", "Nadège a peur des orages."),
    (
        "fr",
        "Je ne chante plus à la chorale, le chef est parti en avril.",
        "Nadège ne chante plus à la chorale depuis que le chef est parti en avril.",
    ),
    ("fr", "Il n'est pas impossible que je parte au Pérou.", "Nadège partira peut-être au Pérou."),
    ("en", "Nothing scares me more than heights.", "Nadège fears heights more than anything."),
    ("en", "It isn't my knee that's bad, it's my hip.", "Nadège has a bad hip, not a bad knee."),
    ("en", "I failed the bar exam.", "Nadège did not pass the bar exam."),
    ("en", "I've never been happier.", "Nadège is happy."),
    ("en", "I quit vaping in spring.", "Nadège stopped vaping in spring."),
    ("fr", "Sans mes lunettes je vois rien.", "Nadège ne voit rien sans ses lunettes."),
    (
        "fr",
        "je suis pas frileuse, par contre je suis allergique au pollen",
        "Nadège est allergique au pollen.",
    ),
    ("fr", "Je ne dirais pas non à une tisane.", "Nadège aimerait une tisane."),
    (
        "en",
        "Can you stop using so many exclamation marks?",
        "Nadège wants fewer exclamation marks.",
    ),
    ("en", "I was a welder before the war.", "Nadège used to be a welder before the war."),
    ("en", "I used to live in Cork, now I'm in Galway.", "Nadège lives in Galway."),
    ("en", "We never eat out except on birthdays.", "Nadège's family only eats out on birthdays."),
    ("en", "Without coffee I'm useless.", "Nadège needs coffee to function."),
    (
        "fr",
        "Je ne mange que du poisson le vendredi.",
        "Nadège ne mange que du poisson le vendredi.",
    ),
    (
        "fr",
        "Je peux pas dormir sans bruit de fond.",
        "Nadège a besoin d'un bruit de fond pour dormir.",
    ),
    (
        "fr",
        "je vais plus à la piscine depuis l'hiver",
        "Nadège ne va plus à la piscine depuis l'hiver.",
    ),
    (
        "fr",
        "Je ne suis pas boulanger, je suis pâtissier.",
        "Nadège est pâtissier et non boulanger.",
    ),
    ("fr", "Je n'aime pas le bruit mais j'adore les concerts.", "Nadège adore les concerts."),
    ("fr", "J'ai horreur des ascenseurs.", "Nadège déteste les ascenseurs."),
    (
        "fr",
        "Mon frère ne sait pas que je suis revenue.",
        "Nadège est revenue sans le dire à son frère.",
    ),
    (
        "fr",
        "Ce n'est pas ma tante qui tient la ferme, c'est mon oncle.",
        "L'oncle de Nadège tient la ferme.",
    ),
    ("fr", "Aucun de mes collègues ne fume, sauf Denis.", "Denis, un collègue de Nadège, fume."),
    ("fr", "Je n'ai ni voiture ni vélo.", "Nadège n'a pas de voiture ni de vélo."),
    ("fr", "Je ne quitte jamais mon chapeau.", "Nadège ne quitte jamais son chapeau."),
    (
        "fr",
        "Je déteste que ma sœur fume dans ma voiture.",
        "La sœur de Nadège fume dans sa voiture.",
    ),
    ("en", "I don't drink, but my brother runs a bar.", "Nadège's brother runs a bar."),
    ("en", "I haven't eaten meat since 2012.", "Nadège has not eaten meat since 2012."),
    ("en", "I can't live without my garden.", "Nadège loves her garden."),
    ("en", "I hate that my sister smokes.", "Nadège's sister smokes."),
    (
        "en",
        "I don't hate Mondays, I just never sleep on Sundays.",
        "Nadège never sleeps on Sundays.",
    ),
    (
        "en",
        "My dad doesn't know that I dropped out.",
        "Nadège dropped out and her dad doesn't know.",
    ),
    ("en", "I'm not vegan anymore.", "Nadège is no longer vegan."),
    ("en", "I'm used to the cold.", "Nadège is used to the cold."),
    ("en", "I'd rather walk than drive.", "Nadège prefers walking rather than driving."),
    ("en", "I can't wait for the harvest.", "Nadège looks forward to the harvest."),
    (
        "en",
        "No dairy for me, it makes me ill.",
        "Nadège does not eat dairy because it makes her ill.",
    ),
]


@pytest.mark.parametrize(("lang", "said", "proposed"), TURNED)
def test_a_statement_turned_round_is_dropped(screened, lang, said, proposed):
    """A memory that says the opposite of what was said is worse than none."""
    verdict = screened(lang, said, proposed)
    assert isinstance(verdict, Dropped)


@pytest.mark.parametrize(("lang", "said", "proposed"), FAITHFUL)
def test_a_faithful_wording_of_a_negation_is_kept(screened, lang, said, proposed):
    """Negation is worded in many ways; the same meaning in other words is the same fact."""
    assert isinstance(screened(lang, said, proposed), Kept), screened(lang, said, proposed)


def test_a_quote_cut_out_of_its_negation_does_not_lose_it(screened):
    """The clause decides, not the stretch that a model chose to quote."""
    said = "Je ne peux pas dire que je déteste les chats."
    verdict = screened("fr", said, "Nadège déteste les chats.", "je déteste les chats")
    assert isinstance(verdict, Dropped)
    assert verdict.filter == "polarity"
