"""What the four texts of a link are worth: weights learned from links whose pages are known."""
