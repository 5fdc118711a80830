"""The default model: log-linear models of the paper's questions, fitted jointly.

| module | what it predicts |
|---|---|
| `tenpai_gam` | tenpai: a generalized additive model with pairwise terms, on `tenpai_features` |
| `discard_network` | tenpai: a term for the order of the discards, on `discard_sequence` |
| `tenpai_model` | P(tenpai), the sum of both |
| `conditional_logit` | what the rest is made of: sums of look-ups in `wait_features` |
| `logit_tables` | the same sums for a query: most look-ups are added up in advance |
| `closed_waits`, `melded_waits` | the wait of a riichi and of a closed hand; of an open hand |
| `han_model` | the score |
| `unseen_tiles` | where the unseen tiles are |
| `wait_models`, `model` | all waits and scores; all of it for one query |

Colour, enumerated hands and the scores of open hands are those of `kurita_hoki`.
"""

from houjuu.estimators.log_linear.model import LogLinear as Model

__all__ = ["Model"]
