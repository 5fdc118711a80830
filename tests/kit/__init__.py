"""What several tests share: positions, messages, archives, damaged files, other programs."""
