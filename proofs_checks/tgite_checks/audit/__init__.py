"""The ledger: one entry for every claim of the paper, with its checks and its verdicts."""
