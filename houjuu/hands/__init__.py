"""Tenpai hands: their waits, their yaku and their scores.

| module | |
|---|---|
| `wait_types` | the 113 waits of closed hands |
| `sets`, `completions` | the sets of a hand, and the completions of sets and a pair by one tile |
| `hand_grid`, `yaku`, `fu`, `points` | `ScoringContext`; han and fu of complete hands |
| `score`, `set_classes` | score codes; the classes of sets and pairs that score alike |
| `suit_parts`, `part_rows`, `suit_ways` | the tiles of one suit in a tenpai hand, and their ways |
| `junctions`, `rests`, `shanpon` | the scores of waiting parts with the rest of the hand |
| `merging` | sums over parts that are alike |
| `tenpai_groups` | `tenpai_hands(…)`: the possible hands of an opponent |
| `tenpai_hands` | `TenpaiHands.weights(…)`: their weights and scores |
| `hand_cache` | `HandCache`: the hands of each opponent between queries |
| `open_yaku` | the yaku that melds do not exclude |

A query computes `TenpaiHands.weights`. The hands themselves change only with a meld or a dora.
"""
