"""Made-up texts with known identifiers, by class and by disguise, and texts that hold none.

The numbers come from published plans and check sums (`phonenumbers`, `python-stdnum`), never from the filter.
Everything is drawn from one seed: the same seed gives the same corpus.
"""
