"""Tests of Hey Waiter!."""
