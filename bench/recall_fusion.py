"""Every way of ordering memories by a message that was tried, on files of questions with known answers.

Legs (one embedder each) and blends, in which voice texts are compared, how words are added, what else was tried and
not kept. Read on it: the weights of `models/embed/blend.py`, the figures of `read/calibrations.py`, WORD_WEIGHT.

    python bench/recall_fusion.py FILE… [--size N] [--cache DIR] [--weights]
"""

from __future__ import annotations

import argparse
import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table
from threadpoolctl import threadpool_limits

from experiment_vectors import embedded
from souvenance.domain import View
from souvenance.lang import Language, language
from souvenance.lang.everyday import in_plain_words
from souvenance.measure.recall import AT, memory_of, spoken_texts
from souvenance.measure.recallfile import RecallFile, read
from souvenance.models.embed.blend import WEIGHTS
from souvenance.models.embed.choice import PARTS
from souvenance.ports import Vector
from souvenance.read.calibrations import WORD_WEIGHT
from souvenance.read.corpus import Corpus
from souvenance.read.recall import normalise
from souvenance.read.scores import WORDS_CAP, read_query, word_matches

Floats = NDArray[np.float32]
CUTS = (8, 24)

#: Where names are followed from one memory to those that share them: memories this many spreads above the mean are
#: followed, and a name that stands in more than this share of the memories is nobody's in particular.
FOLLOWED_FROM = 2.0
NAME_SHARE = 0.03


@dataclass
class Trial:
    """One file, one draw of distractors: what each leg and each way of saying the texts gives. Rows are questions."""

    file: RecallFile
    corpus: Corpus
    cosine: Mapping[tuple[str, str], Floats]  # by leg and voice: (questions, memories)
    words: Mapping[str, Floats]  # by voice of the message
    clauses: Mapping[str, Floats]  # best clause of each message, in one voice, by leg
    rows: dict[str, int] = field(default_factory=dict)

    def recall(self, scores: Floats) -> tuple[float, ...]:
        """Mean share of the expected memories among the first, at each cut."""
        order = np.argsort(-scores, axis=1, kind="stable")
        found = []
        for cut in CUTS:
            shares = []
            for question, first in zip(self.file.questions, order[:, :cut], strict=True):
                wanted = {self.rows[i] for i in question.relevant}
                shares.append(len(wanted & set(first.tolist())) / len(wanted))
            found.append(float(np.mean(shares)))
        return tuple(found)

    @cached_property
    def unrelated(self) -> NDArray[np.bool_]:
        """Pairs that have nothing to do with each other."""
        mask = np.ones((len(self.file.questions), len(self.corpus.memories)), np.bool_)
        for row, question in enumerate(self.file.questions):
            mask[row, [self.rows[i] for i in question.relevant]] = False
        return mask


Variant = Callable[[Trial], Floats]


# --- scores --------------------------------------------------------------------------------------


def standard(scores: Floats) -> Floats:
    """Spreads from the mean, question by question."""
    spread = scores.std(axis=1, keepdims=True) + 1e-9
    return np.asarray((scores - scores.mean(axis=1, keepdims=True)) / spread, np.float32)


def ranks(scores: Floats) -> Floats:
    return np.asarray(np.argsort(np.argsort(-scores, axis=1), axis=1) + 1, np.float32)


def blend(trial: Trial, legs: Mapping[str, float], voice: str = "one voice") -> Floats:
    """The weighted sum of cosines, as the product of two blended vectors gives it."""
    parts = [np.float32(w) * trial.cosine[leg, voice] for leg, w in legs.items() if w]
    return np.asarray(sum(parts), np.float32)


def with_words(meaning: Floats, words: Floats, weight: float, cap: float = WORDS_CAP) -> Floats:
    return standard(meaning) + np.float32(weight) * np.minimum(words, np.float32(cap))


def shipped(trial: Trial) -> Mapping[str, float]:
    return WEIGHTS.get(trial.file.language, WEIGHTS["fr"])


def followed(trial: Trial, scores: Floats, gain: float) -> Floats:
    """Scores where a memory gains from a near one that shares a rare name: tried, not kept."""
    postings, size = trial.corpus.postings, len(trial.corpus.memories)
    most = max(4, int(NAME_SHARE * size))
    out = scores.copy()
    names = [
        p.rows for stem, p in postings.by_stem.items()
        if postings.is_name(stem) and stem.isalpha() and 2 <= len(p.rows) <= most
    ]  # fmt: skip
    for row in range(len(scores)):
        best = np.zeros(size, np.float32)
        for holders in names:
            held = scores[row][holders]
            first = np.argsort(-held)
            other = np.full(len(held), held[first[0]])
            other[first[0]] = held[first[1]]
            near = np.maximum(other - FOLLOWED_FROM, 0) / np.sqrt(len(holders))
            best[holders] = np.maximum(best[holders], near)
        out[row] += np.float32(gain) * best
    return out


def variants(legs: Sequence[str]) -> dict[str, Variant]:
    """Every row of the table."""
    found: dict[str, Variant] = {"words alone": lambda t: t.words["plain"]}
    for leg in legs:
        for voice in ("as written", "memory in the first person", "message plain", "one voice"):
            found[f"{leg}, {voice}"] = lambda t, k=(leg, voice): t.cosine[k]  # type: ignore[misc]
    if len(legs) > 1:
        found["z-scored sum of all"] = lambda t: np.sum(
            [standard(t.cosine[leg, "one voice"]) for leg in legs], axis=0
        )
    found["blend"] = lambda t: blend(t, shipped(t))
    found["blend, as written"] = lambda t: blend(t, shipped(t), "as written")
    for weight in (0.4, 0.8, 1.2, 1.6, 2.4):
        found[f"blend + {weight} words"] = lambda t, w=weight: with_words(  # type: ignore[misc]
            blend(t, shipped(t)), t.words["plain"], w
        )
    found["… words uncapped"] = lambda t: with_words(
        blend(t, shipped(t)), t.words["plain"], WORD_WEIGHT, 99
    )
    found["… words as written"] = lambda t: with_words(
        blend(t, shipped(t)), t.words["written"], WORD_WEIGHT
    )
    found["… equal reciprocal ranks"] = lambda t: (
        1 / (60 + ranks(blend(t, shipped(t))))
        + np.where(t.words["plain"] > 0, 1 / (60 + ranks(t.words["plain"])), 0)
    )
    found["… larger z-score"] = lambda t: np.maximum(
        standard(blend(t, shipped(t))), standard(t.words["plain"])
    )
    found["… best clause of the message"] = lambda t: with_words(
        np.maximum(
            standard(blend(t, shipped(t))),
            standard(sum(w * t.clauses[leg] for leg, w in shipped(t).items() if w)),
        ),
        t.words["plain"],
        WORD_WEIGHT,
    )
    for gain in (0.2, 0.4, 0.7):
        found[f"… names followed, {gain}"] = lambda t, g=gain: followed(  # type: ignore[misc]
            t, with_words(blend(t, shipped(t)), t.words["plain"], WORD_WEIGHT), g
        )
    return found


def weighings(legs: Sequence[str], trials: Sequence[Trial]) -> dict[str, Variant]:
    """The grid that the weights were read on, in spreads of each leg, for the language of the trials."""
    spread = {
        leg: float(np.mean([t.cosine[leg, "one voice"].std(1).mean() for t in trials]))
        for leg in legs
    }
    first, *others = legs
    grid: list[dict[str, float]] = [{first: 1.0}]
    for leg in others:
        grid = [{**g, leg: w} for g in grid for w in (0.0, 0.3, 0.6, 1.0, 1.5)]
    return {
        " ".join(f"{leg} {w:g}" for leg, w in g.items()): lambda t, g=g: with_words(  # type: ignore[misc]
            blend(t, {leg: w / spread[leg] for leg, w in g.items()}), t.words["plain"], WORD_WEIGHT
        )
        for g in grid
    }


# --- texts ---------------------------------------------------------------------------------------

_CLAUSE = re.compile(r"(?<=[.!?…;])\s+|,\s+(?=\S+ \S+ \S+)")


def clauses(text: str) -> list[str]:
    """The sentences of a text and what its commas part, when long enough to mean something; else the text."""
    parts = [p.strip() for p in _CLAUSE.split(text) if len(p.split()) >= 2]
    return parts or [text]


async def prepared(
    file: RecallFile, size: int | None, cache: Path | None, console: Console
) -> Trial:
    """The scores of every leg on one draw of a file."""
    words = language(file.language)
    items = [*file.memories, *(file.pool if size is None else file.drawn(size, 0))]
    written = [normalise(q.text) for q in file.questions]
    plain = [in_plain_words(text, words) for text in written]
    spoken = spoken_texts(file, [i.text for i in items])
    corpus = Corpus.build(View(AT), words, [memory_of(i) for i in items])
    rows = {str(m.memory_id): n for n, m in enumerate(corpus.memories)}
    texts = {"told": [str(m.text) for m in corpus.memories]}
    texts["spoken"] = [spoken[text] for text in texts["told"]]
    cosine: dict[tuple[str, str], Floats] = {}
    best: dict[str, Floats] = {}
    for part in PARTS:
        if not part.is_installed:
            continue
        leg = part.make()

        async def vectors(some: Sequence[str], query: bool) -> Vector:
            found = await embedded(
                list(some), leg, cache=None if query else cache, name=f"{file.language} {size or 'pool'}",  # noqa: B023
                console=console, query_in=file.language if query else None,
            )  # fmt: skip
            return np.stack([found[t] for t in some])

        stored = {voice: await vectors(some, False) for voice, some in texts.items()}
        asked = {"written": await vectors(written, True), "plain": await vectors(plain, True)}
        for name, (message, memory) in _VOICES.items():
            cosine[leg.name, name] = asked[message] @ stored[memory].T
        best[leg.name] = np.stack([
            ((await vectors(clauses(text), True)) @ stored["spoken"].T).max(axis=0) for text in plain
        ])  # fmt: skip
        await leg.close()
    matched = {
        name: np.stack([word_matches(corpus, _stems(t, words, name)) for t in some])
        for name, some in (("written", written), ("plain", plain))
    }
    return Trial(file, corpus, cosine, matched, best, rows)


#: How the message and the memory are said, by the name of the row.
_VOICES = {
    "as written": ("written", "told"),
    "memory in the first person": ("written", "spoken"),
    "message plain": ("plain", "told"),
    "one voice": ("plain", "spoken"),
}


def _stems(text: str, words: Language, name: str) -> list[str]:
    if name == "plain":
        return list(read_query(text, words).words)
    return words.stems(text)


# --- printing ------------------------------------------------------------------------------------


def printed(
    trials: Mapping[str, Trial], rows: Mapping[str, Variant], console: Console, title: str
) -> None:
    """A row a variant, recall at both cuts for each file, and the mean of the last cut."""
    shown = Table(title=title, title_justify="left")
    shown.add_column("variant")
    for name in trials:
        shown.add_column(f"{name} @{CUTS[0]} @{CUTS[-1]}", justify="right")
    shown.add_column("mean", justify="right")
    for variant, scored in rows.items():
        values = [t.recall(scored(t)) for t in trials.values()]
        cells = [" ".join(f"{v:.3f}" for v in value) for value in values]
        shown.add_row(variant, *cells, f"{np.mean([v[-1] for v in values]):.3f}")
    console.print(shown)


def calibrated(trials: Sequence[Trial], legs: Sequence[str], console: Console) -> None:
    """Mean and spread of unrelated pairs of every leg and of the shipped blends, as `read/calibrations.py` has them."""
    code = trials[0].file.language
    for chosen in [(leg,) for leg in legs] + [(legs[0], leg) for leg in legs[1:]] + [tuple(legs)]:
        weights = {leg: 1.0 if len(chosen) == 1 else WEIGHTS[code][leg] for leg in chosen}
        length = np.sqrt(len(chosen) * sum(w * w for w in weights.values()))
        scores = [blend(t, weights) / np.float32(length) for t in trials]
        apart = np.concatenate([s[t.unrelated] for s, t in zip(scores, trials, strict=True)])
        close = np.concatenate([s[~t.unrelated] for s, t in zip(scores, trials, strict=True)])
        spread = float(np.mean([s.std(axis=1).mean() for s in scores]))
        threshold = float(apart.mean()) + 2 * spread
        console.print(
            f"{code} {'+'.join(chosen)}: unrelated {apart.mean():.3f} ± {spread:.3f}, threshold {threshold:.3f} "
            f"passed by {100 * (apart >= threshold).mean():.1f} % of them and {100 * (close >= threshold).mean():.0f} % of related ones"
        )


def main() -> None:
    """Prints the tables, one language after the other."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", type=Path, nargs="+", help="files of `souvenance bench recall`")
    parser.add_argument("--size", type=int, default=None, help="distractors; else the whole pool")
    parser.add_argument("--cache", type=Path, default=None, help="a folder that keeps vectors")
    parser.add_argument("--weights", action="store_true", help="the grid of weights too")
    chosen = parser.parse_args()
    console = Console(width=160)
    by_language: dict[str, dict[str, Trial]] = {}
    with threadpool_limits(1, "blas"):
        for path in chosen.files:
            file = read(path)
            trial = asyncio.run(prepared(file, chosen.size, chosen.cache, Console(stderr=True)))
            name = f"{path.parent.name}/{path.stem} {len(trial.corpus.memories)}"
            by_language.setdefault(file.language, {})[name] = trial
        legs = [p.name for p in PARTS if p.is_installed]
        for code, trials in by_language.items():
            printed(trials, variants(legs), console, f"Recall, {code}")
            if chosen.weights:
                printed(trials, weighings(legs, list(trials.values())), console, f"Weights, {code}")
            calibrated(list(trials.values()), legs, console)


if __name__ == "__main__":
    main()
