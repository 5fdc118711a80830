"""A Dask cluster as an engine: futures on references, and the project's code for its workers.

The workers need the packages of the extra "cluster" and the folder of the project, on storage that
all of them share, at the same path. The code comes from the client: workers import what the client
runs, whatever is installed there.
"""

from __future__ import annotations

import hashlib
import io
import pickle
import socket
import sys
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import cloudpickle
from distributed import Client, KilledWorker, Worker, WorkerPlugin
from distributed.comm.core import CommClosedError

from houjuu.util.errors import Error
from houjuu.util.in_flight import PER_WORKER, in_order
from pipeline.stage import StageError, one_thread

Task = TypeVar("Task")
Result = TypeVar("Result")

PACKAGES = ("houjuu", "features", "models", "pipeline")
ROOT = Path(__file__).parents[1]
TIMEOUT = 20  # unit: seconds; to reach the scheduler
_PATIENCE = 300  # unit: seconds; while no worker is there
ATTEMPTS = 3  # to send the code
_LOOK = 30  # unit: seconds; between two looks at whether there is a worker


class ProjectCode(WorkerPlugin):
    """Unpacks the code of the project on a worker, and imports it from there.

    It is pickled whole (`cloudpickle.register_pickle_by_value`), because workers lack its module.
    """

    def __init__(self, packed: bytes) -> None:
        self.packed = packed
        self.digest = hashlib.sha256(packed).hexdigest()[:16]
        self.name = "houjuu-code"

    def setup(self, worker: Worker) -> None:
        """Put the code first in the path of the worker, in place of an earlier version."""
        folder = Path(worker.local_directory) / f"houjuu-code-{self.digest}"
        with zipfile.ZipFile(io.BytesIO(self.packed)) as archive:
            archive.extractall(folder)
        if sys.path[0] == str(folder):
            return
        sys.path[:] = [str(folder), *(path for path in sys.path if "houjuu-code-" not in path)]
        for name in [name for name in sys.modules if name.partition(".")[0] in PACKAGES]:
            del sys.modules[name]


def packed_code(root: Path = ROOT) -> bytes:
    """The packages of the project as a zip; the same code gives the same bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for package in PACKAGES:
            for path in sorted((root / package).rglob("*")):
                if path.is_file() and "__pycache__" not in path.parts:
                    entry = zipfile.ZipInfo(str(path.relative_to(root)))
                    archive.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


class ClusterEngine:
    """The workers of a cluster.

    Parameters
    ----------
    client : Client
    address : str
        Of its scheduler.
    """

    def __init__(self, client: Client, address: str) -> None:
        self.n_workers = sum(client.nthreads().values())
        self._client = client
        self._address = address

    def map(self, function: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result]:
        """Yield the results in order; the task of a worker that dies goes to another one."""
        run = partial(_run, str(Path.cwd()), function)

        def call(packed: bytes) -> Any:
            """Run a pickled task; the scheduler, which has no code of the project, sees bytes."""
            run, task = pickle.loads(packed)
            return run(task)

        def submit(task: Task) -> _TaskResult:
            future = self._client.submit(call, cloudpickle.dumps((run, task)), pure=False)
            return _TaskResult(future, partial(_wait_for_worker, self._client, self._address))

        try:
            yield from in_order(submit, tasks, PER_WORKER * self.n_workers)
        except KilledWorker:
            reason = "several workers died at the same task, perhaps for lack of memory"
            raise StageError(f"{reason}; run again: the stage continues") from None


class _TaskResult:
    """The answer of a cluster to a task; an error if all workers have gone away for good."""

    def __init__(self, future: Any, wait_for_worker: Callable[[], None]) -> None:
        self._future = future
        self._wait_for_worker = wait_for_worker

    def result(self) -> Any:
        while True:
            try:
                return self._future.result(timeout=_LOOK)
            except TimeoutError:
                if self._future.done():
                    raise
                self._wait_for_worker()

    def cancel(self) -> None:
        self._future.cancel()


def _wait_for_worker(client: Client, address: str) -> None:
    try:
        client.wait_for_workers(1, timeout=_PATIENCE)
    except TimeoutError:
        raise StageError(f"the Dask scheduler at {address} has no worker") from None


def _run(folder: str, function: Callable[[Any], Any], task: Any) -> Any:
    """Run a task on a worker, which needs the folder of the project."""
    if not Path(folder).is_dir():
        host = socket.gethostname()
        raise Error(
            f"the worker {host} does not have this folder; all workers need the same storage",
            file=folder,
        )
    one_thread()
    return function(task)


@contextmanager
def open_cluster(address: str) -> Iterator[ClusterEngine]:
    """Yield the workers of a scheduler, once they have the code.

    Raises
    ------
    StageError
        Nobody answers at the address, or there is no worker.
    """
    try:
        client = Client(address, timeout=TIMEOUT)
    except (OSError, TimeoutError, ValueError) as problem:
        raise StageError(f"no Dask scheduler at {address} ({problem})") from None
    with client:
        _wait_for_worker(client, address)
        _send_code(client, address)
        yield ClusterEngine(client, address)


def _send_code(client: Client, address: str) -> None:
    """Give all workers the code, once more where one dies meanwhile."""
    code = ProjectCode(packed_code())
    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    try:
        for attempt in range(ATTEMPTS):
            try:
                client.register_plugin(code)
            except CommClosedError:
                if attempt == ATTEMPTS - 1:
                    reason = f"workers of the Dask scheduler at {address} die at the start"
                    raise StageError(f"{reason} of the stage; run again: it continues") from None
                _wait_for_worker(client, address)
            else:
                return
    finally:
        cloudpickle.unregister_pickle_by_value(sys.modules[__name__])
