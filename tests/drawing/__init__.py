"""Tests of what all drawings share; `tests/<game>/test_drawing.py` look at those of the games."""
