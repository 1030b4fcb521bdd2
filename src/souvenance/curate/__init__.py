"""The person's hand: adding, correcting, pinning, forgetting and undoing.

`hand.py` does the I/O; every action is a version and a line of the journal, and each can be undone.
"""
