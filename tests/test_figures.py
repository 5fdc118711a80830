"""Figures in the documentation: tables from the files of the real run, outputs from commands."""

from __future__ import annotations

import json
import math
import re
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import yaml

from houjuu import cli
from houjuu.review.usual import usual_decisions
from houjuu.util import parameters

pytest.importorskip("sklearn", reason="the benchmarks import the models")
from benchmarks import accuracy, markdown
from benchmarks.markdown import short
from pipeline import figures
from tests.printed import is_same

ROOT = Path(__file__).parents[1]
RUN = ROOT / "docs" / "real-run"
Cells = dict[str, str]


def _content(name: str) -> Any:
    return json.loads((RUN / name).read_text())


def _page(name: str) -> str:
    return (ROOT / name).read_text()


def _rows(lines: Iterable[str]) -> Iterator[Cells]:
    """Yield the cells of each row of some Markdown tables, by column.

    A name that begins with "…" continues the name of the last row without it.
    """
    columns: list[str] = []
    parent = ""
    for line in lines:
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if not cells:
            columns = []
        elif not columns:
            columns = cells
        elif set(cells[0]) != {"-"}:
            row = dict(zip(columns, cells, strict=True))
            name = row[columns[0]]
            parent = parent if name.startswith("…") else name
            row[columns[0]] = name.replace("…", parent)
            yield row


def _compare(page: str, lines: Iterable[str]) -> int:
    """Compare the rows of a page with the generated rows of the same name, column by column.

    Returns
    -------
    int
        The number of cells that were compared.
    """
    generated = {next(iter(row.items())): row for row in _rows(lines)}
    n_cells = 0
    for row in _rows(_page(page).splitlines()):
        key, *cells = row.items()
        for column, cell in cells:
            expected = generated.get(key, {}).get(column, "")
            if expected:
                assert cell == expected, (page, key, column)
                n_cells += 1
    return n_cells


def test_a_stale_cell_is_noticed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("| task | rows |\n|---|---|\n| T | 5 |\n| … late | 2 |\n")
    assert _compare(str(page), ["| task | rows |", "|---|---|", "| T | 5 |", "| … late | 2 |"]) == 2
    with pytest.raises(AssertionError, match="rows"):
        _compare(str(page), ["| task | rows |", "|---|---|", "| T | 6 |"])


def test_accuracy_other_programs() -> None:
    """The trees are of an earlier fit, which the file does not contain."""
    assert _compare("docs/accuracy.md", accuracy.peers(_content("peers.json"))) == 17 * 8 + 7


def _by_program() -> Iterator[str]:
    """The rate and the metric of every program and of the constant prediction, for each task."""
    programs = ("akochan", "mjai-manue", "mahjong-helper", "killer_mortal_gui")
    yield f"| task | base | prior | {' | '.join(programs)} |"
    tasks: dict[str, Cells] = {}
    for line in _content("peers.json")["houjuu"]["lines"]:
        cells = tasks.setdefault(line["row"], {})
        cells[line["peer"]] = short(line["theirs"])
        cells["base"] = "" if line["row"] == "points" else f"{line['base']:.2%}"
        cells["prior"] = "" if line["row"].startswith("W") else short(line["prior"])
    for task, cells in tasks.items():
        yield f"| {task} | {' | '.join(cells.get(n, '') for n in ('base', 'prior', *programs))} |"


def test_accuracy_every_program() -> None:
    assert _compare("docs/accuracy.md", _by_program()) == 51


def test_accuracy_dealing_in() -> None:
    assert _compare("docs/accuracy.md", accuracy.deal_in(RUN)) == 7 * 8


def test_accuracy_points() -> None:
    """The table, and that every interval contains the prediction of houjuu."""
    lines = [*accuracy.scores(RUN)]
    assert _compare("docs/accuracy.md", lines) == 10 * 7
    n_inside = 0
    for row in _rows(lines):
        _, _, *cells = row.values()
        for predicted, measured in zip(cells[::2], cells[1::2], strict=True):
            low, high = map(float, measured.split("[")[1].rstrip("]").split(", "))
            n_inside += low <= float(predicted.split(",")[0]) <= high
    assert f'"houjuu" lies in all {n_inside} intervals' in _page("docs/accuracy.md")


def test_accuracy_tenpai_and_waits() -> None:
    assert _compare("docs/accuracy.md", accuracy.tenpai(RUN)) == 5 * 6 + 6 * 4


def test_accuracy_edges() -> None:
    """Slopes, highest risks, discarded tiles and pairs; 1 and the predictions lie within."""
    assert _compare("docs/accuracy.md", accuracy.edges(RUN)) == 3 * (6 + 6 * 3)


def _tables_of(file: str) -> Iterator[str]:
    """Tables of a file as the docs write them."""
    for table in _content(file):
        yield from ("", *markdown.head(*table["head"]))
        yield from (markdown.row(*map(markdown.plain, cells)) for cells in table["rows"])


def test_matches_worth() -> None:
    """Two players with each model, and with two models."""
    assert _compare("docs/matches.md", _tables_of("worth.json")) == 2 * (7 * 5 - 2 + 7 * 4 - 2)


def test_matches_versions() -> None:
    """The source's four versions, played by its program and by ours."""
    assert _compare("docs/matches.md", _tables_of("versions.json")) == 2 * (7 * 4 - 1)


def test_speed_stages() -> None:
    """The cost of every stage of the whole run that takes some seconds."""
    table = ["", *markdown.head("stage of the whole run", *_COSTS)]
    slow = [stage for stage in _content("stages.json") if stage["seconds"] >= 5]
    for stage in slow:
        minutes = (f"{stage[unit] / 60:.1f}" for unit in ("seconds", "processor"))
        table.append(markdown.row(f"`{stage['stage']}`", *minutes, f"{stage['megabytes']:,.0f} MB"))
    assert _compare("docs/speed.md", table) == 3 * len(slow)


_COSTS = ("clock, minutes", "processor, minutes", "memory of all processes")


def test_final_ranks() -> None:
    assert _compare("docs/final-ranks.md", accuracy.final_ranks(RUN)) == 8 * 4


def test_player() -> None:
    metrics = _content("round_ends.json")
    assert _compare("docs/player.md", accuracy.round_ends(metrics)) == 9 * 5 - 1
    assert _compare("docs/player.md", accuracy.agreement(_content("preferences.json"))) == 6 * 4
    assert _compare("docs/player.md", accuracy.riichi_or_dama(metrics)) == 10 * 2


def test_yaku() -> None:
    assert _compare("docs/yaku.md", accuracy.yaku(_content("yaku.json"))) == 5 * 4


OPPONENT_TYPES = {"in riichi": "riichi", "closed, not in riichi": "closed"}
"""Names in the model cards, and in the files; other names are equal."""


def test_model_cards() -> None:
    """Rates and log losses. The mean predictions are in the evaluation of the run."""
    ours, paper = (
        _content(f"{name}/metrics.json")["deal_in"]
        for name in (
            "houjuu",
            "kurita-hoki-2017",
        )
    )
    for row in _rows(_page("models/README.md").splitlines()):
        if "measured" not in row:
            continue
        name = OPPONENT_TYPES.get(row["opponent"], row["opponent"])
        with_paper = "log loss of the paper's model" in row
        of_card, of_paper = (ours if with_paper else paper)[name], paper[name]
        digits = 3 if name == "closed" else 2
        assert row["measured"] == f"{of_card['rate']:.{digits}%}"
        assert row["log loss"] == short(of_card["log_loss"])
        assert row["log loss of the base rate"] == short(of_card["log_loss_base"])
        if with_paper:
            assert row["log loss of the paper's model"] == short(of_paper["log_loss"])


@pytest.mark.parametrize("page", ["README.md", "README.ja.md"])
def test_readme(page: str) -> None:
    """The table of the first screen, by the numbers of rows."""
    lines = _content("peers.json")
    tasks = {line["row"]: line for line in lines["houjuu"]["lines"] if line["peer"] == "akochan"}
    papers = {line["row"]: line["houjuu"] for line in lines["kurita-hoki-2017"]["lines"]}
    text = _page(page)
    for task in ("T", "R", "D"):
        line = tasks[task]
        cells = (f"**{short(line['houjuu'])}**", short(papers[task]), short(line["theirs"]))
        assert f"| {line['rows']:,} | {' | '.join(cells)} |" in text


def test_the_number_of_self_played_games() -> None:
    games = yaml.safe_load(_page("params.yaml"))["selfplay"]["games"]
    for page in ("README.md", "README.ja.md", "docs/for-researchers.md"):
        assert re.search(rf"make train +# (plays )?{games}( games|回)", _page(page))


def _sentences() -> Iterator[tuple[str, str]]:
    """Yield figures in sentences and in cells, by page."""
    ours, paper = (_content(f"{name}/metrics.json") for name in ("houjuu", "kurita-hoki-2017"))
    printed = _content("kurita-hoki-2017-printed/metrics.json")
    points = ours["points"]
    yield (
        "docs/accuracy.md",
        f"For {points['rows']:,} rons the mean of the expected points was "
        f"{points['mean_expected']:,.0f}, and of the points paid {points['mean']:,.0f}; the mean "
        f"absolute error was {points['mean_absolute_error']:,.0f} (the paper's model "
        f"{paper['points']['mean_absolute_error']:,.0f}, the constant median "
        f"{points['mean_absolute_error_base']:,.0f})",
    )
    lines = _content("peers.json")["kurita-hoki-2017"]["lines"]
    to_akochan = {line["row"]: line for line in lines if line["peer"] == "akochan"}
    for task, name in (("T", ""), ("W, melded", "W, melded: "), ("A", "A: "), ("D, closed", "")):
        low, high = (short(end, "+") for end in to_akochan[task]["95%"])
        difference = short(to_akochan[task]["difference"], "+")
        yield "docs/accuracy.md", f"{name}{difference} [{low}, {high}]"
    gains = _content("houjuu/network_metrics.json")["less_additive"]
    for group in ("all", "under 20 tiles left"):
        difference, half = short(gains[group]["difference"]), short(gains[group]["half_width"])
        yield "docs/accuracy.md", f"{difference} ± {half}"
    tenpai, of_houjuu = paper["tenpai"]["all"], ours["tenpai"]["all"]
    yield (
        "docs/sources.md",
        f"log loss {short(tenpai['log_loss'])}, base rate {short(tenpai['log_loss_base'])} "
        f'({tenpai["rows"]:,} rows); "houjuu" {short(of_houjuu["log_loss"])} on '
        f"{of_houjuu['rows']:,} rows",
    )
    riichi = [model["deal_in"]["riichi"] for model in (paper, ours)]
    yield (
        "docs/sources.md",
        f'log loss against a riichi {short(riichi[0]["log_loss"])}, "houjuu" '
        f"{short(riichi[1]['log_loss'])}, base rate {short(riichi[0]['log_loss_base'])} "
        f"({riichi[0]['rows']:,} rows)",
    )
    four = [model["deal_in"]["4 melds"] for model in (paper, printed)]
    yield (
        "docs/sources.md",
        f"log loss {short(four[0]['log_loss'])}, printed {short(four[1]['log_loss'])}, base rate "
        f"{short(four[0]['log_loss_base'])} ({four[0]['rows']:,} rows)",
    )
    arrays = parameters.read(ROOT / "houjuu" / "fitted" / "kurita-hoki-2017.npz").arrays
    ryanmen = arrays["paper_waits/ryanmen"]
    yield (
        "docs/sources.md",
        f"{ryanmen[1]:.1%} with one live suji, {ryanmen[11]:.1%} with 11, {ryanmen[18]:.1%} with "
        f"18",
    )
    names = ("kanchan and penchan", "shanpon", "tanki")
    forms = zip(arrays["paper_waits/others"], names, strict=True)
    yield (
        "docs/sources.md",
        ", ".join(f"{weight:.3f} {name}".removeprefix("0") for weight, name in forms),
    )
    floor = np.format_float_positional(float(arrays["paper_melded/floor"]), 3, fractional=False)
    for page in ("docs/sources.md", "docs/method.md"):
        yield page, floor.removeprefix("0")
    lost = usual_decisions(hanchan=True)["lost"]
    yield "docs/review.md", f"These lose {lost:.0f} points a decision of a hanchan"
    rest = arrays["paper_waits/others"].sum()
    yield "docs/sources.md", f"| {rest:.2f} without ryanmen |"
    cells = sum(math.prod(arrays[f"paper_tenpai/type{n}"].shape[:-1]) for n in (1, 2, 3))
    yield "docs/sources.md", f"rows for {cells} regressions"
    yield "models/README.md", f"{cells} logistic regressions"
    other_forms, no_yaku = (
        f"{float(arrays[f'paper_melded/{name}']):.3f}" for name in ("other_forms", "no_yaku")
    )
    melded = {
        model: next(line["houjuu"] for line in of_model["lines"] if line["row"] == "D, melded")
        for model, of_model in _content("peers.json").items()
    }
    yield (
        "docs/sources.md",
        f"weight {no_yaku.removeprefix('0')} ± .001: D, melded, "
        f"{short(melded['kurita-hoki-2017'])}; printed {short(melded['kurita-hoki-2017-printed'])}",
    )
    yield "docs/sources.md", f"fitted: {other_forms} ± .002"
    yield "docs/method.md", f"results: {other_forms} and {no_yaku}"
    yield "docs/method.md", f'"kurita-hoki-2017" is {no_yaku.removeprefix("0")}.'
    yield (
        "docs/accuracy.md",
        f"wait forms weigh {other_forms} ± 0.002 (the paper: 0.2), "
        f"and hands without a yaku {no_yaku} ± 0.001",
    )
    closed = ours["deal_in"]["closed"]["rate"]
    measured = f"{closed:.3%}".removeprefix("0")
    predicted_by_houjuu, predicted_by_paper = (
        row["mean prediction, tiles in the hand"].removeprefix("0")
        for row in _rows(_page("models/README.md").splitlines())
        if row.get("opponent") == "closed, not in riichi"
    )
    yield "docs/sources.md", f"{predicted_by_paper} predicted, {measured} measured | same;"
    yield "docs/sources.md", f"a model of its own: {predicted_by_houjuu} and {measured}"


def _games() -> Iterator[tuple[str, str]]:
    """Yield the games of the fits, by page."""
    shipped = _content("run.json")["houjuu"]
    for page in ("README.md", "README.ja.md", "models/README.md", "docs/accuracy.md"):
        yield page, f"{shipped['fitted_on']['games']:,}"
    fitted_on = shipped["evaluated"]["fitted_on"]
    for page in ("models/README.md", "docs/accuracy.md", "notebooks/2_refit_and_compare.ipynb"):
        yield page, f"{fitted_on['games']:,}"
    yield "models/README.md", f"games ({fitted_on['rounds']:,} rounds)"
    first, last = (date[:4] for date in fitted_on["dates"])
    yield "docs/accuracy.md", f"({first} to {last},"
    yaku = _content("run.json")["yaku"]["fitted_on"]
    yield "docs/yaku.md", f"of {yaku['yaku_games']:,} games"
    player, ends = (
        _content("run.json")[name]["fitted_on"] for name in ("preferences", "round-ends")
    )
    yield (
        "docs/player.md",
        f"fitted to {player['games']:,} and {ends['round_end_games']:,} games of the phoenix room, "
        f"the preferences to the decisions of {player['action_games']:,}",
    )
    yield (
        "docs/final-ranks.md",
        f"the rounds of {_content('run.json')['final-ranks']['fitted_on']['games']:,} games",
    )
    trees = _content("gbdt_baseline.json")["games"]
    yield (
        "docs/accuracy.md",
        f"fitted to {trees['tenpai']:,} games for tenpai, {trees['riichi']:,} for riichi, "
        f"{trees['closed']:,} for closed hands and {trees['melded']:,} for open hands",
    )


def test_the_learning_curve_ends_with_the_run() -> None:
    """The file has no figure of all open hands together."""
    metrics = _content("houjuu/fit_metrics.json")
    losses = {"tenpai": metrics["tenpai"]["all"]} | metrics["waits"]
    fitted_on = _content("run.json")["houjuu"]["evaluated"]["fitted_on"]
    games = f"{fitted_on['games']:,} (the run)"
    curve = {
        row["task"]: row for row in _rows(_page("docs/accuracy.md").splitlines()) if games in row
    }
    for task in ("tenpai", "riichi", "closed"):
        assert curve[task][games] == short(losses[task]["log_loss"])


def _table_2() -> Iterator[tuple[str, str]]:
    """Yield the figures of table 2 that follow from the rows of docs/accuracy.md."""
    rows = [
        row for row in _rows(_page("docs/accuracy.md").splitlines()) if "the paper, measured" in row
    ]
    *rows, rest = rows
    assert len(rows) == 8
    shares = [
        [float(cell.split("%")[0]) for cell in (r["predicted"], r["measured, 95%"])] for r in rows
    ]
    measured = ", ".join(f"{share:.2f}".removeprefix("0") for _, share in shares)
    printed = (row["kurita-hoki-2017-printed: measured, 95%"].split("%")[0] for row in rows)
    distances = [abs(predicted - observed) for predicted, observed in shares]
    mean, largest = (f"{n:.2f}".removeprefix("0") for n in (np.mean(distances), max(distances)))
    yield "docs/sources.md", f'{mean} and {largest} points ("houjuu")'
    yield (
        "docs/sources.md",
        f"printed constants: {', '.join(share.removeprefix('0') for share in printed)}%",
    )
    discards = [int(row["houjuu: discards"].replace(",", "")) for row in (*rows, rest)]
    yield "docs/sources.md", f"{sum(discards):,} nodes"
    above = discards[-1] / sum(discards)
    yield "docs/sources.md", f'{1 - above:.1%} ("houjuu")'
    predicted, observed = (
        float(rest[column].split("%")[0]) for column in ("predicted", "measured, 95%")
    )
    yield (
        "docs/sources.md",
        f"the {above:.1%} above have {predicted:.1f}% on average, and {observed:.1f}% deal in",
    )
    inside = 0
    for row in (*rows, rest):
        low, high = map(float, row["measured, 95%"].split("[")[1].rstrip("]").split(", "))
        inside += low <= float(row["predicted"].split("%")[0]) <= high
    yield "docs/sources.md", f"{measured}% | better: {inside} of 9 mean predictions lie in"


def _table_3() -> Iterator[tuple[str, str]]:
    """Yield the rows of table 3 without dora."""
    content = _content("paper_tables.json")
    names = ("kurita-hoki-2017", "kurita-hoki-2017-printed")
    fitted, printed = (content["summary"][name] for name in names)
    yield "docs/sources.md", f"`--games {content['games']} --keep docs/real-run/paper_tables.json`"
    for winners in ("all", "open hands", "riichi"):
        gain, share = (
            fitted[f"without dora, {winners}: {n}"] for n in ("above the commonest", "right")
        )
        yield "docs/accuracy.md", f"{share} ({gain})".replace("-", "−")
        rons, han, right, gain = (
            f"without dora, {winners}: {name}"
            for name in ("rons", "real han", "right", "above the commonest")
        )
        yield (
            "docs/sources.md",
            f"{fitted[rons]} rons: real han {fitted[han]}; right {fitted[right]} (fitted), "
            f"{printed[right]} (printed); above the commonest {fitted[gain]} and {printed[gain]} |"
            "".replace("-", "−"),
        )


def _yaku() -> Iterator[tuple[str, str]]:
    """Yield the sentence about han."""
    all_, far = (_content("yaku.json")["han"][name]["all"] for name in ("all", "far"))
    yield (
        "docs/yaku.md",
        f"Hands have {all_['measured']:.3f} han on average; {all_['predicted']:.3f} are predicted "
        f"({all_['error']:+.3f} ± {all_['half_interval']:.3f}), and far from tenpai "
        f"{far['predicted']:.3f} for {far['measured']:.3f} "
        f"({far['error']:+.3f} ± {far['half_interval']:.3f}).".replace("-", "−"),
    )
    yield "docs/yaku.md", f"The best group of the source predicts {all_['group']:.3f},"
    yield "docs/yaku.md", f"({all_['rows']:,} hands)"
    by_shanten = _content("yaku.json")["han"]
    one, three = (by_shanten[shanten]["all"] for shanten in ("1", "3"))
    too_high = one["predicted"] / one["measured"] - 1
    yield (
        "docs/yaku.md",
        f"At shanten 1 the predicted han are {too_high:.0%} too high, "
        f"at 3 they are {1 - three['predicted'] / three['measured']:.0%} too low",
    )


def test_every_yaku_is_better_than_the_baseline() -> None:
    """Or it has fewer than ten wins, as docs/yaku.md states."""
    for hands in ("all", "far"):
        for name, line in _content("yaku.json")["yaku"][hands].items():
            assert line["improvement"] > line["half_interval"] or line["wins"] < 10, (hands, name)


COMPARED = [*_sentences(), *_games(), *_table_2(), *_table_3(), *_yaku()]
"""Figures in sentences and in cells, by page."""


@pytest.mark.parametrize(("page", "figures"), COMPARED)
def test_sentences(page: str, figures: str) -> None:
    assert " ".join(figures.split()) in " ".join(_page(page).split())


def _assert_shown(shown: str, printed: str) -> None:
    """The position and the table are shown in full, and the reasons in order, as far as shown."""
    shown, printed = (text.replace("\n> ", "\n  ") for text in (shown, printed))
    position, table, *reasons = shown.rstrip("\n").split("\n\n")
    lines = printed.splitlines()
    lines = lines[lines.index(position.splitlines()[0]) :]
    for line in f"{position}\n\n{table}".splitlines():
        assert is_same(line, lines[0])
        del lines[0]
    for line in "\n".join(reasons).splitlines():
        if line.strip() != "…":
            position_of_line = next(
                (n for n, other in enumerate(lines) if is_same(line, other)), None
            )
            assert position_of_line is not None, line
            del lines[: position_of_line + 1]


def _outputs(name: str) -> list[tuple[str, str]]:
    """The command and the output in each block of a page that shows a position."""
    blocks = re.findall(r"^```\w*\n(.*?)^```$", _page(name), re.DOTALL | re.MULTILINE)
    pairs = [text.removeprefix("$ houjuu ").partition("\n") for text in blocks]
    return [
        (first, rest) if text.startswith("$") else ("", text)
        for text, (first, _, rest) in zip(blocks, pairs, strict=True)
        if "tiles left, indicator" in text
    ]


def _printed(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    cli.main(arguments)
    return capsys.readouterr().out


@pytest.mark.parametrize("number", range(3))
def test_game(
    number: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The decisions of the game beside the page."""
    monkeypatch.chdir(ROOT)
    command, shown = _outputs("docs/game.md")[number]
    _assert_shown(shown, _printed(shlex.split(command), capsys))


OPTIONS = (["--model", "kurita-hoki-2017"], ["--model", "kurita-hoki-2017"], ["--explain", "3m"])
"""Those of the three positions of docs/danger.md."""


@pytest.mark.parametrize("number", range(len(OPTIONS)))
def test_danger(number: int, capsys: pytest.CaptureFixture[str]) -> None:
    """The positions of the page, whose games are not shipped, written by hand.

    A position by hand has no discard, whose hand the page shows before that of the best one.
    """
    shown = _outputs("docs/danger.md")[number][1]
    shown = re.sub("own hand after .*\n(?=own hand after )", "", shown)
    _assert_shown(shown, _printed(["danger", *_by_hand(shown), *OPTIONS[number]], capsys))


def _by_hand(shown: str) -> list[str]:
    """The options of `houjuu danger` for a printed position."""
    first, *lines = shown.split("\n\n", maxsplit=1)[0].splitlines()
    header = re.match(r"(\w+ (\d).*), (\d) riichi stick", first)
    assert header
    round, number, sticks = header.groups()
    options = ["--round", round, "--sticks", sticks]
    options += ["--dora", first.split()[-1], "--hand", lines.pop()[8:]]
    own = ("ESWN".index(lines[0].split()[1]) + int(number) - 1) % 4
    scores = [0, 0, 0, 0]
    for offset, line in enumerate(lines):
        side, _, score, *rest = line.split()
        river, *melds = " ".join(rest).split(" [")
        scores[(own + offset) % 4] = int(score)
        options += ["--river", f"{side}={river}"]
        options += [option for meld in melds for option in ("--meld", f"{side}=[{meld}")]
    return [*options, "--seat", str(own), "--scores", ",".join(map(str, scores))]


def test_a_changed_output_is_noticed() -> None:
    printed = "a position\n\n9m 1.24%\n\nleft\n  +0.51 one\n  +0.40 two\n  +0.30 three\n"
    _assert_shown("a position\n\n9m 1.25%\n\nleft\n  +0.51 one\n  …\n  +0.30 three\n", printed)
    for wrong in ("a position\n\n9m 1.27%\n", "a position\n\n9m 1.24%\n\nleft\n  +0.30 two\n"):
        with pytest.raises(AssertionError):
            _assert_shown(wrong, printed)


def test_meta() -> None:
    """The JSON of the page is that of the position above it."""
    page = _page("docs/meta.md")
    names: dict[str, Any] = {}
    blocks = [
        re.search(rf"^```{kind}\n(.*?)^```$", page, re.DOTALL | re.MULTILINE) for kind in KINDS
    ]
    code, shown = (block[1] for block in blocks if block)
    exec(code, names)
    answer = names["answer"]
    for name, entry in json.loads(shown)["tiles"].items():
        assert answer["tiles"][name]["points"] == pytest.approx(entry["points"], abs=1)
        by_opponent = answer["tiles"][name]["by_opponent"]
        assert by_opponent == pytest.approx(entry["by_opponent"], abs=2e-6)
        lost = answer["tiles"][name]["points_by_opponent"]
        assert lost == pytest.approx(entry["points_by_opponent"], abs=1)
        assert answer["tiles"][name]["deal_in"] == pytest.approx(entry["deal_in"], abs=2e-6)
    for opponent, entry in zip(answer["opponents"], json.loads(shown)["opponents"], strict=True):
        assert opponent == entry | {"tenpai": pytest.approx(entry["tenpai"], abs=2e-6)}
    best, shown_best = answer["best"], json.loads(shown)["best"]
    assert best["tile"] == shown_best["tile"]
    assert best["why"].keys() == shown_best["why"].keys()
    assert all(is_same(shown_best["why"][one], text) for one, text in best["why"].items())


KINDS = ("python", "json")


def test_unseen_tiles() -> None:
    """Every row of the three tables."""
    results = _content("unseen_tiles.json")
    n_losses = 5 + 3 + 8
    n_draws = 5 * 3
    n_bins = sum(line["location"] == "wall" for line in results["reliability"])
    n_cells = 4 * n_losses + 4 * n_draws + 2 * n_bins
    assert _compare("docs/unseen.md", accuracy.unseen_tiles(results)) == n_cells


def test_the_picture_of_the_edges() -> None:
    """It is drawn from the tables beside it, and a shifted slope would move a point."""
    tenpai, deal_in = (
        pd.read_csv(RUN / "houjuu" / "evaluation" / f"{question}_edges.csv", dtype={"group": str})
        for question in ("tenpai", "deal_in")
    )
    assert figures.svg(figures.edges(tenpai, deal_in)) == _page("docs/edges.svg")
    tenpai["slope"] *= 1.05
    assert figures.svg(figures.edges(tenpai, deal_in)) != _page("docs/edges.svg")


def _order_rows() -> Iterator[str]:
    """Where the winning kinds stand, of the rows of ``python -m benchmarks.score --json``."""
    places = ("safest", "mean", "riskiest")
    yield f"| tenpai opponent | {' | '.join(places)} |"
    lines = {line["row"]: line for line in _content("score.json")}
    for name in ("melded", "riichi", "closed"):
        cells = []
        for place in places:
            line = lines[f"order, {name}: {place}"]
            low, high = line["95%"]
            cells.append(f"{short(line['theirs'])} [{short(low)}, {short(high)}]")
        yield f'| "houjuu": {name} | {" | ".join(cells)} |'


def test_accuracy_order() -> None:
    assert _compare("docs/accuracy.md", _order_rows()) == 9
