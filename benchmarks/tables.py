"""Make a table of costs: compute the missing rows of its data file, then write it into its page.

    python benchmarks/tables.py NAME

NAME is a name in ``TABLES``. Some tables take hours of one core. Each row is stored in
``benchmarks/data/`` at once, so the same command continues after an interruption. To compute a row
again, remove it.
"""

from __future__ import annotations

import sys

from cost_tables import (
    constants,
    every_method,
    priors,
    regret,
    small_delta,
    winner_only,
    wrong_certificates,
)
from cost_tables.table import Table

TABLES: dict[str, Table] = {
    "every-method": every_method.TABLE,
    "winner-only": winner_only.TABLE,
    "wrong-certificates": wrong_certificates.TABLE,
    "priors": priors.TABLE,
    "constants": constants.TABLE,
    "regret": regret.TABLE,
    "small-delta": small_delta.TABLE,
}


def main(arguments: list[str]) -> int:
    """Make the named table; return 0, or 2 for unusable arguments."""
    if len(arguments) != 1 or arguments[0] not in TABLES:
        print(f"usage: python benchmarks/tables.py {'|'.join(TABLES)}", file=sys.stderr)
        return 2
    TABLES[arguments[0]].make()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
