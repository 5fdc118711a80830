"""The stages: one module a stage of dvc.yaml, and none imports another."""
