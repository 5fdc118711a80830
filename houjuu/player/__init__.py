"""A rule-based player: what to discard, what a hand is worth, when to push and when to fold."""
