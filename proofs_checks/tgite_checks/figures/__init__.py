"""The paper's experiments: contestants, curves, figures, and what the printed numbers say."""
