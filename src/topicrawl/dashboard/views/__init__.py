"""What the dashboard shows: a module for each view, a template of the same name."""
