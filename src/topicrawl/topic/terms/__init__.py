"""The terms of a corpus (find.py), and what finding them needs: stop words, languages, phrases, backgrounds."""
