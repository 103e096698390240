"""The HTML and CSS of comparison pages."""
