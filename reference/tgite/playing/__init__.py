"""Playing a stream: environments, the player that counts, and recordings."""
