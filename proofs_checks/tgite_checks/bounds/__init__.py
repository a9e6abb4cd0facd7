"""Checks of truth: is each claim of the paper true, with which constant, and how tight is it?

Each theorem or part has a module with its checks, its constants and the demonstrations of its
findings. :mod:`.exact_laws` caches the laws that several modules need.
"""
