"""The pages of the site, and what makes them of the repository."""
