"""The command line: one module per group of commands, over the same engine as every other interface.

`app` puts the groups together, `border` turns errors into sentences and exit codes, `terminal` is what a command
writes through, `safe` makes stored text harmless before it gets there, and `wording` holds both languages.
Nothing heavy is imported before a command runs, so that `--help` stays quick.
"""
