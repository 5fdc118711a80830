"""Games of others on the parts of this project."""
