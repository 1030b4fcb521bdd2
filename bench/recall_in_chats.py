"""What of a chat a message should be compared with, and memories too: ways beyond the message and the fact, tried.

Each fact of recorded conversations must come up at the messages that need it, among the facts of all conversations of
its language. Rows add earlier messages to the question, the words they said to the memory, who a name is to both.

    python bench/recall_in_chats.py [FILE…] [--cache DIR] [--markdown]
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.box import HEAVY_HEAD, MARKDOWN
from rich.console import Console
from rich.table import Table
from threadpoolctl import threadpool_limits

from chat_cases import Asked, Chats, Stored, chats_of
from experiment_vectors import embedded
from recall_fusion import clauses, standard, with_words
from souvenance.domain import Kind, View
from souvenance.lang.everyday import in_plain_words
from souvenance.measure.recall import AT, memory_of
from souvenance.measure.recallfile import Item
from souvenance.models.embed.choice import PARTS, assembled
from souvenance.ports import Embedder, Vector
from souvenance.read.calibrations import WORD_WEIGHT
from souvenance.read.corpus import Corpus
from souvenance.read.scores import read_query, word_matches

Floats = NDArray[np.float32]
CUTS = (3, 5, 8)

CASES = Path(__file__).parent / "cases"
FILES = (CASES / "known/conversations.jsonl", CASES / "held/conversations.jsonl")

#: Words under which a message is short enough to lean on the one before it ("on continue ?"). Chosen, not measured.
SHORT_WORDS = 8

#: What the vector of the previous message counts beside that of the message: all that were tried.
PREVIOUS = (0.2, 0.3, 0.5)

#: Draws of the bootstrap that gives the interval of a difference, and the share it leaves out at each end, in percent.
DRAWS = 2_000
TAIL = 2.5


# --- scores --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Space:
    """The vectors of every text, as asked (said plainly) and as stored, and the words of the memories, told and explained."""

    chats: Chats
    asking: Mapping[str, Vector]
    storing: Mapping[str, Vector]
    told: Corpus
    explained: Corpus

    def near(self, texts: Sequence[str], stored: Floats) -> Floats:
        """Cosine of each text, as asked, with each stored vector."""
        return np.stack([self.asking[t] for t in texts]) @ stored.T

    def vectors(self, said: Callable[[Stored], str]) -> Floats:
        """The vector of each memory, said one way."""
        return np.stack([self.storing[said(m)] for m in self.chats.stored])

    def matched(self, texts: Iterable[str], corpus: Corpus | None = None) -> Floats:
        """How each text matches each memory by its words, rows of memories in their own order."""
        corpus = corpus or self.told
        rows = np.array([int(m.memory_id) for m in corpus.memories])
        found = []
        for text in texts:
            row = np.zeros(len(rows), np.float32)
            row[rows] = word_matches(corpus, read_query(text, self.chats.words).words)
            found.append(row)
        return np.stack(found)


Row = Callable[[Space], Floats]


def unit(vectors: Floats) -> Floats:
    """Each row at unit length."""
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), np.float32)


def as_shipped(memory: Stored) -> str:
    """A memory as it is embedded."""
    return memory.spoken


def after(before: str, message: str) -> str:
    """Two texts as one."""
    return f"{before} {message}".strip()


def asked_as(space: Space, said: Callable[[Asked], str]) -> Floats:
    """Memories as shipped, the question said another way."""
    texts = [said(a) for a in space.chats.asked]
    meaning = space.near(texts, space.vectors(as_shipped))
    return with_words(meaning, space.matched(texts), WORD_WEIGHT)


def stored_as(space: Space, vectors: Floats, corpus: Corpus | None = None) -> Floats:
    """The message alone, memories with other vectors."""
    texts = [a.message for a in space.chats.asked]
    return with_words(space.near(texts, vectors), space.matched(texts, corpus), WORD_WEIGHT)


def leaning(space: Space, weight: float) -> Floats:
    """The message, and some of the vector of the one before it."""
    stored = space.vectors(as_shipped)
    texts = [a.message for a in space.chats.asked]
    before = space.near([a.previous or a.message for a in space.chats.asked], stored)
    meaning = space.near(texts, stored) + np.float32(weight) * before
    return with_words(meaning, space.matched(texts), WORD_WEIGHT)


def larger(space: Space, said: Callable[[Stored], str]) -> Floats:
    """A memory is as near as the nearer of the fact and the words it rests on."""
    texts = [a.message for a in space.chats.asked]
    told, quoted = (space.near(texts, space.vectors(s)) for s in (as_shipped, said))
    return with_words(np.maximum(told, quoted), space.matched(texts), WORD_WEIGHT)


def by_clause(space: Space) -> Floats:
    """The message or the best of its clauses, each in spreads."""
    stored = space.vectors(as_shipped)
    texts = [a.message for a in space.chats.asked]
    best = np.stack([space.near(clauses(t), stored).max(axis=0) for t in texts])
    meaning = np.maximum(standard(space.near(texts, stored)), standard(best))
    return with_words(meaning, space.matched(texts), WORD_WEIGHT)


def joined(memory: Stored, said: Callable[[Stored], str]) -> str:
    """A memory as it is embedded, and words they said, as one text."""
    return after(memory.spoken, said(memory))


#: The words they said, by what the row calls them.
SAID: Mapping[str, Callable[[Stored], str]] = {
    "the message it is from": lambda m: m.said,
    "the clause it is from": lambda m: m.clause,
}

ALONE = "the message alone"


def rows() -> dict[str, Row]:
    """Every row of the table, the one as shipped first."""
    found: dict[str, Row] = {
        ALONE: partial(asked_as, said=lambda a: a.message),
        "their message before it, joined": partial(
            asked_as, said=lambda a: after(a.previous, a.message)
        ),
        f"the same, to those under {SHORT_WORDS} words": partial(
            asked_as, said=lambda a: after(a.previous if is_short(a.message) else "", a.message)
        ),
        **{f"{w} of the vector of it": partial(leaning, weight=w) for w in PREVIOUS},
        "the character's line before it, joined": partial(
            asked_as, said=lambda a: after(a.line, a.message)
        ),
        "its best clause": by_clause,
    }
    for name, said in SAID.items():
        found[f"memory and {name}, joined"] = lambda s, q=said: stored_as(  # type: ignore[misc]
            s, s.vectors(partial(joined, said=q))
        )
        found[f"memory and {name}, mean"] = lambda s, q=said: stored_as(  # type: ignore[misc]
            s, unit(s.vectors(as_shipped) + s.vectors(q))
        )
        found[f"memory and {name}, larger"] = partial(larger, said=said)
    found["names explained, in meaning"] = lambda s: stored_as(
        s, s.vectors(lambda m: m.explained_spoken)
    )
    found["names explained, in words too"] = lambda s: stored_as(
        s, s.vectors(lambda m: m.explained_spoken), s.explained
    )
    return found


def is_short(message: str) -> bool:
    """Whether a message may lean on the one before it."""
    return len(message.split()) < SHORT_WORDS


# --- figures -------------------------------------------------------------------------------------


def recalls(asked: Sequence[Asked], scores: Floats) -> Floats:
    """Share of the wanted memories among the first of those that are there: (questions, cuts)."""
    found = []
    for question, row in zip(asked, scores, strict=True):
        there = row.copy()
        there[list(question.absent)] = -np.inf
        order = np.argsort(-there, kind="stable").tolist()
        shares = [len(question.wanted & set(order[:cut])) / len(question.wanted) for cut in CUTS]
        found.append(shares)
    return np.array(found, np.float32)


def difference(ours: Floats, theirs: Floats) -> tuple[float, float, float]:
    """Mean of ours less theirs over questions and cuts, and its 95 % interval when questions are drawn anew."""
    apart = (ours - theirs).mean(axis=1)
    drawn = np.random.default_rng(0).integers(len(apart), size=(DRAWS, len(apart)))
    low, high = np.percentile(apart[drawn].mean(axis=1), [TAIL, 100 - TAIL])
    return float(apart.mean()), float(low), float(high)


async def space_of(chats: Chats, embedder: Embedder, cache: Path | None, console: Console) -> Space:
    """The vectors of all that the rows compare."""
    code, asking = chats.words.code, set[str]()
    for a in chats.asked:
        asking |= {a.message, a.previous or a.message, after(a.previous, a.message)}
        asking |= {after(a.line, a.message), *clauses(a.message)}
    storing = {
        text
        for m in chats.stored
        for text in (m.spoken, m.explained_spoken, m.said, m.clause, *(joined(m, q) for q in SAID.values()))
    }  # fmt: skip
    plain = {text: in_plain_words(text, chats.words) for text in sorted(asking)}
    asked = await embedded(
        plain.values(), embedder, name=f"{code} chats asked", cache=cache, console=console, query_in=code
    )  # fmt: skip
    stored = await embedded(
        sorted(storing), embedder, name=f"{code} chats", cache=cache, console=console
    )
    corpora = [
        Corpus.build(View(AT), chats.words, [memory_of(Item(str(n), t, Kind.FACT)) for n, t in enumerate(texts)])
        for texts in ([m.text for m in chats.stored], [m.explained for m in chats.stored])
    ]  # fmt: skip
    return Space(chats, {text: asked[said] for text, said in plain.items()}, stored, *corpora)


def printed(spaces: Mapping[str, Space], console: Console, markdown: bool) -> None:
    """A row a way; by language recall at each cut, and how far the mean of the cuts is from the first row's."""
    shown = Table(box=MARKDOWN if markdown else HEAVY_HEAD)
    shown.add_column("compared", no_wrap=True)
    for code, space in spaces.items():
        asked = space.chats.asked
        needs, stored = sum(len(a.wanted) for a in asked), space.chats.stored
        named = sum(m.explained != m.text for m in stored)
        console.print(
            f"{code}: {len(asked)} messages that need {needs} memories, of {len(stored)}; "
            f"{named} of these name somebody whom another one explains"
        )
        shown.add_column(f"{code} {' '.join(f'@{c}' for c in CUTS)}", no_wrap=True)
        shown.add_column("mean less the first row's", no_wrap=True)
    first = {code: recalls(s.chats.asked, rows()[ALONE](s)) for code, s in spaces.items()}
    for name, scored in rows().items():
        cells = []
        for code, space in spaces.items():
            ours = recalls(space.chats.asked, scored(space))
            cells.append(" ".join(f"{v:.3f}" for v in ours.mean(axis=0)))
            mean, low, high = difference(ours, first[code])
            cells.append("" if name == ALONE else f"{mean:+.3f} ({low:+.3f} to {high:+.3f})")
        shown.add_row(name, *cells)
    console.print(shown)


async def run(files: Sequence[Path], cache: Path | None, console: Console, markdown: bool) -> None:
    """Reads, embeds and prints, every language of the files."""
    lines = [line for path in files for line in path.read_text("utf-8").splitlines()]
    records = [json.loads(line) for line in lines if line.strip()]
    embedder = assembled(tuple(p for p in PARTS if p.is_installed))
    spaces = {}
    for code in dict.fromkeys(r["lang"] for r in records):
        chats = chats_of(records, code)
        if chats.asked:
            spaces[code] = await space_of(chats, embedder, cache, Console(stderr=True))
    await embedder.close()
    printed(spaces, console, markdown)


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "files", type=Path, nargs="*", default=FILES, help="files of `souvenance bench replay`"
    )
    parser.add_argument("--cache", type=Path, default=None, help="a folder that keeps vectors")
    parser.add_argument(
        "--markdown", action="store_true", help="the table as docs/reading.md has it"
    )
    chosen = parser.parse_args()
    with threadpool_limits(1, "blas"):
        asyncio.run(run(chosen.files, chosen.cache, Console(width=160), chosen.markdown))


if __name__ == "__main__":
    main()
