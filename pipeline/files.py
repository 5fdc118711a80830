"""Outputs that are written completely or not at all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import joblib

from houjuu.util.files import atomic_path, without_nan


def save(fitted: object, path: str | Path) -> None:
    """Pickle a fitted estimator for the stages after this one, and for nothing else."""
    with atomic_path(path) as temporary:
        joblib.dump(fitted, temporary)


def save_json(tree: Any, path: str | Path) -> None:
    """Write a tree as JSON, with null for NaN, which JSON does not have."""
    with atomic_path(path) as temporary:
        text = json.dumps(without_nan(tree), indent=1, ensure_ascii=False, allow_nan=False)
        temporary.write_text(text + "\n", encoding="utf-8")
