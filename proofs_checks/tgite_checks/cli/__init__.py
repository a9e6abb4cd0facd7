"""The commands of ``tgite``, one module each."""
