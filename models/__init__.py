"""Rows become parameters: fitting, measuring, exporting."""
