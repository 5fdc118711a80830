"""What recorded players prefer beyond the values: a conditional logit with a network."""
