"""The judge `llm`: a language model is asked about the pages that a cheap judge is least sure of.

prompt     what is asked, and how an answer is read
client     one call of an OpenAI-compatible server
ledger     calls and tokens spent, and the answers so far
unsure     which pages are asked about
judge      the judge
"""
