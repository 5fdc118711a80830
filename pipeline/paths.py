"""The files that stages read and write, relative to the root of the repository."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path

GAMES = "data/games.parquet"
GAME_LOGS = "data/game_logs"
REJECTS = "data/rejects.csv"

FITTED, HELD_OUT = "fitted", "held_out"
"""Folders of the two splits, in the folder of each table of rows; in them is a file per shard."""

PAPER_TENPAI_ROWS = "data/paper_tenpai"
PAPER_WAIT_COUNTS = "data/paper_waits.npz"
PAPER_TENPAI_FIT = "data/paper_tenpai.joblib"
PAPER_WAITS_FIT = "data/paper_waits.joblib"
PAPER_MELDED_FIT = "data/paper_melded.joblib"

TENPAI_ROWS = "data/tenpai"
WAIT_ROWS = "data/waits"
PAPER_MELDED_ROWS = "data/paper_melded"
RON_SCORE_ROWS = "data/ron_scores"
UNSEEN_ROWS = "data/unseen"
SPARE_ROWS = {
    TENPAI_ROWS: "data/spare/tenpai",
    WAIT_ROWS: "data/spare/waits",
    RON_SCORE_ROWS: "data/spare/ron_scores",
}
"""Rows of the held-out games that no evaluation needs, by the table of the others."""

YAKU_ROWS = "data/yaku"
FINAL_RANK_ROWS = "data/final_ranks"
ROUND_END_ROWS = "data/round_ends"
ACTION_ROWS = "data/actions"

TENPAI_FIT, UNSEEN_FIT, NETWORK_FIT = "tenpai_gam", "unseen_tiles", "discard_network"
CLOSED_FITS = ("riichi_waits", "closed_waits", "riichi_han", "closed_han")
MELDED_FITS = ("melded_waits", "melded_han")
FITS = (
    *(TENPAI_FIT, "riichi_waits", "closed_waits", "melded_waits"),
    *("riichi_han", "closed_han", "melded_han", UNSEEN_FIT),
)
"""Names of the parts of the additive model, each a fit of its own, in the order of its file."""

PAPER_MODEL = "models/kurita-hoki-2017.npz"
PRINTED_MODEL = "models/kurita-hoki-2017-printed.npz"
ADDITIVE_MODEL = "models/houjuu-additive.npz"
OWN_MODEL = "models/own/houjuu.npz"
"""The default model, fitted from nothing."""
HOUJUU_MODEL = "models/houjuu.npz"
LAST_ADDITIVE_MODEL = "models/last_fit/houjuu-additive.npz"
LAST_MODEL = "models/last_fit/houjuu.npz"
YAKU_MODEL = "models/yaku.npz"
FINAL_RANK_MODEL = "models/final_ranks.npz"
ROUND_END_MODEL = "models/round_ends.npz"
PREFERENCE_MODEL = "models/preferences.npz"
HAND_MODEL = "models/hands.npz"
MODELS = {
    "houjuu": HOUJUU_MODEL,
    "kurita-hoki-2017": PAPER_MODEL,
    "kurita-hoki-2017-printed": PRINTED_MODEL,
}
"""The exported file of each model, by name."""

FIT_METRICS = "data/houjuu/fit_metrics.json"
PRIOR_FITS = "data/houjuu/prior.json"
CHOICE = "data/houjuu/choice.json"
NETWORK_METRICS = "data/houjuu/network_metrics.json"
YAKU_METRICS = "data/yaku.json"
FINAL_RANK_METRICS = "data/final_ranks.json"
ROUND_END_METRICS = "data/round_ends.json"
PREFERENCE_METRICS = "data/preferences.json"
HAND_METRICS = "data/hands.json"
ABLATION = "data/ablation.csv"
PLAYER_REPORT = "data/player_report.html"

PREDICTIONS = "predictions"
RONS = "rons"
METRICS = "metrics.json"
SUMMARY = "summary.json"
TABLES = "evaluation"
REPORT = "report.html"
"""Names in the folder of a model, `result_path`."""

REAL_RUN = Path("docs/real-run")
"""Figures of the run on real logs that made the models that ship."""

PEERS = REAL_RUN / "peers.json"
"""The shipped models beside other programs, from ``python -m benchmarks.peers``."""


def chosen_model() -> str:
    """Name of the model on the command line."""
    return chosen("model", MODELS)


def chosen(kind: str, names: Iterable[str]) -> str:
    """The name on the command line, one of some."""
    options = argparse.ArgumentParser()
    options.add_argument("name", metavar=kind, choices=[*names])
    return str(options.parse_args().name)


def fit_path(part: str) -> str:
    """Path of the parameter file of a part of the additive model."""
    return f"data/fits/{part}.npz"


def result_path(model: str, name: str) -> Path:
    """Path of a file or folder with the results of a model."""
    return Path("data") / model / name
