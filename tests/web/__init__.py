"""Tests of pages: replays, sittings, the server, and a browser that looks and plays."""
