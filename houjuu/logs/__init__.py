"""Reading and writing games: one module a format.

`games` reads the games of a file, folder, archive or database in any format; `parse` reads one.
Each format has a module, and `sources` opens what contains logs.
"""

from houjuu.util.face import attach

__getattr__, __dir__, __all__ = attach(__name__)
