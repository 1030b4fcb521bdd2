"""The lines that one search may find, with their words, their neighbours and their vectors.

Built once and moved forward by what is said, so that a query pays for itself and not for the past.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from souvenance.domain import MessageId, ThreadId
from souvenance.lang import Language, fold_word, raw_tokens
from souvenance.read.matrix import Matrix
from souvenance.read.verbatim.columns import Columns
from souvenance.read.verbatim.postings import REACH, Around, Postings
from souvenance.read.verbatim.records import Line, Window, WindowKind, WindowVector
from souvenance.read.verbatim.windows import SPAN, window


@dataclass(frozen=True, slots=True)
class Meaning:
    """The vectors of one kind of window. `column`: for each line its row of the matrix, -1 when it has no vector."""

    matrix: Matrix
    column: NDArray[np.int32]
    fingerprints: tuple[str, ...]  # of the windows as they are now

    @staticmethod
    def empty() -> Meaning:
        """No line."""
        return Meaning(Matrix.empty(), np.empty(0, np.int32), ())


@dataclass(frozen=True, slots=True)
class Transcript:
    """One snapshot; never changes, `update` and `without` return the next one."""

    language: Language
    lines: tuple[Line, ...]  # by row
    row_of: Mapping[MessageId, int]
    tails: Mapping[ThreadId, tuple[int, ...]]  # the last rows of each thread
    columns: Columns
    around: Around
    postings: Postings
    meaning: Mapping[WindowKind, Meaning]

    @staticmethod
    def empty(language: Language) -> Transcript:
        """A transcript without lines."""
        return Transcript(
            language, (), {}, {}, Columns.empty(), Around.empty(), Postings.empty(),
            {kind: Meaning.empty() for kind in WindowKind},
        )  # fmt: skip

    @staticmethod
    def build(
        lines: Sequence[Line], language: Language, vectors: Iterable[WindowVector] = ()
    ) -> Transcript:
        """A transcript of lines given in the order of their talk; windows without a vector are read by words."""
        return Transcript.empty(language).update(lines, vectors)

    def update(
        self, lines: Sequence[Line] = (), vectors: Iterable[WindowVector] = ()
    ) -> Transcript:
        """The snapshot after these lines were said, each the last of its thread, and these vectors came.

        The same as one built from everything at once. A line with a known id takes the place of that one.
        Vectors of another text than their window has now, or of a line that is not there, are left out;
        so are those of another dimension than the first.
        """
        latest = {line.message_id: line for line in lines}
        changed = {i: line for i, line in latest.items() if self.line(i) != line}
        if any(i in self.row_of for i in changed):
            everything = {line.message_id: line for line in self.lines} | changed
            held = [*self.held(), *vectors]
            return Transcript.build(list(everything.values()), self.language, held)
        moved = self._said(list(changed.values())) if changed else self
        return moved._indexed(vectors)

    def without(self, gone: Iterable[MessageId]) -> Transcript:
        """The snapshot in which those messages were never said."""
        left = set(gone)
        if not any(i in self.row_of for i in left):
            return self
        lines = [line for line in self.lines if line.message_id not in left]
        return Transcript.build(lines, self.language, self.held())

    def line(self, message_id: MessageId) -> Line | None:
        """The line of that id."""
        row = self.row_of.get(message_id)
        return None if row is None else self.lines[row]

    def window(self, row: int, kind: WindowKind) -> Window:
        """The window of a row as it is now."""
        before, after = SPAN[kind]
        return window(self.lines[row], kind, self.beside(row, before, after))

    def beside(self, row: int, before: int, after: int) -> list[Line]:
        """The lines of its thread around a row, itself included, in order; at most REACH on either side."""
        rows = self.around.rows[row, REACH - before : REACH + after + 1].tolist()
        return [self.lines[r] for r in rows if r >= 0]

    def unindexed(self) -> list[Window]:
        """The windows that lack a vector of their present text."""
        return [
            self.window(row, kind)
            for kind, meaning in self.meaning.items()
            for row in np.flatnonzero(meaning.column < 0).tolist()
        ]

    def held(self) -> list[WindowVector]:
        """The vectors in use."""
        return [
            WindowVector(line.message_id, kind, mark, meaning.matrix.rows()[place])
            for kind, meaning in self.meaning.items()
            for line, mark, place in zip(
                self.lines, meaning.fingerprints, meaning.column.tolist(), strict=True
            )
            if place >= 0
        ]

    def _said(self, new: Sequence[Line]) -> Transcript:
        """With lines whose ids are new; the windows they change have no vector any more."""
        first = len(self.lines)
        row_of, tails, spans = dict(self.row_of), dict(self.tails), []
        for row, line in enumerate(new, first):
            row_of[line.message_id] = row
            spans.append((*tails.get(line.thread, ()), row)[-REACH - 1 :])
            tails[line.thread] = spans[-1]
        lines = (*self.lines, *new)
        # Split once for all readers: splitting is half of what a first build costs.
        words = [[fold_word(raw) for raw in raw_tokens(line.text)] for line in new]
        before = [lines[span[-2]] if len(span) > 1 else None for span in spans]
        moved = replace(
            self,
            lines=lines,
            row_of=row_of,
            tails=tails,
            columns=self.columns.appended(new, before, words, self.language),
            around=self.around.appended(spans),
            postings=self.postings.appended([self.language.stems_of(said) for said in words]),
        )
        meaning = {k: moved._forgotten(m, k, first) for k, m in self.meaning.items()}
        return replace(moved, meaning=meaning)

    def _forgotten(self, meaning: Meaning, kind: WindowKind, first: int) -> Meaning:
        """The vectors that stand after the rows from `first` on came."""
        after = SPAN[kind][1]
        near = self.around.rows[first:, REACH - after : REACH + 1]
        column = np.full(len(self.lines), -1, np.int32)
        column[:first] = meaning.column
        marks = [*meaning.fingerprints, *[""] * (len(self.lines) - first)]
        for row in np.unique(near[near >= 0]).tolist():
            column[row] = -1
            marks[row] = self.window(row, kind).fingerprint
        return replace(meaning, column=column, fingerprints=tuple(marks))

    def _indexed(self, vectors: Iterable[WindowVector]) -> Transcript:
        given = list(vectors)
        if not given:
            return self
        meaning = {kind: self._with(kind, given) for kind in self.meaning}
        return replace(self, meaning=meaning)

    def _with(self, kind: WindowKind, given: Sequence[WindowVector]) -> Meaning:
        meaning = self.meaning[kind]
        length = self.dimension or len(given[0].vector)
        usable: dict[int, WindowVector] = {}
        for one in given:
            row = self.row_of.get(one.message_id, -1)
            if one.kind is not kind or row < 0 or meaning.fingerprints[row] != one.fingerprint:
                continue
            if one.vector.shape == (length,) and bool(np.isfinite(one.vector).all()):
                usable[row] = one
        column = meaning.column.copy()
        for place, row in enumerate(usable, meaning.matrix.count):
            column[row] = place
        matrix = meaning.matrix.append([one.vector for one in usable.values()])
        return replace(meaning, matrix=matrix, column=column)

    @property
    def dimension(self) -> int | None:
        """The length of the vectors, None while there is none."""
        return next((d for m in self.meaning.values() if (d := m.matrix.dimension)), None)
