"""Are the rules of a tabletop wargame balanced? Exact odds, many battles, a decision with its uncertainty.

Everything that a designer's script or notebook needs is here; the rest of the package is private to its rooms. A name
is imported when it is first used: ``import wargamesim`` alone loads nothing heavy.

Examples
--------
>>> import wargamesim as wg
>>> wg.odds("azincourt", "knight", arrows=3).records()[0]["removed"] * 27
19.0
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wargamesim.api import (
        compare,
        effect,
        equilibrium,
        load_scenario,
        odds,
        outcomes,
        play,
        rank,
        referee,
    )
    from wargamesim.errors import InputError
    from wargamesim.report.plots import distributions, heat_map
    from wargamesim.rulebook import load_rulebook
    from wargamesim.simulate import load_experiment, open_results, run
    from wargamesim.table import Table

    __version__: str

__all__ = [
    "InputError",
    "Table",
    "__version__",
    "compare",
    "distributions",
    "effect",
    "equilibrium",
    "heat_map",
    "load_experiment",
    "load_rulebook",
    "load_scenario",
    "odds",
    "open_results",
    "outcomes",
    "play",
    "rank",
    "referee",
    "run",
]

# Where the names live that are not of `api`.
_HOMES = {
    "InputError": "errors",
    "Table": "table",
    "distributions": "report.plots",
    "heat_map": "report.plots",
    "load_experiment": "simulate",
    "load_rulebook": "rulebook",
    "open_results": "simulate",
    "run": "simulate",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'wargamesim' has no attribute '{name}'")
    if name == "__version__":
        from importlib.metadata import version

        value: Any = version("wargamesim")
    else:
        value = getattr(import_module(f"wargamesim.{_HOMES.get(name, 'api')}"), name)
    globals()[name] = value  # the next use does not come here
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
