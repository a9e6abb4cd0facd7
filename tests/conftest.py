"""Settings of all tests.

Property tests draw the same examples in every run; ``--hypothesis-profile=varied`` draws others.
"""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("fixed", derandomize=True, deadline=None)
settings.register_profile("varied", deadline=None)
settings.load_profile("fixed")
