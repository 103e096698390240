"""Parse workers: processes that parse pages, so that no page can block or crash the crawler."""
