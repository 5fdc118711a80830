"""The game: tiles, events, rules, and what each seat sees of a table."""
