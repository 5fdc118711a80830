"""The library that evaluates hands: riichienv, or `mahjong` where that is not installed."""

from __future__ import annotations

try:
    from houjuu.scoring.riichienv_adapter import (
        WINDS,
        Conditions,
        engine_meld,
        evaluate_win,
        is_tenpai,
        tenhou_yaku,
        waits,
    )
except ImportError as problem:
    try:
        from houjuu.scoring.mahjong_adapter import (  # type: ignore[assignment]
            WINDS,
            Conditions,
            engine_meld,
            evaluate_win,
            is_tenpai,
            tenhou_yaku,
            waits,
        )
    except ImportError:
        raise problem from None  # the name in the error is that of the faster one

__all__ = [
    "WINDS",
    "Conditions",
    "engine_meld",
    "evaluate_win",
    "is_tenpai",
    "tenhou_yaku",
    "waits",
]
