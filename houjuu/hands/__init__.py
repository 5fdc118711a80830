"""Tenpai hands: their waits, their yaku and their scores.

| module | |
|---|---|
| `wait_types` | the 113 waits of closed hands |
| `sets`, `completions` | the sets of a hand, and all completions of sets and a pair by one tile |
| `shapes` | `shapes(tiles)`: all tenpai shapes of 1, 4 and 7 tiles, with waits and wait forms |
| `hand_grid`, `yaku`, `fu`, `points` | `ScoringContext`; han and fu of all complete hands at once |
| `score` | `score(shapes, context)`: score codes of all wins of all shapes |
| `tenpai_hands`, `tenpai_groups` | `tenpai_hands(…)`: the possible hands of an opponent, grouped |
| `hand_cache` | `HandCache`: the groups of each opponent between queries |
| `open_yaku` | the yaku that melds do not exclude |

A query uses the groups: they are built when a meld or a dora changes, and their `ways` and
`weight_by_score` are computed at each decision.
"""
