"""Stage ``extract``: replay the accepted games and write their rows to data/tenpai.parquet."""

from __future__ import annotations

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from tqdm import tqdm

from features import schema, tenpai
from houjuu.errors import Error
from pipeline import corpus, settings, stage
from pipeline.files import replacing
from pipeline.parse import GAMES

ROWS = "data/tenpai.parquet"


def main() -> None:
    """Extract the rows of every accepted game, in the order of the files."""
    params = settings.load()
    games = pd.read_parquet(GAMES)
    wanted = frozenset(games["source"])
    results = corpus.mapped(extract, corpus.batches(wanted), params.run)
    columns = schema.arrow(schema.TENPAI)
    count = found = 0
    with (
        replacing(ROWS) as path,
        tqdm(total=len(games), desc="extract", unit="game") as progress,
        pq.ParquetWriter(path, columns, compression="zstd") as writer,
    ):
        for number, rows in results:
            writer.write_table(pa.Table.from_pandas(rows, columns, preserve_index=False))
            count += len(rows)
            found += number
            progress.update(number)
    if found != len(games):
        raise Error(f"{corpus.source()} has {found} of the {len(games)} games of {GAMES}")
    print(f"{count} rows of {len(schema.TENPAI)} columns")


def extract(batch: list[corpus.Entry]) -> tuple[int, pd.DataFrame]:
    """Number of games in a batch, and their rows."""
    games = corpus.games(batch)
    return len(games), tenpai.rows(games)


if __name__ == "__main__":
    stage.run(main)
