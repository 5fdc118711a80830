"""The stages of dvc.yaml, a module each: run one by hand with ``python -m pipeline.parse``."""
