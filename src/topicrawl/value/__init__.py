"""What a link is worth: estimates made before it is fetched."""
