"""Shared pieces of the drawings of tables: theme, face, cards, glyphs, places, rasters."""
