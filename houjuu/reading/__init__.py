"""Everything that can be read off a `View`: the input of the estimators.

| module | |
|---|---|
| `opponent` | `OpponentContext`: the values that the features of one opponent share |
| `safety` | suji, and the safety class of a kind |
| `table1` | the features of Kurita & Hoki 2017 |
| `tenpai_features` | the features of the tenpai GAM |
| `wait_features` | the features of the wait and score models |
"""
