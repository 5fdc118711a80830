"""How a round ends: the model of the 17 endings and of their sizes."""
