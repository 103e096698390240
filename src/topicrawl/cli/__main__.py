"""`python -m topicrawl.cli`: the console script where none is installed."""

from topicrawl.cli import main

main()
