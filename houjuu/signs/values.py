"""What several signs say alike."""

NONE = -1
"""Where there is nothing to count from: no call, no tedashi."""

NOTHING_DISCARDED = 5
"""Instead of a class of tile (`houjuu.cases.RANK_CLASS`), where there is no such discard."""

LIVE = 2
"""Copies unseen of a kind that a hand may still make something of."""
