"""The paper's claims, and the evidence for them from the transcription in ``tgite``."""
