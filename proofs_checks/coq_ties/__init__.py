"""What ties the definitions of the Coq development to the Python code; not part of the wheel."""
