"""The law check: tests whether samples of an implementation follow the exact law."""
