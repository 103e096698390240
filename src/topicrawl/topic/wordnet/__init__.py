"""WordNet 3.0: synonyms, hypernyms, and Lin's similarity.

`WordNet.load()` is None where the package was built without WordNet.
"""

from topicrawl.topic.wordnet.lexicon import WordNet
from topicrawl.topic.wordnet.taxonomy import Taxonomy

__all__ = ["Taxonomy", "WordNet"]
