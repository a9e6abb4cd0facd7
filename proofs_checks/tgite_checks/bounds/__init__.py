"""Checks of truth: is what the paper claims true, with which constant, and how tight?

A module for each theorem or part holds its checks, its constants and what shows the findings about
it; :mod:`.exact_laws` keeps the laws that several need, and :mod:`.table` lists the constants.
"""
