"""The pages of the site, and the program that makes them of the repository."""
