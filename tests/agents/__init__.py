"""Tests of agents that fit any game."""
