"""Whole games that were written down, and the test that plays them again."""
