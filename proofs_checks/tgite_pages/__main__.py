"""Run :func:`tgite_pages.pages.main`."""

import sys

from tgite_pages.pages import main

sys.exit(main(sys.argv[1:]))
