"""Tests of the tools that play whole games."""
