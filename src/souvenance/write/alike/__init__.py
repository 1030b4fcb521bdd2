"""Whether two texts tell the same fact: the difference decides, not the resemblance.

`similarity` compares; `pieces` reads a text into what is compared (`turns`, `numbered`, `fronting` say it plainly
first); `roles`, `detail`, `modifiers`, `tenses`, `slips`… judge one kind of difference each; `nearby` finds, among
thousands of memories, the few that could be the same. All pure.
"""
