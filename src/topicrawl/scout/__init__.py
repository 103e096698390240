"""Scout, our own strategy: which link is next, by words, pages and hosts."""
