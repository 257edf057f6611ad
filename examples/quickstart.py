"""Hey Waiter! in two short loops: one table through PettingZoo, then many tables at once."""

import numpy as np

import hey_waiter_env

# One table, as a PettingZoo AEC environment. Each agent draws its actions at random.
env = hey_waiter_env.env(preset="2_players")
env.reset(seed=1)
turns = 0
for agent in env.agent_iter():
    observation, reward, termination, truncation, info = env.last()
    if termination or truncation:
        print(f"{agent} gets {reward:+.0f} after {turns} decisions of both players")
        action = None
    else:
        action = env.action_space(agent).sample(observation["action_mask"])
        turns += 1
    env.step(action)
env.close()

# A thousand tables, stepped together by compiled code; finished ones are dealt again at once.
tables = hey_waiter_env.tables(1000, seed=1, preset="2_players")
games = np.zeros(2, int)
for _ in range(1000):
    tables.step(tables.sample_actions())  # your policy: tables.observation -> actions
    games += (tables.rewards > 0).sum(axis=0)
steps = 1000 * tables.num_tables
print(f"{steps:,} decisions at {tables.num_tables} tables: {games.sum()} games were won,")
print(f"{games[0]} of them by player_0 and {games[1]} by player_1")
