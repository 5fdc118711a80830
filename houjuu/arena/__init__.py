"""Games played on riichienv: the project's own, so that there is something to train on."""
