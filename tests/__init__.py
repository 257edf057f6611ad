"""Tests of the library, one folder for each game and one for what is shared."""
