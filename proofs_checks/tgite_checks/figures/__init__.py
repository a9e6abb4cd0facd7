"""The paper's experiments: contestants, curves, figures and checks of the printed numbers."""
