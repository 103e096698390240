"""Templates of the dashboard."""
