""".importlinter names every room, every module of the pipeline and every stage."""

from __future__ import annotations

import pkgutil
from configparser import ConfigParser
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
TOP = ("houjuu", "features", "models", "pipeline")


def read_contracts() -> ConfigParser:
    parser = ConfigParser()
    parser.read(ROOT / ".importlinter")
    return parser


@pytest.fixture(scope="module")
def contracts() -> ConfigParser:
    return read_contracts()


def listed(contracts: ConfigParser, contract: str, option: str) -> list[str]:
    """The names of an option, one a line, or several of one layer."""
    names = contracts[f"importlinter:contract:{contract}"][option].replace("|", "\n")
    return [name.strip() for name in names.split("\n") if name.strip()]


def products() -> list[list[str]]:
    """The rooms and commands of show, play and the estimator."""
    lines = read_contracts()["importlinter:contract:products"]["layers"].strip().split("\n")
    return [line.split(" : ") for line in lines]


def modules(package: str) -> set[str]:
    """Names of the modules and packages in a package, on disk."""
    return {module.name for module in pkgutil.iter_modules([str(ROOT / package)])}


def test_every_room_of_houjuu_is_a_layer(contracts: ConfigParser) -> None:
    rooms = listed(contracts, "rooms", "layers")
    assert sorted(rooms) == sorted(modules("houjuu"))


def test_every_room_and_command_is_of_one_product() -> None:
    rooms = modules("houjuu") - {"__main__", "cli"}
    names = [f"houjuu.{name}" for name in rooms]
    names += [f"houjuu.cli.{name}" for name in modules("houjuu/cli")]
    assert sorted(name for product in products() for name in product) == sorted(names)


def test_the_packages_are_layers(contracts: ConfigParser) -> None:
    assert sorted(listed(contracts, "packages", "layers")) == sorted(TOP)
    assert all((ROOT / package / "__init__.py").is_file() for package in TOP)


def test_every_module_beside_the_stages_is_machinery(contracts: ConfigParser) -> None:
    machinery = listed(contracts, "machinery", "source_modules")
    others = modules("pipeline") - {"stages"}
    assert sorted(machinery) == sorted(f"pipeline.{name}" for name in others)


def test_a_stage_is_a_module_of_its_name() -> None:
    stages = yaml.safe_load((ROOT / "dvc.yaml").read_text())["stages"]
    assert stages.keys() == modules("pipeline/stages")


def test_the_modules_that_need_numpy_alone_exist(contracts: ConfigParser) -> None:
    for name in listed(contracts, "numpy-alone", "source_modules"):
        path = ROOT.joinpath(*name.split("."))
        assert path.is_dir() or path.with_suffix(".py").is_file(), name
