"""A rule-based player: discards, calls, hand values, push or fold, and an mjai bot."""
