"""How a crawl went: summary, report.html, charts, tables, the progress line."""
