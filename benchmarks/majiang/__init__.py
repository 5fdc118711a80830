"""The player of 電脳麻将 by 小林聡 in the arena: matches and speed."""
