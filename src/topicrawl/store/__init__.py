"""What is kept: the run directory with its log, its archive and the files that follow the log."""
