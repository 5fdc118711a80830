"""Reading and writing games, a module a format."""
