"""Experiments: what the command runs and reports, on any data in the right form."""
