"""Everything that can be read off a `View`: the input of the estimators.

| module | |
|---|---|
| `opponent` | `OpponentContext`: the values that the features of one opponent share |
| `safety` | suji, and the safety class of a kind |
| `table1` | the features of Kurita & Hoki 2017 |
| `shared_features` | the features that the tenpai GAM and the wait models have in common |
| `tenpai_features` | the features of the tenpai GAM |
| `wait_features` | the features of the wait and score models |
"""

from houjuu.util.face import attach

__getattr__, __dir__, __all__ = attach(__name__)
