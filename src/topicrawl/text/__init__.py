"""Words of pages and links: tokens, vocabulary, sparse rows."""
