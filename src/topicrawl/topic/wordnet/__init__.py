"""What words mean: synonyms, more general words, and Lin's similarity over WordNet 3.0.

`WordNet.load()` is None where the package was built without WordNet: everything else works without it.
"""

from topicrawl.topic.wordnet.lexicon import WordNet
from topicrawl.topic.wordnet.taxonomy import Taxonomy

__all__ = ["Taxonomy", "WordNet"]
