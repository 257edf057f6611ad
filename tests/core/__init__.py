"""Tests of what every game is built on."""
