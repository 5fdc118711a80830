"""The value of every action by its effect on the end of the game."""
