"""Positions with one right answer, by theme.

An answer is the text of a tile to discard, or the name of another action. Where several are right
they come to the same. In a decision about a discard of left, that is the last tile of its river.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

_DEALT = {"self": "", "right": "", "across": "", "left": ""}
_EARLY = {"self": "9s 3z", "right": "9p 1s", "across": "1p 9s", "left": "9m 1m"}
_MIDDLE = {
    "self": "9s 3z 4z 2s 8m 4p 6s",
    "right": "9p 3z 1s 4z 9m 5z 2z",
    "across": "1p 4z 9s 3z 1m 5z 9p",
}
_RIICHI = {"left": "9m 1z 8s 3p 7z 6s* 2p'"}
"""With `_MIDDLE` it cannot win on 2p 3p 9p, 6s 8s, 9m, 1z 2z 7z."""
_TWO_RIICHI = {"right": "9p 3z 1s 4z 9m 5z* 2z'", **_RIICHI}
"""With `_MIDDLE` neither can win on 2p 9p, 6s, 9m, 2z."""

_QUIET = {**_MIDDLE, "left": "9m 1z 8s 3p 7z 6s 2p"}


def _no_dealer(rivers: dict[str, str]) -> dict[str, Any]:
    """Another seat: the river of the dealer is one discard longer."""
    return {"rivers": rivers | {"left": f"{rivers['left']} 1z"}, "seat": 1}


_LEADER = {"self": 45000, "right": 21000, "across": 21000, "left": 12000}
_LAST = {"self": 9000, "right": 45000, "across": 24000, "left": 21000}
_CLOSE = {"self": 26000, "right": 25500, "across": 24500, "left": 24000}


@dataclass(frozen=True)
class Case:
    """A position, as the arguments of `houjuu.position`, and the answers that are right."""

    theme: str
    hand: str
    answers: frozenset[str]
    more: dict[str, Any]
    claims: bool = False
    wrong: str = ""
    """Why the player answers wrongly, where it does."""

    def __str__(self) -> str:
        return f"{self.theme}: {self.hand} → {' '.join(sorted(self.answers))}"


def _draws(theme: str, table: dict[str, Any], *cases: tuple[Any, ...]) -> Iterator[Case]:
    """Decisions at an own draw: hand, answers, other arguments of the position, `Case.wrong`."""
    for hand, answers, *more in cases:
        arguments = {"rivers": _EARLY, "dora": "3z"} | table | (more[0] if more else {})
        yield Case(theme, hand, frozenset(answers.split()), arguments, wrong="".join(more[1:]))


def _riichi(theme: str, table: dict[str, Any], *hands: str) -> Iterator[Case]:
    """Hands that declare it."""
    return _draws(theme, table, *((hand, "riichi") for hand in hands))


def _claims(theme: str, table: dict[str, Any], *cases: tuple[Any, ...]) -> Iterator[Case]:
    """Decisions about a discard of left: hand, the tile, answer, and other arguments."""
    for hand, tile, answers, *more in cases:
        arguments: dict[str, Any] = {"rivers": _EARLY, "dora": "3z", "seat": 1} | table
        arguments |= more[0] if more else {}
        rivers = arguments["rivers"]
        arguments["rivers"] = rivers | {"left": f"{rivers['left']} {tile}"}
        yield Case(theme, hand, frozenset(answers.split()), arguments, claims=True)


CASES = [
    *_draws(
        "a lone tile goes",
        {},
        ("23467m34567p45s2z + 4s", "2z"),
        ("345m2367p34568s2z + 7p", "2z"),
        ("234m5678p2356s23z + 6p", "2z 3z"),
        ("12m4567p345s5577z + 9m", "9m"),
        ("2345m3456p789s5z9m + 4s", "5z 9m"),
        ("345m4569p3367s24z + 8s", "9p 2z 4z"),
        ("2234m4566p3459s2z + 6s", "9s 2z"),
        ("4567m4567p2344s3z + 6s", "3z"),
        ("1232m345p5678s47z + 9s", "2m 4z 7z"),
        ("3455m12349p3456s + 4s", "1p 9p"),
        ("345m3467p156s466z + 8s", "1s 4z"),
        ("2346m34679p45s55z + 7m", "9p"),
        ("067m3456p678s234z + 2p", "2z 3z 4z"),
        ("340m45677p2378s2z + 6p", "2z"),
        ("3467m3467p34555s + 1m", "1m"),
        ("3467m3467p34555s + 4z", "4z"),
        ("23467m34567p56s4z + 9p", "4z 9p", {"dora": "2m"}),
    ),
    *_draws(
        "a dora stays",
        {},
        ("23467m34567p45s3z + 7s", "3z", {"dora": "6s"}),
        ("34679m34567p56s2z + 8p", "9m 2z", {"dora": "4s"}),
        ("2349m3467p5678s2z + 5p", "9m 2z", {"dora": "4p"}),
        ("2346m34679p45s22z + 7m", "9p", {"dora": "1z"}),
        ("2346m3467p567s55z + 9m", "9m 6m", {"dora": "3p"}),
    ),
    *_draws(
        "the weakest partial set goes",
        {},
        ("12567m348p45678s + 8p", "1m 2m"),
        ("13567m3499p4567s + 8s", "1m 3m"),
        ("23489m456p34567s + 6p", "8m 9m"),
        ("3477m45678p1245s + 6s", "1s 2s"),
        ("24678m458p34567s + 8p", "2m 4m"),
        ("2256m34579p3467s + 8s", "7p 9p"),
        ("12334m456p12567s + 5p", "1s 2s"),
        ("12m34567p34567s5m + 5m", "1m 2m"),
        ("123456m12378p15s + 5z", "1s 5s 5z"),
    ),
    *_draws(
        "another form of hand",
        {},
        ("19m19p19s1234567z + 5m", "5m riichi"),
        ("19m19p15s1234567z + 8p", "8p 5s"),
        ("1133557799m1p8s3z + 8s", "1p 3z riichi"),
        ("1235678m7p11234z + 9m", "7p"),
        ("2m11345678p7s556z + 2p", "2m 7s"),
    ),
    *_draws(
        "a good wait declares riichi",
        {},
        ("234567m34588p67s + 1z", "riichi", {"dora": "2m"}),
        ("234567m34588p46s + 7s", "riichi"),
        ("234567m345p466s1z + 5s", "riichi"),
        ("22345m67p345678s + 1z", "riichi"),
        ("45m456p3456789s1z + 9s", "riichi", {"dora": "1m"}),
        ("234567m567p2444s + 5s", "riichi"),
        ("123456789m3p55s1z + 4p", "riichi"),
        ("345m456p267899s1z + 3s", "riichi"),
        ("678m4567p34566s2z + 8p", "riichi"),
        ("222678m2p45677s4z + 3p", "riichi"),
        ("233445m67899p5s2z + 6s", "riichi"),
        ("55m234567p3467s9m + 5s", "riichi"),
        ("345678m11p2346s9p + 5s", "riichi"),
    ),
    *_draws(
        "a single wait with many improvements stays dama",
        {},
        ("1344568m406p789s + 5m", "1m 8m"),
        ("1344568m406p789s + 5m", "1m 8m", _no_dealer(_EARLY)),
        (
            "1344568m406p789s + 5m",
            "1m 8m",
            {
                "rivers": {
                    "self": "4z 6z 9m 8s",
                    "right": "1z 5z 9p 3z",
                    "across": "1z 7z 2p 8s",
                    "left": "5z 1z 6z 7z 8p",
                },
                "dora": "6p",
                "round": "S3",
                "seat": 3,
                "scores": {"self": 27900, "right": 30300, "across": 31200, "left": 10600},
            },
            "by 136 points: the values alone choose riichi, and see few of the improvements",
        ),
    ),
    *_draws(
        "a dealer who leads declares a single wait",
        {
            "rivers": {
                "self": "9s 3z 4z 2s 8m 9p 6z 1m 9m 1z",
                "right": "9p 3z 1s 4z 9m 5z 2z 1p 8s 9m",
                "across": "1p 4z 9s 3z 1m 5z 9p 2z 2s 9s",
                "left": "9m 1z 8s 3p 7z 6s 2p 2z 1m 6z",
            },
            "round": "S3.1",
            "seat": "E",
            "scores": {"self": 29700, "right": 22500, "across": 23600, "left": 24200},
        },
        (
            "44567m23468p678s + 1s",
            "riichi",
            {},
            "by the values dama is better, with a yaku and a lead: 1,346 for 200 points",
        ),
    ),
    *_riichi(
        "a two-sided wait of a dealer in the middle of a round",
        {
            "rivers": {
                "self": "9s 3z 4z 2s 1p 9p 6z 1m 1z",
                "right": "9p 3z 1s 4z 9m 5z 2z 1p 8s",
                "across": "1p 4z 9s 3z 1m 5z 9p 2z 2s",
                "left": "9m 1z 8s 4p 7z 6s 2p 2z 1m",
            },
            "round": "S1.1",
            "seat": "E",
            "scores": {"self": 22000, "right": 30000, "across": 28000, "left": 19000},
        },
        "344678m33789p57s + 6s",
        "344678m22456p57s + 6s",
        "455678m22789p57s + 6s",
    ),
    *_draws(
        "a stick would make it last",
        {
            "rivers": {
                "self": "9s 3z 4z 2s 9m 9p 6z 8s 1z",
                "right": "9p 3z 1s 4z 1m 5z 2z* 1p 8s",
                "across": "1p 4z 9s 3z 1z 5z 9p 2z 2s 2s",
                "left": "9m 1z 8s 4p 7z 6s 2p 2z 9m 1s",
            },
            "round": "S4.1",
            "seat": "W",
        },
        *(
            (
                "12566m34p123345s + 3m",
                "1m 1s",
                {
                    "scores": {
                        "self": own,
                        "across": own - lead,
                        "left": 28500,
                        "right": right,
                    }
                },
            )
            for own, lead, right in (
                (17600, 200, 35500),
                (16800, 300, 37200),
                (19100, 800, 33100),
            )
        ),
    ),
    *_riichi(
        "the leader of South 3 with three kinds to win on",
        {
            "rivers": {
                "self": "9s 3z 4z 2s 9p 6z",
                "right": "9p 3z 1s 4z 5z 2z 1z",
                "across": "1p 4z 9s 3z 1m 5z 2z",
                "left": "9m 1z 8s 4p 7z 6s 1z",
            },
            "round": "S3",
            "seat": 1,
            "scores": {"self": 36700, "right": 5400, "across": 31300, "left": 26600},
        },
        "789m3456788p678s + 9m",
    ),
    *_riichi(
        "a dealer's single wait without a yaku",
        {
            "rivers": {
                "self": "9s 3z 4z 2s 9p",
                "right": "9p 3z 1s 4z 5z",
                "across": "1p 4z 9s 3z 1m",
                "left": "9m 1z 8s 4p 7z",
            }
        },
        "123456m33789p4s5z + 6s",
        "123m789p11m5679s1z + 9s",
    ),
    *_draws(
        "… tenpai before",
        {"rivers": _QUIET},
        ("123456m33789p46s + 1s", "riichi"),
        ("123m789p11m56799s + 8m", "riichi"),
        (
            "234m123789p6688s + 1z",
            "riichi",
            {},
            "the values put a hand 1 from tenpai above riichi on two pairs",
        ),
    ),
    *_riichi(
        "a two-sided wait of the dealer, tenpai before",
        {"rivers": _QUIET},
        "123456m33789p45s + 1z",
        "123456m11789p67s + 9m",
        "234567m99456p23s + 7z",
        "123m456789p5578s + 9p",
        "567m34p123789s22z + 9m",
        "123789m3378p567s + 1z",
    ),
    *_riichi(
        "a two-sided wait of another seat, tenpai before",
        _no_dealer(_QUIET),
        "123456m33789p45s + 1z",
        "123456m11789p67s + 9m",
        "567m34p123789s22z + 9m",
        "123789m3378p567s + 1z",
    ),
    *_riichi(
        "a two-sided wait at once",
        _no_dealer(_QUIET),
        "123456m33789p4s5z + 5s",
        "123456m11789p6s5z + 7s",
        "789m34p12378s22z1z + 9s",
        "345m12378p22s67s1z + 9p",
        "12378m3378p567s1z + 9m",
    ),
    *_draws(
        "a dealer's win of 1,500, or riichi in furiten on seven tiles",
        {},
        ("123m456p78s22299s + 6s", "tsumo"),
    ),
    *_draws(
        "a good hand pushes",
        {"rivers": _MIDDLE | _RIICHI},
        ("234567m34088p6s6z + 7s", "6z riichi", {"dora": "7p"}),
        ("22340m345p3456s6z + 7s", "6z riichi", {"dora": "1m"}),
        ("345m34056p5677s6z + 5p", "6z riichi", {"dora": "4p"}),
    ),
    *_draws(
        "the last round far behind",
        {"round": "S4", "seat": "E", "scores": _LAST},
        ("234567m34588p67s + 1z", "riichi", {"dora": "2m"}),
        ("234567m340p6s88s1z + 7s", "riichi"),
        ("345m345p23678s9s1z + 9s", "riichi"),
    ),
    *_draws(
        "a leader of the last round needs no riichi",
        {"round": "S4", "seat": "E", "scores": _LEADER},
        ("234567m3459p468s + 8s", "9p"),
        ("22234m34567p46s1z + 2s", "1z"),
        ("234m234p468s777z9p + 6s", "9p"),
    ),
    *_draws(
        "a hopeless hand folds",
        {"rivers": _MIDDLE | _RIICHI, "dora": "4z"},
        ("1469m2589p137s12z + 6z", "9m 2p 9p 1z 2z"),
        ("1469m2589p137s12z + 6z", "9m 2p 9p 1z 2z", {"round": "E2", "seat": "E"}),
        ("1469m2589p137s12z + 6z", "9m 2p 9p 1z 2z", {"round": "S2", "seat": "E"}),
        ("1458m2369p2478s6z + 5z", "2p 3p 9p 8s"),
        ("147m258p1469s367z + 5z", "2p 6s 9s 7z"),
        ("1258m1479p58s127z + 5z", "9p 8s 1z 2z 7z"),
        ("2457m348p267s11z9p + 8m", "3p 9p 1z"),
        ("158m139p1499s355z + 4s", "3p 9p"),
    ),
    *_draws(
        "a hopeless hand folds to two",
        {"rivers": _MIDDLE | _TWO_RIICHI, "dora": "4z"},
        ("1469m2589p137s12z + 6z", "9m 2p 9p 2z"),
        ("1458m2369p2478s6z + 5z", "2p 9p"),
        ("147m258p1469s367z + 5z", "2p 6s 9s"),
    ),
    *_draws(
        "a leader folds",
        {"rivers": _MIDDLE | _RIICHI, "round": "S4", "seat": "E", "scores": _LEADER, "dora": "4z"},
        ("1469m2589p137s12z + 6z", "9m 2p 9p 1z 2z"),
        ("2356m4478p233s11z + 2p", "2p 1z"),
        ("2467m3358p45s117z + 6m", "3p 1z 7z"),
    ),
    *_draws(
        "no kan",
        {},
        ("4444m258p369s267z + 6z", "2p 6s 9s 2z 7z", {"rivers": _MIDDLE | _RIICHI}),
        ("666678m345p5577s + 1z", "1z riichi"),
        ("2333345m567p88s4z + 6s", "4z 6s"),
    ),
    *_draws(
        "kan",
        {},
        ("345m678p4588s222z + 2z", "ankan"),
        ("567m34p234s66s444z + 4z", "ankan"),
        ("345678m34p99s777z + 7z", "ankan"),
    ),
    *_draws(
        "nine terminals and honours",
        {"rivers": _DEALT},
        ("1399m258p19s1247z + 5z", "abort"),
        ("159m37p19s123467z + 4m", "abort"),
        ("19m1268p19s12347z + 5s", "abort"),
    ),
    *_draws(
        "a win",
        {},
        ("234567m345p6688s + 6s", "tsumo"),
        ("1133557799m1p33z + 1p", "tsumo"),
        ("234567m345p6688s + 8s", "tsumo", {"rivers": _MIDDLE | _RIICHI}),
        ("234m456p2346678s + 9s", "tsumo", {"round": "S4", "seat": "E", "scores": _CLOSE}),
    ),
    *_claims(
        "a win off another",
        {},
        ("234567m345p6688s", "6s", "ron"),
        ("234567m34588p67s", "8s", "ron"),
        ("234567m34588p67s", "5s", "ron", {"round": "S1", "scores": _CLOSE}),
        ("1133557799m11p3z", "3z", "ron"),
        ("23456m34588p678s", "7m", "ron"),
        ("345m2255678p345s", "2p", "ron"),
    ),
    *_claims(
        "a pon of yakuhai",
        {},
        ("2346m34p4566s4z77z", "7z", "pon"),
        ("2349m34p45688s55z", "5z", "pon", {"dora": "7s"}),
        ("234m567p4588s557z", "5z", "pon"),
        ("345m34p4588s9m66z1s", "6z", "pon", {"dora": "7s"}),
        ("234m567p4588s557z", "5z", "pon", {"round": "S4", "seat": 0, "scores": _CLOSE}),
        ("34566m7p2388s177z", "7z", "pon", {"round": "S4", "seat": 0, "scores": _LEADER}),
    ),
    *_claims(
        "a call for a hand of simples",
        {},
        ("234m4688p34567s6m", "5p", "chi", {"dora": "7p"}),
    ),
    *_claims(
        "no call without a yaku",
        {},
        ("123m789p1134s5s29m", "2s", "pass"),
        ("1237m11p456789s4p", "5p", "pass"),
        ("123m46p789s22s79p1z", "5p", "pass"),
        ("11m789m1256p789s3z", "7p", "pass"),
        ("123789m12p5699s4z", "3p", "pass"),
        ("123m456789s3p114z", "2p", "pass"),
    ),
    *_claims(
        "no call of a good closed hand",
        {},
        ("234m567p34567s22z", "2z", "pass"),
        ("234567m567p3488s", "8s", "pass"),
        ("234m345p34567s44z", "4z", "pass"),
        ("340m5678p345s67s3z", "8s", "pass"),
    ),
    *_claims(
        "no call of a folding hand",
        {"rivers": {**_MIDDLE, "left": "9m 1z 8s 3p 7z 6s* 2p"}, "dora": "4z"},
        ("1469m2589p137s12z", "3m", "pass"),
        ("1449m2589p137s12z", "4m", "pass"),
        ("1469m2589p137s66z", "6z", "pass"),
    ),
]
