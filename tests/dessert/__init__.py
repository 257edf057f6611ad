"""Tests of Dessert."""
