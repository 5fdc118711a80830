"""Programs generated from the OpenAPI description: answers have the types that it declares."""

from __future__ import annotations

import importlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from fastapi.testclient import TestClient

import houjuu
from tests.kit.absent import leave_out, program
from tests.serve.conftest import POSITION, Message
from tests.serve.test_process import Server

FILES = Path(__file__).parent / "clients"


@pytest.fixture
def description(client: TestClient) -> Any:
    """The OpenAPI description."""
    return client.get("/openapi.json").json()


def references(value: object) -> set[str]:
    """All addresses under ``$ref``."""
    return set(re.findall(r'"\$ref": "(.*?)"', json.dumps(value)))


def test_every_reference_is_a_component(description: Any) -> None:
    """A generator reads ``#/`` from the root of the document."""
    names = {name.removeprefix("#/components/schemas/") for name in references(description)}
    assert names == set(description["components"]["schemas"])


def test_every_property_is_described(description: Any) -> None:
    """With its range and an example, so that the document alone suffices to write a client."""
    schemas = description["components"]["schemas"]
    properties = [
        (f"{name}.{key}", value)
        for name, schema in schemas.items()
        for key, value in schema.get("properties", {}).items()
    ]
    assert len(properties) > 50
    for key, value in properties:
        assert value.get("description"), key
        text = json.dumps(value)
        assert re.search('"(examples|enum|const|[$]ref)"', text) or value["type"] == "boolean", key
        for part in (value, value.get("items", {}), *value.get("anyOf", ())):
            if part.get("type") in ("integer", "number") and not key.startswith("Position."):
                assert "minimum" in part, key
    for path, methods in description["paths"].items():
        for parameter in methods["post"].get("parameters", ()):
            assert parameter["description"], (path, parameter)
            if parameter["in"] == "query":
                assert parameter["schema"]["examples"], (path, parameter)


def test_answers_have_the_declared_types(
    client: TestClient, messages: list[Message], answers: list[Message | None], description: Any
) -> None:
    index = max(i for i, answer in enumerate(answers) if answer)
    without_scores = {key: value for key, value in messages[1].items() if key != "scores"}
    without_scores |= {"kyoku": 3, "oya": 2}
    bodies: list[tuple[str, Any, set[str]]] = [
        ("/v1/risk", POSITION, {"opponents", "tiles", "either", "model", "room"}),
        ("/v1/meta", messages[: index + 1], {"opponents", "tiles", "best", "room", *HEAD}),
        (
            "/v1/risk?unseen=true",
            POSITION,
            {"opponents", "tiles", "either", "unseen", "model", "room"},
        ),
        (
            "/v1/meta?unseen=true",
            messages[: index + 1],
            {"opponents", "tiles", "room", *MORE, *HEAD},
        ),
        ("/v1/meta", [messages[0], without_scores], {"problem", *HEAD}),
        ("/v1/risk", messages, {"error"}),
        ("/v1/meta", [], {"error"}),
    ]
    for address, body, keys in bodies:
        response = client.post(address, json=body)
        path = address.partition("?")[0]
        answer = response.json()
        assert set(answer) == keys
        responses = description["paths"][path]["post"]["responses"]
        content = responses[str(response.status_code)]["content"]["application/json"]
        declared = {**content["schema"], "components": description["components"]}
        jsonschema.validate(answer, declared)
        for key in keys:
            with pytest.raises(jsonschema.ValidationError):
                jsonschema.validate({**answer, key: {"wrong": None}}, declared)


def test_answers_have_the_declared_content_types(
    client: TestClient, log: bytes, description: Any
) -> None:
    for path, body in (
        ("/v1/risk", json.dumps(POSITION).encode()),
        ("/v1/review", log),
        ("/v1/review", b"<html/>"),
        ("/v1/meta", b"{"),
    ):
        query = {"player": "none"} if path == "/v1/review" else {}
        response = client.post(path, params=query, content=body)
        declared = description["paths"][path]["post"]["responses"][str(response.status_code)]
        assert response.headers["content-type"].partition(";")[0] in declared["content"]


CONFIG = """
post_hooks: []  # by default it formats the code
"""
HEAD = ("schema", "model", "seat", "in_step")
MORE = ("best", "unseen")


@pytest.mark.deep
def test_a_typescript_client_compiles(tmp_path: Path, description: Any) -> None:
    for name in ("node", "npm"):
        program(name)
    for file in FILES.iterdir():
        shutil.copy(file, tmp_path)
    (tmp_path / "openapi.json").write_text(json.dumps(description))
    options = ["--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund"]
    patience = ["--prefer-offline", "--fetch-retries=1", "--fetch-timeout=30000"]
    installed = _run(["timeout", "120", "npm", "install", *options, *patience], tmp_path)
    if installed.returncode:
        assert not os.environ.get("GITHUB_ACTIONS"), installed.stdout  # it has a network
        pytest.skip(f"npm installs nothing: {installed.stdout}")
    generate = ["openapi-typescript", "openapi.json", "--output", "api.d.ts"]
    for command in (generate, ["tsc", "--noEmit"]):
        done = _run(["npm", "exec", "--offline", "--", *command], tmp_path)
        assert done.returncode == 0, done.stdout


@pytest.mark.deep
def test_a_generated_python_client_reads_an_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, description: Any
) -> None:
    if find_spec("openapi_python_client") is None:
        leave_out("openapi-python-client is not installed")
    (tmp_path / "openapi.json").write_text(json.dumps(description))
    (tmp_path / "config.yaml").write_text(CONFIG)
    generate = [sys.executable, "-m", "openapi_python_client", "generate"]
    files = ["--path", "openapi.json", "--config", "config.yaml", "--output-path", "generated"]
    done = _run([*generate, *files, "--meta", "none", "--fail-on-warning"], tmp_path)
    assert done.returncode == 0, done.stdout
    monkeypatch.syspath_prepend(tmp_path)
    models = importlib.import_module("generated.models")
    risk_route = importlib.import_module("generated.api.default.risk")
    client_type = importlib.import_module("generated.client").Client

    server = Server(tmp_path)
    try:
        with client_type(base_url=f"http://{server.address}") as client:
            answer = risk_route.sync(client=client, body=models.Position.from_dict(POSITION))
            wrong = models.Position.from_dict(POSITION | {"dora": "9x"})
            refusal = risk_route.sync(client=client, body=wrong)
    finally:
        server.end(signal.SIGINT)
    risk = houjuu.load().deal_in(houjuu.position(**POSITION))
    assert isinstance(answer, models.PositionAnswer)
    expected = {**risk.to_dict(), "model": "houjuu"}
    assert answer.to_dict() == json.loads(json.dumps(expected))
    assert [one.tenpai for one in answer.opponents] == pytest.approx(risk.tenpai, abs=1e-6)
    assert answer.tiles["0p"].points == round(risk["0p"].points)
    assert isinstance(refusal, models.Refusal)
    assert "9x" in refusal.error


def _run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=folder,
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
    )
