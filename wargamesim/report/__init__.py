"""Figures of what a study found, and battles told event by event."""
