"""Rows become parameters: fitting, measuring, exporting."""

from models.telemetry import switch_off

switch_off()
