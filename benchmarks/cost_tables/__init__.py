"""Tables of the cost of finding the winner, for the pages: one module for each table."""
