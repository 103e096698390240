"""Parse workers: processes that read pages, so that no page can stop or crash the crawler."""
