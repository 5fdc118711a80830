from houjuu.live.advisor import Advisor, answers
from houjuu.live.beside import Beside
from houjuu.live.live import Live, OutOfStepWarning
from houjuu.live.overlay import InStepMeta, OutOfStepMeta, meta, with_card

__all__ = [
    "Advisor",
    "Beside",
    "InStepMeta",
    "Live",
    "OutOfStepMeta",
    "OutOfStepWarning",
    "answers",
    "meta",
    "with_card",
]
