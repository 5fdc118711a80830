"""What the engine of a report would have done at the decisions of its game.

An entry of mjai-reviewer has no index of its event. It stands at the first decision, in order, of
which round, tiles left, last actor, tile, hand, and what came before agree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import groupby

from houjuu.game.actions import OWN_KANS, Action, ActionKind
from houjuu.game.decisions import Decision, Follower
from houjuu.game.events import Call, Discard, Draw, Game, Riichi
from houjuu.game.tiles import KIND, mjai_name, parse_mjai
from houjuu.logs.engine_reports import EngineEntry, EngineReport, Place
from houjuu.logs.mjai_messages import Message
from houjuu.player.foreign import ActionValue, AnswerRecord, EngineAnswer
from houjuu.player.second_opinion import Opinions, opening
from houjuu.scoring.legality import legal_actions
from houjuu.util.errors import Error, LogError

_KANS = (ActionKind.DAIMINKAN, *OWN_KANS)


def opinions(report: EngineReport, game: Game) -> Opinions:
    """The answers of a report.

    Parameters
    ----------
    report : EngineReport
    game : Game
        That of the report, in any format.

    Returns
    -------
    Opinions
        A decision without an entry was not asked; if an entry is missing, that is the reason.
        akochan answers with the discard that follows its riichi or call, too.

    Raises
    ------
    LogError
        None of the entries stands at a decision: the report is of another game or seat.
    """
    decisions: list[Decision] = []
    entries = {
        number: list(group) for number, group in groupby(report.entries, lambda entry: entry.round)
    }
    answers: list[EngineAnswer] = []
    record = AnswerRecord(asked=len(report.entries))
    missing = EngineAnswer(absent=next((one for one in report.missing if "kyokus" in one), None))
    following: tuple[Message, ...] = ()
    for decision in Follower(game, [report.seat], legal_actions).decisions():
        if not decision.is_free:
            following = ()
            continue
        entry = _taken(entries.get(decision.round, []), game, decision)
        moves = entry.expected if entry else following
        decisions.append(decision)
        answers.append(_answer(moves, entry, decision) if moves else missing)
        first = answers[-1].action
        following = moves[1:] if first is not None and first == decision.chosen else ()
        record.answered += entry is not None and first is not None
        record.absent = record.absent or answers[-1].absent
    if report.entries and not record.answered:
        raise LogError("no entry of the report stands at a decision of its game")
    return Opinions(decisions, answers, record)


def _taken(entries: list[EngineEntry], game: Game, decision: Decision) -> EngineEntry | None:
    """The entry of a decision, taken from those of its round with all before it."""
    place = _place(game, decision)
    hand = tuple(sorted(map(_name_of(game), decision.view.hand)))
    for index, entry in enumerate(entries):
        if entry.place == place and entry.hand == hand:
            del entries[: index + 1]
            return entry
    return None


def _name_of(game: Game) -> Callable[[int], str]:
    return partial(mjai_name, red_fives=game.rules.red_fives)


def _place(game: Game, decision: Decision) -> Place | None:
    events, index = game.events, opening(game.events, decision.event)
    seat, left = decision.seat, decision.view.tiles_left
    name = _name_of(game)
    match events[index]:
        case Draw(seat=actor, tile=int(tile)) | Discard(seat=actor, tile=int(tile)):
            return Place(left, actor, name(tile), None)
        case Riichi(seat=actor) if decision.view.drawn is not None:
            return Place(left, actor, name(decision.view.drawn), "riichi")
        case Call(seat=actor, meld=meld) if actor == seat and meld.called is not None:
            return Place(left, actor, name(meld.called), "call")
        case Call(seat=actor, meld=meld) if meld.added is not None:
            return Place(left, actor, name(meld.added), "kan")
    return None


def _answer(
    moves: Sequence[Message], entry: EngineEntry | None, decision: Decision
) -> EngineAnswer:
    try:
        action = _action(moves[0], decision)
    except Error as problem:
        return EngineAnswer(absent=problem.reason)
    return EngineAnswer(action, options=tuple(_options(entry, decision)) if entry else ())


def _options(entry: EngineEntry, decision: Decision) -> Iterator[ActionValue]:
    """Yield the options that are legal here; another version may name others."""
    for option in entry.options:
        try:
            yield ActionValue(_action(option.moves[0], decision), option.value, option.probability)
        except Error:
            continue


def _action(message: Message, decision: Decision) -> Action:
    """The legal action of a message, of which every kan may be ``ankan``."""
    if message["type"] == "ankan" and message.get("consumed"):
        kind, _ = parse_mjai(message["consumed"][0])
        for one in decision.legal:
            if one.kind in _KANS and one.meld and KIND[one.meld.tiles[0]] == kind:
                return one
    action = Action.from_mjai(message, decision.view)
    if action not in decision.legal:
        raise Error(f"{dict(message)!r:.160} is illegal")
    return action
