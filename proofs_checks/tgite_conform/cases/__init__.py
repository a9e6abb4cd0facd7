"""The cases of the vectors, as rows of inputs: a data file for each version of the format."""
