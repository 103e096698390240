"""Style sheets and scripts of the dashboard, served as they are."""
