"""``python -m pipeline.trial_cluster``: a scheduler and workers on this machine, to try a cluster.

It prints the command that uses them, and ends with Ctrl-C.
"""

from __future__ import annotations

import argparse
import signal
import threading

from distributed import LocalCluster


def main() -> None:
    """Start the processes, and wait."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--workers", type=int, default=2, help="processes (%(default)s)")
    options.add_argument("--threads", type=int, default=1, help="threads of each (%(default)s)")
    options.add_argument("--port", type=int, default=8786, help="of the scheduler (%(default)s)")
    arguments = options.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with LocalCluster(
        n_workers=arguments.workers,
        threads_per_worker=arguments.threads,
        scheduler_port=arguments.port,
        dashboard_address=None,
    ) as cluster:
        print(f"make train SCHEDULER={cluster.scheduler_address}", flush=True)
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            print("the cluster ends", flush=True)


if __name__ == "__main__":
    main()
