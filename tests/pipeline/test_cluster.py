"""The pipeline on a Dask cluster: a real scheduler and worker processes without the project."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cloudpickle
import pandas as pd
import psutil
import pytest
from distributed import Client
from distributed.comm.core import CommClosedError

from houjuu.game.events import Game
from houjuu.logs import mjlog
from houjuu.util.errors import Error
from pipeline import cluster, graph, paths
from pipeline.cluster import ClusterEngine, open_cluster
from pipeline.stage import StageError
from pipeline.stages import parse
from tests.pipeline.repository import change_params, environment, out_hashes, remove_outs, repro
from tests.pipeline.test_finished_run import LOCAL, PARALLEL

pytestmark = pytest.mark.slow

LIKE_TENPAI_ROWS = (
    *("paper_tenpai_rows", "unseen_rows", "yaku_rows", "final_rank_rows", "action_rows"),
)
"""Stages of rows that call `extract_table` alone, as `tenpai_rows` and `round_end_rows` do."""

LIKE_OTHERS = (*LIKE_TENPAI_ROWS, "spare_rows", "last_fit")
"""Stages with the calls of others: the rows of `wait_rows`, and the fits of `train_…`."""

ON_CLUSTER = [stage for stage in PARALLEL if stage not in (*LOCAL, *LIKE_OTHERS)]
"""Stages that use a cluster if there is one, in the order of the pipeline."""

WORKERS, THREADS = 2, 2
AT_WORK = 6.0  # unit: seconds from the start of a worker
SOON = 0.5  # unit: seconds from the start of a stage


@pytest.fixture(autouse=True)
def _tests_travel() -> Iterator[None]:
    """The functions of this module go to the workers, which do not have it."""
    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    yield
    cloudpickle.unregister_pickle_by_value(sys.modules[__name__])


@contextmanager
def running(folder: Path, port: int = 0) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler and workers, which import nothing from here: its address, and their processes."""
    port = port or _free_port()
    address = f"tcp://127.0.0.1:{port}"
    scheduler = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--no-dashboard"]
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--no-dashboard"]
    worker += ["--nworkers", str(WORKERS), "--nthreads", str(THREADS)]
    worker += ["--local-directory", str(folder / "local")]
    folder.mkdir(exist_ok=True)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    options: dict[str, Any] = {"cwd": folder, "env": environment, "start_new_session": True}
    options["stderr"] = subprocess.DEVNULL
    processes = [
        subprocess.Popen([*scheduler, "--host", "127.0.0.1", "--port", str(port)], **options),
        subprocess.Popen(worker, **options),
    ]
    try:
        yield address, processes
    finally:
        for process in reversed(processes):
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _file_of_code(number: int) -> str:
    return str(Path(cluster.__file__).parent)


def _square(number: int) -> int:
    time.sleep(0.2 if number == 0 else 0)
    return number * number


def _refused(number: int) -> int:
    raise Error("is refused", file=f"{number}.xml", round=2)


def _kill(number: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return number


@pytest.fixture(scope="module")
def quiet_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """One cluster for all tests that kill none of its workers: its address and its folder."""
    folder = tmp_path_factory.mktemp("cluster")
    with running(folder) as (address, _):
        yield address, folder


def test_workers_run_the_code_of_the_client(quiet_cluster: tuple[str, Path]) -> None:
    address, folder = quiet_cluster
    with open_cluster(address) as engine:
        assert list(engine.map(_square, range(12))) == [n * n for n in range(12)]
        folders = set(engine.map(_file_of_code, range(12)))
        assert all(path.startswith(f"{folder}/local/") for path in folders)
        with pytest.raises(Error, match=r"^3\.xml, round 2: is refused"):
            list(engine.map(_refused, [3]))


def test_a_task_that_kills_its_workers_ends_the_stage(tmp_path: Path) -> None:
    with (
        running(tmp_path / "cluster") as (address, _),
        open_cluster(address) as engine,
        pytest.raises(StageError, match="several workers died at the same task"),
    ):
        list(engine.map(_kill, [1]))


def test_a_cluster_without_workers_ends_the_stage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The scheduler would wait for new ones for ever."""
    monkeypatch.setattr(cluster, "_LOOK", 1)
    with running(tmp_path / "cluster") as (address, processes), open_cluster(address) as engine:
        assert list(engine.map(_square, [2])) == [4]
        monkeypatch.setattr(cluster, "_PATIENCE", 2)
        os.killpg(processes[1].pid, signal.SIGKILL)
        with pytest.raises(StageError, match=rf"^the Dask .* at {address} has no worker"):
            list(engine.map(_square, range(100)))


@pytest.mark.parametrize("deaths", [2, 3])
def test_the_code_is_sent_again_if_a_worker_dies(
    quiet_cluster: tuple[str, Path], monkeypatch: pytest.MonkeyPatch, deaths: int
) -> None:
    left = [CommClosedError("a worker has died")] * deaths
    register = Client.register_plugin

    def dying(client: Client, plugin: Any) -> None:
        if left:
            raise left.pop()
        register(client, plugin)

    monkeypatch.setattr(Client, "register_plugin", dying)
    outcome: Any = nullcontext()
    if deaths == cluster.ATTEMPTS:
        outcome = pytest.raises(StageError, match="die at the start of the stage; run again")
    with outcome, open_cluster(quiet_cluster[0]) as engine:
        assert list(engine.map(_square, range(3))) == [0, 1, 4]


def test_a_worker_without_the_folder_is_named(
    quiet_cluster: tuple[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_cluster(quiet_cluster[0]) as engine:
        monkeypatch.setattr(cluster, "Path", _Elsewhere)
        with pytest.raises(Error, match=rf"not there: the worker {socket.gethostname()} does not"):
            list(engine.map(_square, [1]))


class _Elsewhere:
    """A client in a folder that the workers do not have."""

    @staticmethod
    def cwd() -> str:
        return "/not there"


def test_an_address_without_a_scheduler_is_a_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "TIMEOUT", 1)
    with (
        pytest.raises(StageError, match="no Dask scheduler at tcp://127"),
        open_cluster(f"tcp://127.0.0.1:{_free_port()}"),
    ):
        pass


def test_a_corrupt_archive_among_good_ones_is_listed(
    workspace: Path,
    own_games: list[Game],
    quiet_cluster: tuple[str, Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    logs = workspace / "data" / "logs"
    with zipfile.ZipFile(logs / "good.zip", "w") as archive:
        for game in own_games:
            archive.writestr(f"{game.id}.mjlog", mjlog.write(game))
    (logs / "bad.zip").write_bytes((logs / "good.zip").read_bytes()[:-40])
    change_params(workspace, "parse", games_per_shard=2, max_reject_share=0.5, validate_share=0.5)
    parse.main()
    expected = [Path(path).read_bytes() for path in (paths.GAMES, paths.REJECTS)]
    shutil.rmtree(min(Path("data/shards/parse").iterdir()))  # the cluster makes one shard
    monkeypatch.setenv("HOUJUU_SCHEDULER", quiet_cluster[0])
    parse.main()
    assert [Path(path).read_bytes() for path in (paths.GAMES, paths.REJECTS)] == expected
    rejects = pd.read_csv(paths.REJECTS)
    assert list(rejects["file"]) == ["bad.zip"]
    assert len(pd.read_parquet(paths.GAMES)) == len(own_games)


@pytest.mark.deep
def test_a_cluster_gives_the_same_bytes_although_workers_die(
    finished_run: Path,
    copied: Callable[[Path], Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each kind of stage with workers runs, and some lose one; half-way the cluster changes."""
    for stage in LIKE_TENPAI_ROWS:
        source = Path(parse.__file__).with_name(f"{stage}.py").read_text(encoding="utf-8")
        assert source.count("extract_table(") == 1, stage
        assert "engine" not in source, stage
    folder = copied(finished_run)
    hashes = out_hashes(folder)
    stages = graph.stages().items()
    struck: set[str] = set()
    half = len(ON_CLUSTER) // 2
    for modules in (ON_CLUSTER[:half], ON_CLUSTER[half:]):
        remove_outs(folder, *modules)
        with running(tmp_path / "cluster") as (address, _):
            monkeypatch.setenv("HOUJUU_SCHEDULER", address)
            with _killing(address, struck) as at_work:
                names = [name for name, stage in stages if stage.module in modules]
                _run_stages(folder, names, at_work)
    made = out_hashes(folder)
    assert made == {path: hashes[path] for path in made}
    assert len(struck) >= 4, struck  # others may end too soon


def test_dvc_runs_stages_on_a_cluster(
    dvc_run: Path,
    copied: Callable[[Path], Path],
    quiet_cluster: tuple[str, Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = copied(dvc_run)
    hashes = out_hashes(folder)
    remove_outs(folder, "selfplay", "parse")
    shutil.rmtree(folder / ".dvc" / "cache")
    monkeypatch.setenv("HOUJUU_SCHEDULER", quiet_cluster[0])
    assert repro(folder, "parse") == ["code", "selfplay", "parse"]
    assert out_hashes(folder) == hashes


@dataclass
class AtWork:
    """The stage at work, and since when."""

    stage: str = ""
    start: float = float("inf")


def _run_stages(folder: Path, names: list[str], at_work: AtWork) -> None:
    """Run stages in one process, which imports once what they share."""
    command = [sys.executable, "-m", "tests.pipeline.at_once", str(folder), *names]
    streams: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    printed = []
    with subprocess.Popen(
        command, cwd=folder, env=environment(folder), text=True, **streams
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            printed.append(line)
            if line.startswith("stage "):
                at_work.stage, at_work.start = line.split()[1], time.monotonic()
    assert process.returncode == 0, "".join(printed)


@contextmanager
def _killing(address: str, struck: set[str]) -> Iterator[AtWork]:
    """Kill a worker process in every stage, soon after its start."""
    end, at_work = threading.Event(), AtWork()

    def kill() -> None:
        with Client(address, set_as_default=False) as client:
            while not end.wait(0.3):
                stage, is_old = at_work.stage, time.monotonic() - at_work.start > SOON
                if is_old and stage not in struck:
                    for worker in _workers(client)[:1]:
                        worker.kill()
                        struck.add(stage)

    thread = threading.Thread(target=kill)
    thread.start()
    try:
        yield at_work
    finally:
        end.set()
        thread.join()


def _workers(client: Client) -> list[psutil.Process]:
    """The worker processes, the oldest first, that the scheduler has known for some seconds.

    A nanny ends if its worker dies at the start, however long a start takes.
    """
    pids = client.run(os.getpid, on_error="ignore").values()
    working = [psutil.Process(pid) for pid in pids if psutil.pid_exists(pid)]
    working = [worker for worker in working if time.time() - worker.create_time() > AT_WORK]
    return sorted(working, key=lambda worker: worker.create_time())


def test_an_engine_knows_its_threads(quiet_cluster: tuple[str, Path]) -> None:
    with open_cluster(quiet_cluster[0]) as engine:
        assert isinstance(engine, ClusterEngine)
        assert 0 < engine.n_workers <= WORKERS * THREADS
