"""Checks of truth: is what the paper claims true, with which constant, and how tight?"""
