"""What we look for: reading a topic, and finding its terms in text."""
