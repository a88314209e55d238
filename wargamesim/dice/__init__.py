"""Dice: exact distributions as batched arrays, and the event-keyed dice of battles (`stream`, alone compiled)."""
