"""Tenpai shapes, what each wins on, and for how much.

| module | |
|---|---|
| `sets`, `readings` | the sets of a hand, and the ways to complete them with a pair by one tile |
| `shapes` | `shapes(tiles)`: all tenpai shapes of 1, 4 and 7 tiles, their waits and forms |
| `grid`, `yaku`, `fu`, `points` | `Setting` of a hand; han and fu of all complete hands at once |
| `score` | `score(shapes, setting)`: what every win of every shape is worth |
| `tenpai`, `grouping` | `tenpai_hands(…)`: the hands that an opponent may hold, to be weighed |

The last is what a query uses: made when a meld or a dora changes, its `ways` and `scores` are asked
for at every decision.
"""
