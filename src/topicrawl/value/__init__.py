"""What a page and an anchor are worth to a topic."""
