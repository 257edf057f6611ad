"""Tests of Garçon."""
