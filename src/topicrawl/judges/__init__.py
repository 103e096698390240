"""Judges that read files or ask a server, found by their entry points: `sklearn`, `embedding` and `llm`.

Like judges of other packages they are asked outside the core of a crawl (crawling/judging.py), and what they said is in
the log. A judge here reads nothing before it is first asked, so that a run can be read where its file or server is not.
"""
