"""The inputs of the vectors' cases, one row for each case and one data file for each version."""
