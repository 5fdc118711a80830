"""What a log must satisfy and what a win is worth."""
