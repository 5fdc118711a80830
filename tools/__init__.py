"""Programs for the work on the project."""
