"""Binds Garçon to the shared driver and adapters: `GAME`, `env`, `raw_env`, `tables`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from garcon_env import actions, agents, cards, observation, position, render, rules, state
from garcon_env.config import DEFAULT_PRESET, PRESETS, Config
from waiter_envs.game import Game
from waiter_envs.tables import Tables

if TYPE_CHECKING:
    from pettingzoo import AECEnv

    from waiter_envs.aec import TableEnv

GAME = Game(
    name="garcon",
    title="Garçon",
    version=0,
    gymnasium_name="Garcon",
    config_class=Config,
    presets=PRESETS,
    default_preset=DEFAULT_PRESET,
    modules=(actions, agents, cards, observation, rules, state),
    table_dtype=state.table_dtype,
    blank_table=state.blank_table,
    action_blocks=actions.action_blocks,
    observation_fields=observation.observation_fields,
    hidden_fields=observation.hidden_fields,
    init_state=rules.init_state,
    step=rules.step,
    legal_action_mask=rules.legal_action_mask,
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


def tables(num_tables: int, seed: int | None = None, **options: Any) -> Tables:
    """Return many tables at once; see `waiter_envs.Tables`.

    Args:
        num_tables: how many.
        seed: of their random streams.
        **options: options of `Tables`, and fields of `Config` (or `config=`, or `preset=`).
    """
    return Tables.of(GAME, num_tables, seed, **options)


def env(render_mode: str | None = None, **config: Any) -> AECEnv:
    """Return one table as a PettingZoo AEC environment, with the checks of the usual wrappers.

    Args:
        render_mode: `None` or `"ansi"`.
        **config: fields of `Config` (or `config=`, or `preset=`).

    Raises:
        TypeError, ValueError: for an unknown render mode or field, or an impossible variant.
    """
    from waiter_envs import aec

    return aec.env(GAME, render_mode, **config)


def raw_env(render_mode: str | None = None, **config: Any) -> TableEnv:
    """Return one table as a bare PettingZoo AEC environment; see `env`."""
    from waiter_envs import aec

    return aec.raw_env(GAME, render_mode, **config)
