"""Tests of pages: sittings, the server, and a browser that plays."""
