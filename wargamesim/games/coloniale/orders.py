"""What players decide in a battle: who shoots, who assaults whom, who pursues, who moves and marches where.

Both implementations of the rules call these functions; the referee checks that what they propose is legal. A proposal
is written into `plan` (see `layout`).
"""

from __future__ import annotations

from wargamesim.games.coloniale.orders_assault import assault, pursue
from wargamesim.games.coloniale.orders_fire import fire
from wargamesim.games.coloniale.orders_march import branch, drift, halt, march
from wargamesim.games.coloniale.orders_move import move

__all__ = ["assault", "branch", "drift", "fire", "halt", "march", "move", "pursue"]
