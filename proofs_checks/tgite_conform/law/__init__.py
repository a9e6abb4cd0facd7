"""The law check: whether samples of an implementation follow the exact law."""
