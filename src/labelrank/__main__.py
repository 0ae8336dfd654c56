"""``python -m labelrank`` is the command."""

from labelrank.cli import main

main()
