"""How every part of the write path reads a text: sentences, phrases of the lists, decisive pieces, values, hours."""
