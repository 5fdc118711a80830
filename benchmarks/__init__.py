"""Measurements that print ratios: `benchmarks.speed`, `benchmarks.peers`, `benchmarks.choices`."""
