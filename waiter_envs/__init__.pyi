from waiter_envs import records as records
from waiter_envs.agents.agent import Agent as Agent
from waiter_envs.agents.agent import Decisions as Decisions
from waiter_envs.agents.agent import Thoughts as Thoughts
from waiter_envs.agents.function_agent import FunctionAgent as FunctionAgent
from waiter_envs.agents.make import agent_names as agent_names
from waiter_envs.agents.make import make_agent as make_agent
from waiter_envs.agents.random_agent import RandomAgent as RandomAgent
from waiter_envs.agents.rule_agent import RuleAgent as RuleAgent
from waiter_envs.agents.search import SearchAgent as SearchAgent
from waiter_envs.agents.text_agent import TextAgent as TextAgent
from waiter_envs.core.errors import GameOverError as GameOverError
from waiter_envs.core.errors import IllegalActionError as IllegalActionError
from waiter_envs.core.errors import ImpossiblePositionError as ImpossiblePositionError
from waiter_envs.core.errors import RenderModeError as RenderModeError
from waiter_envs.core.game import Game as Game
from waiter_envs.core.games import GAMES as GAMES
from waiter_envs.core.games import load as load
from waiter_envs.core.tables import AutoresetMode as AutoresetMode
from waiter_envs.core.tables import Tables as Tables
from waiter_envs.interfaces.aec import TableEnv as TableEnv
from waiter_envs.interfaces.gymnasium_env import SingleAgentEnv as SingleAgentEnv
from waiter_envs.interfaces.gymnasium_vector import SingleAgentVectorEnv as SingleAgentVectorEnv
from waiter_envs.interfaces.text import TextEnv as TextEnv
from waiter_envs.registry import make as make
from waiter_envs.registry import register_all as register_all

__version__: str
