"""The rules of the game: tiles, events, the table and the view of each seat."""
