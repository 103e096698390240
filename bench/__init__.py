"""How fast, how large: `python -m bench`. Prints ratios measured side by side; asserts counts, never times."""
