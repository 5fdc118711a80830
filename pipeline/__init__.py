"""The pipeline: `pipeline.stages` has a module for each stage; the machinery stands beside it."""

from models.telemetry import switch_off

switch_off()
