"""Tools that play whole games: matches, playthroughs, throughput."""
