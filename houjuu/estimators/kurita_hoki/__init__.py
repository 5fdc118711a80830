"""The model of Kurita & Hoki 2017, section 5.

| module | section | what it predicts |
|---|---|---|
| `tenpai` | 5.1 | colour and tenpai, from table 1 |
| `melded_hands` | 5.2 | wait and score of an open hand, from every hand that the tiles allow |
| `riichi_waits` | 5.3, 5.4 | wait and score of a riichi, and of a closed hand |
| `model` | 4 | all of it for one query |
"""

from houjuu.estimators.kurita_hoki.model import KuritaHoki as Model

__all__ = ["Model"]
