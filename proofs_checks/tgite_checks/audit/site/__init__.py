"""The site: the pages of ``docs/`` that are made from the ledger, and how all of them are built."""
