"""Tenpai hands: their waits, their yaku and their scores.

| module | |
|---|---|
| `wait_types` | the 113 waits of closed hands |
| `sets`, `completions` | the sets of a hand, and the completions of sets and a pair by one tile |
| `hand_grid`, `yaku`, `fu`, `points` | `ScoringContext`; han and fu of complete hands |
| `score`, `set_classes` | score codes; the classes of sets and pairs that score alike |
| `suit_groups`, `group_rows`, `suit_ways` | the tiles of one suit in a hand, and their ways |
| `junctions`, `rests`, `shanpon` | the scores of waiting groups with the rest of the hand |
| `merging` | sums over groups that are alike |
| `enumeration` | `tenpai_hands(…)`: the possible hands of an opponent |
| `tenpai_hands` | `TenpaiHands.weights(…)`: their weights and scores |
| `hand_cache` | `HandCache`: the hands of each opponent between queries |
| `open_yaku` | the yaku that melds do not exclude |

A query computes `TenpaiHands.weights`. The hands themselves change only with a meld or a dora.
Start with `tenpai_hands`: it draws one hand through all steps.
"""

from houjuu.util.face import attach

__getattr__, __dir__, __all__ = attach(__name__)
