from houjuu.scoring.legality import legal_actions
from houjuu.scoring.strict import check
from houjuu.scoring.win_scoring import scored

__all__ = ["check", "legal_actions", "scored"]
