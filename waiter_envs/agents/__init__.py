"""What plays at the tables; it knows nothing of environments."""
