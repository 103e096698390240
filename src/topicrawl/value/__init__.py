"""What a link is worth, by what is known before it is fetched."""
