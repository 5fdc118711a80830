"""The index of many games: ranks, habits beside those of phoenix players, trends, all games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from markupsafe import Markup

from houjuu.review.deciding import MISTAKES
from houjuu.review.prices import LIMIT
from houjuu.review.review_data import over_games
from houjuu.review.site import charts, drills
from houjuu.review.site.drill import PlacedDrill, selected
from houjuu.review.site.game_record import DiscardRecord, GamePage, GameRecord
from houjuu.review.site.habits import (
    CHOICES,
    LOSSES,
    MIN_GAMES,
    OF_CHOICES,
    OF_DISCARDS,
    OF_ROUNDS,
    SITUATIONS,
    Figure,
    Figures,
    differs,
    figures,
    of_luck,
    percentiles,
    usual_figures,
)
from houjuu.review.style import asset, style, template
from houjuu.review.usual import usual_player
from houjuu.util.errors import Error
from houjuu.util.languages import LANGUAGES, NAMES, Catalogue, problem_text, translate, written
from houjuu.util.languages.names import round_name, tile_names

MOST_LISTED = 15  # unit: discards in each list
MIN_EXPECTED = 5  # unit: expected deal-ins; intervals of fewer are too short to call it luck
_HABITS = tuple(key for key in OF_ROUNDS if not key.startswith(("games.", "rounds.lost_")))
_LOSSES = tuple(f"rounds.lost_{cause}" for cause in LOSSES)
_LUCK = ("luck.expected", "luck.skill", "luck.luck", "luck.balance")
_GROUPS = {"discards": "site.situation", "choices": "page.kind", "mistakes": "page.class"}


class Comparison(NamedTuple):
    """A figure beside the usual one, if that was measured.

    ``sign`` is that of a difference beyond the intervals, or 0.
    """

    key: str
    own: Figure
    usual: Figure | None
    sign: int
    chart: charts.Range


class SituationRow(NamedTuple):
    """The discards of a situation, of which there are `n` a game.

    ``luck`` is the sign of the excess of deal-ins, or 0; ``lost`` and ``points`` are the actual and
    the expected loss, unit: points a game.
    """

    name: str
    n: float
    dealt_in: Figure
    deal_in: Comparison
    usual_dealt_in: Figure | None
    luck: int
    lost: float
    points: float


class DecisionRow(NamedTuple):
    """The agreement and the value lost in decisions of a kind, of which there are `n` a game."""

    name: str
    n: float
    agrees: Comparison
    lost: Comparison


class MistakeRow(NamedTuple):
    """The mistakes of a class, of which there are `n` a game, and the value that they lose."""

    name: str
    n: float
    share: Comparison
    lost: Comparison


class TrendRow(NamedTuple):
    """A figure over time; `change` is the sign of that from the first half of the games."""

    key: str
    chart: charts.Trend
    blocks: Sequence[charts.GameBlock]
    usual: Figure | None
    change: int


class GameRow(NamedTuple):
    """A game: its deal-ins, points and value lost, and its luck if the actions have values."""

    page: str
    record: GameRecord
    others: list[str]
    dealt_in: int
    expected: float
    lost: int
    value_lost: int
    luck: int | None


class DiscardRow(NamedTuple):
    """A discard and its position on the page of the game; the round from 0, and its honba."""

    href: str
    date: str
    round: int
    honba: int
    discard: DiscardRecord


def file_name(language: str, first: str) -> str:
    """The file of the index in a language; the first language has ``index.html``."""
    return "index.html" if language == first else f"index.{language}.html"


def index(
    player: str | int,
    pages: Sequence[GamePage],
    problems: Sequence[Error],
    model: str,
    first: str,
    *,
    follows: bool = False,
) -> dict[str, str]:
    """The index in every language, by file name.

    Parameters
    ----------
    player : str or int
        The reviewed player, or the reviewed seat of several players.
    pages : sequence of GamePage
        In the order of play, at least one.
    problems : sequence of Error
        Logs that are left out.
    model : str
        Name of the model.
    first : str
        The language of ``index.html``, one of `houjuu.util.languages.LANGUAGES`.
    follows : bool
        Whether ``index.html`` leads to the index in the language of the browser.
    """
    records = [page.record for page in pages]
    usual = usual_figures(records)
    usual_lost = usual["choices.all.lost"].mean
    placed = placed_drills(pages)
    own = figures(records, OF_ROUNDS | OF_DISCARDS | OF_CHOICES | of_luck(usual_lost))
    context = {
        "player": player,
        "records": records,
        "dates": [record.date for record in records if record.date],
        "ranks": _ranks(records),
        "mean_rank": own["games.rank"],
        "percentiles": percentiles(records, own),
        "min_games": MIN_GAMES,
        "games": list(reversed([_game(page, usual_lost) for page in pages])),
        "costliest": _discards(pages, lambda discard: discard.points),
        "dealt_in": _discards(pages, lambda discard: discard.lost),
        "trends": _trends(records),
        "problems": sorted(problems, key=str),
        "engines": over_games(engine for one in records for engine in one.beside),
        "model": model,
        "follows": follows,
        "n_drills": len(selected(placed)),
        "limit": LIMIT,
        "lost": _lost(records),
        "worst": sorted(placed, key=lambda one: -one.drill["lost"])[:MOST_LISTED],
        **_compared(own, usual, len(records)),
    }
    return {file_name(language, first): _render(context, language, first) for language in LANGUAGES}


def placed_drills(pages: Sequence[GamePage]) -> list[PlacedDrill]:
    """The drills of all games, with their addresses."""
    return [
        PlacedDrill(drill, f"{page.path}#{drill['round']}.{drill['step']}")
        for page in pages
        for drill in page.record.drills
    ]


def habit_lines(catalogue: Catalogue, pages: Sequence[GamePage]) -> Iterator[str]:
    """Yield each habit of the player in a line, beside the usual figure and the percentile."""
    records = [page.record for page in pages]
    own, usual = figures(records, OF_ROUNDS), usual_figures(records)
    percents = percentiles(records, own)
    for key in (key for key in ("games.rank", *_HABITS) if key in own):
        named = {"": f"{charts.mean(key, own[key])} ± {charts.half(key, own[key])}"}
        if key in usual:
            named[f"{catalogue('site.usual')} "] = charts.mean(key, usual[key])
        if key in percents:
            named[f"{catalogue('site.percentile')} "] = str(percents[key])
        shown = catalogue("page.comma").join(name + value for name, value in named.items())
        yield f"{_label(catalogue, key)}: {shown}"


def name_of(catalogue: Catalogue, player: str | int) -> str:
    """The name of a player, or that of a seat."""
    return player if isinstance(player, str) else catalogue("site.seat", seat=player)


def _render(context: Mapping[str, Any], language: str, first: str) -> str:
    catalogue = translate(language)
    text: str = template("review/site", "index.html.j2").render(
        **context,
        name=name_of(catalogue, context["player"]),
        t=catalogue,
        problem_text=partial(problem_text, catalogue),
        label=lambda key: _label(catalogue, key),
        tile_names=partial(tile_names, catalogue),
        round_name=partial(round_name, catalogue),
        written=written,
        mean=charts.mean,
        own_mean=charts.mean if len(context["records"]) >= MIN_GAMES else _count,
        half=charts.half,
        language=language,
        first=first,
        drills_file=drills.file_name(language, first),
        languages=[(code, NAMES[code], file_name(code, first)) for code in LANGUAGES],
        css=style("review/site/index.css"),
        tiles=asset("review/tiles.svg"),
        js=script(),
        charts=charts,
    )
    return text


def _count(key: str, figure: Figure) -> str:
    """A share of few games as a count, "5/12", because its percents would say more than it does."""
    mean = charts.mean(key, figure)
    is_share = mean.endswith("%") and not key.startswith("discards.")
    return f"{figure.mean * figure.n:.0f}/{figure.n}" if is_share else mean


def script() -> Markup:
    """The JavaScript of the index."""
    return asset("review/site/index.js")


def _label(catalogue: Catalogue, key: str) -> str:
    """The name of a figure: ``discards.all.deal_in`` has those of the situation and the measure."""
    if not key.startswith(tuple(_GROUPS)):
        return catalogue(f"page.{key}" if key in _LUCK else f"site.{key}")
    group, where, measure = key.split(".")
    return catalogue(
        "site.figure",
        measure=catalogue(f"site.measure.{group}.{measure}"),
        situation=catalogue(f"{_GROUPS[group]}.{where}"),
    )


def _ranks(records: Sequence[GameRecord]) -> list[tuple[int, int, float]]:
    """Each rank with its number of games and its share."""
    counts = Counter(record.rank for record in records)
    return [(rank, counts[rank], counts[rank] / len(records)) for rank in (1, 2, 3, 4)]


def _compared(own: Figures, usual: Figures, n_games: int) -> dict[str, object]:
    """The tables beside the usual figures, and the figures that differ from them."""
    habits, losses = (
        [_row(key, own, usual, n_games) for key in keys if key in own]
        for keys in (_HABITS, _LOSSES)
    )
    situations = [
        _situation(name, own, usual, n_games)
        for name in SITUATIONS
        if f"discards.{name}.deal_in" in own
    ]
    decisions = [
        _decisions(name, own, usual, n_games)
        for name in CHOICES
        if f"choices.{name}.lost" in own.keys() & usual.keys()
    ]
    mistakes = [
        _mistakes(name, own, usual, n_games) for name in MISTAKES if f"mistakes.{name}.lost" in own
    ]
    expected = [row.deal_in for row in situations]
    agreement = [cell for row in decisions[:1] for cell in (row.agrees, row.lost)]
    by_class = [row.lost for row in mistakes]
    compared = (*habits, *expected, *agreement, *by_class, *losses)
    return {
        "habits": habits,
        "losses": losses,
        "situations": situations,
        "decisions": decisions,
        "mistakes": mistakes,
        "usual_player": usual_player(),
        "luck": {key: own[key] for key in _LUCK if key in own},
        "findings": [row for row in compared if row.sign],
    }


def _decisions(name: str, own: Figures, usual: Figures, n_games: int) -> DecisionRow:
    agrees, lost = (
        _row(f"choices.{name}.{measure}", own, usual, n_games) for measure in ("agrees", "lost")
    )
    return DecisionRow(name, lost.own.n / n_games, agrees, lost)


def _mistakes(name: str, own: Figures, usual: Figures, n_games: int) -> MistakeRow:
    share, lost = (
        _row(f"mistakes.{name}.{measure}", own, usual, n_games) for measure in ("share", "lost")
    )
    return MistakeRow(name, share.own.mean * share.own.n / n_games, share, lost)


def _row(key: str, own: Figures, usual: Figures, n_games: int) -> Comparison:
    ours, theirs = own[key], usual.get(key)
    sign = differs(ours, theirs, n_games) if theirs else 0
    return Comparison(key, ours, theirs, sign, charts.interval(ours, theirs))


def _situation(name: str, own: Figures, usual: Figures, n_games: int) -> SituationRow:
    start = f"discards.{name}."
    excess, deal_in = own[f"{start}excess"], _row(f"{start}deal_in", own, usual, n_games)
    per_game = excess.n / n_games
    n_expected = excess.n * deal_in.own.mean
    return SituationRow(
        name=name,
        n=per_game,
        dealt_in=own[f"{start}dealt_in"],
        deal_in=deal_in,
        usual_dealt_in=usual.get(f"{start}dealt_in"),
        luck=differs(excess, Figure(0, 0, 0), n_games) if n_expected >= MIN_EXPECTED else 0,
        lost=own[f"{start}lost"].mean * per_game,
        points=own[f"{start}points"].mean * per_game,
    )


def _trends(records: Sequence[GameRecord]) -> list[TrendRow]:
    """A chart over time for each figure of `trend`; empty for too few games."""
    blocks = charts.game_blocks(records)
    usual = usual_figures(records)
    first, second = charts.halves(records)
    return [
        TrendRow(
            key=key,
            chart=charts.trend([block.figures[key] for block in blocks], usual.get(key)),
            blocks=blocks,
            usual=usual.get(key),
            change=differs(second[key], first[key], len(records) // 2),
        )
        for key in (*charts.SHOWN, *charts.SHOWN_ESTIMATES)
        if blocks and all(key in part for part in (first, second, *(b.figures for b in blocks)))
    ]


def _lost(records: Sequence[GameRecord]) -> dict[str, Any]:
    """The numbers of games and decisions, and the prices of all mistakes by class."""
    choices = [choice for record in records for choice in record.choices]
    lost = {
        name: [one["value_lost"] for one in choices if one["mistake"] == name] for name in MISTAKES
    }
    return {"games": len(records), "decisions": len(choices), "lost": lost}


def _game(page: GamePage, usual_lost: float) -> GameRow:
    record = page.record
    return GameRow(
        page=page.path,
        record=record,
        others=[name for seat, name in enumerate(record.names) if seat != record.seat],
        dealt_in=sum(discard.dealt_in for discard in record.discards),
        expected=sum(discard.deal_in for discard in record.discards),
        lost=sum(discard.lost for discard in record.discards),
        value_lost=sum(choice["value_lost"] for choice in record.choices),
        luck=sum(one.luck(usual_lost) for one in record.lucks) if record.lucks else None,
    )


def _discards(
    pages: Sequence[GamePage], order: Callable[[DiscardRecord], float]
) -> list[DiscardRow]:
    """The discards with the highest positive values of all games that somebody chose."""
    candidates = [
        (page, discard)
        for page in pages
        for discard in page.record.discards
        if order(discard) > 0 and not discard.forced
    ]
    candidates.sort(key=lambda candidate: -order(candidate[1]))
    return [
        DiscardRow(
            href=f"{page.path}#{discard.round}.{discard.step}",
            date=page.record.date or page.record.id,
            round=round,
            honba=honba,
            discard=discard,
        )
        for page, discard in candidates[:MOST_LISTED]
        for round, honba, _ in [page.record.rounds[discard.round].start]
    ]
