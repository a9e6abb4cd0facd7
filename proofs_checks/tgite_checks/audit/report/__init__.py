"""The report of an audit: a JSON document and one self-contained page."""
