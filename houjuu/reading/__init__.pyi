from houjuu.reading.opponent import OpponentType
from houjuu.reading.tenpai_features import NAMES as TENPAI_FEATURES
from houjuu.reading.tenpai_features import of_view as tenpai_features_of

__all__ = ["TENPAI_FEATURES", "OpponentType", "tenpai_features_of"]
