"""What finding the winner costs, as tables of the pages: one module for each table."""
