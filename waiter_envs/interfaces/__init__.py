"""The tables as other libraries want them: PettingZoo, Gymnasium, Stable-Baselines3, RLlib."""
