"""Rules as data: every number has an id, a unit, a range and a provenance; every ambiguous rule its readings."""

from wargamesim.rulebook.load import load_rulebook, rulebook_names
from wargamesim.rulebook.variant import Rulebook, flatten

__all__ = ["Rulebook", "flatten", "load_rulebook", "rulebook_names"]
