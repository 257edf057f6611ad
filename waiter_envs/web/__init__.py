"""Pages: a table to play at in a browser, and the server behind it."""
