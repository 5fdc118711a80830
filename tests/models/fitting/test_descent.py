"""The descent of the networks on machines with one core and with more."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]

FIT = """
import os, sys, hashlib
os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: int(sys.argv[1])])
from pipeline.stage import one_thread
one_thread()
import jax.numpy as jnp
import numpy as np
from models.fitting.descent import NetworkFit
rng = np.random.default_rng(0)
batch = rng.normal(size=(4096, 48)).astype(np.float32)
loss = lambda weights, batch: jnp.square(jnp.tanh(batch @ weights["w"]) @ weights["w"].T).mean()
network = NetworkFit(epochs=3, learning_rate=0.01, weight_decay=0.0)
network.stage = "test"
start = lambda rng: {"w": rng.normal(size=(48, 144))}
(fitted,) = network.descend(1, start, loss, lambda size, rng: [batch])
print(hashlib.sha256(fitted["w"].tobytes()).hexdigest())
"""


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="the system fixes the cores")
@pytest.mark.skipif(os.cpu_count() == 1, reason="the machine has one core")
def test_the_number_of_cores_changes_no_bit() -> None:
    environment = {name: value for name, value in os.environ.items() if name != "PJRT_NPROC"}
    digests = {
        subprocess.run(
            [sys.executable, "-c", FIT, cores],
            cwd=ROOT,
            env=environment,
            check=True,
            capture_output=True,
        ).stdout
        for cores in ("1", "2")
    }
    assert len(digests) == 1
