"""Tests of public names, command line, documentation, examples and packaging."""
