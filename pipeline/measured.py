"""The models that are measured: where each is, and where what is measured of it goes."""

from __future__ import annotations

import argparse
from pathlib import Path

from pipeline.export import ESTIMATOR
from pipeline.regress import HOUJUU

FILES = {"houjuu": HOUJUU, "kurita-hoki-2017": ESTIMATOR}
"""The exported file of each model, by name."""


def chosen() -> str:
    """The model that the command line names."""
    options = argparse.ArgumentParser()
    options.add_argument("model", choices=FILES)
    return str(options.parse_args().model)


def place(model: str, name: str) -> Path:
    """Where a file or folder of figures of a model is."""
    return Path("data") / model / name
