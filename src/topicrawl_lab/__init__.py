"""How good a crawl was."""
