"""Experiments: from a file to cells, from cells to battles, from battles to a dataset on disk. No statistics here."""

from wargamesim.simulate.plan import Experiment, describe, load_experiment
from wargamesim.simulate.runner import Interrupted, run
from wargamesim.simulate.store import Results, open_results

__all__ = ["Experiment", "Interrupted", "Results", "describe", "load_experiment", "open_results", "run"]
