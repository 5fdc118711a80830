"""The rules of the sources, and the players that follow them."""
