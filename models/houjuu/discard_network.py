"""Fitting the network that reads the discards in order.

`houjuu.estimators.log_linear.discard_network` defines it. Its term is added to the logit of the
tenpai GAM. A second output, the shanten, is used by the fit alone: it teaches the network more of
each hand than whether it is tenpai. The fit is stochastic gradient descent. In every sequence suits
change places at random and ranks are mirrored (1 for 9): what a river means hardly changes.

A term fitted on top of another is too certain, and so is their sum. A tenth of the games is
therefore kept from the networks, and gives factors of both terms, by number of open melds:

    logit P = a_f · GAM + b_f · network + c_f

A penalty on their distance to (1, 1, 0) leaves the terms nearly unchanged where rows are few. A
network that is not certain to help there has the factor 0 (`chosen_factors`). The network of
another fit keeps its weights, and gets factors alone (`houjuu.estimators.log_linear.rooms`).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, ClassVar, NamedTuple, Self

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
import pandas as pd

from features.columns import ints
from features.tenpai_rows import codes_of_rows, feature_matrix
from houjuu.estimators.log_linear.discard_network import OFFSETS, DiscardNetwork
from houjuu.estimators.log_linear.rooms import TenpaiRows
from houjuu.estimators.log_linear.tenpai_gam import MELD_GROUPS, TenpaiGAMModel
from houjuu.game.tiles import EAST
from houjuu.reading.discard_sequence import FIELDS, SIZES, Codes
from houjuu.util.arrays import Bools, Floats, Ints
from houjuu.util.intervals import student95
from models.fitting import pull
from models.fitting.descent import NetworkFit, Weights
from models.fitting.shards import Arrays, Shards, game_hashes

UNCHANGED, WITHOUT = (1.0, 1.0, 0.0), (1.0, 0.0, 0.0)
PENALTY = 20.0
"""L2 penalty on the distance of the factors to `UNCHANGED`."""
_MOST_DISCARDS = 24  # later discards of a round are left out
_LENGTH_STEP = 8  # batches have lengths in this step, so that few programs are compiled
_ROWS_AT_ONCE = 256  # in the check; the embeddings of each take 300 kB
_SHANTEN_CLASSES = 5  # shanten 4 and more is one class
_KIND = [field.name for field in FIELDS].index("kind")


class Sequences(NamedTuple):
    """All discards of s seats in a round each, and m rows of theirs.

    Attributes
    ----------
    codes : (d, f) array
        The discards of all sequences.
    starts, row_starts : (s + 1,) arrays
        First discard and first row of each sequence, and the totals.
    game : (s,) array
        A hash of the game of each sequence.
    discards : (m,) array
        Number of discards that the opponent of each row had made.
    melds, shanten : (m,) arrays
    offset : (m,) array
        The logit of the GAM.
    """

    codes: Codes
    starts: Ints
    row_starts: Ints
    game: npt.NDArray[np.uint64]
    discards: Ints
    melds: Ints
    shanten: Ints
    offset: Floats

    @property
    def lengths(self) -> Ints:
        """Number of discards of each sequence, (s,)."""
        return np.diff(self.starts)


class SequenceBatch(NamedTuple):
    """Some sequences, filled up with zeros to b sequences of t discards and r rows."""

    codes: Codes  # (b, t, f)
    state: Ints  # (r,): the sequence's number · (t + 1) + number of discards
    melds: Ints
    shanten: Ints
    offset: Floats
    is_row: Bools


@dataclass(kw_only=True, eq=False, repr=False)
class DiscardNetworkFit(NetworkFit):
    """The network of discards.

    Parameters
    ----------
    networks : int, default=2
        Number of networks, with this seed and those after it, whose terms are averaged: the noise
        of a fit averages out.
    shanten_weight : float, default=0.5
        Weight of the log loss of the shanten. The others are those of `NetworkFit`; a sample is a
        sequence, and the units are those of each network.

    Attributes
    ----------
    gam_factors_ : (4,) array
        Factors of the GAM's logit by number of open melds, see `chosen_factors`. The
        factors of the networks are in their weights.
    """

    stage: ClassVar[str] = "train_network"
    gradient_norm: ClassVar[float] = 1.0
    learning_rate: float = 0.004
    weight_decay: float = 1e-4
    networks: int = 2
    shanten_weight: float = 0.5

    def fit(self, shards: Shards, gam: TenpaiGAMModel, folder: Path | None = None) -> Self:
        """Fit to rows of `TENPAI` of `features.schema.tenpai`.

        They lie in files without a name in the folder (default: that of temporary files), 8 kB a
        game. The memory of the fit grows by 2 kB a game.
        """
        rows = concatenated(shards.map(partial(sequences, gam)), folder)
        is_reserved = pull.is_kept(rows.game)
        chosen = np.flatnonzero(~is_reserved)
        n_rows = np.diff(rows.row_starts)[chosen].sum()
        loss = partial(self._loss, rows_of_batch=n_rows / self.steps_of_epoch(len(chosen)))
        draw = partial(batches, rows, chosen)
        weights = average(self.descend(len(chosen), self._start, loss, draw, self.networks))
        reserved = terms_of_sequences(rows, np.flatnonzero(is_reserved), weights)
        self.gam_factors_, factors, constants = chosen_factors(reserved).T
        weights["output"] *= factors[:, None]
        weights["constant"] = factors * weights["constant"] + constants
        self.weights_ = weights
        return self

    def to_runtime(self) -> DiscardNetwork:
        """The fitted network."""
        names = np.array([field.name for field in FIELDS])
        return DiscardNetwork(names, *(self.weights_[name] for name in _RUNTIME))

    def terms(self, rows: pd.DataFrame) -> Floats:
        """The terms of rows as the fit computes them, in single precision, (m,)."""
        weights = {name: jnp.asarray(array, jnp.float32) for name, array in self.weights_.items()}
        melds = np.minimum(rows["n_open_melds"].to_numpy(np.int64), MELD_GROUPS - 1)
        discards = codes_of_rows(rows)
        codes = np.zeros((len(rows), max(map(len, discards), default=0), len(FIELDS)), np.uint8)
        for row, of_row in zip(codes, discards, strict=True):
            row[: len(of_row)] = of_row
        lengths = np.array([len(of_row) for of_row in discards], np.int64)
        terms = np.zeros(len(rows))
        for start in range(0, len(rows), _ROWS_AT_ONCE):
            chunk = slice(start, start + _ROWS_AT_ONCE)
            after = states(weights, codes[chunk])
            last = after[jnp.arange(len(after)), lengths[chunk]]
            terms[chunk] = tenpai_terms(weights, last, melds[chunk])
        return terms

    def _start(self, rng: np.random.Generator) -> dict[str, Floats]:
        """Random weights; the outputs begin with zeros, so that the GAM alone predicts at first."""
        units = self.units
        n_values = int(SIZES.sum())
        n_columns = 3 * units  # of both gates and of the candidate
        return {
            "embedding": rng.normal(0.0, 0.1, (n_values, n_columns)),
            "bias": np.repeat([-1.0, 0.0, 0.0], units),
            "recurrent": rng.normal(0.0, units**-0.5, (units, n_columns)),
            "output": np.zeros((MELD_GROUPS, units)),
            "constant": np.zeros(MELD_GROUPS),
            "shanten": np.zeros((MELD_GROUPS, units, _SHANTEN_CLASSES)),
            "shanten_constant": np.zeros((MELD_GROUPS, _SHANTEN_CLASSES)),
        }

    def _loss(self, weights: Weights, batch: SequenceBatch, rows_of_batch: float) -> jax.Array:
        """Log loss of a batch, nats per row of an average batch: tenpai, and the weighted shanten.

        A batch has sequences of one length. A mean over its own rows would give more weight to rows
        of short rounds, which end because somebody is tenpai: predictions would be too high.
        """
        all_states = states(weights, batch.codes)
        units = all_states.reshape(-1, self.units)[batch.state]
        logit = batch.offset + tenpai_terms(weights, units, batch.melds)
        is_tenpai = batch.shanten == 0
        tenpai = jax.nn.softplus(logit) - jnp.where(is_tenpai, logit, 0.0)
        by_melds = jnp.einsum("rh,mhc->rmc", units, weights["shanten"])
        by_melds += weights["shanten_constant"]
        shanten_logits = by_melds[jnp.arange(len(units)), batch.melds]
        log_probabilities = jax.nn.log_softmax(shanten_logits)
        shanten = -log_probabilities[jnp.arange(len(units)), batch.shanten]
        losses = tenpai + self.shanten_weight * shanten
        total = jnp.where(batch.is_row, losses, 0.0).sum()
        return jnp.asarray(total / rows_of_batch)


_RUNTIME = ("embedding", "bias", "recurrent", "output", "constant")


def average(networks: Sequence[dict[str, Floats]]) -> dict[str, Floats]:
    """One network with the units of all, side by side: its term is the mean of theirs."""
    n = len(networks)
    units = len(networks[0]["recurrent"])
    recurrent = np.zeros((n, units, 3, n, units))
    for number, network in enumerate(networks):
        recurrent[number, :, :, number] = network["recurrent"].reshape(units, 3, units)
    gates = {}
    for name in ("embedding", "bias"):
        by_gate = [network[name].reshape(-1, 3, units) for network in networks]
        shape = (*networks[0][name].shape[:-1], 3 * n * units)
        gates[name] = np.concatenate(by_gate, axis=2).reshape(shape)
    return {
        **gates,
        "recurrent": recurrent.reshape(n * units, 3 * n * units),
        "output": np.concatenate([network["output"] for network in networks], axis=1) / n,
        "constant": np.mean([network["constant"] for network in networks], axis=0),
    }


def states(weights: Weights, codes: jax.Array | Codes) -> jax.Array:
    """The states of b sequences before the first and after every discard, (b, t + 1, h)."""
    inputs = _multi_hot(codes) @ weights["embedding"] + weights["bias"]
    units = len(weights["recurrent"])
    n_gates = 2 * units

    def step(state: jax.Array, inputs: jax.Array) -> tuple[jax.Array, jax.Array]:
        recurrent = state @ weights["recurrent"]
        gates = jax.nn.sigmoid(inputs[:, :n_gates] + recurrent[:, :n_gates])
        update = gates[:, :units]
        reset = gates[:, units:]
        memory = reset * recurrent[:, n_gates:]
        candidate = jnp.tanh(inputs[:, n_gates:] + memory)
        state = state + update * (candidate - state)
        return state, state

    first = jnp.zeros((len(codes), units))
    _, later = jax.lax.scan(step, first, inputs.swapaxes(0, 1))
    return jnp.concatenate([first[None], later]).swapaxes(0, 1)


def _multi_hot(codes: jax.Array | Codes) -> jax.Array:
    """Ones at the values of every discard, (b, t, v); products are faster than look-ups."""
    values = jnp.arange(int(SIZES.sum()))
    is_value = (codes + jnp.asarray(OFFSETS))[..., None] == values
    return is_value.any(axis=2).astype(jnp.float32)


def tenpai_terms(weights: Weights, units: jax.Array, melds: jax.Array | Ints) -> jax.Array:
    """The terms of rows with these states, (r,)."""
    by_melds = weights["constant"] + units @ weights["output"].T
    return by_melds[jnp.arange(len(units)), melds]


def sequences(gam: TenpaiGAMModel, rows: pd.DataFrame) -> Arrays:
    """The arrays of `Sequences` for the rows of some games."""
    game = pd.factorize(rows["game"])[0]
    round = ints(rows, "round")
    opponent = ints(rows, "opponent")
    order = np.lexsort([ints(rows, "discards"), opponent, round, game])
    seats = np.array([game, round, opponent])[:, order]
    changes = (seats[:, 1:] != seats[:, :-1]).any(axis=0)
    starts = np.flatnonzero(np.append(True, changes))
    row_starts = np.append(starts, len(order))
    rows = rows.iloc[order]
    last_rows = rows.iloc[row_starts[1:] - 1]
    longest = [codes[:_MOST_DISCARDS] for codes in codes_of_rows(last_rows)]
    no_codes = np.zeros((0, len(FIELDS)), np.uint8)
    discards = rows["discards"].to_numpy(np.int8)
    n_open_melds = ints(rows, "n_open_melds")
    shanten = rows["shanten"].to_numpy(np.int8)
    logits = gam.logits(n_open_melds, feature_matrix(rows))
    return {
        "codes": np.concatenate([no_codes, *longest]),
        "starts": np.cumsum([0, *map(len, longest)]),
        "row_starts": row_starts,
        "game": game_hashes(last_rows["game"]),
        "discards": np.minimum(discards, _MOST_DISCARDS),
        "melds": np.minimum(n_open_melds, MELD_GROUPS - 1).astype(np.int8),
        "shanten": np.clip(shanten, 0, _SHANTEN_CLASSES - 1),
        "offset": logits.astype(np.float32),
    }


def concatenated(shards: Iterable[Arrays], folder: Path | None = None) -> Sequences:
    """The sequences of several shards, of which one is in memory at a time.

    The arrays with an element for each row or discard lie in files of the folder.
    """
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    starts: dict[str, list[Ints]] = {"starts": [], "row_starts": []}
    ends = dict.fromkeys(starts, 0)
    with ExitStack() as stack:
        files = {
            name: stack.enter_context(TemporaryFile(dir=folder))
            for name in Sequences._fields
            if name not in starts
        }
        for shard in shards:
            for name, file in files.items():
                shard[name].tofile(file)
            for name, parts in starts.items():
                parts.append(ends[name] + shard[name][:-1])
                ends[name] += int(shard[name][-1])
        joined = {
            name: np.append(np.concatenate(parts), ends[name]) for name, parts in starts.items()
        }
        mapped = {name: _mapped(file, shard[name]) for name, file in files.items()}
    return Sequences(**joined, **mapped)


def _mapped(file: IO[bytes], like: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The array of a file, with the type and the columns of another one."""
    file.flush()
    columns = like.shape[1:]
    if file.seek(0, os.SEEK_END) == 0:
        return np.zeros((0, *columns), like.dtype)
    return np.asarray(np.memmap(file, like.dtype)).reshape(-1, *columns)


def batches(
    rows: Sequences, chosen: Ints, size: int, rng: np.random.Generator
) -> Iterator[SequenceBatch]:
    """Yield these sequences once, those of about equal length together, in random order."""
    lengths = rows.lengths[chosen]
    random_order = lengths + rng.random(len(lengths))  # at random within a length
    by_length = chosen[np.argsort(random_order, kind="stable")]
    starts = size * rng.permutation(-(-len(by_length) // size))
    for start in starts.tolist():
        batch = _batch(rows, by_length[start : start + size], size)
        batch.codes[..., _KIND] = _permuted(batch.codes[..., _KIND], rng)
        yield batch


def terms_of_sequences(rows: Sequences, chosen: Ints, weights: dict[str, Floats]) -> TenpaiRows:
    """The GAM's logit, the network's term, the melds and the label of the rows of sequences."""
    single = {name: jnp.asarray(array, jnp.float32) for name, array in weights.items()}
    units = len(weights["recurrent"])
    no_rows = np.zeros(0)
    columns = [[no_rows, no_rows, no_rows.astype(np.int8), no_rows.astype(bool)]]
    for start in range(0, len(chosen), _ROWS_AT_ONCE):
        batch = _batch(rows, chosen[start : start + _ROWS_AT_ONCE], _ROWS_AT_ONCE)
        after = states(single, batch.codes).reshape(-1, units)[batch.state]
        terms = np.asarray(tenpai_terms(single, after, batch.melds), np.float64)
        of_batch = (batch.offset.astype(np.float64), terms, batch.melds, batch.shanten == 0)
        columns.append([column[batch.is_row] for column in of_batch])
    offset, term, melds, label = map(np.concatenate, zip(*columns, strict=True))
    game = np.repeat(rows.game[chosen], np.diff(rows.row_starts)[chosen])
    return TenpaiRows(np.column_stack([offset, term, np.ones(len(term))]), melds, label, game)


def _batch(rows: Sequences, chosen: Ints, size: int) -> SequenceBatch:
    lengths = rows.lengths[chosen]
    n_steps = max(-(-int(lengths.max()) // _LENGTH_STEP), 1)  # rounded up
    longest = _LENGTH_STEP * n_steps
    codes = np.zeros((size, longest, len(FIELDS)), np.uint8)
    sequence, discard = _ranges(lengths)
    codes[sequence, discard] = rows.codes[rows.starts[chosen][sequence] + discard]
    sequence, row = _ranges(np.diff(rows.row_starts)[chosen])
    index = rows.row_starts[chosen][sequence] + row
    columns = (
        sequence * (longest + 1) + rows.discards[index],
        rows.melds[index],
        rows.shanten[index],
        rows.offset[index],
        np.ones(len(index), bool),
    )
    empty = -len(index) % (size * longest)  # few numbers of rows, too
    filled = [np.pad(column, (0, empty)) for column in columns]
    return SequenceBatch(codes, *filled)


def _ranges(lengths: Ints) -> tuple[Ints, Ints]:
    """Number of the range, and place in it, of the elements of some ranges in a row."""
    number = np.repeat(np.arange(len(lengths)), lengths)
    starts = np.cumsum(lengths) - lengths
    return number, np.arange(len(number)) - starts[number]


def _permuted(kinds: Codes, rng: np.random.Generator) -> Codes:
    """Kinds of b sequences, (b, t), with the suits of each sequence permuted, and some mirrored."""
    unpermuted = np.tile(np.arange(3), (len(kinds), 1))
    suits = rng.permuted(unpermuted, axis=1)
    mirrored = rng.random(suits.shape) < 0.5
    suit = np.minimum(kinds // 9, 2)
    rank = kinds % 9
    is_mirrored = np.take_along_axis(mirrored, suit, axis=1)
    rank = np.where(is_mirrored, 8 - rank, rank)
    suit = np.take_along_axis(suits, suit, axis=1)
    permuted = np.where(kinds < EAST, 9 * suit + rank, kinds)
    return permuted.astype(np.uint8)


def chosen_factors(rows: TenpaiRows) -> Floats:
    """The fitted factors or the GAM alone, (4, 3).

    The factors must be better with certainty, by a 95% interval over games.

    Parameters
    ----------
    rows : TenpaiRows
        Of games that the networks have not seen, with the terms of the GAM and of the network, and
        1.
    """
    half = (rows.game & np.uint64(1)).astype(bool)
    if half.any() and not half.all():
        # The GAM may have seen the rows: its own factor alone must not speak for the network.
        without = _crossed(rows._replace(terms=rows.terms * (1.0, 0.0, 1.0)), half)
        mean, error = pull.gain(without, _crossed(rows, half))
        if mean > student95(len(without) - 1) * error:
            return fitted_factors(rows, np.ones(len(half), bool))
    return np.tile(WITHOUT, (MELD_GROUPS, 1))


def _crossed(rows: TenpaiRows, half: Bools) -> pd.Series[float]:
    """The loss of each game with the factors that are fitted to the other half of the games."""
    losses = np.where(
        half, *(rows.losses(fitted_factors(rows, others)) for others in (~half, half))
    )
    return pd.Series(losses).groupby(rows.game).sum()


def fitted_factors(rows: TenpaiRows, some: Bools) -> Floats:
    """The factors of the GAM and of the network, and the constant, of some rows, (4, 3)."""
    return rows.fit(some, np.tile(UNCHANGED, (MELD_GROUPS, 1)), PENALTY)
