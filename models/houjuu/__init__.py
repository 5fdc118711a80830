"""Fits of the default model: the additive parts and the network."""
