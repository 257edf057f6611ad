"""`python -m waiter_envs`: see `waiter_envs.cli`."""

import sys

from waiter_envs.cli import main

sys.exit(main())
