"""Binds Hey Waiter! to the shared driver and adapters: `GAME`, `env`, `raw_env`, `tables`."""

from __future__ import annotations

from hey_waiter_env import (
    actions,
    agents,
    cards,
    legal_actions,
    observation,
    position,
    render,
    rules,
    state,
)
from hey_waiter_env.config import DEFAULT_PRESET, PRESETS, Config
from waiter_envs.game import Game

GAME = Game(
    name="hey_waiter",
    title="Hey Waiter!",
    version=0,
    gymnasium_name="HeyWaiter",
    config_class=Config,
    presets=PRESETS,
    default_preset=DEFAULT_PRESET,
    modules=(actions, agents, cards, legal_actions, observation, rules, state),
    table_dtype=state.table_dtype,
    blank_table=state.blank_table,
    action_blocks=actions.action_blocks,
    observation_fields=observation.observation_fields,
    hidden_fields=observation.hidden_fields,
    init_state=rules.init_state,
    step=rules.step,
    legal_action_mask=legal_actions.legal_action_mask,
    observe=observation.observe,
    observe_hidden=observation.observe_hidden,
    rewards=rules.rewards,
    decode=actions.decode,
    encode=actions.encode,
    describe=actions.describe,
    parse=actions.parse,
    position_to_dict=position.position_to_dict,
    read_position=position.read_position,
    render=render.render,
    heuristics=agents.HEURISTICS,
)

tables = GAME.tables
env = GAME.env
raw_env = GAME.raw_env
