"""Tests of Greasy Spoon."""
