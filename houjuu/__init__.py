"""houjuu: how likely each discard deals in, to whom and for how many points."""
