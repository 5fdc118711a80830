"""Measurements that print ratios, such as `benchmarks.speed` and `benchmarks.peers`."""
