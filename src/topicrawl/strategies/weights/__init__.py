"""Learning the weights of the four texts of a link, from links whose pages are known."""
