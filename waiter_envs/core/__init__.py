"""What every game is built on: records, random streams, compilation, the game's binding, tables."""
