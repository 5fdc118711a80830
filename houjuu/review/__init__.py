"""A reviewed game as an HTML page: the risk of every discard that a seat could make."""
