"""A seat at a running game, and the risks beside the answers of a bot."""

from houjuu.live.live import Live as Live
from houjuu.live.live import OutOfStepWarning as OutOfStepWarning
