"""Features of the calls and melds, of pushing and folding against a riichi, and of the game."""

from __future__ import annotations

from bisect import bisect_left

from houjuu.game.events import MeldKind
from houjuu.game.payments import RIICHI_STICK
from houjuu.game.tiles import IS_YAOCHU, KIND
from houjuu.reading import table1
from houjuu.reading.opponent import NOTHING_DISCARDED, OpponentContext
from houjuu.reading.safety import GENBUTSU, HALF_SUJI
from houjuu.reading.shared_features import NONE, chis, dealer, discards_since_call, open_yaku
from houjuu.util.features import Feature, feature

NOT_YET, NO_RIICHI = 5, 6
"""Stand for a safety class (`houjuu.reading.safety`): no discard since the riichi; no riichi."""

_LAST_DRAW = 4  # tiles in the wall, with which a riichi may still be declared

_row = Feature[OpponentContext].row


@feature(of="melds")
def ryanmen_chis(context: OpponentContext) -> int:
    """0–4 chi of a tile that completed a ryanmen."""
    lows = [
        (KIND[meld.tiles[0]], KIND[meld.called])
        for meld in context.seat.melds
        if meld.kind is MeldKind.CHI and meld.called is not None
    ]
    return sum(
        (called == low and low % 9 < 6) or (called == low + 2 and low % 9 > 0)
        for low, called in lows
    )


@feature(of="melds")
def simple_triplets(context: OpponentContext) -> int:
    """0–4 pon and kan of 2 to 8, closed kans included."""
    return sum(
        meld.kind is not MeldKind.CHI and not IS_YAOCHU[KIND[meld.tiles[0]]]
        for meld in context.seat.melds
    )


@feature(of="melds", without=NONE)
def tedashi_since_call(context: OpponentContext) -> int:
    """Tedashi since the last call, the discard after it included; −1 without a call."""
    if not context.calls:
        return NONE
    return len(context.river.tedashi_turns) - bisect_left(
        context.river.tedashi_turns, context.calls[-1]
    )


@feature(of="melds", without=NONE)
def tedashi_middles_since_call(context: OpponentContext) -> int:
    """Tedashi of 3 to 7 since the last call; −1 without a call."""
    if not context.calls:
        return NONE
    first = bisect_left(context.river.tedashi_turns, context.calls[-1])
    since = context.river.tedashi_classes[first:]
    return since.count(3) + since.count(4)


@feature(of="melds", without=NOTHING_DISCARDED)
def discard_after_call_class(context: OpponentContext) -> int:
    """Class of the discard after the last call (`RANK_CLASS`); 5 without one."""
    if not context.calls or context.calls[-1] >= len(context.river.kinds):
        return NOTHING_DISCARDED
    return context.river.classes[context.calls[-1]]


MELDS = (
    chis,
    ryanmen_chis,
    simple_triplets,
    open_yaku,
    _row(
        "discards_before_first_call",
        "Discards before the first call; −1 without a call",
        lambda context: context.calls[0] if context.calls else NONE,
        of="melds",
        without=NONE,
    ),
    discards_since_call,
    _row(
        "discards_since_2nd_last_call",
        "Discards since the second last call; −1 without one",
        lambda context: (
            len(context.river.kinds) - context.calls[-2] if len(context.calls) > 1 else NONE
        ),
        of="melds",
        without=NONE,
    ),
    tedashi_since_call,
    tedashi_middles_since_call,
    discard_after_call_class,
)


@feature(of="riichi")
def dangerous_discards(context: OpponentContext) -> int:
    """Discards that were not genbutsu to another's riichi."""
    return sum([safety > GENBUTSU for safety, _ in context.faced]) if context.faced else 0


@feature(of="riichi")
def dangerous_discards_without_suji(context: OpponentContext) -> int:
    """Dangerous discards of a suit that were not suji."""
    return sum([safety >= HALF_SUJI for safety, _ in context.faced]) if context.faced else 0


@feature(of="riichi")
def dangerous_tedashi_without_suji(context: OpponentContext) -> int:
    """Dangerous tedashi of a suit that were not suji."""
    return (
        sum([safety >= HALF_SUJI and tedashi for safety, tedashi in context.faced])
        if context.faced
        else 0
    )


def _safety(context: OpponentContext, discards_ago: int) -> int:
    if context.faced is None:
        return NO_RIICHI
    return context.faced[-discards_ago][0] if len(context.faced) >= discards_ago else NOT_YET


FACING_RIICHI = (
    _row(
        "tedashi_after_riichi",
        "Tedashi while another was in riichi (table 1)",
        lambda context: table1.tedashi_after_riichi(context.seat),
        of="riichi",
    ),
    dangerous_discards,
    dangerous_discards_without_suji,
    dangerous_tedashi_without_suji,
    _row(
        "last_discard_safety",
        "0–6, safety class of the last discard to a riichi, `NOT_YET` or `NO_RIICHI`",
        lambda context: _safety(context, 1),
        of="riichi",
        without=NO_RIICHI,
    ),
    _row(
        "second_last_discard_safety",
        "0–6, the same of the second last discard",
        lambda context: _safety(context, 2),
        of="riichi",
        without=NO_RIICHI,
    ),
    _row(
        "riichi_faced",
        "0–3 others in riichi at the last discard",
        lambda context: context.seat.river[-1].others_in_riichi if context.river.kinds else 0,
        of="riichi",
    ),
)


@feature()
def rank(context: OpponentContext) -> int:
    """0–3 players with more points."""
    own = context.view.scores[context.seat.seat]
    return sum([score > own for score in context.view.scores])


@feature()
def points_vs_best(context: OpponentContext) -> int:
    """Hundreds of points ahead of the best of the others; negative behind."""
    scores = list(context.view.scores)
    own = scores.pop(context.seat.seat)
    return (own - max(scores)) // 100


@feature()
def cannot_riichi(context: OpponentContext) -> int:
    """0/1, fewer than 1,000 points or four tiles in the wall."""
    short = context.view.scores[context.seat.seat] < RIICHI_STICK
    return int(short or context.view.tiles_left < _LAST_DRAW)


GAME = (
    dealer,
    rank,
    points_vs_best,
    _row(
        "points",
        "Hundreds of points",
        lambda context: context.view.scores[context.seat.seat] // 100,
    ),
    cannot_riichi,
    _row(
        "rounds_left",
        "Rounds until the last scheduled one: 0 in South 4, or East 4 of an East-only game",
        lambda context: context.view.rules.last_round - context.view.round,
    ),
    _row(
        "others_melds",
        "Open melds of the two others; those of the asking seat say nothing about this hand",
        lambda context: sum(
            [o.n_open_melds for o in context.view.opponents if o.melds and o is not context.seat]
        ),
    ),
    _row(
        "unseen_middles",
        "Copies of 3 to 7 that the asking seat does not see",
        lambda context: context.tiles.unseen_middles,
    ),
    _row(
        "live_yakuhai",
        "0–5 kinds of yakuhai with two or more copies unseen",
        lambda context: sum([context.tiles.live >> kind & 1 for kind in context.yakuhai]),
    ),
)
