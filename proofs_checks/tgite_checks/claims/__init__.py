"""The entries of the ledger: what the paper claims, in our own words, with verdicts and findings."""
