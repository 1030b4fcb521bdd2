"""The options that several commands share. Help texts are keys of the wording files."""

from __future__ import annotations

from typing import Annotated

import typer

PersonOption = Annotated[
    str | None,
    typer.Option("--person", "-p", metavar="NAME", help="person", show_default=False),
]
CharacterOption = Annotated[
    str | None,
    typer.Option("--character", "-c", metavar="ID", help="character", show_default=False),
]
ThreadOption = Annotated[
    str | None, typer.Option("--thread", "-t", metavar="ID", help="thread", show_default=False)
]

# The same where nobody, or nothing, named means all of them.
AnyPersonOption = Annotated[
    str | None,
    typer.Option("--person", "-p", metavar="NAME", help="any_person", show_default=False),
]
AnyCharacterOption = Annotated[
    str | None,
    typer.Option("--character", "-c", metavar="ID", help="any_character", show_default=False),
]
AnyThreadOption = Annotated[
    str | None, typer.Option("--thread", "-t", metavar="ID", help="any_thread", show_default=False)
]

JsonOption = Annotated[bool, typer.Option("--json", help="json")]
