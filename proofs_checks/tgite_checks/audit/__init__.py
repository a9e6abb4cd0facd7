"""The audit: run the checks of the ledger, compare with the recorded verdicts, report."""
