"""The value of a hand (評価値): shanten, draws to tenpai, points of wins, and yaku of far hands."""
