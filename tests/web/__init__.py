"""Tests of the pages and of the server."""
