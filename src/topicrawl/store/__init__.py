"""The run directory: the log, the archive, and the files written from the log."""
