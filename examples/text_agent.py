"""A function from text to text plays: one seat of a game as text, then a match.

The function here is a script that plays the first action of the list and now and then replies
something else; put the call of a language model in its place. No client is needed for the example,
and none comes with the library.
"""

import re

import garcon_env
from waiter_envs import TextAgent, TextEnv
from waiter_envs.arena.match import play_match

asked = 0


def reply(prompt: str) -> str:
    """Return a reply to a prompt, as a language model would."""
    global asked
    asked += 1
    if asked % 10 == 0:
        return "I win!"  # refused, asked again, counted
    listed = re.search(r"legal actions\n\n(.+?)    \(", prompt)
    assert listed is not None
    return f"The first action will do.\n<action>{listed[1]}</action>"


# One seat, whose prompts tell what happened since its last decision.
env = TextEnv("garcon", seat=0, opponents="heuristic")
prompt = env.reset(seed=1)
print(prompt, end="\n\n")
done = False
while not done:
    prompt, reward, done, info = env.step(reply(prompt))
print(prompt, end="\n\n")
print(f"reward {reward:+.2f}, {info['illegal']} of {info['replies']} replies were illegal")

# The same function as an agent, wherever an agent is taken.
agent = TextAgent(reply)
result = play_match(garcon_env.GAME, None, [agent, "heuristic"], games=4, seed=1)
print(f"won {result.agents[0].record.wins} of {result.games} games; {agent.counts}")
