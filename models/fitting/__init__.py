"""Solvers and the tools that fits share."""
