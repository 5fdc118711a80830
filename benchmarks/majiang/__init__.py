"""電脳麻将's player (小林聡) in our arena, against ours and beside ours in speed."""
