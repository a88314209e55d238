"""Are the rules of a tabletop wargame balanced? Exact odds, many battles, a decision with its uncertainty."""
