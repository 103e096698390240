"""Topics: reading, building and weighing them, and finding their terms in text."""
