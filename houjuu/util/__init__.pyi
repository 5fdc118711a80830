from houjuu.util.errors import Error, LogError, ParameterError, TableError, ThreePlayerError
from houjuu.util.extras import EXTRAS, MissingPackageError
from houjuu.util.intervals import clustered_mean
from houjuu.util.languages import translate
from houjuu.util.line_process import words as command_words
from houjuu.util.parameters import Parameters
from houjuu.util.parameters import read as read_parameters
from houjuu.util.parameters import write as write_parameters

__all__ = [
    "EXTRAS",
    "Error",
    "LogError",
    "MissingPackageError",
    "ParameterError",
    "Parameters",
    "TableError",
    "ThreePlayerError",
    "clustered_mean",
    "command_words",
    "read_parameters",
    "translate",
    "write_parameters",
]
