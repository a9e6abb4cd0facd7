"""The ledger: the paper's claims in our own words, with verdicts and findings."""
