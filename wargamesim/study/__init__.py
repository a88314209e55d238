"""From battles to a decision: intervals, comparisons and equilibria, with no knowledge of any game."""
