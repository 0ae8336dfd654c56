"""Readers and writers, one form a file."""
